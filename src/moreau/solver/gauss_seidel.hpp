// The solver of the step: nonlinear Gauss-Seidel, and factorisations where sweeps do not reach the end (completion.hpp). A
// problem in, its velocities and impulses solved, a certificate out; another solver is another file beside this one.
#pragma once

#include "moreau/solver/certificate.hpp"
#include "moreau/solver/settings.hpp"
#include "moreau/solver/swept_problem.hpp"

namespace moreau::inline solver {

template <int D>
Certificate solve(ContactProblem<D>& problem, const SolverSettings& settings, const SolverTask& task, SweepMemory<D>& memory,
                  Accelerator<D>* accelerator);

// Estimates the error of the problem that was solved, which is left as it is, where that has not been done.
template <int D>
void estimate_end(ContactProblem<D>& problem, SweepMemory<D>& memory, Certificate& certificate);

// A problem that was made on the accelerator; `problem` is what it is brought to where its error has to be looked at here.
template <int D>
Certificate solve_there(ContactProblem<D>& problem, Accelerator<D>& accelerator, const SolverSize& size,
                        typename SweptProblem<D>::BringProblem bring, const SolverSettings& settings, const SolverTask& task,
                        SweepMemory<D>& memory);

}  // namespace moreau::inline solver
