// The branch of equilibria, corner by corner: against increments of Newton's method, and past a load at which it turns.
#include "moreau/engines/elastic/branch.hpp"

#include "moreau/engines/elastic/load_path.hpp"
#include "moreau/engines/elastic/network_of.hpp"
#include "statics/packing.hpp"

namespace moreau::elastic {

namespace {

struct Loaded {
  statics::Packing<2> packing = statics::pressed_packing<2>(7, 1);
  Structure<2> structure;
  Eigen::VectorXd F0, F1;
  Sparse held;

  explicit Loaded(Flow flow) {
    packing.state.impulse_time_step = packing.model.time_step;
    structure = structure_of(packing.model, packing.state, packing.load(), {1e5, 0.5, 0.25, flow, 0.0, 1e-9});
    F0 = force_of(packing.model, packing.state, structure.freedoms, packing.load());
    F1 = force_of(packing.model, packing.state, structure.freedoms, packing.with_deviator(1.0)) - F0;
    held.resize(F0.size(), F0.size());
    held.setIdentity();
    held *= 1e-4;
  }
  BranchEnd branch(double q) const {
    const Rest start = at_reference(structure.network);
    TangentFactor factor(structure.network, held);
    return follow_branch(factor, start.slip, start.displacement, F0 + q * F1, {});
  }
};

}  // namespace

TEST(Branch, ends_in_an_equilibrium_under_the_load) {
  for (const Flow flow : {Flow::coulomb, Flow::associated}) {
    const Loaded s(flow);
    const BranchEnd end = s.branch(0.3);
    ASSERT_EQ(end.why, BranchEnd::Why::reached);
    EXPECT_GT(end.corners, 5);
    const Rest start = at_reference(s.structure.network);
    const Answer there = answer(s.structure.network, start.slip, end.displacement);
    // The weak springs to the ground take 1e-4 of a displacement of 1e-5.
    EXPECT_LT((s.structure.network.G.transpose() * there.force + s.F0 + 0.3 * s.F1).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_GT(there.sliding, 0u);
  }
}

// One increment from the reference has one equilibrium on this branch, whoever finds it.
TEST(Branch, is_where_newtons_method_leads) {
  const Loaded s(Flow::associated);
  const Found found = Equilibrium(s.structure.network, {1e-12}).find(at_reference(s.structure.network), s.F0 + 0.3 * s.F1);
  ASSERT_TRUE(found.converged);
  EXPECT_LT((s.branch(0.3).displacement - found.rest.displacement).cwiseAbs().maxCoeff(),
            1e-5 * found.rest.displacement.cwiseAbs().maxCoeff());
}

TEST(Branch, of_a_load_that_cannot_be_borne_says_how_far_it_goes) {
  const Loaded s(Flow::coulomb);
  const BranchEnd end = s.branch(5.0);
  EXPECT_NE(end.why, BranchEnd::Why::reached);
  EXPECT_GT(5.0 * end.load, 0.3);
  EXPECT_LT(5.0 * end.load, 2.0);
}

}  // namespace moreau::elastic
