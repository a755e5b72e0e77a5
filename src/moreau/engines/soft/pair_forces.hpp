// Forces between round bodies, and between them and planes, eight contacts at a time.
#pragma once

#include <cstdint>
#include <span>

#include "moreau/contact/detect.hpp"
#include "moreau/engines/soft/body_line.hpp"
#include "moreau/engines/soft/packed_law.hpp"

namespace moreau::soft {

// Over contacts; what is counted is counted as numbers.
struct ForceSums {
  double elastic = 0.0, power = 0.0;    // energy of the springs, dissipated per time
  double force = 0.0;                   // sum of |f|
  double closed = 0.0, slide = 0.0;     // contacts with a force, those that slide
  double overlap = 0.0, deepest = 0.0;  // relative to the diameter of the smaller body: sum, largest
  ForceSums& operator+=(const ForceSums& o) {
    elastic += o.elastic, power += o.power, force += o.force, closed += o.closed, slide += o.slide, overlap += o.overlap;
    deepest = deepest < o.deepest ? o.deepest : deepest;
    return *this;
  }
};

// A plane wall that does not move within itself.
template <int D>
struct Plane {
  double normal[D], point[D], shift[D], velocity[D], lag[D];
  std::int32_t material;
};

template <int D>
struct PairForces {
  // Read.
  const FoundContact* found;
  const Vec<D>*shift, *drift;  // by contact: displacement and relative velocity of the image of b; null without a periodic cell
  const Vec<D>* fixed_normal;  // by contact: normals that stay, and with them contacts that may be open; null otherwise
  const BodyLine<D>* bodies;
  const double* inverse_mass;  // 0: does not move freely
  const Vec<D>* acceleration;  // at the beginning of the step; null unless springs are extended by the mean velocity of the step
  const Spin<D>* spin_acceleration;
  const std::int32_t* material;
  const PackedLaw* laws;
  std::size_t materials;
  const Plane<D>* planes;     // by wall
  const PackedLaw* only;      // the law of all pairs of bodies, null if there are several
  const Vec<D>* old_spring;   // of the previous table; null if there are none
  const double* old_deepest;  // same
  Pace<double> pace;
  double step;  // impulse = step x force
  Tangential tangential;
  // Written, by contact; spring and deepest null where they are not kept.
  double* gap;
  Vec<D>*normal, *impulse, *spring;
  double* deepest;
  Spin<D>* twist;  // - n x impulse; null without tangential forces
};

// Of these contacts, all between two bodies.
void pair_forces(const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);
void pair_forces(const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);

// Same with planes.
void plane_forces(const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);
void plane_forces(const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);

}  // namespace moreau::soft
