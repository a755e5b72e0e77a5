// A small smooth ball slides down a large fixed one (Moreau 2004, sec. 3.3). Its centre moves on a circle of
// radius 1 though no curvature enters the scheme: the normal turns from step to step.
//
//        o->           g = 1, v0 = 0.1
//      (   )           leaves where cos theta = (2 + v0^2) / 3
#include <gtest/gtest.h>

#include "physics/sample.hpp"

namespace moreau {
namespace {

using namespace sample;

struct Slide {
  double deepest = 0.0, deepest_late = 0.0;  // penetration: whole slide, second half
  double leaving_cosine = 1.0;
};

template <int D>
Slide slide(double h, ContactRule rule = ContactRule::midpoint) {
  Sample<D> s(h, {}, at<D>(0, -1));
  s.model.rule = rule;
  s.model.solver.tolerance = 1e-9;  // of g h, far below the speed of the ball: its rounding is no better
  auto simulation = s.obstacle({}, 0.999).ball(at<D>(0, 1), 0.001, at<D>(0.1, 0)).start();
  Slide result;
  for (double t = 0; t < 4.0; t = simulation.state().time) {
    const StepReport report = simulation.step();
    const Vec<D> x = simulation.state().bodies.state.position[1];
    result.deepest = std::max(result.deepest, 1.0 - norm(x));
    if (t > 1.0) result.deepest_late = std::max(result.deepest_late, 1.0 - norm(x));
    if (report.stick + report.slide > 0) result.leaving_cosine = simulation.state().contacts.normal[0][D - 1];
  }
  return result;
}

TEST(BallOnABall, penetration_is_of_second_order_and_does_not_grow) {
  const double published[] = {3.95e-4, 9.87e-5, 2.47e-5, 6.17e-6, 1.54e-6};
  double h = 0.02;
  for (const double depth : published) {
    const Slide disc = slide<2>(h), ball = slide<3>(h);
    EXPECT_NEAR(disc.deepest, depth, 0.01 * depth) << h;
    EXPECT_LE(disc.deepest_late, disc.deepest) << h;
    EXPECT_NEAR(ball.deepest, disc.deepest, 1e-13);
    h *= 0.5;
  }
}

TEST(BallOnABall, leaves_where_gravity_no_longer_holds_it_to_the_curve) {
  const double exact = (2 + 0.01) / 3;
  const double listed[] = {0.7175, 0.6873, 0.6917, 0.6867, 0.6797};
  double step = 0.02;
  for (const double cosine : listed) {
    EXPECT_NEAR(slide<2>(step).leaving_cosine, cosine, 1e-4) << step;
    step *= 0.5;
  }
  // The tangential step lifts the ball off the curve, gravity brings it back: touches become rare as the force vanishes, the last
  // one comes about sqrt(h) too early.
  for (const double h : {5e-3, 1e-3, 1e-4, 1e-5}) {
    const double cosine = slide<2>(h).leaving_cosine;
    EXPECT_GT(cosine, exact - h) << h;
    EXPECT_LT(cosine, exact + 3 * std::sqrt(h)) << h;
  }
}

TEST(BallOnABall, predictive_rule_keeps_it_outside) {
  for (const double h : {0.02, 0.005}) {
    const Slide s = slide<3>(h, ContactRule::predictive);
    EXPECT_LE(s.deepest, 1e-12) << h;
    EXPECT_NEAR(s.leaving_cosine, (2 + 0.01) / 3, 0.06);
  }
}

}  // namespace
}  // namespace moreau
