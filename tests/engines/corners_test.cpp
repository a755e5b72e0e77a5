// Whether blocks that touch corner on corner hold each other is told by the motion.
#include "moreau/statics/corners.hpp"

#include <gtest/gtest.h>

#include "physics/block_sample.hpp"

namespace moreau::statics {

namespace {

// Two unit squares (cubes: edge on edge), the second up and to the right of the first, so that they have a corner in common.
template <int D>
struct Diagonal {
  sample::Sample<D> s{1.0};
  State<D> state;
  std::vector<Contact<D>> contacts;

  Diagonal() {
    Vec<D> sides{}, up{};
    for (int d = 0; d < D; ++d) sides[d] = 1.0;
    up[0] = up[D - 1] = 1.0;
    sample::add_box<D>(s, sides, {}), sample::add_box<D>(s, sides, up);
    state.bodies = s.bodies;
    for (const double along : {-0.5, 0.5}) {
      Contact<D> c;
      c.pair = {0, 1, 0, contacts.size()};
      c.normal[0] = c.normal[D - 1] = -std::sqrt(0.5);
      c.arm_a = 0.5 * up;
      if (D == 3) c.arm_a[1] = along;
      c.arm_b = c.arm_a - up;
      contacts.push_back(c);
      if (D == 2) break;
    }
  }
  bool pressed_by(double across, double up, double spin = 0.0) const {
    std::vector<BodyMotion<D>> motion(2);
    motion[0].velocity[0] = across, motion[0].velocity[D - 1] = up;
    motion[0].spin[D == 2 ? 0 : 1] = D == 2 ? spin : -spin;
    return Corners<D>(s.model, state, contacts).is_pressed(0, motion);
  }
};

template <int D>
void check_diagonal() {
  const Diagonal<D> two;
  EXPECT_EQ(Corners<D>(two.s.model, two.state, two.contacts).count(), D - 1);
  EXPECT_TRUE(two.pressed_by(1.0, 1.0));
  EXPECT_TRUE(two.pressed_by(1.0, 0.1)) << "mostly beside it, but into it";
  EXPECT_TRUE(two.pressed_by(1e-9, 1e-9)) << "however slowly";
  EXPECT_FALSE(two.pressed_by(1.0, 0.0)) << "along its lower side";
  EXPECT_FALSE(two.pressed_by(0.0, 1.0)) << "along its left side";
  EXPECT_FALSE(two.pressed_by(1.0, -0.5)) << "down and past it";
  EXPECT_FALSE(two.pressed_by(-1.0, -1.0));
  // Turning to the left about its middle the corner goes up and to the left; carried to the right it stays left of the other.
  EXPECT_FALSE(two.pressed_by(0.4, 0.0, 1.0));
  EXPECT_TRUE(two.pressed_by(0.6, 0.0, 1.0));
}

}  // namespace

TEST(Corners, of_squares_hold_what_would_overlap_and_let_pass_what_would_not) { check_diagonal<2>(); }
TEST(Corners, of_cubes_hold_what_would_overlap_and_let_pass_what_would_not) { check_diagonal<3>(); }

TEST(Corners, on_a_face_are_none) {
  sample::Sample<2> s(1.0);
  sample::add_box<2>(s, {{1.0, 1.0}}, {}), sample::add_box<2>(s, {{1.0, 1.0}}, {{0.3, 1.0}});
  State<2> state;
  state.bodies = s.bodies;
  Contact<2> c;
  c.pair = {0, 1, 0, 0};
  c.normal = {{0.0, -1.0}};
  c.arm_a = {{-0.2, 0.5}}, c.arm_b = {{-0.5, -0.5}};
  EXPECT_EQ(Corners<2>(s.model, state, {c}).count(), 0);
}

}  // namespace moreau::statics
