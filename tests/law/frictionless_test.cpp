#include "moreau/law/frictionless.hpp"

#include <gtest/gtest.h>

#include "law/random_contact.hpp"
#include "oracle/property.hpp"

namespace moreau {
namespace {

TEST(Frictionless, separating_contact_carries_nothing) {
  EXPECT_EQ(solve_frictionless(Vec<2>{{0.3, -5.0}}, 2.0), (Vec<2>{{0.0, 0.0}}));
  EXPECT_EQ(solve_frictionless(Vec<3>{{0.0, 1.0, 1.0}}, 2.0), (Vec<3>{{0.0, 0.0, 0.0}}));
}

TEST(Frictionless, approaching_contact_is_stopped) {
  EXPECT_EQ(solve_frictionless(Vec<2>{{-3.0, 7.0}}, 2.0), (Vec<2>{{1.5, 0.0}}));
}

TEST(Frictionless, solution_is_on_the_graph_at_every_scale) {
  EXPECT_TRUE(rc::check([] {
    const double h = oracle::power_of_ten(-12, 12), scale = oracle::power_of_ten(-12, 12);
    const Vec<2> v{{scale * oracle::signed_unit(), scale * oracle::signed_unit()}};
    const Vec<2> p = solve_frictionless(v, h);
    const double w = v[0] + h * p[0];
    RC_ASSERT(p[0] >= 0.0 && p[1] == 0.0);
    RC_ASSERT((v[0] >= 0.0 ? p[0] == 0.0 && w == v[0] : std::abs(w) <= 2.3e-16 * std::abs(v[0])));
  }));
}

}  // namespace
}  // namespace moreau
