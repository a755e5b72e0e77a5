// Contacts of polygons that share corners and sides, exactly or to rounding: the joints of arches and walls. There a distance has
// no direction, and the normal must come from the sides.
#include <gtest/gtest.h>

#include "polygon_samples.hpp"
#include "shared_feature_oracle.hpp"

namespace moreau::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double noise_of_size = 1e-8;  // see `tie` in polygon_manifold.cpp

struct Placing {
  ConvexPart<2> a, b;
  Pose<2> at_a, at_b;

  double size() const { return a.reach + b.reach; }
  Manifold<2> contacts(double margin) const { return test::contacts(a, at_a, b, at_b, margin); }
  std::string fault(const Manifold<2>& m, double margin) const {
    return fault_of(m, a, at_a, b, at_b, margin, noise_of_size * size(), 1e-13 * size());
  }
  Placing swapped() const { return {b, a, at_b, at_a}; }
};

double some(RandomStream& random, std::initializer_list<double> values) {
  return *(values.begin() + random.next() % values.size());
}

// Nothing, rounding, or what is left of the tolerance of a solver.
double some_error(RandomStream& random) {
  return some(random, {0.0, 0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7}) *
         random.uniform(-1.0, 1.0);
}

ConvexPart<2> random_polygon(RandomStream& random) {
  for (;;)
    if (ConvexPart<2> part = random_part(random); part.vertices.size() > 2) return part;
}

Vec<2> unit(double angle) { return {{std::cos(angle), std::sin(angle)}}; }
double angle_of(const Vec<2>& v) { return std::atan2(v[1], v[0]); }

std::size_t random_corner(RandomStream& random, const ConvexPart<2>& part) { return random.next() % part.vertices.size(); }
Vec<2> corner(const ConvexPart<2>& part, std::size_t i) { return part.vertices[i % part.vertices.size()]; }
// Directions of the outward normals of the two sides at corner i; the second is reached from the first by turning left.
std::array<double, 2> cone_at(const ConvexPart<2>& part, std::size_t i) {
  const std::size_t n = part.vertices.size();
  const double before = angle_of(corner(part, i) - corner(part, i + n - 1)) - 0.5 * pi;
  double after = angle_of(corner(part, i + 1) - corner(part, i)) - 0.5 * pi;
  while (after < before) after += 2.0 * pi;
  return {before, after};
}

// Turns and moves b so that its direction `from` looks against the direction `towards` of a, and its point x lies at the point y
// of a (all in the frames of the bodies).
void lay(Placing& p, double towards, double from, const Vec<2>& y, const Vec<2>& x) {
  const double turn_a = std::atan2(p.at_a.rotation.row[1][0], p.at_a.rotation.row[0][0]);
  p.at_b = pose(0.0, 0.0, turn_a + towards + pi - from);
  p.at_b.position = p.at_a.place(y) - p.at_b.turn(x);
}
void jitter(RandomStream& random, Placing& p) {
  const double turn = some_error(random);
  const Matrix<2>& r = p.at_b.rotation;
  const Vec<2> x = normalized(Vec<2>{{r.row[0][0] - turn * r.row[1][0], r.row[1][0] + turn * r.row[0][0]}});
  p.at_b.rotation = {{{{x[0], -x[1]}}, {{x[1], x[0]}}}};
  p.at_b.position += p.size() * Vec<2>{{some_error(random), some_error(random)}};
}

Placing two_polygons(RandomStream& random) {
  return {random_polygon(random), random_polygon(random), random_pose(random, some(random, {0.0, 1.0, 100.0})), {}};
}

// A corner at a corner; outside each other, within their cones of normals or just at the end of them.
Placing corner_at_corner(RandomStream& random) {
  Placing p = two_polygons(random);
  const std::size_t i = random_corner(random, p.a), j = random_corner(random, p.b);
  const auto [a0, a1] = cone_at(p.a, i);
  const auto [b0, b1] = cone_at(p.b, j);
  const double s = some(random, {0.0, 1.0, random.uniform()}), t = some(random, {0.0, 1.0, random.uniform()});
  lay(p, a0 + s * (a1 - a0), b0 + t * (b1 - b0), corner(p.a, i), corner(p.b, j));
  return p;
}
// A corner on a side.
Placing corner_on_side(RandomStream& random) {
  Placing p = two_polygons(random);
  const std::size_t i = random_corner(random, p.a), j = random_corner(random, p.b);
  const auto [b0, b1] = cone_at(p.b, j);
  lay(p, cone_at(p.a, i)[1], b0 + some(random, {0.0, 1.0, random.uniform()}) * (b1 - b0),
      corner(p.a, i) + random.uniform() * (corner(p.a, i + 1) - corner(p.a, i)), corner(p.b, j));
  return random.uniform() < 0.5 ? p : p.swapped();
}
// A side along a side, in any position: ends that coincide, sides that meet in a corner only, one inside the other.
Placing side_along_side(RandomStream& random) {
  Placing p = two_polygons(random);
  if (random.uniform() < 0.3) p.b = p.a;
  const std::size_t i = random_corner(random, p.a), j = random_corner(random, p.b);
  const Vec<2> along_a = corner(p.a, i + 1) - corner(p.a, i), along_b = corner(p.b, j + 1) - corner(p.b, j);
  const double s = some(random, {0.0, 1.0, random.uniform()}), t = some(random, {0.0, 1.0, random.uniform()});
  lay(p, cone_at(p.a, i)[1], cone_at(p.b, j)[1], corner(p.a, i) + s * along_a, corner(p.b, j) + t * along_b);
  return p;
}
// Corner at corner at any angle, and the same polygon twice in the same place: overlap with everything shared.
Placing deep_overlap(RandomStream& random) {
  Placing p = two_polygons(random);
  if (random.uniform() < 0.5) p.b = p.a;
  const std::size_t i = random_corner(random, p.a), j = &p.b == &p.a ? i : random_corner(random, p.b);
  lay(p, random.uniform() < 0.5 ? pi : random.uniform(0.0, 2.0 * pi), 0.0, corner(p.a, i), corner(p.b, j));
  return p;
}

// Discs and capsules whose core has its end at a corner, on a side, or along it.
Placing thin_at_polygon(RandomStream& random) {
  Placing p{random_polygon(random), {}, random_pose(random, 1.0), {}};
  const Vec<2> end{{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)}};
  p.b = random.uniform() < 0.5
            ? ball_part<2>(end, random.uniform(0.1, 0.5))
            : capsule_part<2>(end, end + random.uniform(0.2, 1.0) * unit(random.uniform(0.0, 6.0)), random.uniform(0.1, 0.5));
  const std::size_t i = random_corner(random, p.a);
  const Vec<2> side = corner(p.a, i + 1) - corner(p.a, i), axis = p.b.vertices.back() - p.b.vertices.front();
  const auto [a0, a1] = cone_at(p.a, i);
  const double along = dot(axis, axis) > 0.0 ? angle_of(axis) : 0.0;
  const double leaning = some(random, {0.0, -0.5 * pi, 0.5 * pi, random.uniform(-0.5 * pi, 0.5 * pi)});
  if (random.uniform() < 0.5)  // at the corner
    lay(p, a0 + some(random, {0.0, 1.0, random.uniform()}) * (a1 - a0), along + pi + leaning, corner(p.a, i), p.b.vertices[0]);
  else
    lay(p, a1, along + pi + leaning, corner(p.a, i) + some(random, {0.0, 1.0, random.uniform()}) * side, p.b.vertices[0]);
  return random.uniform() < 0.5 ? p : p.swapped();
}

// Neighbouring stones of an arch, as a scene builds them: each about its own centre. `joint` is the direction across, from a to
// b.
struct Joint {
  Placing stones;
  Vec<2> inner, outer, across;
};
Joint arch_joint(RandomStream& random) {
  const double r = random.uniform(0.2, 20.0), thick = r * random.uniform(0.02, 0.8), from = random.uniform(-pi, pi);
  const double step[2] = {random.uniform(0.02, 1.0), random.uniform(0.02, 1.0)};
  const double near = random.uniform() < 0.2 ? 0.0 : random.uniform(-0.3, 0.3);  // a joint that is not quite radial
  const Vec<2> place{{some(random, {0.0, 1.0, 100.0}), some(random, {0.0, 1.0, 100.0})}};
  Joint joint;
  joint.inner = place + r * unit(from), joint.outer = place + (r + thick) * unit(from + near * thick / r);
  const Vec<2> along = normalized(joint.outer - joint.inner);
  joint.across = {{-along[1], along[0]}};
  const auto stone = [&](double to, ConvexPart<2>& part, Pose<2>& at) {
    const PlacedShape<2> shape =
        make_shape<2>({polygon({joint.inner, joint.outer, place + (r + thick) * unit(from + to), place + r * unit(from + to)})});
    part = shape.shape.parts[0];
    at = {shape.centre, matrix_of(shape.orientation)};
  };
  stone(-step[0] - std::abs(near) * thick / r, joint.stones.a, joint.stones.at_a);
  stone(step[1] + std::abs(near) * thick / r, joint.stones.b, joint.stones.at_b);
  return joint;
}

// A polygon cut by lines into stones; any two of them that share a corner, a side, or a piece of a side.
std::vector<std::vector<Vec<2>>> cut_into_stones(RandomStream& random, int cuts) {
  std::vector<Vec<2>> whole;
  for (int k = 0; k < 7; ++k) whole.push_back(unit(2.0 * pi * (k + 0.8 * random.uniform()) / 7.0));
  std::vector<std::vector<Vec<2>>> stones{whole};
  const Vec<2> hub{{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)}};  // where all lines of a star meet
  const bool star = random.uniform() < 0.5;
  for (int c = 0; c < cuts; ++c) {
    const Vec<2> through = star ? hub : Vec<2>{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5)}};
    const Vec<2> normal = unit(random.uniform(0.0, pi));
    std::vector<std::vector<Vec<2>>> halves;
    for (const auto& stone : stones) {
      std::vector<Vec<2>> half[2];
      for (std::size_t i = 0; i < stone.size(); ++i) {
        const Vec<2>&p = stone[i], &q = stone[(i + 1) % stone.size()];
        const double at_p = dot(normal, p - through), at_q = dot(normal, q - through);
        const bool on = star && norm(p - hub) < 1e-9;  // the hub belongs to both sides
        if (at_p >= 0.0 || on) half[0].push_back(p);
        if (at_p < 0.0 || on) half[1].push_back(p);
        if (on || (star && norm(q - hub) < 1e-9) || (at_p >= 0.0) == (at_q >= 0.0)) continue;
        const Vec<2> cut = p + (at_p / (at_p - at_q)) * (q - p);
        half[0].push_back(cut), half[1].push_back(cut);
      }
      for (const auto& h : half)
        if (h.size() > 2) halves.push_back(h);
    }
    stones = halves;
  }
  return stones;
}

template <class Make>
void expect_sound(std::uint64_t seed, int trials, Make&& make) {
  RandomStream random(seed);
  int wrong = 0, touching = 0;
  std::string first;
  for (int trial = 0; trial < trials; ++trial) {
    Placing p = make(random);
    jitter(random, p);
    const double margin = some(random, {0.0, 1e-9, 1e-4, 0.1});
    const Manifold<2> m = p.contacts(margin), back = p.swapped().contacts(margin);
    touching += m.count > 0;
    std::string fault = p.fault(m, margin);
    if (fault.empty() && m.count > 0 && least_gap(m) < margin - 1e-12 &&
        least_gap(m) > -1e-3 * p.size() - p.a.radius - p.b.radius &&
        (back.count == 0 || norm(m.point[0].normal + back.point[0].normal) > 1e-6))
      fault = "another normal when the parts change places";
    if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
  }
  EXPECT_EQ(wrong, 0) << "of " << trials << ", first: " << first;
  EXPECT_GT(touching, trials / 4);
}

constexpr int trials = 60000;

TEST(SharedFeatures, corner_at_corner) { expect_sound(1, trials, corner_at_corner); }
TEST(SharedFeatures, corner_on_side) { expect_sound(2, trials, corner_on_side); }
TEST(SharedFeatures, side_along_side) { expect_sound(3, trials, side_along_side); }
TEST(SharedFeatures, corners_shared_in_deep_overlap) { expect_sound(4, trials, deep_overlap); }
TEST(SharedFeatures, discs_and_capsules_at_corners_and_sides) { expect_sound(5, trials, thin_at_polygon); }
TEST(SharedFeatures, stones_of_an_arch) {
  expect_sound(6, 2 * trials, [](RandomStream& random) { return arch_joint(random).stones; });
}

// The joint is known: its two ends, and the direction across it.
TEST(SharedFeatures, stones_of_an_arch_touch_at_the_ends_of_their_joint) {
  RandomStream random(7);
  int wrong = 0;
  for (int trial = 0; trial < 2 * trials; ++trial) {
    Joint joint = arch_joint(random);
    Placing& p = joint.stones;
    if (trial % 4 > 0) jitter(random, p);
    const double size = p.size(), along = norm(joint.outer - joint.inner), error = 1e-6 * size;
    const Manifold<2> m = p.contacts(1e-4 * size);
    bool right = m.count == 2 && norm(m.point[0].normal + joint.across) < 1e-6 * (1.0 + size / along);
    for (int k = 0; k < m.count; ++k) {
      const Vec<2> x = m.point[k].point;
      right = right && std::abs(m.point[k].gap) < error;
      right = right && std::min(norm(x - joint.inner), norm(x - joint.outer)) < error;
    }
    wrong += !(right && norm(m.point[0].point - m.point[1].point) > along - 2.0 * error);
  }
  EXPECT_EQ(wrong, 0);
}

// All pairs of stones of one cut polygon: no overlap anywhere, corners and pieces of sides shared.
TEST(SharedFeatures, stones_cut_from_one_polygon_touch_without_overlap) {
  RandomStream random(8);
  int wrong = 0, pairs = 0;
  std::string first;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<ConvexPart<2>> parts;
    std::vector<Pose<2>> at;
    for (const auto& corners : cut_into_stones(random, 1 + static_cast<int>(random.next() % 4))) {
      const HullResult<2> hull = convex_hull<2>(corners);
      if (!hull.fault.empty()) continue;
      const PlacedShape<2> shape = make_shape<2>({hull.part});
      parts.push_back(shape.shape.parts[0]), at.push_back({shape.centre, matrix_of(shape.orientation)});
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t j = 0; j < parts.size(); ++j) {
        if (i == j) continue;
        const Placing p{parts[i], parts[j], at[i], at[j]};
        const Manifold<2> m = p.contacts(1e-9);
        std::string fault = p.fault(m, 1e-9);
        if (m.count > 0 && least_gap(m) < -1e-12) fault += "overlap";
        if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
        pairs += m.count > 0;
      }
  }
  EXPECT_EQ(wrong, 0) << "of " << pairs << ", first: " << first;
  EXPECT_GT(pairs, 20000);
}

// The same of two clumps, each of some of the stones: their parts lie in frames of two bodies.
TEST(SharedFeatures, clumps_cut_from_one_polygon_touch_without_overlap) {
  RandomStream random(9);
  int wrong = 0, pairs = 0;
  std::string first;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<ConvexPart<2>> parts[2];
    for (const auto& corners : cut_into_stones(random, 2 + static_cast<int>(random.next() % 3)))
      if (const HullResult<2> hull = convex_hull<2>(corners); hull.fault.empty()) parts[random.next() % 2].push_back(hull.part);
    if (parts[0].empty() || parts[1].empty()) continue;
    const PlacedShape<2> a = make_shape<2>(parts[0]), b = make_shape<2>(parts[1]);
    const Pose<2> at_a{a.centre, matrix_of(a.orientation)}, at_b{b.centre, matrix_of(b.orientation)};
    for (const ConvexPart<2>& one : a.shape.parts)
      for (const ConvexPart<2>& other : b.shape.parts) {
        const Placing p{one, other, at_a, at_b};
        const Manifold<2> m = p.contacts(1e-9);
        std::string fault = p.fault(m, 1e-9);
        if (m.count > 0 && least_gap(m) < -1e-12) fault += "overlap";
        if (!fault.empty() && ++wrong == 1) first = "trial " + std::to_string(trial) + ": " + fault;
        pairs += m.count > 0;
      }
  }
  EXPECT_EQ(wrong, 0) << "of " << pairs << ", first: " << first;
  EXPECT_GT(pairs, 10000);
}

}  // namespace
}  // namespace moreau::test
