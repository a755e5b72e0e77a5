#include "moreau/dynamics/state.hpp"

#include "moreau/base/hash.hpp"

namespace moreau::inline dynamics {

template <int D>
std::string state_hash(const State<D>& state) {
  Hash hash;
  hash.value(D);
  hash.value(state.time);
  hash.value(state.step);
  hash.value(state.impulse_time_step);
  const BodyParameters<D>& p = state.bodies.parameters;
  hash.array(p.radius), hash.array(p.mass), hash.array(p.inertia), hash.array(p.shape), hash.array(p.material),
      hash.array(p.motion), hash.array(p.kind);
  hash.array(p.birth), hash.array(p.origin);
  for (const Shape<D>& shape : state.bodies.shapes) {
    hash.value(shape.volume), hash.value(shape.gyration);
    for (const ConvexPart<D>& part : shape.parts) hash.array(part.vertices), hash.value(part.radius);
  }
  const BodyState<D>& s = state.bodies.state;
  hash.array(s.position), hash.array(s.orientation), hash.array(s.velocity), hash.array(s.spin);
  const ContactTable<D>& c = state.contacts;
  hash.array(c.a), hash.array(c.b), hash.array(c.gap), hash.array(c.normal), hash.array(c.impulse);
  hash.array(c.point), hash.array(c.feature), hash.array(c.image), hash.array(c.condition), hash.array(c.couple),
      hash.array(c.colour);
  hash.array(c.spring), hash.array(c.deepest);
  if (!c.apart.empty()) hash.array(c.apart);
  if (!c.area.empty()) hash.array(c.area);
  const BrokenJoints<D>& broken = state.broken;
  if (broken.size() > 0)
    hash.array(broken.time), hash.array(broken.a), hash.array(broken.b), hash.array(broken.point), hash.array(broken.how);
  if (!state.wear.empty()) hash.array(state.wear);
  hash.array(state.order);
  for (const SourceState& source : state.sources) {
    hash.value(source.emitted), hash.value(source.random.state());
    if (source.mass != 0.0) hash.value(source.mass);
  }
  hash.array(state.motion_starts);
  hash.array(state.pistons);
  hash.value(state.cell);
  hash.value(state.phase), hash.value(state.phase_start), hash.value(state.travelled);
  hash.value(state.energy);
  const Integration<D>& i = state.integration;
  hash.value(i.step), hash.value(i.dissipated_power), hash.value(i.wall_power);
  hash.array(i.remainder), hash.array(i.acceleration), hash.array(i.jerk), hash.array(i.spin_acceleration);
  hash.array(i.spin_jerk), hash.array(i.piston_acceleration), hash.array(i.piston_jerk);
  hash.array(i.cell_remainder), hash.array(i.gradient_rate);
  hash.value(state.finishing_failures), hash.value(state.finishing_rests_until);
  return hash.hex();
}

template std::string state_hash(const State<2>&);
template std::string state_hash(const State<3>&);

}  // namespace moreau::inline dynamics
