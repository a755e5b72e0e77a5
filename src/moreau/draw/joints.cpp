#include "moreau/draw/joints.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace moreau {

namespace {

constexpr double largest_opening = 0.866;  // cosine of the angle between two faces that still make a joint
constexpr double least_overlap = 0.2;      // of the shorter face
constexpr double end_of_joint = 0.02;      // of its length

struct Face {
  double low, high;  // along the joint
  double length;
  double distance;  // from the centre of pressure
};

double distance_to_segment(const Vec<2>& p, const Vec<2>& from, const Vec<2>& to) {
  const Vec<2> along = to - from;
  const double t = std::clamp(dot(p - from, along) / dot(along, along), 0.0, 1.0);
  return norm(p - from - t * along);
}

// The side of the block that looks along `towards` and is nearest to the place of the force.
std::optional<Face> face_of(const Frame<2>& frame, std::size_t body, const Vec<2>& towards, const Vec<2>& place) {
  const Vec<2> along{{-towards[1], towards[0]}};
  const Pose<2> pose = frame.pose_of(body);
  std::optional<Face> best;
  for (const ConvexPart<2>& part : frame.shape_of(body).parts) {
    const std::size_t n = part.vertices.size();
    for (std::size_t i = 0; n > 1 && i < n; ++i) {
      const Vec<2> from = pose.place(part.vertices[i]), to = pose.place(part.vertices[(i + 1) % n]);
      const double length = norm(to - from);
      const Vec<2> outwards{{(to[1] - from[1]) / length, (from[0] - to[0]) / length}};
      if (!(dot(outwards, towards) > largest_opening)) continue;
      const double distance = distance_to_segment(place, from + part.radius * outwards, to + part.radius * outwards);
      const double s = dot(from, along), t = dot(to, along);
      if (!best || distance < best->distance) best = Face{std::min(s, t), std::max(s, t), length, distance};
    }
  }
  return best;
}

bool is_hinge(const Frame<2>& frame, const Joint<2>& joint) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::optional<Face> a = face_of(frame, joint.a, -joint.normal, joint.centre);
  std::optional<Face> b = Face{-infinity, infinity, infinity, 0.0};
  if (!is_wall(joint.b)) {
    b = face_of(frame, static_cast<std::size_t>(joint.b), joint.normal, joint.centre);
    if (b) std::swap(b->low, b->high), b->low = -b->low, b->high = -b->high;  // its own direction runs the other way
  } else if (frame.walls[static_cast<std::size_t>(wall_index(joint.b))].geometry.shape != WallShape::plane) {
    return false;
  }
  if (!a || !b) return false;
  const Vec<2> along{{joint.normal[1], -joint.normal[0]}};
  const double low = std::max(a->low, b->low), high = std::min(a->high, b->high), at = dot(joint.centre, along);
  if (!(high - low > least_overlap * std::min(a->length, b->length))) return false;
  return std::min(at - low, high - at) <= end_of_joint * (high - low);
}

}  // namespace

template <int D>
std::vector<Joint<D>> joints_of(const Frame<D>& frame) {
  const ContactRecords<D>& c = frame.contacts;
  std::vector<Joint<D>> joints;
  for (std::size_t begin = 0, end = 0; begin < c.size(); begin = end) {
    const std::size_t a = static_cast<std::size_t>(c.a[begin]);
    const std::int32_t b = c.b[begin];
    Joint<D> joint{a, b, {}, {}, {}};
    double sum = 0.0, strongest = 0.0;
    for (end = begin; end < c.size() && c.a[end] == c.a[begin] && c.b[end] == b; ++end) {
      const double push = dot(c.force[end], c.normal[end]);
      if (!(push > 0.0) || !std::isfinite(push) || !is_finite(c.point[end])) continue;
      if (push > strongest) strongest = push, joint.normal = c.normal[end];
      sum += push;
      joint.force += c.force[end];
      joint.centre += push * c.point[end];
    }
    if (!(sum > 0.0) || !frame.is_block(a) || (!is_wall(b) && !frame.is_block(static_cast<std::size_t>(b)))) continue;
    joint.centre *= 1.0 / sum;
    joints.push_back(joint);
  }
  return joints;
}

std::vector<Vec<2>> hinges_of(const Frame<2>& frame, const std::vector<Joint<2>>& joints) {
  std::vector<Vec<2>> hinges;
  for (const Joint<2>& joint : joints)
    if (is_hinge(frame, joint)) hinges.push_back(joint.centre);
  return hinges;
}
std::vector<Vec<3>> hinges_of(const Frame<3>&, const std::vector<Joint<3>>&) { return {}; }

template <int D>
std::vector<ThrustSegment<D>> thrust_of(const Frame<D>& frame, const std::vector<Joint<D>>& joints) {
  std::vector<std::vector<const Joint<D>*>> of_body(frame.parameters.size());
  for (const Joint<D>& joint : joints) {
    of_body[joint.a].push_back(&joint);
    if (!is_wall(joint.b)) of_body[static_cast<std::size_t>(joint.b)].push_back(&joint);
  }
  std::vector<ThrustSegment<D>> line;
  for (std::size_t i = 0; i < of_body.size(); ++i) {
    if (frame.parameters.kind[i] != BodyKind::free) continue;
    std::vector<const Joint<D>*> met = of_body[i];
    const auto is_load = [&](const Joint<D>* joint) {
      return !is_wall(joint->b) && frame.parameters.kind[static_cast<std::size_t>(joint->b)] == BodyKind::driven;
    };
    if (met.size() > 2 && met.size() - static_cast<std::size_t>(std::ranges::count_if(met, is_load)) >= 2)
      std::erase_if(met, is_load);
    if (met.size() < 2) continue;
    if (met.size() == 2) {
      line.push_back({met[0]->centre, met[1]->centre});
      continue;
    }
    Vec<D> meeting{};
    double sum = 0.0;
    for (const Joint<D>* joint : met) meeting += norm(joint->force) * joint->centre, sum += norm(joint->force);
    for (const Joint<D>* joint : met) line.push_back({joint->centre, (1.0 / sum) * meeting});
  }
  return line;
}

template std::vector<Joint<2>> joints_of(const Frame<2>&);
template std::vector<Joint<3>> joints_of(const Frame<3>&);
template std::vector<ThrustSegment<2>> thrust_of(const Frame<2>&, const std::vector<Joint<2>>&);
template std::vector<ThrustSegment<3>> thrust_of(const Frame<3>&, const std::vector<Joint<3>>&);

}  // namespace moreau
