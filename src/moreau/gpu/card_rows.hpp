// What the loops of a step on a card see of bodies, walls and contacts: plain rows in its memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/drive/motion.hpp"
#include "moreau/geometry/lattice.hpp"
#include "moreau/geometry/wall.hpp"

namespace moreau::gpu {

// By body.
template <int D>
struct BodyRows {
  const double *radius, *mass, *inertia;
  const std::int32_t* material;
  const BodyKind* kind;
  Vec<D>*position, *middle;  // when the step begins, and at its midpoint
  Vec<D>* velocity;
  Spin<D>* spin;
  Rotation<D>* orientation;
  const std::uint32_t* slot;  // where it lies in the solver's memory

  MOREAU_INLINE bool is_free(std::size_t i) const { return kind[i] == BodyKind::free; }
};

// A plane or a cylinder where it is at the midpoint; the members that separation() asks for are those of WallGeometry.
template <int D>
struct WallRow {
  WallShape shape;
  Vec<D> point, direction;
  double radius;
  Vec<D> shift, velocity;
  RigidVelocity<D> surface;  // within itself
  bool slides;               // it has one
  std::int32_t material;
  std::int32_t motion = -1;  // that its contacts share; else:
  Vec<D> sharing{};          // relative velocity at a contact per unit of its speed
  double compliance = 0.0;   // that it adds to the operator of a contact
  Vec<D> change{};           // of its velocity over the step
};

// By contact, in the order of the table.
template <int D>
struct ContactRows {
  std::int32_t *a, *b;
  double* gap;
  Vec<D>*normal, *impulse;
  Image* image;  // of b; null without a periodic cell
  std::uint8_t* colour;
  ContactCondition* condition;  // null unless some law goes beyond Coulomb's
  Spin<D>* couple;              // null unless some law resists rolling
  std::uint32_t* row;           // of body a: contacts row[a] ... row[a + 1] - 1
  std::size_t count;
  MOREAU_INLINE Image image_of(std::size_t i) const { return image != nullptr ? image[i] : 0; }
};

// First of `count` increasing numbers that is not below `value`.
template <class Number>
MOREAU_INLINE std::size_t first_not_below(const Number* number, std::size_t count, Number value) {
  std::size_t low = 0;
  while (count > 0) {
    const std::size_t half = count / 2;
    if (number[low + half] < value)
      low += half + 1, count -= half + 1;
    else
      count = half;
  }
  return low;
}

}  // namespace moreau::gpu
