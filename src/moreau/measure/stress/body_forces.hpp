// Contact forces on bodies that have a name, and on groups of them.
//
//   force = sum f                 of the contacts with what is not in the group, on the group; without weights
//   moment = sum (x_c - x) (x) f  about the centre x of a single body, about the centre of mass of several
#pragma once

#include <string>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

template <int D>
struct BodyForce {
  std::string name;
  std::size_t contacts = 0;
  Vec<D> position{};  // of the centre
  Vec<D> force{};
  Spin<D> moment{};
};

// One row per name, in the order of the scene, also of bodies that touch nothing.
template <int D>
std::vector<BodyForce<D>> body_forces(const Sample<D>& sample);

}  // namespace moreau::measure
