// The pairs that touch, or will within the time looked ahead: bodies in sorted cells, one level of cells for each doubling of the
// reach; walls one by one. A body looks at its own level ahead of itself, and at all coarser levels around itself.
#pragma once

#include "moreau/contact/ball_separation.hpp"
#include "moreau/gpu/atomic.hpp"
#include "moreau/gpu/card_rows.hpp"
#include "moreau/gpu/periodic_space.hpp"

namespace moreau::gpu {

// Contacts are wanted up to gap = distance + time * speed of approach, as contact/neighbours.hpp. The image of a body in a periodic
// cell that deforms moves with gradient * shift relative to it.
template <int D>
struct Ahead {
  double time, distance;
  bool deforms = false;
  Matrix<D> gradient{};
  Vec<D> centre{};       // about which the bodies move with the cell
  double stretch = 1.0;  // of reaches: two bodies at distance x approach by |gradient| x, besides what each does by itself

  // The same for another time and distance. |L| t must be below one.
  Ahead for_time(double t, double far) const {
    Ahead other = *this;
    other.time = t, other.distance = far, other.stretch = 1.0 / (1.0 - t * size());
    return other;
  }
  double size() const {  // of the gradient, at least
    double square = 0.0;
    for (const Vec<D>& row : gradient.row) square += dot(row, row);
    return std::sqrt(square);
  }
};

inline constexpr double wider = 1.0 + 1e-6;  // than need be, for rounding

// The velocities with which contacts are looked for.
template <int D>
struct Motions {
  const Vec<D>* velocity;
  const Spin<D>* spin;
  // Of the fastest point of a body relative to its centre; a round one does not come nearer by turning.
  MOREAU_INLINE double surface_speed(const BodyRows<D>& bodies, std::size_t i) const {
    return bodies.is_round(i) ? 0.0 : bodies.radius[i] * norm(spin[i]);
  }
  MOREAU_INLINE Vec<D> at(const BodyRows<D>& bodies, std::size_t i, const Vec<D>& point) const {
    return velocity[i] + cross(spin[i], point - bodies.middle[i]);
  }
};

// Bodies farther apart than the sum of their reaches are no contact.
template <int D>
MOREAU_INLINE double reach_of(const BodyRows<D>& bodies, const Motions<D>& motions, const Ahead<D>& ahead, std::size_t i) {
  const Vec<D>* const velocity = motions.velocity;
  const double more = 0.5 * ahead.distance > 0.0 ? 0.5 * ahead.distance : 0.0;
  const Vec<D> v = ahead.deforms ? velocity[i] - ahead.gradient * (bodies.middle[i] - ahead.centre) : velocity[i];
  return wider * ahead.stretch * (bodies.radius[i] + more + ahead.time * (norm(v) + motions.surface_speed(bodies, i)));
}

struct Reaches {
  double largest = 0.0, smallest = 1e300;
  double spread = 0.0;  // largest distance from the middle along an axis
  MOREAU_INLINE Reaches& operator+=(const Reaches& o) {
    largest = largest < o.largest ? o.largest : largest, smallest = o.smallest < smallest ? o.smallest : smallest;
    spread = spread < o.spread ? o.spread : spread;
    return *this;
  }
};
template <int D>
struct MeasureReach {
  BodyRows<D> bodies;
  Motions<D> motions;
  const Vec<D>* at;
  Ahead<D> ahead;
  Vec<D> middle;
  MOREAU_INLINE void operator()(std::size_t i, Reaches& sum) const {
    if (bodies.kind[i] == BodyKind::removed) return;
    const double reach = reach_of(bodies, motions, ahead, i);
    double spread = 0.0;
    for (int d = 0; d < D; ++d) {
      const double away = at[i][d] - middle[d];
      spread = spread < away ? away : spread < -away ? -away : spread;
    }
    sum += {reach, reach, spread};
  }
};

// The grid: cells of level k, of reaches from 2^k times the smallest on, are as wide as two of the largest among them may be.
// Numbers of cells have as many bits as need be, since sorting takes the longer the more they have; cells too far from the middle
// for the most that there may be fall together with the last ones.
template <int D>
struct Grid {
  static constexpr int most_bits = D == 2 ? 28 : 19, level_bits = 6, levels = 40;
  Vec<D> middle;
  double largest, smallest;  // reach
  bool one_level;
  int bits = most_bits;  // of a coordinate

  Grid(const Vec<D>& where, const Reaches& reaches)
      : middle(where), largest(reaches.largest), smallest(reaches.smallest), one_level(largest < 2.0 * smallest) {
    const double cells = reaches.spread / width(0) + 8.0;
    for (bits = 5; bits < most_bits && !(cells < static_cast<double>(std::int64_t{1} << (bits - 1)));) ++bits;
  }
  MOREAU_INLINE double most() const { return static_cast<double>((std::int64_t{1} << (bits - 1)) - 4); }
  MOREAU_INLINE int level(double reach) const {
    const double ratio = reach / smallest;
    int k = 0;
    for (double power = 2.0; power <= ratio && k < levels - 1; power *= 2.0) ++k;
    return k;
  }
  MOREAU_INLINE double width(int level) const {
    double reach = 2.0 * smallest;
    for (int k = 0; k < level; ++k) reach *= 2.0;
    return 2.0 * wider * (level == levels - 1 || largest < reach ? largest : reach);
  }
  // 1 and more, so that there is one before it.
  MOREAU_INLINE std::uint64_t coordinate(double x, int d, double per_width) const {
    const double c = (x - middle[d]) * per_width + most();
    const double held = c > 0.0 ? (c < 2.0 * most() ? c : 2.0 * most()) : 0.0;
    return static_cast<std::uint64_t>(held) + 1;
  }
  MOREAU_INLINE std::uint64_t key(const Vec<D>& x, int level) const {
    const double per_width = 1.0 / width(level);
    std::uint64_t k = static_cast<std::uint64_t>(level);
    for (int d = D - 1; d >= 0; --d) k = k << bits | coordinate(x[d], d, per_width);
    return k;
  }
  MOREAU_INLINE int key_bits() const { return D * bits + (one_level ? 1 : level_bits); }
};

// What is searched: the bodies; in periodic space copies of them too, the bodies first.
template <int D>
struct Points {
  const Vec<D>* at;
  const std::uint32_t* body;  // null: a body for each point
  const std::uint8_t* copy;   // which one (periodic_space.hpp)
  const Image* home;          // by body
  std::size_t count;
  MOREAU_INLINE std::size_t body_of(std::size_t p) const { return body != nullptr ? body[p] : p; }
};

// By place in the order of the cells.
template <int D>
struct CellRow {
  Vec<D> at;
  double reach;
};

template <int D>
struct PutIntoCells {
  BodyRows<D> bodies;
  Motions<D> motions;
  Ahead<D> ahead;
  Grid<D> grid;
  Points<D> points;
  std::uint64_t* key;
  std::uint32_t* point;
  std::uint64_t* levels;  // a bit for each that is not empty

  MOREAU_INLINE void operator()(std::size_t p) const {
    const std::size_t i = points.body_of(p);
    point[p] = static_cast<std::uint32_t>(p);
    if (bodies.kind[i] == BodyKind::removed) {
      key[p] = (std::uint64_t{1} << grid.key_bits()) - 1;  // behind all others: there are not so many levels
      return;
    }
    const int level = grid.one_level ? 0 : grid.level(reach_of(bodies, motions, ahead, i));
    key[p] = grid.key(points.at[p], level);
    if (!grid.one_level && (*levels >> level & 1) == 0) set_bits(levels, std::uint64_t{1} << level);
  }
};

template <int D>
struct FillCells {
  BodyRows<D> bodies;
  Motions<D> motions;
  Ahead<D> ahead;
  Points<D> points;
  const std::uint32_t* point;
  CellRow<D>* row;
  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::size_t p = point[k];
    row[k] = {points.at[p], reach_of(bodies, motions, ahead, points.body_of(p))};
  }
};

// Pairs as numbers in the order of the contact table: (a (bodies + walls) + b + walls) copies + copy.
struct PairList {
  std::uint64_t* pair;
  std::uint32_t* count;  // that were found, also those beyond `room`
  std::uint32_t room;
  std::uint64_t bodies, walls, copies;

  MOREAU_INLINE std::uint64_t number(std::size_t a, std::int64_t b, int copy) const {
    const std::uint64_t other = static_cast<std::uint64_t>(b + static_cast<std::int64_t>(walls));
    return (static_cast<std::uint64_t>(a) * (bodies + walls) + other) * copies + static_cast<std::uint64_t>(copy);
  }
  MOREAU_INLINE void add(std::size_t a, std::int64_t b, int copy) const {
    const std::uint32_t k = next_number(count);
    if (k < room) pair[k] = number(a, b, copy);
  }
  MOREAU_INLINE std::int32_t first(std::uint64_t p) const { return static_cast<std::int32_t>(p / copies / (bodies + walls)); }
  MOREAU_INLINE std::int32_t second(std::uint64_t p) const {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(p / copies % (bodies + walls)) - static_cast<std::int64_t>(walls));
  }
  MOREAU_INLINE int copy(std::uint64_t p) const { return static_cast<int>(p % copies); }
};

// The image of b through which a pair meets, and the copy by which it is named.
template <int D>
struct PairImages {
  PeriodicSpace<D> space;
  const Image* home;  // by body
  MOREAU_INLINE Image image(std::int32_t a, std::int32_t b, int copy) const {
    return b < 0 || !space.any ? 0 : home[b] - home[a] + space.image[copy];
  }
  MOREAU_INLINE int copy(std::int32_t a, std::int32_t b, Image image) const {
    return b < 0 || !space.any ? space.itself() : space.copy_of(image + home[a] - home[b]);
  }
};

// How far ahead the fastest points of two bodies are looked for, and whether the balls that hold the bodies are so near
// (contact/pair_points.cpp).
template <int D>
MOREAU_INLINE double margin_of(const BodyRows<D>& bodies, const Motions<D>& motions, const Ahead<D>& ahead, std::size_t a,
                               std::size_t b) {
  double margin = ahead.distance;
  if (ahead.time > 0.0)
    margin += ahead.time * (norm(motions.velocity[a] - motions.velocity[b]) + motions.surface_speed(bodies, a) +
                            motions.surface_speed(bodies, b));
  return margin;
}
template <int D>
MOREAU_INLINE bool enclosing_balls_meet(const BodyRows<D>& bodies, const Motions<D>& motions, const Ahead<D>& ahead, std::size_t a,
                                        std::size_t b, const Vec<D>& apart) {
  const double touch = bodies.radius[a] + bodies.radius[b] + margin_of(bodies, motions, ahead, a, b);
  return !(dot(apart, apart) > touch * touch * (1.0 + 1e-12));
}
template <int D>
MOREAU_INLINE double margin_to_wall(const BodyRows<D>& bodies, const Motions<D>& motions, const Ahead<D>& ahead, std::size_t a,
                                    const WallRow<D>& wall) {
  double margin = ahead.distance;
  if (ahead.time > 0.0) margin += ahead.time * (norm(motions.velocity[a] - wall.velocity) + motions.surface_speed(bodies, a));
  return margin;
}

// Of the body at place k of the cells, index: k, or k + count * part where one thread looks at one row of cells only, which is
// faster where there are few bodies. Judged as contact/touching_balls.cpp does.
template <int D>
struct FindPairs {
  BodyRows<D> bodies;
  Motions<D> motions;
  Ahead<D> ahead;
  Grid<D> grid;
  Points<D> points;
  PairImages<D> images;
  const std::uint64_t* key;
  const std::uint32_t* point;
  const CellRow<D>* row;
  const std::uint64_t* levels;  // a bit for each that is not empty; null: there is one
  PairList found;
  bool by_rows;

  static constexpr int own_rows = D == 2 ? 2 : 5, coarse_rows = D == 2 ? 3 : 9;
  MOREAU_INLINE std::size_t indices() const {
    return points.count * static_cast<std::size_t>(!by_rows ? 1 : levels == nullptr ? own_rows : own_rows + coarse_rows);
  }

  // Of the pairs of points of two bodies in periodic space, the one with the body of the lower number inside the cell.
  MOREAU_INLINE void meet(const CellRow<D>& here, std::size_t p, std::size_t i, bool free, std::size_t m) const {
    const CellRow<D> there = row[m];
    const Vec<D> between = here.at - there.at;
    const double reach = here.reach + there.reach;
    if (dot(between, between) > reach * reach) return;
    const std::size_t q = point[m], j = points.body_of(q);
    const bool other_free = bodies.is_free(j);
    if (!free && !other_free) return;
    const bool first = free && (!other_free || i < j);
    const std::size_t a = first ? i : j, b = first ? j : i;
    int copy = images.space.itself();
    const Vec<D>* const velocity = motions.velocity;
    Vec<D> apart = bodies.middle[a] - bodies.middle[b], other = velocity[b];
    if (images.space.any) {
      if (i == j || points.copy[i < j ? p : q] != copy) return;
      copy = points.copy[i < j ? q : p];  // of the higher number, as the lower one sees it
      if (b < a) copy = images.space.copies - 1 - copy;
      const Vec<D> shift = images.space.lattice.shift(images.image(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), copy));
      apart -= shift;
      if (ahead.deforms) other += ahead.gradient * shift;
    }
    if (!bodies.is_round(a) || !bodies.is_round(b)) {  // judged by touch_loops.hpp
      if (enclosing_balls_meet(bodies, motions, ahead, a, b, apart)) found.add(a, static_cast<std::int64_t>(b), copy);
      return;
    }
    const BallSeparation<D, double> s = ball_separation<D, double>(apart, bodies.radius[a] + bodies.radius[b]);
    double limit = ahead.distance;
    if (ahead.time > 0.0) limit += ahead.time * maximum(-dot(velocity[a] - other, s.normal), 0.0);
    if (s.gap <= limit) found.add(a, static_cast<std::int64_t>(b), copy);
  }
  // The cells beside one in its row, and in the rows `y` and `z` away.
  MOREAU_INLINE void look(std::uint64_t cell, int y, int z, const CellRow<D>& here, std::size_t p, std::size_t i,
                          bool free) const {
    std::uint64_t low = cell - 1 + (static_cast<std::uint64_t>(static_cast<std::int64_t>(y)) << grid.bits);
    if constexpr (D == 3) low += static_cast<std::uint64_t>(static_cast<std::int64_t>(z)) << 2 * grid.bits;
    for (std::size_t m = first_not_below(key, points.count, low); m < points.count && key[m] <= low + 2; ++m)
      meet(here, p, i, free, m);
  }
  MOREAU_INLINE void operator()(std::size_t index) const {
    const std::size_t k = by_rows ? index % points.count : index, p = point[k], i = points.body_of(p);
    const int part = by_rows ? static_cast<int>(index / points.count) : -1;  // -1: all of them
    if (bodies.kind[i] == BodyKind::removed) return;
    const CellRow<D> here = row[k];
    const bool free = bodies.is_free(i);
    const std::uint64_t own = key[k];
    if (part <= 0)
      for (std::size_t m = k + 1; m < points.count && key[m] <= own + 1; ++m) meet(here, p, i, free, m);
    if (part == -1 || part == 1) look(own, 1, 0, here, p, i, free);
    if constexpr (D == 3)
      for (int y = -1; y <= 1; ++y)
        if (part == -1 || part == y + 3) look(own, y, 1, here, p, i, free);
    if (levels == nullptr || (part >= 0 && part < own_rows)) return;
    const int level = static_cast<int>(own >> D * grid.bits);
    for (int coarse = level + 1; coarse < grid.levels; ++coarse) {
      if ((*levels >> coarse & 1) == 0) continue;
      const std::uint64_t cell = grid.key(here.at, coarse);
      for (int y = -1; y <= 1; ++y)
        for (int z = D == 2 ? 0 : -1; z <= (D == 2 ? 0 : 1); ++z)
          if (part == -1 || part == own_rows + (D == 2 ? y + 1 : 3 * (z + 1) + y + 1)) look(cell, y, z, here, p, i, free);
    }
  }
};

// Judged as contact/detect.cpp does.
template <int D>
struct FindWalls {
  BodyRows<D> bodies;
  Motions<D> motions;
  Ahead<D> ahead;
  const WallRow<D>* wall;
  PairList found;

  MOREAU_INLINE void operator()(std::size_t i) const {
    if (!bodies.is_free(i)) return;
    for (std::uint64_t w = 0; w < found.walls; ++w) {
      const Separation<D> s = separation(wall[w], wall[w].shift, bodies.middle[i], bodies.radius[i]);
      double limit = ahead.distance;
      if (!bodies.is_round(i))
        limit = margin_to_wall(bodies, motions, ahead, i, wall[w]) + 1e-9 * bodies.radius[i];  // for rounding
      else if (ahead.time > 0.0)
        limit += ahead.time * maximum(-dot(motions.velocity[i] - wall[w].velocity, s.normal), 0.0);
      if (s.gap <= limit) found.add(i, -static_cast<std::int64_t>(w) - 1, static_cast<int>(found.copies / 2));
    }
  }
};

}  // namespace moreau::gpu
