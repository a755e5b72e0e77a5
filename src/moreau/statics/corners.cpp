#include "moreau/statics/corners.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/geometry/manifold.hpp"

namespace moreau::statics {

namespace {

constexpr double near_edge = 1e-4;    // of the smaller radius: points so near to an edge are on it
constexpr double step = 1e-5;         // of the smaller radius: how far blocks are moved against each other
constexpr double overlapping = 0.01;  // of that step: less is the second order of the motion
constexpr double slowest = 0.05;      // of the speed of the bodies: what is slower against each other is not looked at any nearer

double distance_to_segment(const Vec<3>& x, const Vec<3>& p, const Vec<3>& q) {
  const Vec<3> along = q - p;
  const double t = std::clamp(dot(x - p, along) / dot(along, along), 0.0, 1.0);
  return norm(x - p - t * along);
}

// Of the hull of the vertices: its corners in the plane, its edges in space.
double distance_to_rim(const ConvexPart<2>& part, const Vec<2>& x) {
  double least = HUGE_VAL;
  for (const Vec<2>& v : part.vertices) least = std::min(least, norm(x - v));
  return least;
}
double distance_to_rim(const ConvexPart<3>& part, const Vec<3>& x) {
  double least = HUGE_VAL;
  for (const PolyhedronEdge& e : part.topology.edges)
    least = std::min(least, distance_to_segment(x, part.vertices[static_cast<std::size_t>(e.vertices[0])],
                                                part.vertices[static_cast<std::size_t>(e.vertices[1])]));
  return least;
}

template <int D>
Vec<D> velocity_at(const BodyMotion<D>& body, const Vec<D>& arm) {
  return body.velocity + cross(body.spin, arm);
}

}  // namespace

template <int D>
std::vector<BodyMotion<D>> motion_of_bodies(const State<D>& state, const Freedoms<D>& freedoms, const Eigen::VectorXd& motion) {
  if (motion.size() != freedoms.size()) return {};
  std::vector<BodyMotion<D>> bodies(state.bodies.size());
  for (const std::size_t i : freedoms.body) {
    for (int d = 0; d < D; ++d)
      if (const int column = freedoms.column(i, d); column >= 0) bodies[i].velocity[d] = motion[column];
    for (int s = 0; s < spin_dimension<D>; ++s)
      bodies[i].spin[s] = motion[freedoms.column_of_spin(i, s)] / state.bodies.parameters.radius[i];
  }
  return bodies;
}

template <int D>
Corners<D>::Corners(const Model<D>& model, const State<D>& state, std::vector<Contact<D>> contacts)
    : model_(model), state_(state), contacts_(std::move(contacts)), are_(contacts_.size(), false) {
  const Bodies<D>& bodies = state.bodies;
  const auto parts_of = [](const Pair& pair) { return std::tuple(pair.a, pair.b, pair.image, pair.feature >> 32); };
  std::map<decltype(parts_of(Pair{})), int> points;
  for (const Contact<D>& c : contacts_) ++points[parts_of(c.pair)];
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    const Contact<D>& c = contacts_[k];
    if (is_wall(c.pair.b) || points[parts_of(c.pair)] >= D) continue;
    const std::size_t a = static_cast<std::size_t>(c.pair.a), b = static_cast<std::size_t>(c.pair.b);
    if (bodies.is_round(a) || bodies.is_round(b)) continue;
    const double tolerance = near_edge * std::min(bodies.parameters.radius[a], bodies.parameters.radius[b]);
    const auto on_rim = [&](std::size_t i, const Vec<D>& arm, std::size_t part) {
      const ConvexPart<D>& shape = bodies.shape(i).parts[part];
      const Vec<D> x = transposed_times(matrix_of(bodies.state.orientation[i]), arm);
      return shape.radius == 0.0 && distance_to_rim(shape, x) <= tolerance;
    };
    are_[k] = on_rim(a, c.arm_a, static_cast<std::size_t>(c.pair.feature >> 48)) &&
              on_rim(b, c.arm_b, static_cast<std::size_t>(c.pair.feature >> 32) & 0xffff);
  }
}

template <int D>
int Corners<D>::count() const {
  return static_cast<int>(std::count(are_.begin(), are_.end(), true));
}

template <int D>
bool Corners<D>::is_pressed(std::size_t contact, const std::vector<BodyMotion<D>>& motion) const {
  const Contact<D>& c = contacts_[contact];
  const Bodies<D>& bodies = state_.bodies;
  const std::size_t a = static_cast<std::size_t>(c.pair.a), b = static_cast<std::size_t>(c.pair.b);
  const double radius = std::min(bodies.parameters.radius[a], bodies.parameters.radius[b]);
  const Vec<D> against = velocity_at(motion[a], c.arm_a) - velocity_at(motion[b], c.arm_b);
  const auto speed = [&](std::size_t i) { return norm(motion[i].velocity) + bodies.parameters.radius[i] * norm(motion[i].spin); };
  const double fastest = std::max(norm(against), slowest * std::max(speed(a), speed(b)));
  if (!(fastest > 0.0) || !(dot(against, c.normal) < 0.0)) return false;
  const double time = (step * radius + 2.0 * std::max(c.gap, 0.0)) / fastest;
  const Lattice<D> lattice = lattice_of(model_, state_);
  const auto pose = [&](std::size_t i, const Vec<D>& shift, double t) {
    return Pose<D>{bodies.state.position[i] + shift + t * motion[i].velocity,
                   matrix_of(turned(bodies.state.orientation[i], motion[i].spin, t))};
  };
  const ConvexPart<D>& part_a = bodies.shape(a).parts[static_cast<std::size_t>(c.pair.feature >> 48)];
  const ConvexPart<D>& part_b = bodies.shape(b).parts[static_cast<std::size_t>(c.pair.feature >> 32) & 0xffff];
  const auto overlap = [&](double t) {
    Manifold<D> manifold;
    part_manifold(part_a, pose(a, {}, t), part_b, pose(b, lattice.shift(c.pair.image), t), 0.0, manifold);
    double deepest = 0.0;
    for (int k = 0; k < manifold.count; ++k) deepest = std::max(deepest, -manifold.point[k].gap);
    return deepest;
  };
  return overlap(time) - overlap(0.0) > overlapping * step * radius;
}

#define MOREAU_INSTANTIATE(D)                                                                                        \
  template std::vector<BodyMotion<D>> motion_of_bodies(const State<D>&, const Freedoms<D>&, const Eigen::VectorXd&); \
  template class Corners<D>;
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
