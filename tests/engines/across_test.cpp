// One packing by several engines (Combe 2001, chapter 5): soft and rigid forces of one list, soft and elastic response, the rigid
// limit with friction.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "moreau/engines/simulation.hpp"
#include "statics/packing.hpp"

namespace moreau {

namespace {

using statics::Packing;
using statics::Pair;

// A packing at rest whose walls are of a material of their own, without friction; between grains as given.
Packing<2> finished(int side, std::uint64_t seed, double friction, double stiffness) {
  Packing<2> p = statics::pressed_packing<2>(side, seed);
  EXPECT_TRUE(p.finished.isostatic) << p.finished.reason;
  p.model.materials = {{"grain", 1.0}, {"wall", 1.0}};
  PairLaw rough;
  rough.friction = friction;
  p.model.pair_laws = {rough, PairLaw{}, PairLaw{}, PairLaw{}};
  SoftLaw soft;
  soft.stiffness = stiffness, soft.tangential_stiffness = 0.5 * stiffness, soft.damping_ratio = 0.9;
  p.model.soft_laws.assign(4, soft);
  for (Wall<2>& wall : p.model.walls) wall.material = 1;
  p.state.impulse_time_step = p.model.time_step;
  return p;
}

std::map<Pair, double> normal_forces(const State<2>& state) {
  std::map<Pair, double> forces;
  const ContactTable<2>& t = state.contacts;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (const double f = dot(t.impulse[i], t.normal[i]) / state.impulse_time_step; f > 0.0) forces[{t.a[i], t.b[i], 0, 0}] = f;
  return forces;
}

// Largest difference of the forces, over the mean of the first.
double difference(const std::map<Pair, double>& these, const std::map<Pair, double>& those) {
  double most = 0.0, sum = 0.0;
  for (const auto& [pair, f] : these) {
    const auto other = those.find(pair);
    most = std::max(most, std::abs(f - (other == those.end() ? 0.0 : other->second)));
    sum += f;
  }
  return most * static_cast<double>(these.size()) / sum;
}

// Softly until the forces balance to this; masses are of order 1, so that the time of an impact is 3 / sqrt(stiffness).
void rest_softly(Simulation<2>& simulation, double stiffness, double unbalanced, int most) {
  Model<2>& model = simulation.mutable_model();
  model.engine = EngineKind::soft;
  model.time_step = 0.04 / std::sqrt(stiffness);
  simulation.changed_by_hand();
  StepReport r;
  for (int k = 0; k < most; ++k) {
    r = simulation.step();
    if (k > 1000 && r.unbalanced_force < unbalanced && r.energy.kinetic < unbalanced * unbalanced / stiffness) return;
  }
  ADD_FAILURE() << "not at rest: " << r.unbalanced_force << " " << r.energy.kinetic;
}

}  // namespace

TEST(AcrossEngines, soft_forces_tend_to_those_of_rigid_bodies_as_one_over_the_stiffness) {
  std::vector<double> differences;
  const std::vector<double> levels{1e4, 1e5, 1e6};
  for (const double kappa : levels) {
    Packing<2> p = finished(4, 2, 0.0, kappa);
    const auto rigid = normal_forces(p.state);
    Simulation<2> simulation(p.model, p.state);
    rest_softly(simulation, kappa, 1e-8, 2000000);
    differences.push_back(difference(rigid, normal_forces(simulation.state())));
  }
  EXPECT_LT(differences.back(), 1e-3);
  for (std::size_t k = 1; k < levels.size(); ++k) EXPECT_NEAR(std::log10(differences[k - 1] / differences[k]), 1.0, 0.1);
}

// Combe 2001, sec. 5.2 (C19): 49 discs, strains to 1 %, forces to 2 %; soft dynamics with fixed normals, and without while
// strains are small. With fixed normals the stiffness only scales the strains.
void check_agreement(double q, bool fixed, double kappa) {
  Packing<2> p = finished(7, 1, 0.25, kappa);
  Simulation<2> prepared(p.model, p.state);
  rest_softly(prepared, kappa, 1e-7, 1000000);
  Model<2> model = prepared.model();
  const double start = prepared.state().pistons[1].displacement;

  State<2> state = prepared.state();
  state.phase_start = state.time;
  model.engine = EngineKind::elastic, model.time_step = 0.1;
  model.pistons[1].target.times = {0.0, 1.0}, model.pistons[1].target.values = {0.0, q};
  Simulation<2> elastic(model, state);
  for (int k = 0; k < 10; ++k) {
    const StepReport r = elastic.step();
    ASSERT_TRUE(r.certificate.converged) << r.reason;
  }
  state = prepared.state();
  state.phase_start = state.time;
  const double ramp = 20.0;
  model.pistons[1].target.times = {0.0, ramp};
  model.engine = EngineKind::soft, model.time_step = prepared.model().time_step;
  model.soft.small_displacements = fixed;
  Simulation<2> soft(model, state);
  const std::size_t contacts = normal_forces(state).size();
  while (soft.state().time < state.time + ramp) soft.step();
  rest_softly(soft, kappa, 1e-6, 1000000);

  const double by_elastic = elastic.state().pistons[1].displacement - start,
               by_soft = soft.state().pistons[1].displacement - start;
  EXPECT_GT(by_elastic, 1e-7);
  EXPECT_NEAR(by_soft / by_elastic, 1.0, 0.01);
  EXPECT_LT(difference(normal_forces(elastic.state()), normal_forces(soft.state())), 0.02);
  if (fixed) {
    EXPECT_EQ(soft.state().contacts.size(), contacts);  // open ones are kept, no others come
  }
}
TEST(AcrossEngines, soft_and_elastic_engines_agree_contact_by_contact) { check_agreement(0.1, false, 1e5); }
TEST(AcrossEngines, soft_dynamics_with_fixed_normals_is_the_elastic_calculation) { check_agreement(0.5, true, 1e4); }

// Under small displacements contacts open, close and are found again after a cut.
TEST(AcrossEngines, fixed_normals_cut_and_continued_give_the_same_bits) {
  const double kappa = 1e4;
  Packing<2> p = finished(5, 2, 0.25, kappa);
  p.model.engine = EngineKind::soft, p.model.soft.small_displacements = true, p.model.time_step = 0.02 / std::sqrt(kappa);
  p.model.pistons[1].target.times = {0.0, 2.0}, p.model.pistons[1].target.values = {0.0, 0.5};
  for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
    p.model.soft.integrator = integrator;
    Simulation<2> whole(p.model, p.state);
    const auto normals = [](const Simulation<2>& s) { return s.state().contacts.normal; };
    for (int k = 0; k < 10; ++k) whole.step();
    const auto early = normals(whole);
    Simulation<2> second(p.model, whole.state());
    for (int k = 0; k < 3000; ++k) whole.step(), second.step();
    EXPECT_EQ(state_hash(whole.state()), state_hash(second.state()));
    EXPECT_EQ(normals(whole), early);
    EXPECT_LT(std::abs(whole.state().energy.error()), 1e-6);
  }
}

TEST(AcrossEngines, the_soft_engine_goes_on_where_the_elastic_one_has_left_it) {
  const double kappa = 1e5;
  Packing<2> p = finished(5, 3, 0.25, kappa);
  Simulation<2> simulation(p.model, p.state);
  rest_softly(simulation, kappa, 1e-7, 1000000);
  Model<2>& model = simulation.mutable_model();
  const double step = model.time_step;
  model.engine = EngineKind::elastic, model.time_step = 1.0;
  model.pistons[1].target.mean = 1.05;
  ASSERT_TRUE(simulation.step().certificate.converged);
  const auto forces = normal_forces(simulation.state());
  simulation.mutable_state().contacts.apart.clear();
  model.engine = EngineKind::soft, model.time_step = step;
  simulation.changed_by_hand();
  const StepReport r = simulation.step();
  EXPECT_LT(r.unbalanced_force, 1e-2);
  EXPECT_LT(difference(forces, normal_forces(simulation.state())), 1e-2);
}

TEST(AcrossEngines, an_elastic_path_cut_and_continued_gives_the_same_bits_and_balances_its_energy) {
  Packing<2> p = finished(6, 4, 0.25, 1e4);
  p.model.engine = EngineKind::elastic, p.model.time_step = 0.1;
  for (Vec<2>& impulse : p.state.contacts.impulse) impulse = (p.model.time_step / p.state.impulse_time_step) * impulse;
  p.state.impulse_time_step = p.model.time_step;
  p.model.pistons[1].target.times = {0.0, 1.0}, p.model.pistons[1].target.values = {0.0, 0.6};
  Simulation<2> whole(p.model, p.state);
  for (int k = 0; k < 6; ++k) {
    const StepReport r = whole.step();
    ASSERT_TRUE(r.certificate.converged) << k << " " << r.reason;
    EXPECT_LT(r.certificate.unbalanced, 1e-9);
    EXPECT_LT(std::abs(r.energy.error()), 1e-12);
  }
  EXPECT_GT(whole.state().energy.dissipated, 0.0);  // something slid
  Simulation<2> first(p.model, p.state);
  for (int k = 0; k < 3; ++k) first.step();
  Simulation<2> second(p.model, first.state());
  for (int k = 0; k < 3; ++k) second.step();
  EXPECT_EQ(state_hash(whole.state()), state_hash(second.state()));
}

// Combe 2001, sec. 5.3.3 and C23: rigid bodies with friction do not strain before they flow.
TEST(AcrossEngines, rigid_bodies_with_friction_do_not_strain_before_they_flow) {
  Packing<2> p = finished(8, 1, 0.25, 1e5);
  p.model.time_step = 0.01, p.model.rule = ContactRule::predictive;
  p.model.solver.tolerance = 1e-8, p.model.solver.unbalanced_tolerance = 1e-8, p.model.solver.max_sweeps = 20000;
  for (Vec<2>& impulse : p.state.contacts.impulse) impulse = (p.model.time_step / p.state.impulse_time_step) * impulse;
  p.state.impulse_time_step = p.model.time_step;
  p.model.pistons[1].target.times = {0.0, 5.0}, p.model.pistons[1].target.values = {0.0, 0.5};
  p.model.engine = EngineKind::rigid;
  Simulation<2> simulation(p.model, p.state);
  const double start = simulation.state().pistons[1].displacement;
  while (simulation.state().time < 6.0) simulation.step();
  EXPECT_LT(std::abs(simulation.state().pistons[1].displacement - start) / 4.0, 1e-5);
}

}  // namespace moreau
