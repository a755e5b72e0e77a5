// Contacts per body, and the bodies that carry nothing (rattlers).
//
// Rattlers are found by taking away, again and again, the free bodies with fewer force-carrying contacts than balance needs: 2
// with friction, D + 1 without (Combe 2001, sec. 3.6: monovalent and divalent discs), and one less under weight.
#pragma once

#include <optional>

#include "moreau/measure/region.hpp"

namespace moreau::measure {

struct Coordination {
  std::size_t bodies = 0;             // free, with their centre in the region
  std::size_t rattlers = 0;           // of these
  std::size_t contacts = 0;           // force-carrying, with their point in the region
  std::size_t obstacle_contacts = 0;  // of these, at walls and at bodies that are not free
  double mean = 0.0;                  // carrying contacts per body: a contact between two free bodies counts for each
  double neighbours = 0.0;            // the same of pairs: bodies and walls that one touches, by however many points
  double without_rattlers = 0.0;      // the same among the bodies that are no rattlers, contacts of rattlers left out
};

template <int D>
std::vector<bool> rattlers(const Sample<D>& sample, const std::vector<bool>& carrying, int least_contacts);

// 2 if a contact has a tangential force (above 1e-9 of the mean normal force), else D + 1; one less if the bodies have weight (on
// average more than 1e-6 of that force): it holds a body down as one more contact would.
template <int D>
int least_contacts(const Sample<D>& sample);

template <int D>
Coordination coordination(const Sample<D>& sample, const Region<D>& region, double threshold = 1e-6,
                          std::optional<int> least = {});

}  // namespace moreau::measure
