// Motions that many contacts share: a change of speed is summed from the impulses, and felt by every contact that takes part.
#include "moreau/solver/shared_motion.hpp"

#include <gtest/gtest.h>

#include "moreau/solver/iterate.hpp"

namespace moreau {
namespace {

constexpr std::uint32_t contacts = 2 * lanes;

// Round contacts with impulse (0, i + 1) and bias (0, i), every one in the first motion along y, every second in the other along
// x.
Iterate<2, double> iterate_of() {
  Iterate<2, double> iterate;
  iterate.packs.each([](auto& packs) { packs.colour_end = {0}; });
  auto& round = iterate.packs.get<Round<2>>();
  round.list.resize(2), round.colour_end = {2}, round.overflow_begin = 2;
  for (std::uint32_t i = 0; i < contacts; ++i) {
    round.list[i / lanes].impulse[0][i % lanes] = 0.25 * i;
    round.list[i / lanes].impulse[1][i % lanes] = i + 1.0;
    round.list[i / lanes].bias[0][i % lanes] = 0.0, round.list[i / lanes].bias[1][i % lanes] = i;
  }
  return iterate;
}
double bias(const Iterate<2, double>& iterate, std::uint32_t i, int d) {
  return iterate.packs.get<Round<2>>().list[i / lanes].bias[d][i % lanes];
}
SharedMotions<2> motions_of() {
  SharedMotions<2> motions;
  std::vector<Sharing<2>> sharings;
  for (std::uint32_t i = 0; i < contacts; ++i) sharings.push_back({place_of(ContactKind::round, i), 0, {{0.0, -1.0}}});
  for (std::uint32_t i = 0; i < contacts; i += 2) sharings.push_back({place_of(ContactKind::round, i), 1, {{2.0, 0.0}}});
  const SharedMotion pistons[] = {{0.5, 3.0}, {0.25, 0.0}};
  motions.set(pistons, sharings);
  return motions;
}
constexpr double pushed = 0.5 * contacts * (contacts + 1.0);             // sum of i + 1
constexpr double pulled = 0.25 * (contacts / 2) * (contacts / 2 - 1.0);  // sum of 0.25 i over even i
constexpr double first = 3.0 - 0.5 * pushed, second = 0.25 * 2.0 * pulled;

TEST(SharedMotions, gain_what_their_contacts_give_them) {
  Iterate<2, double> iterate = iterate_of();
  SharedMotions<2> motions = motions_of();
  motions.renew(iterate);
  ASSERT_EQ(motions.changes_of_speed().size(), 2u);
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[0], first);
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[1], second);
  for (std::uint32_t i = 0; i < contacts; ++i) {
    EXPECT_DOUBLE_EQ(bias(iterate, i, 1), i - first);
    EXPECT_DOUBLE_EQ(bias(iterate, i, 0), i % 2 ? 0.0 : 2.0 * second);
  }
  motions.renew(iterate);  // nothing has changed
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[0], first);
  EXPECT_DOUBLE_EQ(bias(iterate, 3, 1), 3 - first);
}

TEST(SharedMotions, are_extrapolated_from_where_they_were) {
  Iterate<2, double> iterate = iterate_of();
  SharedMotions<2> motions = motions_of();
  motions.start_extrapolation();  // from no change
  motions.renew(iterate);
  motions.extrapolate(iterate, 0.5);
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[0], 1.5 * first);
  EXPECT_DOUBLE_EQ(bias(iterate, 5, 1), 5 - 1.5 * first);
  motions.renew(iterate);
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[0], first);
}

// The kinetic norm: mass times the square of the change of speed.
TEST(SharedMotions, measure_their_change_since_a_snapshot) {
  Iterate<2, double> iterate = iterate_of();
  SharedMotions<2> motions = motions_of();
  motions.renew(iterate);
  motions.take_snapshot();
  EXPECT_EQ(motions.kinetic_square_since_snapshot(), 0.0);
  iterate.packs.get<Round<2>>().list[0].impulse[1][0] += 4.0;
  motions.renew(iterate);
  EXPECT_DOUBLE_EQ(motions.kinetic_square_since_snapshot(), (0.5 * 4.0) * (0.5 * 4.0) / 0.5);
}

TEST(SharedMotions, come_back_to_the_changes_with_which_an_iterate_was_left) {
  Iterate<2, double> iterate = iterate_of();
  SharedMotions<2> motions = motions_of();
  motions.renew(iterate);
  motions.leave();
  Iterate<2, double> other = iterate;
  for (int l = 0; l < lanes; ++l) other.packs.get<Round<2>>().list[0].impulse[1][l] *= 2.0;
  motions.renew(other);
  EXPECT_NE(motions.changes_of_speed()[0], first);
  motions.come_back();
  EXPECT_DOUBLE_EQ(motions.changes_of_speed()[0], first);
}

}  // namespace
}  // namespace moreau
