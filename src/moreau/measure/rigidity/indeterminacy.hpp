// How much a contact force could differ without any body noticing: the range of its normal part over all force sets that give
// every free body the same resultant and moment as the present one and obey Coulomb's law,
//
//   min, max f_N(c)   subject to   G^T f = G^T f_now,   f_N >= 0,   |f_T| <= mu f_N
//
// a program over friction cones (diagnosis/cone_program.hpp). Range zero: the force is determined by balance alone.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct ForceRange {
  std::size_t contact = 0;
  // `most` is infinite where the structure can be wedged without bound; NaN where the program found no answer
  double now = 0.0, least = 0.0, most = 0.0;
};

// The ranges for the contacts asked for.
template <int D>
std::vector<ForceRange> indeterminacy(const Sample<D>& sample, const std::vector<std::size_t>& contacts);

}  // namespace moreau::measure
