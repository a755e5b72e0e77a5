// The solvers of a LocalProblem: one interface, one file each. A solver prints nothing and throws nothing; what it reached is in
// the certificate, measured on the impulses it returns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "moreau/solver/given/local_certificate.hpp"
#include "moreau/solver/given/squeeze.hpp"
#include "moreau/solver/stopwatch.hpp"

namespace moreau::inline solver {

struct LocalSettings {
  double tolerance = 1e-8;     // stop when LocalCertificate::reached(tolerance); > 0, no unit
  double max_time = 60.0;      // [s] give up after it; looked at between iterations
  double max_cpu = unlimited;  // [s] of processor time, likewise
  int max_iterations = 0;      // 0: the solver's own limit
  double relaxation = 1.0;     // omega in (0, 2) of the sweeps
  Eigen::VectorXd start{};     // impulses to begin from; empty: zero
};

struct LocalResult {
  std::string solver;                // who reached it; "auto" names the last of those it called
  Eigen::VectorXd impulse;           // r
  Eigen::VectorXd velocity;          // u = W r + q
  int iterations = 0;                // sweeps or steps, of all solvers called
  double time = 0.0;                 // [s] of the clock on the wall
  double processor_time = 0.0;       // [s] of this process: what remains comparable on a busy machine
  bool converged = false;            // certificate.reached(tolerance)
  std::optional<Squeeze> squeeze{};  // proof that there is no solution, where the solver came upon one
  LocalCertificate certificate;
};

// Fills velocity, certificate, converged and time from the impulse.
void conclude(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result);

struct NamedSolver {
  const char* name;
  const char* purpose;
  LocalResult (*solve)(const LocalProblem&, const LocalSettings&);
};
const std::vector<NamedSolver>& local_solvers();  // "auto" first

LocalResult solve_automatic(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_local_gauss_seidel(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_over_relaxed(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_conjugate_sweeps(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_admm(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_proximal_newton(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_smoothing_newton(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_frictionless_program(const LocalProblem& problem, const LocalSettings& settings);

}  // namespace moreau::inline solver
