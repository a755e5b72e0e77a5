// Where pairs of bodies touch that are not both round (contact/pair_points.cpp): the points of each pair, the contacts made of them, and
// contacts that a step has brought about among those that were known (contact/include_contacts.cpp).
#pragma once

#include "moreau/contact/continued_points.hpp"
#include "moreau/contact/judged_passage.hpp"
#include "moreau/geometry/view_contact.hpp"
#include "moreau/gpu/contact_loops.hpp"

namespace moreau::gpu {

// Of a pair, now or in the step before: what a thread has room for. Where there are more the processor makes the step.
inline constexpr std::uint32_t most_points_of_pair = 48;

// What is asked of features that pass each other (contact/passage.hpp).
template <int D>
struct PassageRule {
  double step, slack;
  Vec<D> fall;  // velocity that gravity gives to free bodies in the step
};

// The points of pairs, in any order, and by pair where they begin and how many they are.
template <int D>
struct PairPointRows {
  TouchingPoint<D>* point;
  std::uint32_t *first, *count;
};

// Contacts of a pair in a table.
struct RowsOfPair {
  std::uint32_t begin, end;
  MOREAU_INLINE bool empty() const { return begin == end; }
};
template <int D>
MOREAU_INLINE RowsOfPair rows_of_pair(const ContactRows<D>& table, std::int32_t a, std::int32_t b, Image image) {
  const std::int32_t first = number_in(table, a, b, image);
  if (first < 0) return {0, 0};
  std::uint32_t end = static_cast<std::uint32_t>(first) + 1;
  while (end < table.row[a + 1] && table.b[end] == b && table.image_of(end) == image) ++end;
  return {static_cast<std::uint32_t>(first), end};
}

// The points of pair k; one for a pair of round bodies, which is a contact already.
template <int D>
struct TouchPairs {
  BodyRows<D> bodies;
  Motions<D> motions;
  Ahead<D> ahead;
  PassageRule<D> rule;
  const WallRow<D>* walls;
  Lattice<D> lattice;
  PairList list;
  PairImages<D> images;
  ContactRows<D> before;
  PairPointRows<D> found;
  std::uint32_t room;             // for points
  std::uint32_t *number, *crowd;  // of points; whether some pair has too many

  struct Points {
    TouchingPoint<D> point[most_points_of_pair];
    std::uint32_t count = 0;
    bool crowded = false;
  };

  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::uint64_t pair = list.pair[k];
    const std::int32_t a = list.first(pair), b = list.second(pair);
    if (bodies.is_round_pair(a, b)) {
      found.count[k] = 1;
      return;
    }
    Points points;
    if (b < 0)
      touch_wall(a, b, points);
    else
      touch_body(a, b, images.image(a, b, list.copy(pair)), points);
    if (points.crowded) *crowd = 1;
    found.count[k] = points.count;
    if (points.count == 0) return;
    const std::uint32_t first = next_numbers(number, points.count);
    found.first[k] = first;
    if (first + points.count > room) return;
    for (std::uint32_t q = 0; q < points.count; ++q) found.point[first + q] = points.point[q];
  }

 private:
  MOREAU_INLINE void touch_wall(std::int32_t a, std::int32_t b, Points& points) const {
    const WallRow<D>& wall = walls[-b - 1];
    const double margin = margin_to_wall(bodies, motions, ahead, static_cast<std::size_t>(a), wall);
    const ShapeRow<D>& shape = bodies.shape_of(static_cast<std::size_t>(a));
    const Pose<D> pose = bodies.pose(static_cast<std::size_t>(a));
    Manifold<D> manifold;
    for (std::uint32_t p = 0; p < shape.count; ++p) {
      wall_manifold(shape.parts[p], pose, wall, wall.shift, margin, manifold);
      keep(a, b, Vec<D>{}, manifold, p, 0, points);
    }
  }
  MOREAU_INLINE void touch_body(std::int32_t a, std::int32_t b, Image image, Points& points) const {
    const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const Vec<D> shift = images.space.any ? lattice.shift(image) : Vec<D>{};
    if (!enclosing_balls_meet(bodies, motions, ahead, i, j, bodies.middle[i] - bodies.middle[j] - shift)) return;
    const double margin = margin_of(bodies, motions, ahead, i, j);
    Pose<D> pose_a = bodies.pose(i), pose_b = bodies.pose(j);
    const bool is_new = rows_of_pair(before, a, b, image).empty();
    const Passage<D> passage{mover(i, pose_a, Vec<D>{}, is_new), mover(j, pose_b, shift, is_new), rule.step, rule.slack,
                             ahead.time > 0.0};
    pose_b.position = pose_b.position + shift;
    const Vec<D> centre{};
    const PartView<D> ball_a = ball(i, centre), ball_b = ball(j, centre);
    const std::uint32_t parts_a = bodies.is_round(i) ? 1 : bodies.shape_of(i).count,
                        parts_b = bodies.is_round(j) ? 1 : bodies.shape_of(j).count;
    Manifold<D> manifold;
    for (std::uint32_t p = 0; p < parts_a; ++p)
      for (std::uint32_t q = 0; q < parts_b; ++q) {
        const PartView<D>&of_a = bodies.is_round(i) ? ball_a : bodies.shape_of(i).parts[p],
            &of_b = bodies.is_round(j) ? ball_b : bodies.shape_of(j).parts[q];
        part_manifold(of_a, pose_a, of_b, pose_b, margin, manifold);
        if (rule.step > 0.0) judge_passage_of(of_a, of_b, passage, manifold);
        keep(a, b, shift, manifold, p, q, points);
      }
  }
  MOREAU_INLINE PartView<D> ball(std::size_t i, const Vec<D>& centre) const {
    PartView<D> part;
    part.vertices = {&centre, 1};
    part.radius = part.reach = bodies.radius[i];
    return part;
  }
  MOREAU_INLINE Mover<D> mover(std::size_t i, const Pose<D>& pose, const Vec<D>& shift, bool is_new) const {
    const bool round = bodies.is_round(i);
    return {{pose.position + shift, pose.rotation},
            round ? Rotation<D>{} : bodies.half_turned[i],  // a ball is not turned
            motions.velocity[i],
            round ? Spin<D>{} : motions.spin[i],
            is_new && bodies.is_free(i) ? fall_steps * rule.step * rule.fall : Vec<D>{}};
  }
  // The margin was for the fastest point; those that come near enough themselves.
  MOREAU_INLINE void keep(std::int32_t a, std::int32_t b, const Vec<D>& shift, const Manifold<D>& manifold, std::uint32_t part_a,
                          std::uint32_t part_b, Points& points) const {
    const std::uint64_t parts = (static_cast<std::uint64_t>(part_a) << 48) | (static_cast<std::uint64_t>(part_b) << 32);
    for (int k = 0; k < manifold.count; ++k) {
      const ManifoldPoint<D>& p = manifold.point[k];
      if (ahead.time > 0.0) {
        const std::size_t i = static_cast<std::size_t>(a);
        const Vec<D> u = motions.at(bodies, i, p.point) -
                         (b < 0 ? walls[-b - 1].velocity : motions.at(bodies, static_cast<std::size_t>(b), p.point - shift));
        if (!(p.gap <= ahead.distance + ahead.time * maximum(-dot(u, p.normal), 0.0))) continue;
      }
      if (points.count == most_points_of_pair) {
        points.crowded = true;
        return;
      }
      points.point[points.count++] = {p.point, p.normal, p.gap, parts | p.feature};
    }
  }
};

// Which contact of the step before each point of a pair continues (PairPoints::recall): rows of the table.
template <int D>
struct PairMemory {
  BodyRows<D> bodies;
  ContactRows<D> before;
  std::uint32_t* crowd;

  MOREAU_INLINE void recall(std::int32_t a, std::int32_t b, Image image, const TouchingPoint<D>* point, std::uint32_t count,
                            std::int32_t* recalled) const {
    for (std::uint32_t q = 0; q < count; ++q) recalled[q] = -1;
    const RowsOfPair rows = rows_of_pair(before, a, b, image);
    if (before.feature == nullptr || rows.empty()) return;
    if (rows.end - rows.begin > most_points_of_pair) {
      *crowd = 1;
      return;
    }
    double reach = bodies.radius[a];
    if (b >= 0) reach = bodies.radius[b] < reach ? bodies.radius[b] : reach;
    char taken[most_points_of_pair] = {};
    continue_points(point, count, before.feature + rows.begin, before.point + rows.begin, rows.end - rows.begin, reach, taken,
                    recalled);
    for (std::uint32_t q = 0; q < count; ++q)
      if (recalled[q] >= 0) recalled[q] += static_cast<std::int32_t>(rows.begin);
  }
};

// The contacts of pair k, the first of which is begin[k].
template <int D>
struct PutPoints {
  PairList list;
  PairImages<D> images;
  PairPointRows<D> found;
  const std::uint32_t* begin;
  PairMemory<D> memory;
  ContactRows<D> now;
  std::int32_t* recalled;
  bool colours_anew;

  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::uint64_t pair = list.pair[k];
    const std::int32_t a = list.first(pair), b = list.second(pair);
    const Image image = images.image(a, b, list.copy(pair));
    const bool round = memory.bodies.is_round_pair(a, b);
    std::int32_t from[most_points_of_pair];
    const TouchingPoint<D>* const point = round ? nullptr : found.point + found.first[k];
    if (round)
      from[0] = number_in(memory.before, a, b, image);
    else
      memory.recall(a, b, image, point, found.count[k], from);
    for (std::uint32_t q = 0; q < found.count[k]; ++q)
      put(begin[k] + q, a, b, image, round ? nullptr : point + q, from[q]);
  }
  MOREAU_INLINE void put(std::size_t i, std::int32_t a, std::int32_t b, Image image, const TouchingPoint<D>* point,
                         std::int32_t from) const {
    now.a[i] = a, now.b[i] = b;
    if (now.image != nullptr) now.image[i] = image;
    now.feature[i] = 0;
    if (point != nullptr)
      now.feature[i] = point->feature, now.point[i] = point->point, now.normal[i] = point->normal, now.gap[i] = point->gap;
    recalled[i] = from;
    now.colour[i] = from >= 0 && !colours_anew ? memory.before.colour[from] : no_colour;
  }
};

// Contacts that a step has brought about. Of the points of pair k that closes, those that are not among the known contacts come
// first; how many they are.
template <int D>
struct FindFresh {
  PairList list;
  PairImages<D> images;
  BodyRows<D> bodies;
  PairPointRows<D> found;
  ContactRows<D> known;
  PairMemory<D> memory;
  std::uint32_t* fresh;   // by pair
  std::int32_t* recalled;  // by point
  std::uint32_t* number;

  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::uint64_t pair = list.pair[k];
    const std::int32_t a = list.first(pair), b = list.second(pair);
    const Image image = images.image(a, b, list.copy(pair));
    const RowsOfPair rows = rows_of_pair(known, a, b, image);
    std::uint32_t count = 0;
    if (bodies.is_round_pair(a, b)) {
      count = rows.empty() ? 1 : 0;
    } else if (found.count[k] > 0) {
      TouchingPoint<D>* const point = found.point + found.first[k];
      std::int32_t* const from = recalled + found.first[k];
      memory.recall(a, b, image, point, found.count[k], from);
      for (std::uint32_t q = 0; q < found.count[k]; ++q) {
        bool was_known = false;
        for (std::uint32_t r = rows.begin; r < rows.end; ++r) was_known |= known.feature[r] == point[q].feature;
        if (was_known) continue;
        // The rows of the table before may be taken already by the points that were known.
        const std::int32_t continues = rows.empty() ? from[q] : -1;
        point[count] = point[q], from[count] = continues, ++count;
      }
    }
    fresh[k] = count;
    if (count > 0) next_numbers(number, count);
  }
};

// Known contact i in the longer table: behind those of the pairs before its own, of which `fresh_before` counts those that are
// new.
template <int D>
struct MoveKnown {
  PairList list;  // that close, in order
  std::size_t pairs;
  const std::uint64_t* key;  // of the pair of each known contact
  const std::uint32_t* fresh_before;
  ContactRows<D> known;
  const std::int32_t* recalled_then;
  PutPoints<D> to;
  std::int32_t* from;  // by contact of the longer table: the known one

  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::size_t at = i + fresh_before[first_not_below(list.pair, pairs, key[i])];
    const std::int32_t a = known.a[i], b = known.b[i];
    const TouchingPoint<D> point{known.point[i], known.normal[i], known.gap[i], known.feature[i]};
    to.put(at, a, b, known.image_of(i), to.memory.bodies.is_round_pair(a, b) ? nullptr : &point, recalled_then[i]);
    from[at] = static_cast<std::int32_t>(i);
  }
};
template <int D>
struct AddFresh {
  PairList list;
  PairImages<D> images;
  PairPointRows<D> found;
  const std::uint64_t* key;
  std::size_t contacts;  // known
  const std::uint32_t *fresh, *fresh_before;
  const std::int32_t* recalled;  // by point
  PutPoints<D> to;
  std::int32_t* from;

  MOREAU_INLINE void operator()(std::size_t k) const {
    if (fresh[k] == 0) return;
    const std::uint64_t pair = list.pair[k];
    const std::int32_t a = list.first(pair), b = list.second(pair);
    const Image image = images.image(a, b, list.copy(pair));
    const std::size_t first = first_not_below(key, contacts, pair + 1) + fresh_before[k];
    const bool round = to.memory.bodies.is_round_pair(a, b);
    for (std::uint32_t q = 0; q < fresh[k]; ++q) {
      if (round)
        to.put(first, a, b, image, nullptr, number_in(to.memory.before, a, b, image));
      else
        to.put(first + q, a, b, image, found.point + found.first[k] + q, recalled[found.first[k] + q]);
      from[first + q] = -1;
    }
  }
};

}  // namespace moreau::gpu
