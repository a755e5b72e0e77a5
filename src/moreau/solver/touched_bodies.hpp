// What the free bodies that have contacts are, in all: whether sweeps may be slow on them (gauss_seidel.cpp).
#pragma once

#include <cstdint>

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/inline.hpp"

namespace moreau::inline solver {

// Contacts of a body: it has as many colours, one bit each (colouring.hpp).
MOREAU_INLINE int contacts_of(std::uint64_t colours) {
  int count = 0;
  for (; colours != 0; colours &= colours - 1) ++count;
  return count;
}

struct TouchedBodies {
  std::uint64_t count = 0, in_line = 0;     // in line: with two contacts, as within a chain or a column
  double lightest = 0.0, heaviest = 1e300;  // inverse masses

  MOREAU_INLINE void add(double inverse, std::uint64_t colours) {
    ++count, in_line += contacts_of(colours) == 2 ? 1 : 0;
    lightest = lightest < inverse ? inverse : lightest, heaviest = inverse < heaviest ? inverse : heaviest;
  }
  MOREAU_INLINE TouchedBodies& operator+=(const TouchedBodies& o) {
    count += o.count, in_line += o.in_line;
    lightest = lightest < o.lightest ? o.lightest : lightest, heaviest = o.heaviest < heaviest ? o.heaviest : heaviest;
    return *this;
  }
};

// How many times a body with k contacts outweighs k bodies of the harmonic mean of the masses, in the mean over all mass: the inverse
// of it is the share that a sweep brings of the impulse that heavy bodies on light ones need.
struct Heaviness {
  ExactSum<double> mass, inverse_mass, burden;  // sums of m, of 1 / m, and of m m / k
  std::uint64_t count = 0;

  MOREAU_INLINE void add(double inverse, std::uint64_t colours) {
    const double m = 1.0 / inverse;
    mass.add(m), inverse_mass.add(inverse), burden.add(m * m / contacts_of(colours)), ++count;
  }
  MOREAU_INLINE Heaviness& operator+=(const Heaviness& o) {
    mass += o.mass, inverse_mass += o.inverse_mass, burden += o.burden, count += o.count;
    return *this;
  }
  double mean() const { return burden.value() / mass.value() * (inverse_mass.value() / static_cast<double>(count)); }
};

}  // namespace moreau::inline solver
