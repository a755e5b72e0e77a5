// Parts of a problem that do not feel one another.
#include "moreau/solver/given/local_parts.hpp"

#include <gtest/gtest.h>

#include "moreau/solver/given/local_solver.hpp"
#include "solver/local_problems.hpp"

namespace moreau {
namespace {

// Contacts of several independent problems dealt out like cards: contact k of the whole is the next one of problem order[k].
struct Dealt {
  DenseProblem whole;
  std::vector<std::vector<int>> places;
};

Dealt dealt(const std::vector<DenseProblem>& hands, RandomStream& random) {
  int contacts = 0;
  for (const DenseProblem& hand : hands) contacts += hand.contacts();
  const int d = hands.front().dimension;
  Dealt all;
  all.whole.dimension = d;
  all.whole.delassus = Eigen::MatrixXd::Zero(d * contacts, d * contacts);
  all.whole.free.resize(d * contacts);
  all.whole.friction.resize(contacts);
  all.places.resize(hands.size());
  for (int k = 0; k < contacts;) {
    const std::size_t h = static_cast<std::size_t>(random.uniform() * static_cast<double>(hands.size())) % hands.size();
    if (static_cast<int>(all.places[h].size()) < hands[h].contacts()) all.places[h].push_back(k++);
  }
  for (std::size_t h = 0; h < hands.size(); ++h)
    for (int a = 0; a < hands[h].contacts(); ++a) {
      const int at = d * all.places[h][a];
      all.whole.friction[all.places[h][a]] = hands[h].friction[a];
      all.whole.free.segment(at, d) = hands[h].free.segment(d * a, d);
      for (int b = 0; b < hands[h].contacts(); ++b)
        all.whole.delassus.block(at, d * all.places[h][b], d, d) = hands[h].delassus.block(d * a, d * b, d, d);
    }
  return all;
}

TEST(Parts, are_found_however_contacts_are_numbered) {
  RandomStream random(83);
  std::vector<DenseProblem> hands;
  for (const int contacts : {1, 4, 7}) hands.push_back(coupled_contacts(random, 3, contacts, 0.5));
  const Dealt all = dealt(hands, random);
  auto expected = all.places;
  std::ranges::sort(expected);
  const LocalProblem whole = local_problem(all.whole);
  EXPECT_EQ(parts_of(whole.delassus), expected);
  for (std::size_t h = 0; h < hands.size(); ++h) {
    const LocalProblem part = part_of(whole, all.places[h]), alone = local_problem(hands[h]);
    EXPECT_EQ(part.delassus.column, alone.delassus.column);
    EXPECT_EQ(part.delassus.value, alone.delassus.value);
    EXPECT_EQ(part.delassus.diagonal, alone.delassus.diagonal);
    EXPECT_EQ(part.free, alone.free);
    EXPECT_EQ(part.friction, alone.friction);
  }
}

// One part large in numbers, one small: both end at the tolerance of the whole, and at the solutions they have alone.
TEST(Parts, together_give_what_each_gives_alone) {
  RandomStream random(84);
  for (int n = 0; n < 20; ++n) {
    std::vector<DenseProblem> hands{coupled_contacts(random, 3, 6, 0.5), coupled_contacts(random, 3, 3, 0.5),
                                    coupled_contacts(random, 3, 12, 0.5)};
    hands[1].free *= 1e-3;
    const Dealt all = dealt(hands, random);
    const LocalResult together = solve_automatic(local_problem(all.whole), {.tolerance = 1e-12});
    ASSERT_TRUE(together.converged) << together.certificate.error;
    for (std::size_t h = 0; h < hands.size(); ++h) {
      const LocalResult alone = solve_automatic(local_problem(hands[h]), {.tolerance = 1e-13});
      EXPECT_LE((gather(together.impulse, all.places[h], 3) - alone.impulse).norm(), 1e-9 * (1.0 + alone.impulse.norm())) << n;
    }
  }
}

}  // namespace
}  // namespace moreau
