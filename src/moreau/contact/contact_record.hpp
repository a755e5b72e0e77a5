// The contact table as users see it, one row per contact, with what the solver does not need to keep.
#pragma once

#include <vector>

#include "moreau/contact/contact_table.hpp"

namespace moreau::inline contact {

template <int D>
struct ContactRecords {
  std::vector<std::int32_t> a, b;  // bodies; b < 0 is the wall ~b
  std::vector<Vec<D>> point;       // where they touch, at the midpoint of the step
  std::vector<Vec<D>> normal;      // towards a
  std::vector<double> gap;
  std::vector<Vec<D>> impulse;            // on a by b
  std::vector<Vec<D>> force;              // impulse / h
  std::vector<Vec<D>> relative_velocity;  // of a relative to b at the contact, at the end of the step; walls as at its midpoint
  std::vector<ContactStatus> status;
  std::vector<Vec<D>> shift;     // from b to the image of b that touches; empty without a periodic cell
  std::vector<JointBond> joint;  // empty unless some law goes beyond Coulomb's
  // On a by b, the couple over the step / h, and the spin of a relative to b, as its velocity; empty unless some law resists rolling.
  std::vector<Spin<D>> couple, relative_spin;
  std::size_t size() const { return a.size(); }
};

}  // namespace moreau::inline contact
