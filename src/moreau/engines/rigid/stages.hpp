// The stages of a step of the rigid engine, in their order. What a stage reads is const in its signature, what it writes is not;
// the comment says which part.
#pragma once

#include "moreau/dynamics/report.hpp"
#include "moreau/engines/rigid/step_view.hpp"

namespace moreau::inline engines {

// predict: walls, pistons and cell at t_m (work.apparatus, wall_surface; speeds of pistons that are prescribed); then the bodies
// at q_m = q_i + h/2 u_i; or at another instant of the step, which is chosen here (work.instant; positions, orientations and
// spins of blocks in the state; work.poses, centre, moment_before).
template <int D>
void predict_surroundings(const Model<D>& model, State<D>& state, Workspace<D>& work);
template <int D>
void predict_bodies(const Model<D>& model, State<D>& state, Workspace<D>& work);
// Rates that are prescribed take their value of t_m (state.cell.rate); returns the change of the velocity gradient.
template <int D>
Matrix<D> begin_prescribed_rates(const Model<D>& model, State<D>& state);
// The bodies of a deforming cell follow a change of its velocity gradient (velocities, ledger; work.centre).
template <int D>
void change_gradient(const Model<D>& model, State<D>& state, Workspace<D>& work, const Matrix<D>& change);

// assemble: values of the laws (work.needs, step_laws, joints, joint_areas); sequential shocks, which change the velocities of
// the bodies until recall_velocities (work.struck, velocity_before, spin_before); kinds of contact (work.kinds); the problem
// (work.problem, sharing_sum, penetration; gaps of the contact table).
template <int D>
void evaluate_laws(const Model<D>& model, const State<D>& state, Workspace<D>& work);
template <int D>
void strike_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report);
template <int D>
void choose_kinds(const Model<D>& model, const State<D>& state, Workspace<D>& work);
template <int D>
void assemble(const Model<D>& model, State<D>& state, Workspace<D>& work);
template <int D>
void pack_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work);
template <int D>
std::vector<Sharing<D>> sharings_of(const StepView<D>& view);

// What forces bring to a body in the step, with which the solver compares its error [velocity].
template <int D>
double reference_velocity(const Model<D>& model, const State<D>& state, const Workspace<D>& work);

// Under the predictive rule: contacts that the step has thrown together although they were neither near nor approaching when it
// began are added to those of the detector. `ahead`: what the detector looked for. False if there are none, or they are small.
// Else `begin` has an impulse for every contact, from which the sweeps may go on.
template <int D>
bool include_missed(const Model<D>& model, State<D>& state, Workspace<D>& work, const LookAhead& ahead,
                    std::vector<Vec<D>>& begin);

template <int D>
void recall_velocities(const Model<D>& model, State<D>& state, Workspace<D>& work);

// Sums over the bodies, at the end of the step where nothing else is said.
struct BodySums {
  ExactSum<double, 3> resultant, mass, speeds, cell_work, kinetic, potential;
  ExactSum<double, 3> unaccounted;  // work of gravity on paths that the mean velocities do not make (conclude.cpp)
  double fastest = 0.0;
  std::size_t free = 0, present = 0;
  bool finite = true;
  BodySums& operator+=(const BodySums& o) {
    resultant += o.resultant, mass += o.mass, free += o.free, present += o.present, finite &= o.finite, speeds += o.speeds;
    cell_work += o.cell_work, kinetic += o.kinetic, potential += o.potential, unaccounted += o.unaccounted;
    fastest = std::max(fastest, o.fastest);
    return *this;
  }
};
// update: q_f = q_m + h/2 u_f (bodies; the velocities in work.problem become means over the step; work.moment_after).
template <int D>
BodySums advance(const Model<D>& model, State<D>& state, Workspace<D>& work);

// certify: the contact table with impulses and status, work of the contacts in the ledger, penetration and forces in the report;
// then time, apparatus, energies, and what the report says of the bodies.
template <int D>
void account_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report);
template <int D>
void conclude(const Model<D>& model, State<D>& state, const Workspace<D>& work, const BodySums& sums, StepReport& report);

}  // namespace moreau::inline engines
