// A body and a contact as they travel from rank to rank: whole, and with their names in the whole.
#pragma once

#include "moreau/dynamics/state.hpp"
#include "moreau/ranks/communicator.hpp"

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
  return {name,       p.shape[i], p.material[i], p.motion[i],   key,           p.radius[i],      p.mass[i], p.inertia[i],
          p.birth[i], p.kind[i],  p.origin[i],   s.position[i], s.velocity[i], s.orientation[i], s.spin[i]};
}

template <int D>
void append(Bodies<D>& bodies, const BodyRecord<D>& r) {
  bodies.append({r.radius, r.mass, r.inertia, r.shape, r.material, r.motion, r.kind, r.birth, r.position, r.orientation,
                 r.velocity, r.spin});
  bodies.parameters.origin.back() = r.origin;
}

// What evolves of a body, on its way to rank 0, which has the rest.
template <int D>
struct Homecoming {
  std::int32_t name;
  std::uint64_t key;
  Vec<D> position, velocity;
  Rotation<D> orientation;
  Spin<D> spin;
};

template <int D>
Homecoming<D> homecoming(const Bodies<D>& bodies, std::size_t i, std::int32_t name, std::uint64_t key) {
  const BodyState<D>& s = bodies.state;
  return {name, key, s.position[i], s.velocity[i], s.orientation[i], s.spin[i]};
}

template <int D>
void come_home(const Homecoming<D>& body, Bodies<D>& bodies) {
  const std::size_t i = static_cast<std::size_t>(body.name);
  BodyState<D>& to = bodies.state;
  to.position[i] = body.position, to.velocity[i] = body.velocity, to.orientation[i] = body.orientation, to.spin[i] = body.spin;
}

template <int D>
struct ContactRecord {
  std::int32_t a, b;
  double gap;
  Vec<D> normal, impulse, point;
  std::uint64_t feature;
  Image image;
  double area;
  Spin<D> couple;
  ContactCondition condition;
  std::uint8_t colour;
  bool has_point, has_image, has_area, has_condition, has_couple, has_colour;
};

template <int D>
ContactRecord<D> contact_record(const ContactTable<D>& t, std::size_t i, std::int32_t a, std::int32_t b) {
  ContactRecord<D> r{};
  r.a = a, r.b = b, r.gap = t.gap[i], r.normal = t.normal[i], r.impulse = t.impulse[i];
  if ((r.has_point = !t.point.empty())) r.point = t.point[i], r.feature = t.feature[i];
  if ((r.has_image = !t.image.empty())) r.image = t.image[i];
  if ((r.has_area = !t.area.empty())) r.area = t.area[i];
  if ((r.has_condition = !t.condition.empty())) r.condition = t.condition[i];
  if ((r.has_couple = !t.couple.empty())) r.couple = t.couple[i];
  if ((r.has_colour = !t.colour.empty())) r.colour = t.colour[i];
  return r;
}

template <int D>
void append(ContactTable<D>& t, const ContactRecord<D>& r) {
  t.a.push_back(r.a), t.b.push_back(r.b), t.gap.push_back(r.gap), t.normal.push_back(r.normal), t.impulse.push_back(r.impulse);
  if (r.has_point) t.point.push_back(r.point), t.feature.push_back(r.feature);
  if (r.has_image) t.image.push_back(r.image);
  if (r.has_area) t.area.push_back(r.area);
  if (r.has_condition) t.condition.push_back(r.condition);
  if (r.has_couple) t.couple.push_back(r.couple);
  if (r.has_colour) t.colour.push_back(r.colour);
}

// What evolves besides bodies and contacts, of fixed size.
template <int D>
struct Scalars {
  double time, impulse_time_step, phase_start, travelled;
  std::uint64_t step, phase, finishing_failures, finishing_rests_until;
  EnergyLedger energy;
  CellState<D> cell;
};

template <int D>
Scalars<D> scalars_of(const State<D>& s) {
  return {s.time,  s.impulse_time_step,  s.phase_start,           s.travelled, s.step,
          s.phase, s.finishing_failures, s.finishing_rests_until, s.energy,    s.cell};
}
template <int D>
void set_scalars(State<D>& s, const Scalars<D>& from) {
  s.time = from.time, s.impulse_time_step = from.impulse_time_step, s.phase_start = from.phase_start,
  s.travelled = from.travelled;
  s.step = from.step, s.phase = from.phase, s.energy = from.energy, s.cell = from.cell;
  s.finishing_failures = from.finishing_failures, s.finishing_rests_until = from.finishing_rests_until;
}

// What rank 0 tells the others of the state before each step, and takes from its own part after it.
template <int D>
struct Orders {
  Scalars<D> scalars;
  std::vector<MotionStart<D>> motions;
  std::vector<PistonState> pistons;
};
template <int D>
Orders<D> orders_of(const State<D>& s) {
  return {scalars_of(s), s.motion_starts, s.pistons};
}
template <int D>
void put(Bytes& bytes, const Orders<D>& orders) {
  put(bytes, orders.scalars), put_all<MotionStart<D>>(bytes, orders.motions), put_all<PistonState>(bytes, orders.pistons);
}
template <int D>
Orders<D> take_orders(Reader& reader) {
  Orders<D> orders;
  orders.scalars = reader.take<Scalars<D>>();
  reader.take_all(orders.motions), reader.take_all(orders.pistons);
  return orders;
}

// Shapes of bodies that are not round.
template <int D>
void put(Bytes& bytes, const std::vector<Shape<D>>& shapes) {
  put(bytes, shapes.size());
  for (const Shape<D>& shape : shapes) {
    put(bytes, shape.volume), put(bytes, shape.gyration), put(bytes, shape.reach), put(bytes, shape.parts.size());
    for (const ConvexPart<D>& part : shape.parts) {
      put_all<Vec<D>>(bytes, part.vertices);
      put(bytes, part.radius), put(bytes, part.centre), put(bytes, part.reach);
      if constexpr (D == 3) {
        put(bytes, part.topology.faces.size());
        for (const PolyhedronFace& face : part.topology.faces)
          put_all<std::int32_t>(bytes, face.vertices), put(bytes, face.normal), put(bytes, face.offset);
        put_all<PolyhedronEdge>(bytes, part.topology.edges);
      }
    }
  }
}
template <int D>
std::vector<Shape<D>> take_shapes(Reader& reader) {
  std::vector<Shape<D>> shapes(reader.take<std::size_t>());
  for (Shape<D>& shape : shapes) {
    shape.volume = reader.take<double>(), shape.gyration = reader.take<Spin<D>>(), shape.reach = reader.take<double>();
    shape.parts.resize(reader.take<std::size_t>());
    for (ConvexPart<D>& part : shape.parts) {
      reader.take_all(part.vertices);
      part.radius = reader.take<double>(), part.centre = reader.take<Vec<D>>(), part.reach = reader.take<double>();
      if constexpr (D == 3) {
        part.topology.faces.resize(reader.take<std::size_t>());
        for (PolyhedronFace& face : part.topology.faces)
          reader.take_all(face.vertices), face.normal = reader.take<Vec<3>>(), face.offset = reader.take<double>();
        reader.take_all(part.topology.edges);
      }
    }
  }
  return shapes;
}

}  // namespace moreau::ranks
