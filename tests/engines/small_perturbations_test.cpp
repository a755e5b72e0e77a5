// Steps with fixed normals (Combe 2001, sec. 4.3.5) against the linear program that they are pivots of, solved by CLP from
// scratch.
#include "moreau/engines/geometric/small_perturbations.hpp"

#include "moreau/statics/motion_program.hpp"
#include "statics/packing.hpp"

namespace moreau::geometric {

using statics::Packing;
using statics::pressed_packing;

TEST(SmallPerturbations, every_step_is_the_optimum_of_the_linear_program) {
  int pivots = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Packing<2> p = pressed_packing<2>(10, seed);
    ASSERT_TRUE(p.finished.isostatic);
    const double q = 0.3;
    SmallPerturbations<2> steps(p.model, p.state, p.load(), p.with_deviator(q), 0.5);
    for (double at = 0.0; at < 1.0;) {
      const Eigen::VectorXd u = steps.displacement();
      const Pivot pivot = steps.next(at);
      ASSERT_FALSE(pivot.endless);
      pivots += pivot.moved, at = pivot.moved ? pivot.at : 1.0;
      // The list held from `from` to `at`: there its vertex is the optimum.
      const Eigen::VectorXd reach = Eigen::VectorXd::Constant(steps.freedoms().size(), 1e3);
      const Eigen::VectorXd F = steps.force(0.5 * (pivot.from + pivot.at));
      const statics::Motion optimum = statics::MotionProgram().solve(steps.matrix(), steps.gap(), F, reach, steps.pairs());
      ASSERT_TRUE(optimum.found);
      EXPECT_NEAR(F.dot(u), optimum.gain, 1e-10 * (1.0 + std::abs(optimum.gain)));
      if (pivot.at - pivot.from < 1e-6) continue;  // two vertices are nearly as good
      // Bodies that a trivalent opening has left without force may be anywhere.
      const Eigen::VectorXd differs = (u - optimum.displacement).cwiseAbs();
      for (std::size_t k = 0; k < steps.pairs().size(); ++k) {
        if (!(optimum.force[static_cast<Eigen::Index>(k)] > 1e-6)) continue;
        for (const std::int32_t b : {steps.pairs()[k].a, steps.pairs()[k].b})
          if (!is_wall(b)) {
            const int column = steps.freedoms().column(static_cast<std::size_t>(b), 0);
            EXPECT_LT(std::max(differs[column], differs[column + 1]), 1e-10);
          }
      }
      EXPECT_LT(differs.tail(2).maxCoeff(), 1e-10);
      EXPECT_GT((steps.gap() + steps.matrix() * u).minCoeff(), -1e-12);
    }
  }
  EXPECT_GT(pivots, 20);
}

TEST(SmallPerturbations, on_a_row_of_discs_the_arc_becomes_its_tangent) {
  statics::Packing<2> p = statics::disc_among({{{0.0, 0.0}}, {{1.2, 0.0}}, {{2.2, 0.6}}}, {{0.6, 0.8}});
  const auto load = [](double x) {
    Load<2> l;
    l.force.assign(4, Vec<2>{});
    l.force[3] = {{x, -1.0}};
    return l;
  };
  ASSERT_TRUE(finish(p.model, p.state, load(0.0)).isostatic);
  SmallPerturbations<2> steps(p.model, p.state, load(0.0), load(1.0), 2.0);
  const Pivot pivot = steps.next(0.0);
  ASSERT_TRUE(pivot.moved && !pivot.endless);
  EXPECT_NEAR(pivot.at, 0.75, 1e-12);
  EXPECT_EQ(pivot.closed.b, 2);
  // Tangent of the contact with disc 1 (normal (-0.6, 0.8)): (0.8, 0.6); with disc 2 the normal (-1.6, 0.2)/d and the gap d - 1.
  const double d = std::hypot(1.6, 0.2), s = (d - 1.0) / ((1.6 * 0.8 - 0.2 * 0.6) / d);
  EXPECT_NEAR(steps.displacement()[0], 0.8 * s, 1e-12);
  EXPECT_NEAR(steps.displacement()[1], 0.6 * s, 1e-12);
}

}  // namespace moreau::geometric
