#include "moreau/geometry/mesh_inside.hpp"

#include <algorithm>
#include <cmath>

namespace moreau::inline geometry {

namespace {

// Whether the ray from a point along the first axis passes through the face.
bool passes(const std::array<Vec<2>, 2>& corner, const Vec<2>& from) {
  const Vec<2>&a = corner[0], &b = corner[1];
  if ((a[1] > from[1]) == (b[1] > from[1])) return false;
  return a[0] + (from[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) > from[0];
}
bool passes(const std::array<Vec<3>, 3>& corner, const Vec<3>& from) {
  const auto across = [&](int i, int j) {  // twice the area of the triangle of two corners and the ray
    const Vec<3>&a = corner[static_cast<std::size_t>(i)], &b = corner[static_cast<std::size_t>(j)];
    return (a[1] - from[1]) * (b[2] - from[2]) - (a[2] - from[2]) * (b[1] - from[1]);
  };
  const double c = across(0, 1), a = across(1, 2), b = across(2, 0), area = a + b + c;
  if (area == 0.0 || (a > 0.0) != (b > 0.0) || (a > 0.0) != (c > 0.0)) return false;
  return (a * corner[0][0] + b * corner[1][0] + c * corner[2][0]) / area > from[0];
}

}  // namespace

template <int D>
MeshInside<D>::MeshInside(const Mesh<D>& mesh) : mesh_(mesh) {
  for (int d = 0; d < D; ++d) low_[d] = HUGE_VAL, high_[d] = -HUGE_VAL;
  for (const Vec<D>& v : mesh.vertices)
    for (int d = 0; d < D; ++d) low_[d] = std::min(low_[d], v[d]), high_[d] = std::max(high_[d], v[d]);
  const double faces = static_cast<double>(mesh.faces.size());
  columns_ = static_cast<std::size_t>(std::clamp(D == 2 ? faces : std::sqrt(faces), 1.0, 1000.0));
  std::vector<std::array<Range, D>> ranges;
  // Long faces lie in many columns: fewer of them then, so that the lists stay as long as a few meshes.
  for (double listed = HUGE_VAL;; columns_ = (columns_ + 1) / 2) {
    for (int d = 1; d < D; ++d) width_[d] = (high_[d] - low_[d]) / static_cast<double>(columns_);
    ranges.clear(), listed = 0.0;
    for (const MeshFace<D>& face : mesh.faces) {
      ranges.push_back(ranges_of(face));
      double columns = 1.0;
      for (int d = 1; d < D; ++d) columns *= static_cast<double>(ranges.back()[static_cast<std::size_t>(d)].size());
      listed += columns;
    }
    if (columns_ == 1 || listed <= 16.0 * faces) break;
  }
  face_.resize(D == 2 ? columns_ : columns_ * columns_);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Range j = D == 3 ? ranges[f][D - 1] : Range{}, i = ranges[f][1];
    for (std::size_t row = j.first; row <= j.last; ++row)
      for (std::size_t k = i.first; k <= i.last; ++k) face_[row * columns_ + k].push_back(static_cast<std::int32_t>(f));
  }
}

template <int D>
auto MeshInside<D>::ranges_of(const MeshFace<D>& face) const -> std::array<Range, D> {
  std::array<Range, D> ranges{};
  for (int d = 1; d < D; ++d) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (const std::int32_t v : face) {
      const double x = mesh_.vertices[static_cast<std::size_t>(v)][d];
      least = std::min(least, x), most = std::max(most, x);
    }
    ranges[static_cast<std::size_t>(d)] = {column(d, least), column(d, most)};
  }
  return ranges;
}

template <int D>
std::size_t MeshInside<D>::most_looked_at() const {
  std::size_t most = 0;
  for (const auto& list : face_) most = std::max(most, list.size());
  return most;
}

template <int D>
std::size_t MeshInside<D>::column(int axis, double x) const {
  if (!(width_[axis] > 0.0)) return 0;
  return static_cast<std::size_t>(std::clamp((x - low_[axis]) / width_[axis], 0.0, static_cast<double>(columns_ - 1)));
}

template <int D>
bool MeshInside<D>::holds(const Vec<D>& point) const {
  Vec<D> from = point;
  for (int d = 0; d < D; ++d)
    if (!(point[d] >= low_[d] && point[d] <= high_[d])) return false;
  // Corners and edges of meshes lie where people like to put bodies: the ray passes beside them, by next to nothing.
  for (int d = 1; d < D; ++d) from[d] += (d == 1 ? 1.6180339887e-9 : 1.4142135623e-9) * (high_[d] - low_[d]);
  const std::size_t k = D == 2 ? column(1, from[1]) : column(D - 1, from[D - 1]) * columns_ + column(1, from[1]);
  bool inside = false;
  for (const std::int32_t f : face_[k]) {
    std::array<Vec<D>, D> corner;
    for (std::size_t v = 0; v < D; ++v)
      corner[v] = mesh_.vertices[static_cast<std::size_t>(mesh_.faces[static_cast<std::size_t>(f)][v])];
    if (passes(corner, from)) inside = !inside;
  }
  return inside;
}

template class MeshInside<2>;
template class MeshInside<3>;

}  // namespace moreau::inline geometry
