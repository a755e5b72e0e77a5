// What the loops of a step on a card see of bodies, walls and contacts: plain rows in its memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/drive/motion.hpp"
#include "moreau/geometry/lattice.hpp"
#include "moreau/geometry/part_view.hpp"
#include "moreau/geometry/wall.hpp"
#include "moreau/solver/solver_body.hpp"

namespace moreau::gpu {

template <int D>
struct ShapeRow {
  const PartView<D>* parts;
  std::uint32_t count;
  Spin<D> gyration;
};

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
  // Of bodies that are not round; null where all are.
  const std::int32_t* shape;
  const ShapeRow<D>* shapes;
  Rotation<D>* half_turned;  // orientation at the midpoint
  Matrix<D>* axes;           // likewise; of round bodies those of the laboratory

  MOREAU_INLINE bool is_free(std::size_t i) const { return kind[i] == BodyKind::free; }
  MOREAU_INLINE bool is_round(std::size_t i) const { return shape == nullptr || shape[i] < 0; }
  MOREAU_INLINE bool is_round_pair(std::int32_t a, std::int32_t b) const { return is_round(a) && (b < 0 || is_round(b)); }
  // Whether a contact is packed as one of a round body: it is one, and the other is an obstacle if it is not.
  MOREAU_INLINE bool touches_round(std::int32_t a, std::int32_t b) const {
    return is_round(a) && (b < 0 || is_round(b) || !is_free(b));
  }
  MOREAU_INLINE double length(std::size_t i) const { return is_round(i) ? radius[i] : length_of_shape(radius[i]); }  // as length_scale
  MOREAU_INLINE Pose<D> pose(std::size_t i) const { return {middle[i], axes[i]}; }
  MOREAU_INLINE const ShapeRow<D>& shape_of(std::size_t i) const { return shapes[shape[i]]; }
  MOREAU_INLINE Spin<D> principal_inertia(std::size_t i) const {
    Spin<D> same;
    for (int d = 0; d < spin_dimension<D>; ++d) same[d] = inertia[i];
    return is_round(i) ? same : mass[i] * shape_of(i).gyration;
  }
  // As dynamics/body_energy.hpp.
  MOREAU_INLINE double turning_square(std::size_t i, const Spin<D>& of) const {
    if constexpr (D == 3)
      if (!is_round(i)) {
        const Vec<3> own = transposed_times(matrix_of(orientation[i]), of), principal = principal_inertia(i);
        return principal[0] * own[0] * own[0] + principal[1] * own[1] * own[1] + principal[2] * own[2] * own[2];
      }
    return inertia[i] * dot(of, of);
  }
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
  Vec<D>* point;                // null where all bodies are round
  std::uint64_t* feature;       // likewise
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
