#include "moreau/dynamics/state.hpp"

#include <string_view>

#include "moreau/base/hash.hpp"

namespace moreau::inline dynamics {

template <int D>
std::string state_hash(const State<D>& state) {
  Hash hash;
  hash.value(D);
  hash.value(state.time);
  hash.value(state.step);
  hash.value(state.impulse_time_step);
  const auto array = [&](const char*, const auto& values) { hash.array(values); };
  fields::body_parameters(state.bodies.parameters, array);
  for (const Shape<D>& shape : state.bodies.shapes) {
    hash.value(shape.volume), hash.value(shape.gyration);
    for (const ConvexPart<D>& part : shape.parts) hash.array(part.vertices), hash.value(part.radius);
  }
  fields::body_state(state.bodies.state, array);
  fields::contact_table(state.contacts, [&](std::string_view name, const auto& values) {
    // These two came last: what has none of them keeps the hash it had.
    if (!values.empty() || (name != "apart" && name != "area")) hash.array(values);
  });
  if (state.broken.size() > 0) fields::broken_joints(state.broken, array);
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
  fields::integration(i, array);
  hash.value(state.finishing_failures), hash.value(state.finishing_rests_until);
  return hash.hex();
}

template std::string state_hash(const State<2>&);
template std::string state_hash(const State<3>&);

}  // namespace moreau::inline dynamics
