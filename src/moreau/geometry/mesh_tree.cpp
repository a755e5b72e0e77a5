#include "moreau/geometry/mesh_tree.hpp"

#include <algorithm>
#include <numeric>

#include "moreau/geometry/nearest_on_face.hpp"

namespace moreau::inline geometry {
namespace {

constexpr std::int32_t leaf_faces = 4;

template <int D>
double square_of_distance(const Vec<D>& low, const Vec<D>& high, const Vec<D>& point) {
  double sum = 0.0;
  for (int d = 0; d < D; ++d) {
    const double out = std::max({low[d] - point[d], point[d] - high[d], 0.0});
    sum += out * out;
  }
  return sum;
}

}  // namespace

template <int D>
MeshTree<D>::MeshTree(const Mesh<D>& mesh) : order_(mesh.faces.size()) {
  if (mesh.faces.empty()) return;
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec<D>> middle;
  for (const MeshFace<D>& face : mesh.faces) {
    Vec<D> sum{};
    for (const std::int32_t v : face) sum += mesh.vertices[static_cast<std::size_t>(v)];
    middle.push_back((1.0 / D) * sum);
  }
  nodes_.emplace_back();
  divide(mesh, middle, 0, 0, static_cast<std::int32_t>(order_.size()));
}

// By the median of the middles along the longest side of the box.
template <int D>
void MeshTree<D>::divide(const Mesh<D>& mesh, const std::vector<Vec<D>>& middle, std::size_t node, std::int32_t begin,
                         std::int32_t end) {
  Vec<D> low = middle[static_cast<std::size_t>(order_[static_cast<std::size_t>(begin)])], high = low;
  for (std::int32_t i = begin; i < end; ++i)
    for (const std::int32_t v : mesh.faces[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])])
      for (int d = 0; d < D; ++d) {
        const double x = mesh.vertices[static_cast<std::size_t>(v)][d];
        low[d] = std::min(low[d], x), high[d] = std::max(high[d], x);
      }
  nodes_[node].low = low, nodes_[node].high = high;
  if (end - begin <= leaf_faces) {
    nodes_[node].first = begin, nodes_[node].count = end - begin;
    return;
  }
  int axis = 0;
  for (int d = 1; d < D; ++d)
    if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
  const std::int32_t half = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end, [&](std::int32_t f, std::int32_t g) {
    const double x = middle[static_cast<std::size_t>(f)][axis], y = middle[static_cast<std::size_t>(g)][axis];
    return x < y || (x == y && f < g);
  });
  const std::size_t children = nodes_.size();
  nodes_[node].first = static_cast<std::int32_t>(children);
  nodes_.resize(children + 2);
  divide(mesh, middle, children, begin, half);
  divide(mesh, middle, children + 1, half, end);
}

template <int D>
void MeshTree<D>::near(const Mesh<D>& mesh, const Vec<D>& point, double distance, std::vector<std::int32_t>& faces) const {
  faces.clear();
  if (nodes_.empty()) return;
  const double most = distance * distance;
  std::int32_t waiting[128];  // halves: as deep as the logarithm of the number of faces
  int depth = 0;
  waiting[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[static_cast<std::size_t>(waiting[--depth])];
    if (square_of_distance(node.low, node.high, point) > most) continue;
    if (node.count == 0) {
      waiting[depth++] = node.first, waiting[depth++] = node.first + 1;
      continue;
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      const std::int32_t face = order_[static_cast<std::size_t>(i)];
      const Vec<D> away = point - nearest_on_face(mesh, static_cast<std::size_t>(face), point).point;
      if (dot(away, away) <= most) faces.push_back(face);
    }
  }
  std::sort(faces.begin(), faces.end());
}

template <int D>
std::int32_t MeshTree<D>::nearest(const Mesh<D>& mesh, const Vec<D>& point) const {
  double within = distance(mesh, point, HUGE_VAL);
  std::vector<std::int32_t> faces;
  within += 1e-12 * (within + mesh.reach);  // what a root rounds off
  near(mesh, point, within, faces);
  return faces.front();
}

template <int D>
double MeshTree<D>::distance(const Mesh<D>& mesh, const Vec<D>& point, double most) const {
  if (nodes_.empty()) return most;
  double least = most * most;
  std::int32_t waiting[128];
  int depth = 0;
  waiting[depth++] = 0;
  while (depth > 0) {
    const Node& node = nodes_[static_cast<std::size_t>(waiting[--depth])];
    if (square_of_distance(node.low, node.high, point) >= least) continue;
    if (node.count == 0) {  // the nearer child is looked at first
      const Node &left = nodes_[static_cast<std::size_t>(node.first)], &right = nodes_[static_cast<std::size_t>(node.first) + 1];
      const bool swap = square_of_distance(left.low, left.high, point) < square_of_distance(right.low, right.high, point);
      waiting[depth++] = node.first + (swap ? 1 : 0), waiting[depth++] = node.first + (swap ? 0 : 1);
      continue;
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      const std::size_t face = static_cast<std::size_t>(order_[static_cast<std::size_t>(i)]);
      const Vec<D> away = point - nearest_on_face(mesh, face, point).point;
      least = std::min(least, dot(away, away));
    }
  }
  return least < most * most ? std::sqrt(least) : most;
}

template class MeshTree<2>;
template class MeshTree<3>;

}  // namespace moreau::inline geometry
