// Narrow phase for bodies of any shape: contact points from the manifolds of their parts, recalled by the features that meet.
#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/contact/detect.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 64;
// A point whose features are new takes over the impulse of a point that vanished from the same pair at most this far away, in
// radii of the smaller body: an overlap of faces that loses one corner gains another beside it.
constexpr double takeover_distance = 0.1;

// Speed of the fastest material point of a body relative to its frame of reference.
template <int D>
double surface_speed(const Bodies<D>& bodies, std::size_t i) {
  return bodies.parameters.radius[i] * norm(bodies.state.spin[i]);
}

template <int D>
class PairRecall {
 public:
  // Rows [begin, end) of `previous` belong to the pair. After: recalled[k] is the row that point k continues, or -1; no row
  // twice.
  void match(const ContactTable<D>& previous, std::uint32_t begin, std::uint32_t end, std::span<const TouchingPoint<D>> points,
             double reach) {
    recalled.assign(points.size(), -1);
    taken_.assign(end - begin, 0);
    for (std::size_t k = 0; k < points.size(); ++k)
      for (std::uint32_t row = begin; row < end; ++row)
        if (previous.feature[row] == points[k].feature) recalled[k] = static_cast<std::int32_t>(row), taken_[row - begin] = 1;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (recalled[k] >= 0) continue;
      double nearest = takeover_distance * reach;
      for (std::uint32_t row = begin; row < end; ++row) {
        const double distance = norm(previous.point[row] - points[k].point);
        if (!taken_[row - begin] && distance <= nearest) nearest = distance, recalled[k] = static_cast<std::int32_t>(row);
      }
      if (recalled[k] >= 0) taken_[static_cast<std::uint32_t>(recalled[k]) - begin] = 1;
    }
  }
  std::vector<std::int32_t> recalled;

 private:
  std::vector<char> taken_;
};

}  // namespace

template <int D>
void Detector<D>::detect_shapes(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const Surroundings<D>& around,
                                const Neighbours<D>& neighbours, LookAhead ahead, const ContactTable<D>& previous) {
  const std::size_t n = bodies.size();
  struct Part {
    std::vector<FoundContact> found;
    std::vector<TouchingPoint<D>> where;
    std::vector<Image> image;
  };
  const bool periodic = !neighbours.image.empty();
  std::vector<Part> parts(chunk_count(n, body_chunk));
  const auto speed_at = [&](std::size_t i, const Vec<D>& point) {
    return bodies.state.velocity[i] + cross(bodies.state.spin[i], point - poses[i].position);
  };

  for_chunks(n, body_chunk, [&](std::size_t c, std::size_t begin, std::size_t end) {
    PointFinder<D> finder;
    PairRecall<D> recall;
    std::vector<TouchingPoint<D>> points;
    for (std::size_t a = begin; a < end; ++a) {
      std::uint32_t old = previous_row_[a];
      const std::uint32_t old_end = previous_row_[a + 1];
      for (std::uint32_t p = neighbours.row[a]; p < neighbours.row[a + 1]; ++p) {
        const std::int32_t b = neighbours.partner[p];
        const std::size_t j = static_cast<std::size_t>(is_wall(b) ? wall_index(b) : b);
        const Image of_b = periodic ? neighbours.image[p] : 0;
        const Vec<D> shift = periodic ? around.lattice.shift(of_b) : Vec<D>{};
        const Vec<D> drift = periodic ? around.gradient * shift : Vec<D>{};  // velocity of the image relative to b
        double margin = ahead.distance, reach = bodies.parameters.radius[a];
        if (!is_wall(b)) {
          reach = std::min(reach, bodies.parameters.radius[j]);
          const Vec<D> apart = poses[a].position - poses[j].position - shift;
          if (ahead.time > 0.0)
            margin += ahead.time * (norm(bodies.state.velocity[a] - bodies.state.velocity[j] - drift) + surface_speed(bodies, a) +
                                    surface_speed(bodies, j));
          const double touch = bodies.parameters.radius[a] + bodies.parameters.radius[j] + margin;
          if (dot(apart, apart) > touch * touch * (1.0 + 1e-12)) continue;
        } else if (ahead.time > 0.0) {
          margin += ahead.time * (norm(bodies.state.velocity[a] - around.velocity[j]) + surface_speed(bodies, a));
        }
        points.clear();
        finder.find(bodies, poses, around, static_cast<std::int32_t>(a), b, margin, points, shift);
        if (ahead.time > 0.0)  // the margin was for the fastest point; keep those that come near enough themselves
          std::erase_if(points, [&](const TouchingPoint<D>& t) {
            const Vec<D> u = speed_at(a, t.point) - (is_wall(b) ? around.velocity[j] : speed_at(j, t.point - shift) + drift);
            return !(t.gap <= ahead.distance + ahead.time * std::max(0.0, -dot(u, t.normal)));
          });
        if (points.empty()) continue;
        while (old < old_end && previous.b[old] < b) ++old;
        if (periodic)
          while (old < old_end && previous.b[old] == b && previous.image[old] < of_b) ++old;
        std::uint32_t last = old;
        while (last < old_end && previous.b[last] == b && (!periodic || previous.image[last] == of_b)) ++last;
        recall.match(previous, old, last, points, reach);
        for (std::size_t k = 0; k < points.size(); ++k)
          parts[c].found.push_back({static_cast<std::int32_t>(a), b, recall.recalled[k]});
        parts[c].where.insert(parts[c].where.end(), points.begin(), points.end());
        if (periodic) parts[c].image.insert(parts[c].image.end(), points.size(), of_b);
      }
    }
  });

  found.clear(), where.clear(), image.clear();
  for (const Part& part : parts) {
    found.insert(found.end(), part.found.begin(), part.found.end());
    where.insert(where.end(), part.where.begin(), part.where.end());
    image.insert(image.end(), part.image.begin(), part.image.end());
  }
}

template void Detector<2>::detect_shapes(const Bodies<2>&, std::span<const Pose<2>>, const Surroundings<2>&, const Neighbours<2>&,
                                         LookAhead, const ContactTable<2>&);
template void Detector<3>::detect_shapes(const Bodies<3>&, std::span<const Pose<3>>, const Surroundings<3>&, const Neighbours<3>&,
                                         LookAhead, const ContactTable<3>&);

}  // namespace moreau
