// Balances on samples that the real step brought to rest: ground forces = weight, Love's stress = that of the boundary, no moment
// on average (symmetric stress).
#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/measure/heap/ground_pressure.hpp"
#include "moreau/measure/rigidity/rigidity.hpp"
#include "moreau/measure/stress/stress.hpp"
#include "moreau/measure/stress/wall_forces.hpp"

namespace moreau::measure {
namespace {

template <int D>
struct Settled {
  Simulation<D> simulation;
  ContactRecords<D> contacts;
  Sample<D> sample;

  // Poured roughly, then brought to rest with all digits.
  Settled(Model<D> model, Bodies<D> bodies, int rough, int exact) : simulation(std::move(model), std::move(bodies)) {
    simulation.mutable_model().solver = {.tolerance = 1e-3, .unbalanced_tolerance = 3e-2, .max_sweeps = 200};
    for (int n = 0; n < rough; ++n) simulation.step();
    simulation.mutable_model().solver = {.tolerance = 1e-8, .unbalanced_tolerance = 1e-7, .max_sweeps = 20000};
    for (int n = 0; n < exact; ++n) simulation.step();
    contacts = simulation.contact_records();
    const Bodies<D>& b = simulation.state().bodies;
    sample = sample_of(simulation.model(), b.shapes, simulation.state().time, b.parameters, b.state, contacts, {});
  }
};

template <int D>
Model<D> tray(double friction, double width, double gravity) {
  Model<D> model;
  model.gravity[D - 1] = -gravity;
  model.time_step = 1e-3;
  model.rule = ContactRule::predictive;
  model.materials = {{"grain", 1.0}};
  model.pair_laws = {PairLaw{friction, 0.0, 0.0}};
  for (int d = 0; d < D; ++d) {
    Vec<D> inwards{}, far{};
    inwards[d] = 1.0, far[d] = width;
    model.walls.push_back({"low" + std::to_string(d), {WallShape::plane, {}, inwards, 0.0}, 0, -1});
    if (d + 1 < D) model.walls.push_back({"high" + std::to_string(d), {WallShape::plane, far, -inwards, 0.0}, 0, -1});
  }
  return model;
}

template <int D>
Bodies<D> lattice(int across, int layers, double pitch) {
  RandomStream random(8);
  Bodies<D> bodies;
  const int rows = D == 2 ? 1 : across;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < across; ++i) {
        Vec<D> x{};
        x[0] = (i + 0.5) * pitch, x[D - 1] = (k + 0.5) * pitch;
        if constexpr (D == 3) x[1] = (j + 0.5) * pitch;
        for (int d = 0; d < D; ++d) x[d] += random.uniform(-0.02, 0.02) * pitch;
        bodies.append(homogeneous_ball<D>(x, random.uniform(0.35, 0.47) * pitch, 1.0));
      }
  return bodies;
}

template <int D>
void balances_close(int across, int layers, int steps) {
  const Settled<D> s(tray<D>(0.3, across * 0.1, 9.81), lattice<D>(across, layers, 0.1), steps, 200);
  const WeightBalance balance = weight_balance(s.sample);
  EXPECT_NEAR(balance.carried(), 1.0, 1e-4);
  double rings = 0.0;
  for (const PressureRing& ring : ground_pressure(s.sample, Vec<D>{}, 0.13)) rings += ring.force;
  EXPECT_NEAR(rings, balance.ground, 1e-12 * balance.weight);

  const Region<D> whole = domain_of(s.sample).whole();
  const Tensor<D> love = stress(s.sample, whole).contact, boundary = stress_from_boundary(s.sample, whole.volume());
  EXPECT_LT((love - boundary).norm(), 1e-3 * love.norm());
  EXPECT_LT((love - love.transpose()).norm(), 1e-3 * love.norm());
  // At the bottom the vertical stress of the wall is the thrust on it.
  for (const WallForce<D>& wall : wall_forces(s.sample))
    if (wall.name == "low" + std::to_string(D - 1)) {
      EXPECT_NEAR(-wall.vertical, balance.ground, 1e-12 * balance.weight);
    }
}

TEST(PouredSample, discs_in_a_tray) { balances_close<2>(8, 10, 1500); }
TEST(PouredSample, balls_in_a_tray) { balances_close<3>(4, 6, 3000); }

TEST(PouredSample, frictionless_discs_are_isostatic) {
  // Without friction the force-carrying structure of discs of random sizes at rest has no self-stress and no mechanism (Combe
  // 2001, sec. 3.2): as many contacts as freedoms.
  const Settled<2> s(tray<2>(0.0, 0.8, 9.81), lattice<2>(8, 8, 0.1), 2500, 100);
  ASSERT_NEAR(weight_balance(s.sample).carried(), 1.0, 1e-6);
  // Under gravity every disc carries at least its own weight: two contacts hold one, and none is a rattler.
  Structure all;
  const std::vector<bool> carrying = carrying_contacts(s.sample);
  for (std::size_t c = 0; c < carrying.size(); ++c)
    if (carrying[c]) all.contacts.push_back(c);
  for (std::size_t i = 0; i < s.sample.bodies(); ++i) all.bodies.push_back(i);
  const Rigidity r = rigidity(s.sample, all, ContactForces::normal);
  EXPECT_EQ(r.freedoms, 128);
  EXPECT_EQ(r.hyperstatic(), 0);
  EXPECT_EQ(r.hypostatic(), 0);
}

}  // namespace
}  // namespace moreau::measure
