#include "moreau/contact/detect.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"

namespace moreau {

namespace {

constexpr std::size_t body_chunk = 512;

template <int D>
Separation<D> between_balls(const Vec<D>& xa, double ra, const Vec<D>& xb, double rb) {
  const Vec<D> apart = xa - xb;
  const double distance = norm(apart);
  if (distance > 0.0) return {distance - ra - rb, (1.0 / distance) * apart};
  Vec<D> any{};  // same centre: no direction is better than another
  any[D - 1] = 1.0;
  return {-ra - rb, any};
}

template <int D>
Vec<D> transported(const Vec<D>& impulse, const Vec<D>& old_normal, const Vec<D>& new_normal, double scale) {
  const double normal_part = dot(impulse, old_normal);
  Vec<D> tangent = impulse - normal_part * old_normal;
  tangent -= dot(tangent, new_normal) * new_normal;
  return scale * (normal_part * new_normal + tangent);
}

}  // namespace

template <int D>
std::vector<std::uint32_t> contact_rows(const ContactTable<D>& table, std::size_t bodies) {
  std::vector<std::uint32_t> row(bodies + 1, 0);
  for (std::int32_t a : table.a) ++row[static_cast<std::size_t>(a) + 1];
  for (std::size_t i = 0; i < bodies; ++i) row[i + 1] += row[i];
  return row;
}

template <int D>
std::size_t Detector<D>::detect(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, std::span<const Wall<D>> walls,
                                const std::vector<Vec<D>>& wall_shift, const std::vector<Vec<D>>& wall_velocity,
                                const Neighbours<D>& neighbours, LookAhead ahead, const ContactTable<D>& previous, double impulse_scale,
                                ContactTable<D>& table) {
  const std::size_t n = bodies.size();
  const std::vector<std::uint32_t> old_row = contact_rows(previous, n);
  const auto& radius = bodies.parameters.radius;
  const auto& velocity = bodies.state.velocity;
  parts_.resize(chunk_count(n, body_chunk));

  for_chunks(n, body_chunk, [&](std::size_t k, std::size_t begin, std::size_t end) {
    Part& part = parts_[k];
    ContactTable<D>& out = part.contacts;
    out.clear();
    part.recalled = 0;
    for (std::size_t a = begin; a < end; ++a) {
      std::uint32_t old = old_row[a];
      for (std::uint32_t p = neighbours.row[a]; p < neighbours.row[a + 1]; ++p) {
        const std::int32_t b = neighbours.partner[p];
        Separation<D> s;
        double limit = ahead.distance;
        if (is_wall(b)) {
          const std::size_t w = static_cast<std::size_t>(wall_index(b));
          s = separation(walls[w].geometry, wall_shift[w], position[a], radius[a]);
          if (ahead.time > 0.0) limit += ahead.time * std::max(0.0, -dot(velocity[a] - wall_velocity[w], s.normal));
        } else {
          const std::size_t j = static_cast<std::size_t>(b);
          if (ahead.time == 0.0) {  // most candidates are apart: tell without a square root
            const Vec<D> apart = position[a] - position[j];
            const double sum = radius[a] + radius[j];
            if (dot(apart, apart) > sum * sum * (1.0 + 1e-12)) continue;
          }
          s = between_balls(position[a], radius[a], position[j], radius[j]);
          if (ahead.time > 0.0) limit += ahead.time * std::max(0.0, -dot(velocity[a] - velocity[j], s.normal));
        }
        if (!(s.gap <= limit)) continue;
        Vec<D> impulse{};
        while (old < old_row[a + 1] && previous.b[old] < b) ++old;
        if (old < old_row[a + 1] && previous.b[old] == b) {
          impulse = transported(previous.impulse[old], previous.normal[old], s.normal, impulse_scale);
          ++part.recalled;
        }
        out.a.push_back(static_cast<std::int32_t>(a));
        out.b.push_back(b);
        out.gap.push_back(s.gap);
        out.normal.push_back(s.normal);
        out.impulse.push_back(impulse);
      }
    }
  });

  std::vector<std::size_t> first(parts_.size() + 1, 0);
  std::size_t recalled = 0;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    first[k + 1] = first[k] + parts_[k].contacts.size();
    recalled += parts_[k].recalled;
  }
  table.resize(first.back());
  for_chunks(parts_.size(), 1, [&](std::size_t k, std::size_t, std::size_t) {
    const ContactTable<D>& from = parts_[k].contacts;
    const auto put = [&](const auto& source, auto& target) {
      std::copy(source.begin(), source.end(), target.begin() + static_cast<std::ptrdiff_t>(first[k]));
    };
    put(from.a, table.a), put(from.b, table.b), put(from.gap, table.gap), put(from.normal, table.normal), put(from.impulse, table.impulse);
  });
  return recalled;
}

template <int D>
std::size_t Detector<D>::bytes() const {
  std::size_t sum = 0;
  for (const Part& p : parts_) sum += p.contacts.a.capacity() * (2 * sizeof(std::int32_t) + sizeof(double) + 2 * sizeof(Vec<D>));
  return sum;
}

template std::vector<std::uint32_t> contact_rows(const ContactTable<2>&, std::size_t);
template std::vector<std::uint32_t> contact_rows(const ContactTable<3>&, std::size_t);
template class Detector<2>;
template class Detector<3>;

}  // namespace moreau
