// A body and a contact as they travel from rank to rank: whole, and with their names in the whole.
#pragma once

#include "moreau/dynamics/state.hpp"

namespace moreau::ranks {

template <int D>
struct BodyRecord {
  std::int32_t name;
  std::int32_t shape, material, motion;
  std::uint64_t key;  // place along the curve that orders the bodies
  double radius, mass, inertia, birth;
  BodyKind kind;
  Vec<D> origin, position, velocity;
  Rotation<D> orientation;
  Spin<D> spin;
};

template <int D>
BodyRecord<D> body_record(const Bodies<D>& bodies, std::size_t i, std::int32_t name, std::uint64_t key) {
  const BodyParameters<D>& p = bodies.parameters;
  const BodyState<D>& s = bodies.state;
  return {name,        p.shape[i],  p.material[i], p.motion[i],   key,           p.radius[i],      p.mass[i], p.inertia[i],
          p.birth[i],  p.kind[i],   p.origin[i],   s.position[i], s.velocity[i], s.orientation[i], s.spin[i]};
}

template <int D>
void append(Bodies<D>& bodies, const BodyRecord<D>& r) {
  bodies.append({r.radius, r.mass, r.inertia, r.shape, r.material, r.motion, r.kind, r.birth, r.position, r.orientation, r.velocity, r.spin});
  bodies.parameters.origin.back() = r.origin;
}

template <int D>
struct ContactRecord {
  std::int32_t a, b;
  double gap;
  Vec<D> normal, impulse, point;
  std::uint64_t feature;
  Spin<D> couple;
  ContactCondition condition;
  std::uint8_t colour;
  bool has_point, has_condition, has_couple, has_colour;
};

template <int D>
ContactRecord<D> contact_record(const ContactTable<D>& t, std::size_t i, std::int32_t a, std::int32_t b) {
  ContactRecord<D> r{};
  r.a = a, r.b = b, r.gap = t.gap[i], r.normal = t.normal[i], r.impulse = t.impulse[i];
  if ((r.has_point = !t.point.empty())) r.point = t.point[i], r.feature = t.feature[i];
  if ((r.has_condition = !t.condition.empty())) r.condition = t.condition[i];
  if ((r.has_couple = !t.couple.empty())) r.couple = t.couple[i];
  if ((r.has_colour = !t.colour.empty())) r.colour = t.colour[i];
  return r;
}

template <int D>
void append(ContactTable<D>& t, const ContactRecord<D>& r) {
  t.a.push_back(r.a), t.b.push_back(r.b), t.gap.push_back(r.gap), t.normal.push_back(r.normal), t.impulse.push_back(r.impulse);
  if (r.has_point) t.point.push_back(r.point), t.feature.push_back(r.feature);
  if (r.has_condition) t.condition.push_back(r.condition);
  if (r.has_couple) t.couple.push_back(r.couple);
  if (r.has_colour) t.colour.push_back(r.colour);
}

// What evolves besides bodies and contacts, in cases that ranks can share.
template <int D>
struct Scalars {
  double time, impulse_time_step, phase_start, travelled;
  std::uint64_t step, phase, finishing_failures, finishing_rests_until;
  EnergyLedger energy;
  CellState<D> cell;
};

template <int D>
Scalars<D> scalars_of(const State<D>& s) {
  return {s.time, s.impulse_time_step, s.phase_start, s.travelled, s.step, s.phase, s.finishing_failures, s.finishing_rests_until,
          s.energy, s.cell};
}
template <int D>
void set_scalars(State<D>& s, const Scalars<D>& from) {
  s.time = from.time, s.impulse_time_step = from.impulse_time_step, s.phase_start = from.phase_start, s.travelled = from.travelled;
  s.step = from.step, s.phase = from.phase, s.energy = from.energy, s.cell = from.cell;
  s.finishing_failures = from.finishing_failures, s.finishing_rests_until = from.finishing_rests_until;
}

}  // namespace moreau::ranks
