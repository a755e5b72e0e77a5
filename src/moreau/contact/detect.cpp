#include "moreau/contact/detect.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 512;

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
  const Vec<D> apart = position[i] - position[j] - shift;
  const double distance = norm(apart), touch = bodies.parameters.radius[i] + bodies.parameters.radius[j];
  if (distance > 0.0) return {distance - touch, (1.0 / distance) * apart};
  Vec<D> any{};  // same centre: no direction is better than another
  any[D - 1] = 1.0;
  return {-touch, any};
}

template <int D>
void Detector<D>::detect(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, std::span<const Pose<D>> poses,
                         const Surroundings<D>& around, const Neighbours<D>& neighbours, LookAhead ahead,
                         const ContactTable<D>& previous) {
  contact_rows(
      previous.size(), [&](std::size_t i) { return previous.a[i]; }, bodies.size(), previous_row_);
  if (bodies.all_round())
    detect_balls(bodies, position, around, neighbours, ahead, previous);
  else
    detect_shapes(bodies, poses, around, neighbours, ahead, previous);
  contact_rows(
      found.size(), [&](std::size_t i) { return found[i].a; }, bodies.size(), row);
}

template <int D>
void Detector<D>::detect_balls(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                               const Neighbours<D>& neighbours, LookAhead ahead, const ContactTable<D>& previous) {
  const std::size_t n = bodies.size();
  const auto& radius = bodies.parameters.radius;
  const auto& velocity = bodies.state.velocity;

  const bool periodic = !neighbours.image.empty();
  const auto touches = [&](std::size_t a, std::int32_t b, const Vec<D>& shift) {
    const Vec<D> drift = periodic ? around.gradient * shift : Vec<D>{};  // velocity of the image relative to b
    if (!is_wall(b)) {                                                   // most candidates are apart: tell without a square root
      const std::size_t j = static_cast<std::size_t>(b);
      const Vec<D> apart = position[a] - position[j] - shift;
      double reach = radius[a] + radius[j] + ahead.distance;
      if (ahead.time > 0.0) reach += ahead.time * norm(velocity[a] - velocity[j] - drift);
      if (dot(apart, apart) > reach * reach * (1.0 + 1e-12)) return false;
    }
    const Separation<D> s = separation_of(bodies, position, around, static_cast<std::int32_t>(a), b, shift);
    double limit = ahead.distance;
    if (ahead.time > 0.0) {
      const Vec<D> other =
          is_wall(b) ? around.velocity[static_cast<std::size_t>(wall_index(b))] : velocity[static_cast<std::size_t>(b)] + drift;
      limit += ahead.time * std::max(0.0, -dot(velocity[a] - other, s.normal));
    }
    return s.gap <= limit;
  };

  std::vector<std::vector<FoundContact>> parts(chunk_count(n, body_chunk));
  std::vector<std::vector<Image>> images(periodic ? parts.size() : 0);
  for_chunks(n, body_chunk, [&](std::size_t k, std::size_t begin, std::size_t end) {
    parts[k].reserve(4 * (end - begin));
    for (std::size_t a = begin; a < end; ++a) {
      std::uint32_t old = previous_row_[a];
      const std::uint32_t old_end = previous_row_[a + 1];
      for (std::uint32_t p = neighbours.row[a]; p < neighbours.row[a + 1]; ++p) {
        const std::int32_t b = neighbours.partner[p];
        const Image of_b = periodic ? neighbours.image[p] : 0;
        if (!touches(a, b, periodic ? around.lattice.shift(of_b) : Vec<D>{})) continue;
        while (old < old_end && previous.b[old] < b) ++old;
        bool known = old < old_end && previous.b[old] == b;
        if (periodic) {
          while (old < old_end && previous.b[old] == b && previous.image[old] < of_b) ++old;
          known = old < old_end && previous.b[old] == b && previous.image[old] == of_b;
          images[k].push_back(of_b);
        }
        parts[k].push_back({static_cast<std::int32_t>(a), b, known ? static_cast<std::int32_t>(old) : -1});
      }
    }
  });

  std::vector<std::size_t> first(parts.size() + 1, 0);
  for (std::size_t k = 0; k < parts.size(); ++k) first[k + 1] = first[k] + parts[k].size();
  resize_tightly(found, first.back());
  for_chunks(parts.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    std::copy(parts[k].begin(), parts[k].end(), found.begin() + static_cast<std::ptrdiff_t>(first[k]));
  });
  image.clear();
  for (const auto& part : images) image.insert(image.end(), part.begin(), part.end());
}

template Separation<2> separation_of(const Bodies<2>&, const std::vector<Vec<2>>&, const Surroundings<2>&, std::int32_t,
                                     std::int32_t, const Vec<2>&);
template Separation<3> separation_of(const Bodies<3>&, const std::vector<Vec<3>>&, const Surroundings<3>&, std::int32_t,
                                     std::int32_t, const Vec<3>&);
template class Detector<2>;
template class Detector<3>;

}  // namespace moreau
