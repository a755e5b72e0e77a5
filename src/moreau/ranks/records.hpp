// A body and a contact as they travel from rank to rank: whole, and with their names in the whole.
#pragma once

#include "moreau/dynamics/fields.hpp"
#include "moreau/ranks/communicator.hpp"

namespace moreau::ranks {

template <int D>
struct BodyRecord : NewBody<D> {
  std::int32_t name;
  std::uint64_t key;  // place along the curve that orders the bodies
  Vec<D> origin;
};

template <int D>
BodyRecord<D> body_record(const Bodies<D>& bodies, std::size_t i, std::int32_t name, std::uint64_t key) {
  BodyRecord<D> record{{}, name, key, bodies.parameters.origin[i]};
  fields::body_columns(bodies, [&](const char*, const auto& column, auto member) { record.*member = column[i]; });
  return record;
}

template <int D>
void append(Bodies<D>& bodies, const BodyRecord<D>& r) {
  bodies.append(r);
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
struct ContactRecord : TableRow<D> {
  std::uint32_t columns = 0;  // bit k: the table has its column k
};

template <int D>
ContactRecord<D> contact_record(const ContactTable<D>& t, std::size_t i, std::int32_t a, std::int32_t b) {
  ContactRecord<D> r;
  std::uint32_t bit = 1;
  fields::contact_table(t, [&](const char*, const auto& column, auto member) {
    if (!column.empty()) r.*member = column[i], r.columns |= bit;
    bit <<= 1;
  });
  r.a = a, r.b = b;
  return r;
}

template <int D>
void append(ContactTable<D>& t, const ContactRecord<D>& r) {
  std::uint32_t bit = 1;
  fields::contact_table(t, [&](const char*, auto& column, auto member) {
    if (r.columns & bit) column.push_back(r.*member);
    bit <<= 1;
  });
}

// What rank 0 tells the others of the state before each step, and takes from its own part after it: what evolves besides bodies
// and contacts, of fixed size, and the motions and pistons.
template <int D>
struct Orders {
  Bytes numbers;
  std::uint64_t phase;
  std::vector<MotionStart<D>> motions;
  std::vector<PistonState> pistons;
};
template <int D>
Orders<D> orders_of(const State<D>& s) {
  Orders<D> orders{{}, s.phase, s.motion_starts, s.pistons};
  fields::state(s, [&]<class T>(const char*, const T& numbers) {
    if constexpr (std::is_trivially_copyable_v<T>) put(orders.numbers, numbers);
  });
  return orders;
}
template <int D>
void take_numbers(State<D>& s, const Bytes& numbers) {
  Reader reader(numbers);
  fields::state(s, [&]<class T>(const char*, T& to) {
    if constexpr (std::is_trivially_copyable_v<T>) to = reader.take<T>();
  });
}
template <int D>
void put(Bytes& bytes, const Orders<D>& orders) {
  put_all<std::byte>(bytes, orders.numbers), put(bytes, orders.phase);
  put_all<MotionStart<D>>(bytes, orders.motions), put_all<PistonState>(bytes, orders.pistons);
}
template <int D>
Orders<D> take_orders(Reader& reader) {
  Orders<D> orders;
  reader.take_all(orders.numbers), orders.phase = reader.take<std::uint64_t>();
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
