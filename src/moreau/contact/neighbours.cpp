#include "moreau/contact/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau {

namespace {
constexpr double skin_over_mean_radius = 0.1;               // larger: fewer rebuilds, more candidates to test in every step
constexpr double horizon_steps = 20.0, fewest_steps = 1.0;  // that margins provide for
constexpr std::size_t body_chunk = 512;
constexpr std::int32_t max_levels = 40;
constexpr double single_precision = 1.5e-7;  // more than what rounding to it may change, relatively

// Upper bound of the speed of the surface of a body towards another; a round body does not come nearer by turning. In a deforming
// cell speeds are relative to the affine flow: the copies of a body move differently, but all like this.
template <int D>
double speed_of(const Bodies<D>& bodies, std::size_t i, const Vec<D>& position, const Surroundings<D>& around) {
  const double turning = bodies.is_round(i) ? 0.0 : bodies.parameters.radius[i] * norm(bodies.state.spin[i]);
  const Vec<D>& v = bodies.state.velocity[i];
  return norm(around.lattice.any() ? v - around.gradient * (position - around.centre) : v) + turning;
}

template <int D>
double frobenius(const Matrix<D>& m) {
  double sum = 0.0;
  for (const Vec<D>& row : m.row) sum += dot(row, row);
  return std::sqrt(sum);
}
}  // namespace

template <int D>
bool Neighbours<D>::update(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                           double time_step, LookAhead ahead) {
  if (valid_ && still_valid(bodies, position, around, ahead)) return false;
  built_wall_shift_.assign(around.shift.begin(), around.shift.end());
  built_lattice_ = around.lattice, built_centre_ = around.centre;
  choose_margins(bodies, position, around, time_step, ahead);
  const bool periodic = around.lattice.any();
  if (periodic) points_.place(around.lattice, position, reach_);
  const std::vector<Vec<D>>& point = periodic ? points_.position : position;
  fill_grid(bodies, point);
  collect(bodies, point, around, position, ahead);
  const auto release = [](auto&... v) { (std::remove_reference_t<decltype(v)>().swap(v), ...); };
  release(bucket_start_, bucket_body_, bucket_cell_, level_, reach_);  // only needed while building
  points_ = {};
  valid_ = true;
  return true;
}

// In a cell that has deformed by F since, a body may have moved by its margin relative to the affine motion; distances have
// changed by at most |F - 1| times themselves besides, for which every body gives its part of the margin.
template <int D>
bool Neighbours<D>::still_valid(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                                LookAhead ahead) const {
  const std::size_t n = bodies.size();
  if (n != built_.size() || ahead.distance > built_for_.distance || ahead.time > built_for_.time) return false;
  for (std::size_t w = 0; w < around.shift.size(); ++w)
    if (norm(around.shift[w] - built_wall_shift_[w]) > wall_margin_[w] ||
        (ahead.time > 0.0 && norm(around.velocity[w]) > wall_allowed_speed_[w]))
      return false;
  struct Stale {
    bool stale = false;
    Stale& operator+=(const Stale& o) { return stale |= o.stale, *this; }
  };
  const bool periodic = around.lattice.any();
  const Matrix<D> deformed = periodic ? around.lattice.vectors * inverse(built_lattice_.vectors) : identity<D>();
  const double stretch = periodic ? frobenius(deformed + (-1.0) * identity<D>()) * farthest_reach_ : 0.0;
  return !reduce_chunks<Stale>(n, body_chunk, [&](std::size_t begin, std::size_t end) {
            bool stale = false;
            for (std::size_t i = begin; i < end; ++i) {
              const Built& built = built_[i];
              Vec<D> before = reference_;
              for (int d = 0; d < D; ++d) before[d] += static_cast<double>(built.position[d]);
              Vec<D> moved = position[i] - before;
              if (periodic) moved = position[i] - around.centre - deformed * (before - built_centre_);
              const double margin = static_cast<double>(built.margin) - stretch;
              stale |= margin < 0.0 || dot(moved, moved) > margin * margin;
              stale |= ahead.time > 0.0 && speed_of(bodies, i, position[i], around) > static_cast<double>(built.allowed_speed);
            }
            return Stale{stale};
          }).stale;
}

template <int D>
void Neighbours<D>::choose_margins(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                                   double time_step, LookAhead ahead) {
  const std::size_t n = bodies.size();
  double sum = 0.0;
  for (double r : bodies.parameters.radius) sum += r;
  const double mean_radius = n > 0 ? sum / static_cast<double>(n) : 0.0, skin = 0.5 * skin_over_mean_radius * mean_radius;
  const auto speed = [&](std::size_t i) {
    return bodies.parameters.kind[i] == BodyKind::fixed ? 0.0 : speed_of(bodies, i, position[i], around);
  };
  // Where most bodies are fast, margins for many steps would make every body a neighbour of every other.
  double speeds = 0.0;
  for (std::size_t i = 0; i < n; ++i) speeds += speed(i);
  const double travel = n > 0 ? time_step * speeds / static_cast<double>(n) : 0.0;
  const double steps = travel > 0.0 ? std::clamp(0.5 * mean_radius / travel, fewest_steps, horizon_steps) : horizon_steps;
  built_for_ = ahead;
  built_.resize(n), reach_.resize(n), level_.resize(n);
  reference_ = n > 0 ? position[0] : Vec<D>{};
  double smallest = HUGE_VAL;
  farthest_reach_ = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double now = speed(i), margin = skin + steps * time_step * now;
    const double allowed = (1.0 + steps / horizon_steps) * now + skin / time_step;
    const Vec<D> x = position[i] - reference_;
    for (int d = 0; d < D; ++d) built_[i].position[d] = static_cast<float>(x[d]);
    built_[i].margin = static_cast<float>((1.0 - single_precision) * (margin - single_precision * norm(x)));
    built_[i].allowed_speed = static_cast<float>((1.0 - single_precision) * allowed);
    reach_[i] = bodies.parameters.radius[i] + margin + 0.5 * ahead.distance + ahead.time * allowed;
    smallest = std::min(smallest, reach_[i]);
    farthest_reach_ = std::max(farthest_reach_, reach_[i]);
  }
  const std::size_t walls = around.velocity.size();
  wall_margin_.resize(walls), wall_allowed_speed_.resize(walls);
  for (std::size_t w = 0; w < walls; ++w) {
    const double now = norm(around.velocity[w]);
    wall_margin_[w] = skin + horizon_steps * time_step * now;
    wall_allowed_speed_[w] = 2.0 * now + skin / time_step;
  }

  cell_size_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const double ratio = reach_[i] / smallest;
    level_[i] = std::clamp(static_cast<std::int32_t>(std::floor(std::log2(ratio))), 0, max_levels - 1);
    if (static_cast<std::size_t>(level_[i]) >= cell_size_.size()) cell_size_.resize(static_cast<std::size_t>(level_[i]) + 1, 0.0);
    double& size = cell_size_[static_cast<std::size_t>(level_[i])];
    size = std::max(size, 2.0 * reach_[i]);
  }
}

template <int D>
std::size_t Neighbours<D>::bucket(const Cell& cell) const {
  constexpr std::uint64_t factor[3] = {0xff51afd7ed558ccdULL, 0xc2b2ae3d27d4eb4fULL, 0x165667b19e3779f9ULL};
  std::uint64_t h = static_cast<std::uint64_t>(cell.level) * 0x9e3779b97f4a7c15ULL;
  for (int d = 0; d < D; ++d) h += static_cast<std::uint64_t>(cell.c[d]) * factor[d];  // products side by side
  h ^= h >> 32;
  return static_cast<std::size_t>(h) & bucket_mask_;
}

template <int D>
typename Neighbours<D>::Cell Neighbours<D>::cell_of(const Vec<D>& x, std::int32_t level) const {
  Cell cell{};
  cell.level = level;
  const double inverse = 1.0 / cell_size_[static_cast<std::size_t>(level)];
  for (int d = 0; d < D; ++d) cell.c[d] = static_cast<std::int64_t>(std::clamp(std::floor(x[d] * inverse), -1e15, 1e15));
  return cell;
}

template <int D>
void Neighbours<D>::fill_grid(const Bodies<D>& bodies, const std::vector<Vec<D>>& point) {
  const std::size_t n = point.size();
  const std::size_t buckets = std::bit_ceil(2 * n + 1);
  bucket_mask_ = buckets - 1;
  bucket_start_.assign(buckets + 1, 0);
  std::vector<std::uint32_t> of_point(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!bodies.is_present(body_of(i))) continue;
    of_point[i] = static_cast<std::uint32_t>(bucket(cell_of(point[i], level_[body_of(i)])));
    ++bucket_start_[of_point[i] + 1];
  }
  for (std::size_t k = 0; k < buckets; ++k) bucket_start_[k + 1] += bucket_start_[k];
  std::vector<std::uint32_t> next(bucket_start_.begin(), bucket_start_.end() - 1);
  bucket_body_.resize(n), bucket_cell_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!bodies.is_present(body_of(i))) continue;
    const std::uint32_t place = next[of_point[i]]++;
    bucket_body_[place] = static_cast<std::int32_t>(i);
    bucket_cell_[place] = cell_of(point[i], level_[body_of(i)]);
  }
}

template <int D>
void Neighbours<D>::collect(const Bodies<D>& bodies, const std::vector<Vec<D>>& point, const Surroundings<D>& around,
                            const std::vector<Vec<D>>& position, LookAhead ahead) {
  struct Pair {
    std::int32_t a, b;
    Image image;
  };
  const std::size_t n = bodies.size();
  const bool periodic = around.lattice.any();
  std::vector<bool> level_used(cell_size_.size(), false);
  for (std::int32_t level : level_) level_used[static_cast<std::size_t>(level)] = true;
  std::vector<std::vector<Pair>> found(chunk_count(n, body_chunk));

  for_chunks(n, body_chunk, [&](std::size_t k, std::size_t begin, std::size_t end) {
    std::vector<Pair>& out = found[k];
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_present(i)) continue;
      const bool free_i = bodies.is_free(i);
      if (free_i)
        for (std::size_t w = 0; w < around.walls.size(); ++w)
          if (separation(around.walls[w].geometry, around.shift[w], position[i], reach_[i]).gap <=
              wall_margin_[w] + 0.5 * ahead.distance + ahead.time * wall_allowed_speed_[w])
            out.push_back({static_cast<std::int32_t>(i), ~static_cast<std::int32_t>(w), 0});
      // Each pair is found once: from the body of the finer level, or of the lower number within a level.
      for (std::size_t level = static_cast<std::size_t>(level_[i]); level < cell_size_.size(); ++level) {
        if (!level_used[level]) continue;
        Vec<D> low = point[i], high = point[i];
        for (int d = 0; d < D; ++d) {
          low[d] -= reach_[i] + 0.5 * cell_size_[level];
          high[d] += reach_[i] + 0.5 * cell_size_[level];
        }
        const Cell first = cell_of(low, static_cast<std::int32_t>(level)), last = cell_of(high, static_cast<std::int32_t>(level));
        Cell cell = first;
        for (bool more = true; more;) {
          const std::size_t slot = bucket(cell);
          for (std::uint32_t p = bucket_start_[slot]; p < bucket_start_[slot + 1]; ++p) {
            const std::size_t other = static_cast<std::size_t>(bucket_body_[p]), j = body_of(other);
            if ((static_cast<std::size_t>(level_[i]) == level && j <= i) || !(bucket_cell_[p] == cell)) continue;
            const bool free_j = bodies.is_free(j);
            if (!free_i && !free_j) continue;
            const double limit = reach_[i] + reach_[j];
            const Vec<D> apart = point[i] - point[other];
            if (dot(apart, apart) > limit * limit) continue;
            const bool i_first = free_i && (!free_j || i < j);
            const Image of_j = periodic ? points_.image(i, other) : 0;
            out.push_back(i_first ? Pair{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), of_j}
                                  : Pair{static_cast<std::int32_t>(j), static_cast<std::int32_t>(i), -of_j});
          }
          more = false;
          for (int d = 0; d < D && !more; ++d) {  // next cell of the box first ... last
            if (cell.c[d] < last.c[d]) {
              ++cell.c[d];
              more = true;
            } else {
              cell.c[d] = first.c[d];
            }
          }
        }
      }
    }
  });

  row.assign(n + 1, 0);
  for (const auto& list : found)
    for (const Pair& p : list) ++row[static_cast<std::size_t>(p.a) + 1];
  for (std::size_t i = 0; i < n; ++i) row[i + 1] += row[i];
  resize_tightly(partner, row[n]);
  image.clear();
  std::vector<std::uint32_t> next(row.begin(), row.end() - 1);
  if (periodic) {
    std::vector<std::pair<std::int32_t, Image>> both(row[n]);
    for (const auto& list : found)
      for (const Pair& p : list) both[next[static_cast<std::size_t>(p.a)]++] = {p.b, p.image};
    image.resize(row[n]);
    for (std::size_t i = 0; i < n; ++i) std::sort(both.begin() + row[i], both.begin() + row[i + 1]);
    for (std::size_t p = 0; p < both.size(); ++p) partner[p] = both[p].first, image[p] = both[p].second;
    return;
  }
  for (const auto& list : found)
    for (const Pair& p : list) partner[next[static_cast<std::size_t>(p.a)]++] = p.b;
  for_chunks(n, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) std::sort(partner.begin() + row[i], partner.begin() + row[i + 1]);
  });
}

template <int D>
std::size_t Neighbours<D>::bytes() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return size(row) + size(partner) + size(image) + size(built_) + size(reach_) + size(level_) + size(bucket_start_) +
         size(bucket_body_) + size(bucket_cell_);
}

template class Neighbours<2>;
template class Neighbours<3>;

}  // namespace moreau
