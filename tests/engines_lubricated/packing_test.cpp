// Packings that flow to rest: an isostatic list with the forces of statics, the vertex of the linear program.
#include "statics/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "moreau/engines/lubricated/lubricated_engine.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/statics/rank.hpp"

namespace moreau::lubricated {

namespace {

using statics::Packing;
using statics::Pair;

// Loosened: everything blown up by this about the middle, walls too.
template <int D>
void loosen(Packing<D>& p, double strain) {
  for (Vec<D>& x : p.state.bodies.state.position) x = (1.0 + strain) * x;
  for (std::size_t k = 0; k < p.model.pistons.size(); ++k) {
    const std::size_t wall = static_cast<std::size_t>(p.model.pistons[k].walls[0].wall);
    const double half = std::abs(dot(p.model.walls[wall].geometry.point, p.model.walls[wall].geometry.direction));
    p.state.pistons[k].displacement -= strain * (half - p.state.pistons[k].displacement);
  }
  p.state.contacts.resize(0);
}

template <int D>
void flow(Packing<D>& p, double first, int steps) {
  LubricatedEngine<D> engine;
  p.model.time_step = first;
  for (int k = 0; k < steps; ++k, p.model.time_step *= 3.0) {
    const StepReport r = engine.step(p.model, p.state);
    ASSERT_TRUE(r.certificate.converged) << k << " " << r.reason;
    ASSERT_LT(r.certificate.unbalanced, 1e-11);
    for (const double h : p.state.contacts.apart) ASSERT_GT(h, 0.0);
  }
}

template <int D>
void expect_statics(const Packing<D>& p, const std::vector<Pair>& pairs) {
  const auto list = statics::list_of(p.model, p.state, pairs, p.load());
  ASSERT_EQ(static_cast<int>(list.pairs.size()), list.freedoms.size());
  statics::ListFactor factor;
  factor.set(matrix_of(p.model, p.state, list));
  Eigen::VectorXd f;
  ASSERT_TRUE(balancing_forces(factor, force_of(p.model, p.state, list.freedoms, p.load()), f));
  EXPECT_GT(f.minCoeff(), 0.0);
  const ContactTable<D>& table = p.state.contacts;
  std::size_t k = 0;
  for (std::size_t l = 0; l < table.size(); ++l) {
    if (k == list.pairs.size() || table.a[l] != list.pairs[k].a || table.b[l] != list.pairs[k].b) continue;
    EXPECT_NEAR(norm(table.impulse[l]) / p.state.impulse_time_step, f[static_cast<Eigen::Index>(k)], 1e-6 * f.mean());
    EXPECT_LT(table.apart[l], 1e-6);
    ++k;
  }
  EXPECT_EQ(k, list.pairs.size());
}

}  // namespace

TEST(LubricatedPacking, returns_to_the_list_of_the_linear_program_from_a_looser_state) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Packing<2> p = statics::pressed_packing<2>(8, seed);
    ASSERT_TRUE(p.finished.isostatic);
    const std::vector<Pair> vertex = statics::pushing_pairs(p.state);
    loosen(p, 1e-6);
    flow(p, 1e-3, 34);
    EXPECT_EQ(statics::pushing_pairs(p.state, 1e-6), vertex) << seed;
    expect_statics(p, vertex);
  }
}

TEST(LubricatedPacking, far_from_rest_ends_isostatic_too) {
  Packing<2> p = statics::pressed_packing<2>(7, 5);
  loosen(p, 0.01);
  flow(p, 1e-2, 40);
  expect_statics(p, statics::pushing_pairs(p.state, 1e-6));
}

TEST(LubricatedPacking, of_balls_ends_isostatic) {
  Packing<3> p = statics::pressed_packing<3>(3, 2);
  p.model.lubricated.law = FilmLaw::spheres;
  loosen(p, 1e-3);
  flow(p, 1e-2, 40);
  expect_statics(p, statics::pushing_pairs(p.state, 1e-6));
}

TEST(LubricatedPacking, overlaps_left_by_another_engine_are_parted_first) {
  Packing<2> p = statics::pressed_packing<2>(6, 4);
  loosen(p, -1e-4);
  flow(p, 1e-3, 34);
  Neighbours<2> neighbours;
  for (const auto& c : statics::contacts_within(p.model, p.state, neighbours, 0.0)) EXPECT_GT(c.gap, -1e-13);
}

TEST(LubricatedPacking, cut_and_continued_gives_the_same_bits) {
  Packing<2> p = statics::pressed_packing<2>(6, 7);
  loosen(p, 1e-3);
  p.model.engine = EngineKind::lubricated;
  p.model.time_step = 0.1;
  Simulation<2> whole(p.model, p.state);
  for (int k = 0; k < 6; ++k) whole.step();
  Simulation<2> first(p.model, p.state);
  for (int k = 0; k < 3; ++k) first.step();
  Simulation<2> second(p.model, first.state());
  for (int k = 0; k < 3; ++k) second.step();
  EXPECT_EQ(state_hash(whole.state()), state_hash(second.state()));
}

}  // namespace moreau::lubricated
