// Volume, centre and principal moments of shapes in space against closed forms, quadrature and chance.
#include "geometry/polyhedron_oracle.hpp"
#include "moreau/geometry/polyhedron_moments.hpp"

namespace moreau {
namespace {

using namespace oracle;

constexpr double pi = 3.14159265358979323846;

PlacedShape<3> shape_of(std::vector<ConvexPart<3>> parts) {
  PlacedShape<3> s = make_shape<3>(std::move(parts));
  EXPECT_EQ(s.fault, "");
  return s;
}

ConvexPart<3> turned_hull(Points points, const Rotation<3>& turn, const Vec<3>& shift, double radius = 0.0) {
  for (Vec<3>& x : points) x = shift + rotate(turn, x);
  return hull(points, radius);
}

void expect_moments(const PlacedShape<3>& s, double volume, const Vec<3>& centre, Vec<3> gyration, double tolerance = 1e-12) {
  EXPECT_NEAR(s.shape.volume, volume, tolerance * volume);
  EXPECT_LE(norm(s.centre - centre), tolerance * (s.shape.reach + norm(centre)));
  Vec<3> found = s.shape.gyration;
  std::sort(found.c, found.c + 3);
  std::sort(gyration.c, gyration.c + 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], gyration[i], tolerance * gyration[2]);
}

// The parts come back where they were given when the shape is placed, and its own axes are principal.
void expect_same_place(const PlacedShape<3>& s, const std::vector<ConvexPart<3>>& given) {
  for (std::size_t p = 0; p < given.size(); ++p)
    for (std::size_t v = 0; v < given[p].vertices.size(); ++v)
      EXPECT_LE(norm(s.centre + rotate(s.orientation, s.shape.parts[p].vertices[v]) - given[p].vertices[v]),
                1e-12 * (s.shape.reach + norm(s.centre)));
  const PlacedShape<3> again = make_shape<3>(s.shape.parts);
  EXPECT_LE(norm(again.centre), 1e-12 * s.shape.reach);
  EXPECT_EQ(again.orientation.w, 1.0);
  for (const ConvexPart<3>& part : s.shape.parts)
    for (const PolyhedronFace& face : part.topology.faces)
      for (const std::int32_t v : face.vertices)
        EXPECT_NEAR(dot(face.normal, part.vertices[static_cast<std::size_t>(v)]), face.offset, 1e-9 * s.shape.reach);
}

TEST(PolyhedronShape, box_tetrahedron_and_octahedron_anywhere_have_their_known_moments) {
  RandomStream random(1);
  Points octahedron;
  for (int d = 0; d < 3; ++d)
    for (const double s : {-1.0, 1.0}) octahedron.push_back({}), octahedron.back()[d] = s;
  const Points corner{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}};
  for (int k = 0; k < 50; ++k) {
    const Rotation<3> turn = random_rotation(random);
    const Vec<3> shift = random_vector(random, 5.0);
    const std::vector<ConvexPart<3>> brick{turned_hull(box_points(0.5, 1.0, 1.5), turn, shift)};
    const PlacedShape<3> s = shape_of(brick);
    expect_moments(s, 6.0, shift, {{13.0 / 12.0, 10.0 / 12.0, 5.0 / 12.0}});
    expect_same_place(s, brick);
    expect_moments(shape_of({turned_hull(octahedron, turn, shift)}), 4.0 / 3.0, shift, {{0.2, 0.2, 0.2}});
    // About the centre: C = 3/80 on the diagonal, -1/80 off it; eigenvalues of C: 4/80, 4/80, 1/80.
    expect_moments(shape_of({turned_hull(corner, turn, shift)}), 1.0 / 6.0, shift + rotate(turn, {{0.25, 0.25, 0.25}}),
                   {{8.0 / 80.0, 5.0 / 80.0, 5.0 / 80.0}});
  }
}

TEST(PolyhedronShape, axes_that_are_principal_as_given_stay) {
  for (const ConvexPart<3>& part :
       {box(1.0, 1.0, 1.0), box(3.0, 1.0, 2.0), hull(dodecahedron_points()), ball_part<3>({{1.0, 2.0, 3.0}}, 0.5),
        capsule_part<3>({{0.0, 0.0, -1.0}}, {{0.0, 0.0, 1.0}}, 0.3), box(1.0, 2.0, 3.0, 0.2)}) {
    const PlacedShape<3> s = shape_of({part});
    EXPECT_EQ(s.orientation.w, 1.0);
    EXPECT_EQ(s.orientation.x, 0.0);
    EXPECT_EQ(s.orientation.y, 0.0);
    EXPECT_EQ(s.orientation.z, 0.0);
    expect_same_place(s, {part});
  }
  RandomStream random(2);  // a cube has no axes of its own: it keeps those given, however it lies
  EXPECT_EQ(shape_of({turned_hull(box_points(1, 1, 1), random_rotation(random), {{1, 2, 3}})}).orientation.w, 1.0);
}

TEST(PolyhedronShape, balls_and_capsules_have_their_known_moments) {
  expect_moments(shape_of({ball_part<3>({{1, 2, 3}}, 2.0)}), 32.0 / 3.0 * pi, {{1, 2, 3}}, {{1.6, 1.6, 1.6}});
  // Capsule of radius r and core length 2 h: cylinder and two half-balls whose centres are 3 r / 8 beyond the ends.
  const double r = 0.5, h = 1.25, cylinder = 2.0 * pi * r * r * h, balls = 4.0 / 3.0 * pi * r * r * r;
  const double along = (cylinder * r * r / 2.0 + balls * 0.4 * r * r) / (cylinder + balls);
  const double across =
      (cylinder * (r * r / 4.0 + h * h / 3.0) + balls * (0.4 * r * r + h * h + 0.75 * h * r)) / (cylinder + balls);
  RandomStream random(3);
  const Vec<3> middle = random_vector(random, 2.0), d = h * random_direction(random);
  const PlacedShape<3> s = shape_of({capsule_part<3>(middle - d, middle + d, r)});
  expect_moments(s, cylinder + balls, middle, {{across, across, along}});
  EXPECT_NEAR(s.shape.reach, h + r, 1e-12);
}

TEST(PolyhedronShape, rounded_box_agrees_with_its_pieces) {
  // Core 2a x 2b x 2c, radius r: volume 8abc + 8r(ab+bc+ca) + 2 pi r^2 (a+b+c) + 4/3 pi r^3; the second moment of x from slices
  // of the eighths: pieces of edge and corner are quarter cylinders and eighths of a ball with mean x^2 about their flat face
  // r^2/4, r^2/5 and mean x 4r/(3 pi), 3r/8.
  const double a = 0.7, b = 0.5, c = 0.3, r = 0.2;
  const double volume =
      8 * a * b * c + 8 * r * (a * b + b * c + c * a) + 2 * pi * r * r * (a + b + c) + 4.0 / 3.0 * pi * r * r * r;
  const auto second = [&](double x, double y, double z) {
    const double slab = 2 * x * x * x / 3.0 * (4 * y * z + 4 * r * (y + z) + pi * r * r);  // |x| < a: all that has its section
    const double prism = 2 * 4 * y * z * ((x + r) * (x + r) * (x + r) - x * x * x) / 3.0;
    const double quarter = 0.25 * pi * r * r, eighth = pi * r * r * r / 6.0;
    const double edges = 2 * 2 * 2 * (y + z) * quarter * (x * x + 2 * x * 4 * r / (3 * pi) + r * r / 4);
    const double corners = 8 * eighth * (x * x + 2 * x * 3 * r / 8 + r * r / 5);
    return slab + prism + edges + corners;
  };
  const double xx = second(a, b, c) / volume, yy = second(b, c, a) / volume, zz = second(c, a, b) / volume;
  const PlacedShape<3> s = shape_of({box(a, b, c, r)});
  expect_moments(s, volume, {{0, 0, 0}}, {{yy + zz, zz + xx, xx + yy}});
  EXPECT_EQ(s.orientation.w, 1.0);
}

TEST(PolyhedronShape, rounded_polyhedra_agree_with_counting_random_points) {
  RandomStream random(5);
  for (int k = 0; k < 3; ++k) {
    Points p;
    for (int i = 0; i < 8; ++i) p.push_back(random_vector(random, 1.0));
    const ConvexPart<3> part = hull(p, 0.4);
    const PlacedShape<3> s = shape_of({part});
    // Inside: the gap of a tiny ball is negative; that test knows nothing of integrals.
    const ConvexPart<3> probe = ball_part<3>({{0, 0, 0}}, 1e-12);
    const Pose<3> here = pose({{0, 0, 0}});
    const int count = 200000;
    double inside = 0.0;
    Vec<3> first{};
    double square = 0.0;
    for (int i = 0; i < count; ++i) {
      const Vec<3> x = random_vector(random, 1.4);
      if (contact(part, here, probe, pose(x), 0.0).count == 0) continue;
      inside += 1.0, first += x, square += dot(x - s.centre, x - s.centre);
    }
    const double cube = 2.8 * 2.8 * 2.8, share = inside / count;
    EXPECT_NEAR(s.shape.volume, cube * share, 5.0 * cube * std::sqrt(share * (1.0 - share) / count));
    EXPECT_LE(norm(s.centre - (1.0 / inside) * first), 5.0 * s.shape.reach / std::sqrt(inside));
    const double mean = 0.5 * (s.shape.gyration[0] + s.shape.gyration[1] + s.shape.gyration[2]);
    EXPECT_NEAR(mean, square / inside, 5.0 * mean / std::sqrt(inside));
  }
}

TEST(PolyhedronShape, touching_parts_add_exactly) {
  RandomStream random(6);
  for (int k = 0; k < 20; ++k) {  // a box cut in three
    const Rotation<3> turn = random_rotation(random);
    const Vec<3> shift = random_vector(random, 3.0);
    std::vector<ConvexPart<3>> parts;
    for (const auto& [from, to] : {std::array{-1.0, -0.3}, std::array{-0.3, 0.4}, std::array{0.4, 1.0}}) {
      Points p;
      for (Vec<3> x : box_points(0.5, 0.6, 1.0)) x[2] = x[2] < 0.0 ? from : to, p.push_back(shift + rotate(turn, x));
      parts.push_back(hull(p));
    }
    const PlacedShape<3> s = shape_of(parts);
    expect_moments(s, 8.0 * 0.5 * 0.6, shift, {{(0.36 + 1.0) / 3.0, (0.25 + 1.0) / 3.0, (0.25 + 0.36) / 3.0}}, 1e-10);
    expect_same_place(s, parts);
  }
}

TEST(PolyhedronShape, overlapping_parts_count_once) {
  // Two balls of radius 1, centres 1 apart: the lens of height h = 1/2 each side; moments of the union by slices across the line.
  const double cap = pi * 0.25 * (3.0 - 0.5) / 3.0;
  const double volume = 8.0 / 3.0 * pi - 2.0 * cap;
  // One half: ball at x = 1/2 over x > 0. u = x - 1/2 from -1/2 to 1: section pi (1 - u^2), inertia about x: pi (1 - u^2)^2 / 2.
  const auto antiderivative_xx = [](double u) {
    return (u * u * u / 3 + u * u / 2 + u / 4) - (u * u * u * u * u / 5 + u * u * u * u / 4 + u * u * u / 12);
  };
  const auto antiderivative_polar = [](double u) { return 0.5 * (u - 2 * u * u * u / 3 + u * u * u * u * u / 5); };
  const double xx = 2.0 * pi * (antiderivative_xx(1.0) - antiderivative_xx(-0.5)) / volume;
  const double polar = 2.0 * pi * (antiderivative_polar(1.0) - antiderivative_polar(-0.5)) / volume;
  RandomStream random(7);
  for (int k = 0; k < 4; ++k) {
    const Vec<3> middle = random_vector(random, 2.0), d = k == 0 ? Vec<3>{{0.0, 0.5, 0.0}} : 0.5 * random_direction(random);
    const PlacedShape<3> s = shape_of({ball_part<3>(middle - d, 1.0), ball_part<3>(middle + d, 1.0)});
    expect_moments(s, volume, middle, {{polar, xx + 0.5 * polar, xx + 0.5 * polar}}, 1e-7);
  }
  // A cross of two bars in any position: 2 * 4 - 1 unit cubes.
  for (int k = 0; k < 4; ++k) {
    const Rotation<3> turn = random_rotation(random);
    const Vec<3> shift = random_vector(random, 2.0);
    const PlacedShape<3> s =
        shape_of({turned_hull(box_points(1.5, 0.5, 0.5), turn, shift), turned_hull(box_points(0.5, 1.5, 0.5), turn, shift)});
    const double bar_long = 3.0 * 9.0 / 12.0, bar_short = 3.0 / 12.0, cube = 1.0 / 12.0;
    const double of_bars = (bar_long + bar_short - cube) / 5.0, zz = 1.0 / 12.0;
    expect_moments(s, 5.0, shift, {{of_bars + zz, of_bars + zz, 2.0 * of_bars}}, 1e-12);
  }
  // A part within a part adds nothing.
  expect_moments(shape_of({box(1, 1, 1), box(0.3, 0.2, 0.1)}), 8.0, {{0, 0, 0}}, {{2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}}, 1e-12);
}

void expect_near(const Moments& found, const Moments& exact, double tolerance) {
  EXPECT_NEAR(found.volume, exact.volume, tolerance * exact.volume);
  EXPECT_LE(norm(found.first - exact.first), tolerance * exact.volume);
  for (int i = 0; i < 3; ++i) EXPECT_LE(norm(found.second.row[i] - exact.second.row[i]), tolerance * exact.volume);
}

// The two ways of integrating share nothing but the faces.
TEST(PolyhedronShape, quadrature_over_lines_agrees_with_inclusion_and_exclusion) {
  RandomStream random(8);
  for (int k = 0; k < 2; ++k) {
    std::vector<ConvexPart<3>> parts;
    for (int i = 0; i < 3; ++i)
      parts.push_back(turned_hull(box_points(1.0, 0.4, 0.3), random_rotation(random), random_vector(random, 0.4)));
    expect_near(moments_by_quadrature(parts), moments_of_union(parts), 3e-7);
  }
}

TEST(PolyhedronShape, quadrature_over_lines_agrees_with_closed_forms_of_rounded_parts) {
  RandomStream random(9);
  Points p;
  for (int i = 0; i < 6; ++i) p.push_back(random_vector(random, 1.0));
  for (const ConvexPart<3>& part :
       {hull(p, 0.3), ball_part<3>({{0.1, 0.2, 0.3}}, 0.7), capsule_part<3>({{0.1, 0.2, 0.3}}, {{-0.5, 0.6, -0.2}}, 0.4)})
    expect_near(moments_by_quadrature({part}), moments_of(part), 3e-7);
}

TEST(PolyhedronShape, refuses_what_has_no_volume) {
  EXPECT_NE(make_shape<3>({}).fault, "");
  EXPECT_NE(make_shape<3>({ball_part<3>({{0, 0, 0}}, 0.0)}).fault, "");
  EXPECT_NE(make_shape<3>({ball_part<3>({{0, 0, 0}}, -1.0)}).fault, "");
  EXPECT_NE(make_shape<3>({ball_part<3>({{0, HUGE_VAL, 0}}, 1.0)}).fault, "");
  EXPECT_NE(make_shape<3>({capsule_part<3>({{0, 0, 0}}, {{1, 0, 0}}, 0.0)}).fault, "");
}

}  // namespace
}  // namespace moreau
