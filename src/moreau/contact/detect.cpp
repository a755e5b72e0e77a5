#include "moreau/contact/detect.hpp"

#include <algorithm>
#include <optional>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/contact/ball_separation.hpp"
#include "moreau/contact/pair_points.hpp"
#include "moreau/contact/touching_balls.hpp"

namespace moreau::inline contact {

namespace {

// Bodies that a thread takes at a time; fewer where some are not round, since their pairs cost more.
constexpr std::size_t balls_chunk = 512, shapes_chunk = 64;

// First contact of each body in a table ordered by body: contacts of a are row[a] ... row[a + 1] - 1.
template <class FirstBody>
void contact_rows(std::size_t contacts, FirstBody&& first_body, std::size_t bodies, std::vector<std::uint32_t>& row) {
  row.assign(bodies + 1, 0);
  for (std::size_t i = 0; i < contacts; ++i) ++row[static_cast<std::size_t>(first_body(i)) + 1];
  for (std::size_t i = 0; i < bodies; ++i) row[i + 1] += row[i];
}

}  // namespace

template <int D>
Separation<D> separation_of(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                            std::int32_t a, std::int32_t b, const Vec<D>& shift) {
  const std::size_t i = static_cast<std::size_t>(a);
  if (is_wall(b)) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    return separation(around.walls[w].geometry, around.shift[w], position[i], bodies.parameters.radius[i]);
  }
  const std::size_t j = static_cast<std::size_t>(b);
  const BallSeparation<D, double> s =
      ball_separation<D, double>(position[i] - position[j] - shift, bodies.parameters.radius[i] + bodies.parameters.radius[j]);
  return {s.gap, s.normal};
}

template <int D>
void Detector<D>::detect(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, std::span<const Pose<D>> poses,
                         const Surroundings<D>& around, const Neighbours<D>& neighbours, LookAhead ahead,
                         const ContactTable<D>& previous) {
  contact_rows(
      previous.size(), [&](std::size_t i) { return previous.a[i]; }, bodies.size(), previous_row_);
  const bool meshes = any_mesh<D>(around.walls), all_round = bodies.all_round() && !meshes;
  const std::size_t n = bodies.size(), body_chunk = bodies.all_round() ? balls_chunk : shapes_chunk;
  const bool periodic = !neighbours.image.empty();
  if (meshes) meshes_.prepare(n, around);
  const std::vector<Vec<D>>& velocity = bodies.state.velocity;
  const auto is_round_pair = [&](std::int32_t a, std::int32_t b) {
    return bodies.is_round(static_cast<std::size_t>(a)) &&
           (is_wall(b) ? around.walls[static_cast<std::size_t>(wall_index(b))].geometry.shape != WallShape::mesh
                       : bodies.is_round(static_cast<std::size_t>(b)));
  };

  struct Part {
    std::vector<FoundContact> found;
    std::vector<std::int32_t> point;
    std::vector<TouchingPoint<D>> where;
    std::vector<Image> image;
  };
  std::vector<Part> parts(chunk_count(n, body_chunk));
  row.resize(n + 1);
  for_chunks(n, body_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    const std::size_t first = neighbours.row[begin], count = neighbours.row[end] - first;
    std::vector<std::int32_t> of(count);  // body a of each candidate
    for (std::size_t a = begin; a < end; ++a) {
      std::fill(of.data() + (neighbours.row[a] - first), of.data() + (neighbours.row[a + 1] - first),
                static_cast<std::int32_t>(a));
      row[a + 1] = 0;
    }
    std::vector<Vec<D>> shift(periodic ? count : 0), drift(shift.size());
    for (std::size_t k = 0; k < shift.size(); ++k)
      shift[k] = around.lattice.shift(neighbours.image[first + k]), drift[k] = around.gradient * shift[k];
    // Pairs of which a body is not round are judged later, like walls.
    std::vector<std::int32_t> other_ball(all_round ? 0 : count);
    for (std::size_t k = 0; k < other_ball.size(); ++k) {
      const std::int32_t b = neighbours.partner[first + k];
      other_ball[k] = is_round_pair(of[k], b) ? b : -1;
    }
    std::vector<std::uint8_t> near(count);
    judge_balls({position.data(), velocity.data(), bodies.parameters.radius.data(), of.data(),
                 all_round ? neighbours.partner.data() + first : other_ball.data(), periodic ? shift.data() : nullptr,
                 drift.data(), ahead},
                count, near.data());
    std::vector<std::uint32_t> kept(count + 1);
    std::size_t keeps = 0;
    for (std::size_t k = 0; k < count; ++k) kept[keeps] = static_cast<std::uint32_t>(k), keeps += near[k];  // no branch to guess

    Part& part = parts[chunk];
    part.found.reserve(keeps);
    std::optional<PairPoints<D>> shapes;
    std::int32_t last = -1;
    std::uint32_t old = 0, old_end = 0;
    for (std::size_t i = 0; i < keeps; ++i) {
      const std::size_t k = kept[i], p = first + k;
      const std::int32_t a = of[k], b = neighbours.partner[p];
      const std::size_t body = static_cast<std::size_t>(a);
      const bool round = all_round || other_ball[k] >= 0 || is_round_pair(a, b);
      const typename PairPoints<D>::Pair pair{a, b, periodic ? shift[k] : Vec<D>{}, periodic ? drift[k] : Vec<D>{}};
      if (a != last) last = a, old = previous_row_[body], old_end = previous_row_[body + 1];
      while (old < old_end && previous.b[old] < b) ++old;
      const Image of_b = periodic ? neighbours.image[p] : 0;
      if (periodic)
        while (old < old_end && previous.b[old] == b && previous.image[old] < of_b) ++old;
      const auto is_of_pair = [&](std::uint32_t r) {
        return r < old_end && previous.b[r] == b && (!periodic || previous.image[r] == of_b);
      };
      if (!round) {
        if (!shapes) shapes.emplace(meshes_);
        shapes->find(bodies, poses, around, ahead, pair, !is_of_pair(old));
        if (shapes->points.empty()) continue;
      } else if (is_wall(b)) {
        const Separation<D> s = separation_of(bodies, position, around, a, b);
        double limit = ahead.distance;
        if (ahead.time > 0.0)
          limit += ahead.time *
                   std::max(0.0, -dot(velocity[body] - around.velocity[static_cast<std::size_t>(wall_index(b))], s.normal));
        if (!(s.gap <= limit)) continue;
      }
      if (round) {
        part.found.push_back({a, b, is_of_pair(old) ? static_cast<std::int32_t>(old) : -1});
        if (!all_round) part.point.push_back(-1);
        if (periodic) part.image.push_back(of_b);
        ++row[body + 1];
        continue;
      }
      std::uint32_t old_last = old;
      while (is_of_pair(old_last)) ++old_last;
      shapes->recall(bodies, pair, previous, old, old_last);
      for (std::size_t q = 0; q < shapes->points.size(); ++q) {
        part.found.push_back({a, b, shapes->recalled[q]});
        part.point.push_back(static_cast<std::int32_t>(part.where.size()));
        part.where.push_back(shapes->points[q]);
        if (periodic) part.image.push_back(of_b);
        ++row[body + 1];
      }
    }
  });

  row[0] = 0;
  for (std::size_t a = 0; a < n; ++a) row[a + 1] += row[a];
  std::vector<std::size_t> first(parts.size() + 1, 0), first_point(parts.size() + 1, 0);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    first[k + 1] = first[k] + parts[k].found.size();
    first_point[k + 1] = first_point[k] + parts[k].where.size();
  }
  resize_tightly(found, first.back());
  resize_tightly(where, first_point.back());
  resize_tightly(point, all_round ? 0 : first.back());
  resize_tightly(image, periodic ? first.back() : 0);
  for_chunks(parts.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    const Part& part = parts[k];
    const auto copy = [](const auto& from, auto& to, std::size_t at) {
      std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
    };
    copy(part.found, found, first[k]), copy(part.where, where, first_point[k]);
    if (periodic) copy(part.image, image, first[k]);
    for (std::size_t i = 0; i < part.point.size(); ++i)
      point[first[k] + i] = part.point[i] < 0 ? -1 : part.point[i] + static_cast<std::int32_t>(first_point[k]);
  });
}

template Separation<2> separation_of(const Bodies<2>&, const std::vector<Vec<2>>&, const Surroundings<2>&, std::int32_t,
                                     std::int32_t, const Vec<2>&);
template Separation<3> separation_of(const Bodies<3>&, const std::vector<Vec<3>>&, const Surroundings<3>&, std::int32_t,
                                     std::int32_t, const Vec<3>&);
template class Detector<2>;
template class Detector<3>;

}  // namespace moreau::inline contact
