#include "moreau/measure/contacts/joint_openings.hpp"

#include <algorithm>
#include <numeric>

#include "moreau/contact/touching_points.hpp"

namespace moreau::measure {

namespace {

// Of the reach of the smaller stone. Joints of mortar drift by 1e-5 of it in a fraction of a second: what counts must be well
// above.
constexpr double touching = 1e-3, unmoved = 3e-4;

// Pairs whose balls meet, by a sweep along the first axis; a > b.
template <int D>
std::vector<std::pair<std::size_t, std::size_t>> near_pairs(const Sample<D>& s) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < s.bodies(); ++i)
    if (s.is_present(i) && s.parameters->shape[i] >= 0) order.push_back(i);
  const auto reach = [&](std::size_t i) { return (1.0 + touching) * s.parameters->radius[i]; };
  const auto low = [&](std::size_t i) { return s.state->position[i][0] - reach(i); };
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return low(i) < low(j) || (low(i) == low(j) && i < j); });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t m = k + 1; m < order.size(); ++m) {
      const std::size_t i = order[k], j = order[m];
      if (low(j) > s.state->position[i][0] + reach(i)) break;
      if (norm(s.state->position[i] - s.state->position[j]) <= reach(i) + reach(j))
        pairs.emplace_back(std::max(i, j), std::min(i, j));
    }
  std::ranges::sort(pairs);
  return pairs;
}

template <int D>
Pose<D> pose_of(const Sample<D>& s, std::size_t i) {
  return {s.state->position[i], matrix_of(s.state->orientation[i])};
}

// Where a point of a body is now that was at x before.
template <int D>
Vec<D> carried_along(const Pose<D>& before, const Pose<D>& now, const Vec<D>& x) {
  return now.place(transposed_times(before.rotation, x - before.position));
}

// What a stone moves on that is driven: with the velocity V of the middle of a step it takes over the place of the other half a step
// later, and trails it by h/2 (V - V_0) as long as V changes steadily; not by what V has jumped. So at the instant that the places of
// the free stones belong to the driven one was somewhere on the way of its last half step: where it is nearest counts.
template <int D>
Vec<D> at_same_instant(const Vec<D>& of_a, const Vec<D>& of_driven, const Vec<D>& last_way) {
  const double length2 = dot(last_way, last_way);
  if (!(length2 > 0.0)) return of_driven;
  return of_driven - std::clamp(dot(of_driven - of_a, last_way) / length2, 0.0, 1.0) * last_way;
}

template <int D>
Vec<D> velocity_at(const Sample<D>& s, std::size_t i, const Vec<D>& x) {
  return s.state->velocity[i] + cross(s.state->spin[i], x - s.state->position[i]);
}

}  // namespace

template <int D>
std::vector<JointOpening<D>> joint_openings(const Sample<D>& before, const Sample<D>& now, double tolerance) {
  Bodies<D> bodies;
  bodies.parameters = *before.parameters, bodies.state = *before.state, bodies.shapes = *before.shapes;
  std::vector<Pose<D>> poses(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) poses[i] = pose_of(before, i);
  const std::vector<Vec<D>> at_rest(before.walls.size(), Vec<D>{});
  PointFinder<D> finder;
  std::vector<TouchingPoint<D>> points;
  std::vector<JointOpening<D>> joints;
  const auto look_at = [&](std::size_t a, std::int32_t b) {
    double reach = bodies.parameters.radius[a];
    if (!is_wall(b)) reach = std::min(reach, bodies.parameters.radius[static_cast<std::size_t>(b)]);
    points.clear();
    finder.find(bodies, poses, {before.walls, before.wall_shift, at_rest}, static_cast<std::int32_t>(a), b, touching * reach,
                points);
    if (points.empty()) return;
    JointOpening<D> joint;
    joint.a = a, joint.b = b, joint.points = points.size();
    joint.widest = -HUGE_VAL, joint.narrowest = HUGE_VAL;
    const Pose<D> a_now = pose_of(now, a);
    std::vector<Vec<D>> places;
    for (const TouchingPoint<D>& p : points) {
      const Vec<D> of_a = carried_along(poses[a], a_now, p.point);
      Vec<D> of_b = p.point, normal = p.normal;
      if (is_wall(b)) {
        const std::size_t w = static_cast<std::size_t>(wall_index(b));
        of_b += now.wall_shift[w] - before.wall_shift[w];
        if (now.walls[w].motion >= 0)  // the velocity of the stone that goes with it
          of_b = at_same_instant(of_a, of_b, (0.5 * now.step) * (velocity_at(now, a, of_a) - velocity_at(before, a, p.point)));
      } else {
        const Pose<D> b_now = pose_of(now, static_cast<std::size_t>(b));
        const Pose<D>& b_before = poses[static_cast<std::size_t>(b)];
        of_b = carried_along(b_before, b_now, p.point);
        normal = carried_along(b_before, b_now, p.point + p.normal) - of_b;
        const std::size_t k = static_cast<std::size_t>(b);
        if (now.parameters->kind[k] == BodyKind::driven)
          of_b = at_same_instant(of_a, of_b, (0.5 * now.step) * (velocity_at(now, k, of_b) - velocity_at(before, k, p.point)));
      }
      const Vec<D> apart = of_a - of_b;
      const double opening = dot(apart, normal);
      joint.widest = std::max(joint.widest, opening), joint.narrowest = std::min(joint.narrowest, opening);
      joint.slid = std::max(joint.slid, norm(apart - opening * normal));
      places.push_back(0.5 * (of_a + of_b));
      joint.place += (1.0 / static_cast<double>(points.size())) * places.back();
    }
    joint.from = joint.to = places[0];
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (norm(places[i] - places[j]) > norm(joint.to - joint.from)) joint.from = places[i], joint.to = places[j];
    const double least = tolerance > 0.0 ? tolerance : unmoved * reach;
    joint.state = joint.narrowest > least ? JointState::parted
                  : joint.widest > least  ? JointState::open
                  : joint.slid > least    ? JointState::slid
                                          : JointState::whole;
    joints.push_back(joint);
  };
  const auto gone = [&](std::size_t i) { return i >= now.bodies() || !now.is_present(i); };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (before.is_free(i) && bodies.parameters.shape[i] >= 0 && !gone(i))
      for (std::size_t w = 0; w < before.walls.size(); ++w) look_at(i, ~static_cast<std::int32_t>(w));
  for (const auto& [i, j] : near_pairs(before)) {
    if (gone(i) || gone(j) || (!before.is_free(i) && !before.is_free(j))) continue;
    // The first is a free one, as in the table of contacts.
    if (before.is_free(j))
      look_at(j, static_cast<std::int32_t>(i));
    else
      look_at(i, static_cast<std::int32_t>(j));
  }
  return joints;
}

const char* name_of(JointState state) {
  static constexpr const char* names[] = {"whole", "slid", "open", "parted"};
  return names[static_cast<int>(state)];
}

template std::vector<JointOpening<2>> joint_openings(const Sample<2>&, const Sample<2>&, double);
template std::vector<JointOpening<3>> joint_openings(const Sample<3>&, const Sample<3>&, double);

}  // namespace moreau::measure
