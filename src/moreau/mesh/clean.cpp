#include "moreau/mesh/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "moreau/base/whole.hpp"
#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

constexpr double single_roundings = 5e-7;  // of the largest coordinate: four roundings on either side
constexpr double largest_coordinate = 1e30;

std::size_t at(std::int32_t k) { return static_cast<std::size_t>(k); }

double largest_of(const Soup& soup) {
  double largest = 0.0;
  for (std::size_t t = 0; t < soup.triangles.size(); ++t)
    for (const std::int32_t v : soup.triangles[t])
      for (int d = 0; d < 3; ++d) {
        const double x = soup.vertices[at(v)][d];
        if (!(std::abs(x) <= largest_coordinate))
          throw MeshError(fmt::format("has a triangle ({}) with the coordinate {}; accepted: numbers up to {:g}", t + 1, x,
                                      largest_coordinate));
        largest = std::max(largest, std::abs(x));
      }
  return largest;
}

using Cell = std::array<std::int64_t, 3>;
struct CellHash {
  std::size_t operator()(const Cell& c) const {
    std::uint64_t h = 0;
    for (const std::int64_t k : c) h = (h ^ static_cast<std::uint64_t>(k)) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    return static_cast<std::size_t>(h);
  }
};

// Of every vertex the first that it is as good as equal to.
std::vector<std::int32_t> joined_vertices(const std::vector<Vec<3>>& vertices, double tolerance, std::size_t& joined) {
  std::unordered_map<Cell, std::vector<std::int32_t>, CellHash> kept;
  std::vector<std::int32_t> first(vertices.size());
  const auto cell_of = [&](const Vec<3>& x) {
    Cell c;
    for (int d = 0; d < 3; ++d) c[at(d)] = whole(x[d] / tolerance);
    return c;
  };
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    first[v] = static_cast<std::int32_t>(v);
    const Cell own = cell_of(vertices[v]);
    for (int n = 0; n < 27; ++n) {
      const auto found = kept.find({own[0] + n % 3 - 1, own[1] + n / 3 % 3 - 1, own[2] + n / 9 - 1});
      if (found == kept.end()) continue;
      for (const std::int32_t w : found->second)
        if (norm(vertices[at(w)] - vertices[v]) <= tolerance) first[v] = std::min(first[v], w);
    }
    if (first[v] == static_cast<std::int32_t>(v))
      kept[own].push_back(first[v]);
    else
      joined += !(vertices[at(first[v])] == vertices[v]);
  }
  return first;
}

double height_of(const Vec<3>& a, const Vec<3>& b, const Vec<3>& c) {
  const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
  return longest > 0.0 ? norm(cross(b - a, c - a)) / longest : 0.0;
}

}  // namespace

CleanMesh cleaned(Soup soup) {
  if (soup.triangles.empty()) throw MeshError("has no triangles");
  const double largest = largest_of(soup), tolerance = single_roundings * largest;
  if (!(largest > 0.0)) throw MeshError("has all its corners in one point");
  CleanMesh clean;
  const std::vector<std::int32_t> first = joined_vertices(soup.vertices, tolerance, clean.repair.joined);
  std::vector<std::int32_t> number(soup.vertices.size(), -1);
  std::set<MeshFace<3>> known;
  for (const MeshFace<3>& triangle : soup.triangles) {
    MeshFace<3> corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = first[at(triangle[k])];
    const auto& [a, b, c] = corners;
    if (!(height_of(soup.vertices[at(a)], soup.vertices[at(b)], soup.vertices[at(c)]) > tolerance)) {
      ++clean.repair.degenerate;
      continue;
    }
    MeshFace<3> sorted = corners;
    std::sort(sorted.begin(), sorted.end());
    if (!known.insert(sorted).second) {
      ++clean.repair.repeated;
      continue;
    }
    for (std::int32_t& v : corners) {
      if (number[at(v)] < 0) {
        number[at(v)] = static_cast<std::int32_t>(clean.mesh.vertices.size());
        clean.mesh.vertices.push_back(soup.vertices[at(v)]);
      }
      v = number[at(v)];
    }
    clean.mesh.faces.push_back(corners);
  }
  if (clean.mesh.faces.empty()) throw MeshError(fmt::format("has {} triangles, none of which has an area", soup.triangles.size()));
  return clean;
}

}  // namespace moreau::mesh
