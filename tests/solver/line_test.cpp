// The bodies of a block go into vector registers, number by number, and come back.
#include <gtest/gtest.h>

#include <vector>

#include "moreau/solver/kernels.hpp"

namespace moreau {
namespace {

// Bodies of which every number is different; `index` takes some of them in no order, one of them nobody.
template <class Real>
struct Crowd {
  static constexpr int many = lanes_of<Real>, none = 3 * many;
  std::vector<SolverBody<3, Real>> bodies{3 * many + 1};
  std::int32_t index[many];

  Crowd() {
    for (int i = 0; i <= none; ++i)
      for (int r = 0; r < 8; ++r) number(i, r) = static_cast<Real>(10 * i + r);
    for (int l = 0; l < many; ++l) index[l] = (7 * l + 5) % none;
    index[many - 2] = none;
  }
  Real& number(int body, int r) { return reinterpret_cast<Real*>(&bodies[static_cast<std::size_t>(body)])[r]; }
};

template <class Real>
void goes_and_comes_back() {
  Crowd<Real> crowd;
  LineOf<Real> line;
  line.read(crowd.bodies.data(), crowd.index);
  for (int r = 0; r < 8; ++r)
    for (int l = 0; l < crowd.many; ++l) EXPECT_EQ(line.m[r][l], static_cast<Real>(10 * crowd.index[l] + r)) << r << ' ' << l;

  for (int r = 0; r < 8; ++r) line.m[r] += static_cast<Real>(1000);
  line.write(crowd.bodies.data(), crowd.index, crowd.none);
  std::vector<int> taken(static_cast<std::size_t>(crowd.none) + 1, 0);
  for (const int i : crowd.index)
    if (i != crowd.none) taken[static_cast<std::size_t>(i)] = 1;
  for (int i = 0; i <= crowd.none; ++i)
    for (int r = 0; r < 8; ++r)
      EXPECT_EQ(crowd.number(i, r), static_cast<Real>(10 * i + r + 1000 * taken[static_cast<std::size_t>(i)])) << i << ' ' << r;
}
TEST(Line, goes_and_comes_back_in_double_precision) { goes_and_comes_back<double>(); }
TEST(Line, goes_and_comes_back_in_single_precision) { goes_and_comes_back<float>(); }

// A body that occurs twice is given both additions.
template <class Real>
void adds() {
  Crowd<Real> crowd;
  crowd.index[1] = crowd.index[0];
  LineOf<Real> line;
  for (int r = 0; r < 8; ++r)
    for (int l = 0; l < crowd.many; ++l) line.m[r][l] = static_cast<Real>(100 * (l + 1) + r);
  line.add(crowd.bodies.data(), crowd.index, crowd.none);
  for (int r = 0; r < 8; ++r) {
    EXPECT_EQ(crowd.number(crowd.index[0], r), static_cast<Real>(10 * crowd.index[0] + r + 300 + 2 * r));
    for (int l = 2; l < crowd.many - 2; ++l)
      EXPECT_EQ(crowd.number(crowd.index[l], r), static_cast<Real>(10 * crowd.index[l] + r + 100 * (l + 1) + r));
    EXPECT_EQ(crowd.number(crowd.none, r), static_cast<Real>(10 * crowd.none + r));
  }
}
TEST(Line, adds_to_a_body_as_often_as_it_occurs_in_double_precision) { adds<double>(); }
TEST(Line, adds_to_a_body_as_often_as_it_occurs_in_single_precision) { adds<float>(); }

}  // namespace
}  // namespace moreau
