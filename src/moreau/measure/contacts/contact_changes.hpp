// Contacts gained and lost between two instants. A contact is its pair of bodies; where a pair touches at several points, as many
// of these are kept as both instants have.
#pragma once

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct ContactChanges {
  std::size_t before = 0, after = 0, kept = 0, gained = 0, lost = 0;
  std::size_t lost_weak = 0;    // of the lost, those below the mean normal force before
  std::size_t gained_weak = 0;  // of the gained, those below the mean normal force after
};

// Force-carrying contacts only.
template <int D>
ContactChanges contact_changes(const Sample<D>& before, const Sample<D>& after, double threshold = 1e-6);

}  // namespace moreau::measure
