// Lists of the members of a struct, with their names. What is stored, hashed, counted or sent walks over them
// (contact/fields.hpp, dynamics/fields.hpp, store/fields.hpp); the structured bindings make a member that was added to a struct,
// but not to its list, an error of compilation. Columns: visit(name, column), or visit(name, column, member of one row).
#pragma once

#include <type_traits>

#include "moreau/bodies/bodies.hpp"

namespace moreau::fields {

template <class Visit>
auto columns(const Visit& visit) {
  return [&visit]<class Column, class Member>(const char* name, Column& column, Member member) {
    if constexpr (std::is_invocable_v<const Visit&, const char*, Column&, Member>)
      visit(name, column, member);
    else
      visit(name, column);
  };
}

template <template <int> class Struct, int D>
std::integral_constant<int, D> dimension_of(const Struct<D>&);

template <class Parameters, class Visit>
void body_parameters(Parameters& all, const Visit& visit) {
  using Row = NewBody<decltype(dimension_of(all))::value>;
  const auto each = columns(visit);
  auto& [radius, mass, inertia, shape, material, motion, kind, birth, origin] = all;
  each("radius", radius, &Row::radius), each("mass", mass, &Row::mass), each("inertia", inertia, &Row::inertia);
  each("shape", shape, &Row::shape), each("material", material, &Row::material), each("motion", motion, &Row::motion);
  each("kind", kind, &Row::kind), each("birth", birth, &Row::birth), each("origin", origin, &Row::position);
}

template <class State, class Visit>
void body_state(State& all, const Visit& visit) {
  using Row = NewBody<decltype(dimension_of(all))::value>;
  const auto each = columns(visit);
  auto& [position, orientation, velocity, spin] = all;
  each("position", position, &Row::position), each("orientation", orientation, &Row::orientation);
  each("velocity", velocity, &Row::velocity), each("spin", spin, &Row::spin);
}

template <class Bodies, class Visit>
void body_columns(Bodies& bodies, const Visit& visit) {
  body_parameters(bodies.parameters, visit), body_state(bodies.state, visit);
}

}  // namespace moreau::fields
