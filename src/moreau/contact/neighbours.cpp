#include "moreau/contact/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "moreau/base/memory.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/contact/pair_lists.hpp"
#include "moreau/contact/sorted_cells.hpp"

namespace moreau::inline contact {

namespace {
constexpr double skin_over_mean_radius = 0.1;               // larger: fewer rebuilds, more candidates to test in every step
constexpr double horizon_steps = 20.0, fewest_steps = 1.0;  // that margins provide for
constexpr double most_copies = 1000.0;  // of a body in a periodic cell, in the mean, before margins are shortened
constexpr std::size_t body_chunk = 512;
constexpr std::size_t cell_chunk = 512, crossing_chunk = 128;
constexpr std::size_t max_levels = 40;
constexpr double rows_per_sorted = 3.0;      // as many rows are looked at in the time in which a point is sorted anew
constexpr double single_precision = 1.5e-7;  // more than what rounding to it may change, relatively

// Upper bound of the speed of the surface of a body towards another; a round body does not come nearer by turning. In a deforming
// cell speeds are relative to the affine flow: the copies of a body move differently, but all like this.
template <int D>
double speed_of(const Bodies<D>& bodies, std::size_t i, const Vec<D>& position, const Surroundings<D>& around) {
  const double turning = bodies.is_round(i) ? 0.0 : bodies.parameters.radius[i] * norm(bodies.state.spin[i]);
  const Vec<D>& v = bodies.state.velocity[i];
  return norm(around.lattice.any() ? v - around.gradient * (position - around.centre) : v) + turning;
}

// Whole part of the logarithm to base 2 of a ratio of at least 1.
std::size_t level_of(double ratio) {
  const std::size_t exponent = static_cast<std::size_t>(std::bit_cast<std::uint64_t>(ratio) >> 52);
  return std::clamp<std::size_t>(exponent, 1023, 1023 + max_levels - 1) - 1023;
}

// f(piece, begin, end) for every chunk of [0, n), each with a list of its own.
template <class F>
void in_pieces(PairLists& found, std::size_t n, std::size_t chunk, F&& f) {
  const std::size_t first = found.more(chunk_count(n, chunk));
  for_chunks(n, chunk, [&](std::size_t k, std::size_t begin, std::size_t end) { f(first + k, begin, end); });
}

// Bodies that fly through several cells in a step have copies in all of them, and every copy may meet every body.
void demand_points(double points, double bodies) {
  constexpr double point_bytes = 160.0, pair_bytes = 32.0;  // with all lists in which they are sorted
  demand_memory(points * point_bytes + 0.5 * points * bodies * pair_bytes,
                "the copies of bodies that move farther in a step than their periodic cell is wide (a smaller time.step helps)");
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
                           double time_step, LookAhead ahead, double farthest) {
  if (valid_ && bodies.size() == built_.size() && walls_are_near(around, ahead)) {
    margin_left_ -= farthest;
    if (margin_left_ > 0.0) return false;
    margin_left_ = margin_left(bodies, position, around, ahead, farthest < HUGE_VAL);
    if (margin_left_ >= 0.0) return false;
  }
  margin_left_ = 0.0;
  built_wall_shift_.assign(around.shift.begin(), around.shift.end());
  built_lattice_ = around.lattice, built_centre_ = around.centre;
  choose_margins(bodies, position, around, time_step, ahead, fewest_steps);
  const bool periodic = around.lattice.any();
  if (periodic) {
    const double most = most_copies * static_cast<double>(bodies.size());
    if (PeriodicPoints<D>::count(around.lattice, reach_) > most) choose_margins(bodies, position, around, time_step, ahead, 0.0);
    const double points = PeriodicPoints<D>::count(around.lattice, reach_);
    if (points > most) demand_points(points, static_cast<double>(bodies.size()));
    points_.place(around.lattice, position, reach_);
  }
  PairLists found(periodic);
  find_walls(bodies, position, around, ahead, found);
  find_bodies(bodies, {periodic ? points_.position : position, points_.body, reach_}, found);
  found.order(bodies.size(), row, partner, image);
  std::vector<double>().swap(reach_);  // only needed while building
  points_ = {};
  valid_ = true;
  return true;
}

// Seen from the centre of a periodic cell, as the motion of its bodies is; of a plane only along its normal, so that a flow along
// it may go on.
template <int D>
bool Neighbours<D>::walls_are_near(const Surroundings<D>& around, LookAhead ahead) const {
  if (ahead.distance > built_for_.distance || ahead.time > built_for_.time) return false;
  const bool periodic = around.lattice.any();
  for (std::size_t w = 0; w < around.shift.size(); ++w) {
    Vec<D> moved = around.shift[w] - built_wall_shift_[w];
    if (periodic) moved -= around.centre - built_centre_;
    const WallGeometry<D>& geometry = around.walls[w].geometry;
    const bool along_normal = periodic && geometry.shape == WallShape::plane;
    if ((along_normal ? std::abs(dot(moved, geometry.direction)) : norm(moved)) > wall_margin_[w] ||
        (ahead.time > 0.0 && norm(around.velocity[w]) > wall_allowed_speed_[w]))
      return false;
  }
  return true;
}

// In a cell that has deformed by F since, a body may have moved by its margin relative to the affine motion; distances have
// changed by at most |F - 1| times themselves besides, for which every body gives its part of the margin.
template <int D>
double Neighbours<D>::margin_left(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                                  LookAhead ahead, bool measured) const {
  struct Least {
    double left = HUGE_VAL;
    Least& operator+=(const Least& o) { return left = std::min(left, o.left), *this; }
  };
  const bool periodic = around.lattice.any();
  const Matrix<D> deformed = periodic ? around.lattice.vectors * inverse(built_lattice_.vectors) : identity<D>();
  const double stretch = periodic ? frobenius(deformed + (-1.0) * identity<D>()) * farthest_reach_ : 0.0;
  const Least all = reduce_chunks<Least>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    double least = HUGE_VAL;
    for (std::size_t i = begin; i < end; ++i) {
      const Built& built = built_[i];
      Vec<D> before = reference_;
      for (int d = 0; d < D; ++d) before[d] += static_cast<double>(built.position[d]);
      Vec<D> moved = position[i] - before;
      if (periodic) moved = position[i] - around.centre - deformed * (before - built_centre_);
      const double margin = static_cast<double>(built.margin) - stretch, square = dot(moved, moved);
      bool stale = margin < 0.0 || square > margin * margin;
      stale |= ahead.time > 0.0 && speed_of(bodies, i, position[i], around) > static_cast<double>(built.allowed_speed);
      const double left = stale ? -1.0 : measured ? margin - std::sqrt(square) : 0.0;
      least = left < least ? left : least;
    }
    return Least{least};
  });
  return all.left;
}

template <int D>
void Neighbours<D>::choose_margins(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                                   double time_step, LookAhead ahead, double fewest) {
  const std::size_t n = bodies.size();
  built_.resize(n), reach_.resize(n);
  struct Sums {
    double radius = 0.0, speed = 0.0;
    Sums& operator+=(const Sums& o) { return radius += o.radius, speed += o.speed, *this; }
  };
  std::vector<double>& speed = reach_;  // until there are reaches
  const Sums sum = reduce_chunks<Sums>(n, body_chunk, [&](std::size_t begin, std::size_t end) {
    Sums part;
    for (std::size_t i = begin; i < end; ++i) {
      speed[i] = bodies.parameters.kind[i] == BodyKind::fixed ? 0.0 : speed_of(bodies, i, position[i], around);
      part += {bodies.parameters.radius[i], speed[i]};
    }
    return part;
  });
  const double mean_radius = n > 0 ? sum.radius / static_cast<double>(n) : 0.0, skin = 0.5 * skin_over_mean_radius * mean_radius;
  // Where most bodies are fast, margins for many steps would make every body a neighbour of every other.
  const double travel = n > 0 ? time_step * sum.speed / static_cast<double>(n) : 0.0;
  const double steps = travel > 0.0 ? std::clamp(0.5 * mean_radius / travel, fewest, horizon_steps) : horizon_steps;
  built_for_ = ahead;
  reference_ = n > 0 ? position[0] : Vec<D>{};
  struct Farthest {
    double reach = 0.0;
    Farthest& operator+=(const Farthest& o) { return reach = std::max(reach, o.reach), *this; }
  };
  farthest_reach_ = reduce_chunks<Farthest>(n, body_chunk, [&](std::size_t begin, std::size_t end) {
                      Farthest part;
                      for (std::size_t i = begin; i < end; ++i) {
                        const double now = speed[i], margin = skin + steps * time_step * now;
                        const double allowed = (1.0 + steps / horizon_steps) * now + skin / time_step;
                        const Vec<D> x = position[i] - reference_;
                        for (int d = 0; d < D; ++d) built_[i].position[d] = static_cast<float>(x[d]);
                        built_[i].margin = static_cast<float>((1.0 - single_precision) * (margin - single_precision * norm(x)));
                        built_[i].allowed_speed = static_cast<float>((1.0 - single_precision) * allowed);
                        reach_[i] = bodies.parameters.radius[i] + margin + 0.5 * ahead.distance + ahead.time * allowed;
                        part += {reach_[i]};
                      }
                      return part;
                    }).reach;
  const std::size_t walls = around.velocity.size();
  wall_margin_.resize(walls), wall_allowed_speed_.resize(walls);
  for (std::size_t w = 0; w < walls; ++w) {
    const double now = norm(around.velocity[w]);
    wall_margin_[w] = skin + horizon_steps * time_step * now + (around.lattice.any() ? steps * travel : 0.0);  // of the centre
    wall_allowed_speed_[w] = 2.0 * now + skin / time_step;
  }
}

template <int D>
void Neighbours<D>::find_walls(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                               LookAhead ahead, PairLists& found) const {
  if (around.walls.empty()) return;
  in_pieces(found, bodies.size(), body_chunk, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_free(i) || !wants(i)) continue;
      for (std::size_t w = 0; w < around.walls.size(); ++w)
        if (separation(around.walls[w].geometry, around.shift[w], position[i], reach_[i]).gap <=
            wall_margin_[w] + 0.5 * ahead.distance + ahead.time * wall_allowed_speed_[w])
          found.add(piece, static_cast<std::int32_t>(i), ~static_cast<std::int32_t>(w));
    }
  });
}

// One level of cells per doubling of reach, the smallest first.
template <int D>
std::vector<SortedCells<D>> Neighbours<D>::sort_into_cells(const Bodies<D>& bodies, const ReachingPoints<D>& points) const {
  const double smallest = reach_.empty() ? 0.0 : *std::min_element(reach_.begin(), reach_.end());
  std::vector<std::vector<std::uint32_t>> numbers(max_levels);
  std::vector<double> largest(max_levels, 0.0);
  for (std::size_t p = 0; p < points.at.size(); ++p) {
    const std::size_t i = points.body_of(p);
    if (!bodies.is_present(i)) continue;
    const std::size_t level = level_of(reach_[i] / smallest);
    numbers[level].push_back(static_cast<std::uint32_t>(p));
    largest[level] = std::max(largest[level], reach_[i]);
  }
  std::vector<SortedCells<D>> levels;
  for (std::size_t level = 0; level < max_levels; ++level) {
    if (!numbers[level].empty()) levels.emplace_back(points, numbers[level], largest[level]);
    std::vector<std::uint32_t>().swap(numbers[level]);
  }
  return levels;
}

// Each pair of points that meet is found once: within a level, and between two levels. There a few points of long reach look
// through the cells of the other level; otherwise the points of short reach are sorted into the cells of the long. Of a pair of
// bodies in a periodic cell there are several pairs of points; the one kept has the body of the lower number in the cell.
template <int D>
void Neighbours<D>::find_bodies(const Bodies<D>& bodies, const ReachingPoints<D>& points, PairLists& found) const {
  const bool periodic = !points.body.empty();
  const auto add = [&](std::size_t piece, std::size_t p, std::size_t q) {
    const std::size_t of_p = points.body_of(p), of_q = points.body_of(q), i = std::min(of_p, of_q), j = std::max(of_p, of_q);
    const bool free_i = bodies.is_free(i), free_j = bodies.is_free(j);
    if (!free_i && !free_j) return;
    const std::int32_t a = static_cast<std::int32_t>(free_i ? i : j), b = static_cast<std::int32_t>(free_i ? j : i);
    if (!wants(free_i ? i : j)) return;
    if (!periodic) return found.add(piece, a, b);
    if (of_p != i) std::swap(p, q);
    if (p >= bodies.size() || i == j) return;  // the points in the cell have the numbers of their bodies
    const Image of_j = points_.image(p, q);
    found.add(piece, a, b, free_i ? of_j : -of_j);
  };

  std::vector<SortedCells<D>> levels = sort_into_cells(bodies, points);
  for (const SortedCells<D>& level : levels)
    in_pieces(found, level.cells(), cell_chunk, [&](std::size_t piece, std::size_t begin, std::size_t end) {
      level.each_pair(begin, end, [&](std::size_t p, std::size_t q) { add(piece, p, q); });
    });
  for (std::size_t f = 0; f < levels.size(); ++f)
    for (std::size_t c = f + 1; c < levels.size(); ++c) {
      SortedCells<D>&fine = levels[f], &coarse = levels[c];
      if (static_cast<double>(coarse.size()) * fine.rows_near(coarse.largest()) <
          rows_per_sorted * static_cast<double>(fine.size())) {
        fine.index_rows();
        in_pieces(found, coarse.size(), crossing_chunk, [&](std::size_t piece, std::size_t begin, std::size_t end) {
          for (std::size_t k = begin; k < end; ++k)
            fine.each_near(coarse.point(k), [&](std::size_t q) { add(piece, coarse.number(k), q); });
        });
      } else {
        const SortedCells<D> alike = coarse.sorted_alike(fine);
        in_pieces(found, alike.cells(), cell_chunk, [&](std::size_t piece, std::size_t begin, std::size_t end) {
          alike.each_pair_between(coarse, begin, end, [&](std::size_t p, std::size_t q) { add(piece, p, q); });
        });
      }
    }
}

template <int D>
std::size_t Neighbours<D>::bytes() const {
  const auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return size(row) + size(partner) + size(image) + size(built_);
}

template class Neighbours<2>;
template class Neighbours<3>;

}  // namespace moreau::inline contact
