// Forces between round bodies, and between them and planes, eight contacts at a time.
//
// Pairs are taken eight rows of the table at a time, as they lie there: rows of walls among them are computed like pairs and
// thrown away, for they are written afterwards. So what pairs read and write lies in line.
#pragma once

#include <cstdint>
#include <span>

#include "moreau/contact/detect.hpp"
#include "moreau/engines/soft/body_line.hpp"
#include "moreau/engines/soft/packed_law.hpp"
#include "moreau/engines/soft/push_line.hpp"

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

// A plane wall that does not move within itself, its vectors one after the other.
template <int D>
struct alignas(64) Plane {
  static constexpr int normal = 0, point = D, shift = 2 * D, velocity = 3 * D, lag = 4 * D, size = 16;
  double c[size] = {};
  std::int32_t material = 0;
  void put(int at, const Vec<D>& v) {
    for (int d = 0; d < D; ++d) c[at + d] = v[d];
  }
};

template <int D>
struct PairForces {
  // Read.
  const FoundContact* found;
  const Vec<D>*shift, *drift;  // by contact: displacement and relative velocity of the image of b; null without a periodic cell
  const Vec<D>* fixed_normal;  // by contact: normals that stay, and with them contacts that may be open; null otherwise
  const BodyLine<D>* bodies;
  const BodyTraits* traits;
  const PushLine<D>* lag;  // h/2 times the accelerations at the beginning of the step, of centre and rim; null unless springs are
                           // extended by the mean velocity of the step
  const std::int32_t* material;
  const PackedLaw* laws;
  std::size_t materials;
  const Plane<D>* planes;     // by wall
  const PackedLaw* only;      // the law of all pairs of bodies, null if there are several
  const Vec<D>* old_spring;   // of the previous table, for pairs; null if there are none
  const double* old_deepest;  // same
  const Vec<D>* wall_spring;  // what the contacts with planes remember, in their order; null if nothing
  const double* wall_deepest;
  Pace<double> pace;
  double step;  // impulse = step x force
  Tangential tangential;
  // Written, by contact; spring and deepest null where they are not kept.
  double* gap;
  Vec<D>*normal, *impulse, *spring;
  double* deepest;
  PushLine<D>* push;  // of contacts from `push_begin` on
  std::size_t push_begin;
};

// Of the contacts [begin, end) that are between two bodies; rows of the others are spoilt.
void pair_forces(const PairForces<2>& in, std::size_t begin, std::size_t end, ForceSums& sums);
void pair_forces(const PairForces<3>& in, std::size_t begin, std::size_t end, ForceSums& sums);

// Of these contacts, all with planes.
void plane_forces(const PairForces<2>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);
void plane_forces(const PairForces<3>& in, std::span<const std::uint32_t> contacts, ForceSums& sums);

}  // namespace moreau::soft
