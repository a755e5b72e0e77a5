// From convex parts in space to a shape about its centre of mass and along its principal axes.
#include <algorithm>
#include <array>
#include <numeric>

#include "moreau/base/elementary.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/geometry/mass_properties.hpp"
#include "moreau/geometry/mesh_mass.hpp"
#include "moreau/geometry/polyhedron_moments.hpp"

namespace moreau::inline geometry {
namespace {

constexpr Matrix<3> one{{{{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}, {{0.0, 0.0, 1.0}}}};

// x -> turn^T (x - by)
void displace(ConvexPart<3>& part, const Vec<3>& by, const Matrix<3>& turn) {
  for (Vec<3>& x : part.vertices) x = transposed_times(turn, x - by);
  part.centre = transposed_times(turn, part.centre - by);
  for (PolyhedronFace& face : part.topology.faces) {
    face.normal = normalized(transposed_times(turn, face.normal));
    face.offset = -HUGE_VAL;
    for (const std::int32_t v : face.vertices)
      face.offset = std::max(face.offset, dot(face.normal, part.vertices[static_cast<std::size_t>(v)]));
  }
}

// Parts that only touch (overlap by less than 1e-9 of the smaller) count as apart.
bool overlap(const ConvexPart<3>& a, const ConvexPart<3>& b) {
  const Pose<3> here{{}, one};
  Manifold<3> manifold;
  part_manifold<3>(a, here, b, here, 0.0, manifold);
  return std::any_of(manifold.point, manifold.point + manifold.count,
                     [&](const auto& p) { return p.gap < -1e-9 * std::min(a.reach, b.reach); });
}

// Group of each part: parts that overlap, directly or through others, have the same.
std::vector<std::size_t> groups_of(const std::vector<ConvexPart<3>>& parts) {
  std::vector<std::size_t> group(parts.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size(); ++j)
      if (group[i] != group[j] && overlap(parts[i], parts[j])) std::replace(group.begin(), group.end(), group[j], group[i]);
  return group;
}

// Exact unless rounded parts overlap.
Moments moments_of_all(const std::vector<ConvexPart<3>>& parts, bool& exact) {
  const std::vector<std::size_t> group = groups_of(parts);
  Moments sum;
  exact = true;
  for (std::size_t g = 0; g < parts.size(); ++g) {
    std::vector<ConvexPart<3>> together;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (group[i] == g) together.push_back(parts[i]);
    if (together.empty()) continue;
    const bool rounded = std::any_of(together.begin(), together.end(), [](const auto& part) { return part.radius > 0.0; });
    sum += together.size() == 1 ? moments_of(together[0]) : moments_of_union(together);
    exact = exact && (together.size() == 1 || !rounded);
  }
  return sum;
}

// Jacobi's method: plane rotations until the symmetric matrix is diagonal. The columns of `axes` are the eigenvectors,
// right-handed and in the order of the axes they came from.
void diagonalize(Matrix<3>& m, Matrix<3>& axes) {
  for (int sweep = 0; sweep < 50; ++sweep) {
    const double off = std::abs(m.row[0][1]) + std::abs(m.row[0][2]) + std::abs(m.row[1][2]);
    if (off <= 1e-17 * (std::abs(m.row[0][0]) + std::abs(m.row[1][1]) + std::abs(m.row[2][2]))) return;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (m.row[p][q] == 0.0) continue;
        const double theta = 0.5 * (m.row[q][q] - m.row[p][p]) / m.row[p][q];
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + hypotenuse(theta, 1.0));
        const double c = 1.0 / hypotenuse(t, 1.0), s = t * c;
        for (int k = 0; k < 3; ++k) {
          const double mp = m.row[k][p], mq = m.row[k][q], ap = axes.row[k][p], aq = axes.row[k][q];
          m.row[k][p] = c * mp - s * mq, m.row[k][q] = s * mp + c * mq;
          axes.row[k][p] = c * ap - s * aq, axes.row[k][q] = s * ap + c * aq;
        }
        for (int k = 0; k < 3; ++k) {
          const double mp = m.row[p][k], mq = m.row[q][k];
          m.row[p][k] = c * mp - s * mq, m.row[q][k] = s * mp + c * mq;
        }
      }
  }
}

// Of a rotation matrix (Shepperd 1978: by the largest component).
Rotation<3> rotation_of(const Matrix<3>& m) {
  const auto at = [&](int i, int j) { return m.row[i][j]; };
  const double squares[4] = {1.0 + at(0, 0) + at(1, 1) + at(2, 2), 1.0 + at(0, 0) - at(1, 1) - at(2, 2),
                             1.0 - at(0, 0) + at(1, 1) - at(2, 2), 1.0 - at(0, 0) - at(1, 1) + at(2, 2)};
  const auto largest = std::max_element(squares, squares + 4) - squares;
  const double twice = std::sqrt(squares[largest]), share = 0.5 / twice;
  const double x = share * (at(2, 1) - at(1, 2)), y = share * (at(0, 2) - at(2, 0)), z = share * (at(1, 0) - at(0, 1));
  const double xy = share * (at(0, 1) + at(1, 0)), xz = share * (at(0, 2) + at(2, 0)), yz = share * (at(1, 2) + at(2, 1));
  Rotation<3> q;
  if (largest == 0) q = {0.5 * twice, x, y, z};
  if (largest == 1) q = {x, 0.5 * twice, xy, xz};
  if (largest == 2) q = {y, xy, 0.5 * twice, yz};
  if (largest == 3) q = {z, xz, yz, 0.5 * twice};
  const double scale = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

std::string fault_of(const std::vector<ConvexPart<3>>& parts) {
  if (parts.empty()) return "it has no parts";
  for (const ConvexPart<3>& part : parts) {
    if (part.vertices.empty()) return "one of its parts has no vertices";
    for (const Vec<3>& x : part.vertices)
      if (!is_finite(x)) return "one of its vertices is not finite";
    if (!std::isfinite(part.radius) || part.radius < 0.0) return "a radius is negative or not finite";
    if (part.topology.faces.empty() && part.radius == 0.0) return "its volume is zero: a part without faces needs a radius";
  }
  return "";
}

// Parts and moments relative to `middle`, a point of the body: they lose no digits to its distance from the origin.
PlacedShape<3> placed(std::vector<ConvexPart<3>> parts, const Vec<3>& middle, const Moments& about_middle, bool exact) {
  PlacedShape<3> result;
  const double volume = about_middle.volume;
  if (!(volume > 0.0) || !std::isfinite(volume)) {
    result.fault = "its volume is zero or not finite";
    return result;
  }
  const Vec<3> centre = (1.0 / volume) * about_middle.first;
  const Moments moments = moved(about_middle, -centre);
  const double trace = moments.second.row[0][0] + moments.second.row[1][1] + moments.second.row[2][2];
  Matrix<3> inertia, axes = one;  // inertia per mass
  double off = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      inertia.row[i][j] = ((i == j ? trace : 0.0) - moments.second.row[i][j]) / volume;
      if (i != j) off = std::max(off, std::abs(inertia.row[i][j]));
    }
  // Axes that are principal as given stay; products of inertia below this are rounding, or the error of the quadrature.
  if (off > (exact ? 1e-12 : 1e-7) * 2.0 * trace / volume) diagonalize(inertia, axes);
  for (ConvexPart<3>& part : parts) {
    displace(part, centre, axes);
    for (const Vec<3>& x : part.vertices) result.shape.reach = std::max(result.shape.reach, norm(x) + part.radius);
  }
  result.shape.parts = std::move(parts);
  result.shape.volume = volume;
  for (int i = 0; i < 3; ++i) result.shape.gyration[i] = inertia.row[i][i];
  result.centre = middle + centre;
  result.orientation = rotation_of(axes);
  return result;
}

}  // namespace

template <>
PlacedShape<3> make_shape<3>(std::vector<ConvexPart<3>> parts) {
  PlacedShape<3> failed;
  failed.fault = fault_of(parts);
  if (!failed.fault.empty()) return failed;
  const Vec<3> middle = parts[0].centre;
  for (ConvexPart<3>& part : parts) displace(part, middle, one);
  bool exact = true;
  const Moments moments = moments_of_all(parts, exact);
  return placed(std::move(parts), middle, moments, exact);
}

PlacedShape<3> make_shape(std::vector<ConvexPart<3>> parts, const Moments& moments) {
  PlacedShape<3> failed;
  failed.fault = fault_of(parts);
  if (!failed.fault.empty()) return failed;
  const Vec<3> middle = parts[0].centre;
  for (ConvexPart<3>& part : parts) displace(part, middle, one);
  return placed(std::move(parts), middle, moved(moments, -middle), true);
}

}  // namespace moreau::inline geometry
