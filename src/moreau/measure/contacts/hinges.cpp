// Which joints of blocks are hinges.
#include <algorithm>
#include <limits>
#include <optional>

#include "moreau/measure/contacts/joints.hpp"

namespace moreau {

namespace {

constexpr double largest_opening = 0.866;  // cosine of the angle between two faces that still make a joint
constexpr double least_overlap = 0.2;      // of the shorter face
constexpr double end_of_joint = 0.02;      // of its length, or of the root of its area

bool is_plane(const auto& frame, std::int32_t wall) {
  return frame.walls[static_cast<std::size_t>(wall_index(wall))].geometry.shape == WallShape::plane;
}

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
  } else if (!is_plane(frame, joint.b)) {
    return false;
  }
  if (!a || !b) return false;
  const Vec<2> along{{joint.normal[1], -joint.normal[0]}};
  const double low = std::max(a->low, b->low), high = std::min(a->high, b->high), at = dot(joint.centre, along);
  if (!(high - low > least_overlap * std::min(a->length, b->length))) return false;
  return std::min(at - low, high - at) <= end_of_joint * (high - low);
}

// A face of space seen along the normal of the joint, counter-clockwise.
using Footprint = std::vector<Vec<2>>;

double area_of(const Footprint& polygon) {
  double sum = 0.0;
  for (std::size_t i = 0; i < polygon.size(); ++i) sum += 0.5 * moment(polygon[i], polygon[(i + 1) % polygon.size()])[0];
  return sum;
}

// How far a point lies inside of the edge that begins at corner i; negative outside.
double depth_inside(const Footprint& polygon, std::size_t i, const Vec<2>& p) {
  const Vec<2>&from = polygon[i], along = polygon[(i + 1) % polygon.size()] - from;
  const double length = norm(along);
  return length > 0.0 ? moment(along, p - from)[0] / length : std::numeric_limits<double>::infinity();
}

// What two convex polygons share (Sutherland and Hodgman).
Footprint shared(Footprint polygon, const Footprint& other) {
  for (std::size_t i = 0; i < other.size(); ++i) {
    Footprint kept;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec<2>&p = polygon[k], q = polygon[(k + 1) % polygon.size()];
      const double at_p = depth_inside(other, i, p), at_q = depth_inside(other, i, q);
      if (at_p >= 0.0) kept.push_back(p);
      if ((at_p < 0.0) != (at_q < 0.0)) kept.push_back(p + (at_p / (at_p - at_q)) * (q - p));
    }
    polygon = std::move(kept);
  }
  return polygon;
}

struct Axes {
  Vec<3> first, second;  // across the normal of the joint
  Vec<2> seen(const Vec<3>& p) const { return {{dot(p, first), dot(p, second)}}; }
};

Axes axes_across(const Vec<3>& normal) {
  const Vec<3> any = std::abs(normal[0]) < 0.7 ? Vec<3>{{1.0, 0.0, 0.0}} : Vec<3>{{0.0, 1.0, 0.0}};
  const Vec<3> first = normalized(cross(normal, any));
  return {first, cross(normal, first)};
}

// Of the face that looks along `towards` and whose plane is nearest to the place of the force; empty: none does.
Footprint footprint_of(const Frame<3>& frame, std::size_t body, const Vec<3>& towards, const Vec<3>& place, const Axes& axes) {
  const Pose<3> pose = frame.pose_of(body);
  Footprint best;
  double nearest = std::numeric_limits<double>::infinity();
  for (const ConvexPart<3>& part : frame.shape_of(body).parts)
    for (const PolyhedronFace& face : part.topology.faces) {
      const Vec<3> outwards = pose.turn(face.normal);
      if (!(dot(outwards, towards) > largest_opening)) continue;
      const double distance = std::abs(dot(outwards, place - pose.position) - face.offset - part.radius);
      if (!(distance < nearest)) continue;
      nearest = distance;
      best.clear();
      for (const std::int32_t v : face.vertices) best.push_back(axes.seen(pose.place(part.vertices[static_cast<std::size_t>(v)])));
    }
  if (area_of(best) < 0.0) std::reverse(best.begin(), best.end());
  return best;
}

bool is_hinge(const Frame<3>& frame, const Joint<3>& joint) {
  const Axes axes = axes_across(joint.normal);
  const Footprint a = footprint_of(frame, joint.a, -joint.normal, joint.centre, axes);
  Footprint b = a;
  if (is_wall(joint.b)) {
    if (!is_plane(frame, joint.b)) return false;
  } else {
    b = footprint_of(frame, static_cast<std::size_t>(joint.b), joint.normal, joint.centre, axes);
  }
  if (a.empty() || b.empty()) return false;
  const Footprint joint_face = shared(a, b);
  const double area = area_of(joint_face);
  if (!(area > least_overlap * std::min(area_of(a), area_of(b)))) return false;
  const Vec<2> place = axes.seen(joint.centre);
  double depth = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < joint_face.size(); ++i) depth = std::min(depth, depth_inside(joint_face, i, place));
  return depth <= end_of_joint * std::sqrt(area);
}

}  // namespace

template <int D>
std::vector<Vec<D>> hinges_of(const Frame<D>& frame, const std::vector<Joint<D>>& joints) {
  std::vector<Vec<D>> hinges;
  for (const Joint<D>& joint : joints)
    if (is_hinge(frame, joint)) hinges.push_back(joint.centre);
  return hinges;
}

template std::vector<Vec<2>> hinges_of(const Frame<2>&, const std::vector<Joint<2>>&);
template std::vector<Vec<3>> hinges_of(const Frame<3>&, const std::vector<Joint<3>>&);

}  // namespace moreau
