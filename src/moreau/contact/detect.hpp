// Narrow phase: from candidate pairs to the contacts of the step, with the impulses of the previous step recalled by identity.
#pragma once

#include <span>

#include "moreau/contact/contact_table.hpp"
#include "moreau/contact/neighbours.hpp"

namespace moreau {

// First contact of each body in a table ordered by body: contacts of a are row[a] ... row[a + 1] - 1.
template <int D>
std::vector<std::uint32_t> contact_rows(const ContactTable<D>& table, std::size_t bodies);

template <int D>
class Detector {
 public:
  // Before: `neighbours` is valid for `position` (the midpoint positions q_m). `previous` is the table of the previous step.
  // After: `table` holds every contact with gap <= ahead.distance + ahead.time * approach speed, ordered by bodies. A contact that was
  // in `previous` starts from its impulse there times `impulse_scale`: the normal part along the new normal, the tangential part
  // projected on the new tangent plane. Others start from zero. Returns the number of recalled contacts.
  std::size_t detect(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, std::span<const Wall<D>> walls,
                     const std::vector<Vec<D>>& wall_shift, const std::vector<Vec<D>>& wall_velocity, const Neighbours<D>& neighbours,
                     LookAhead ahead, const ContactTable<D>& previous, double impulse_scale, ContactTable<D>& table);

  std::size_t bytes() const;

 private:
  struct Part {
    ContactTable<D> contacts;
    std::size_t recalled = 0;
  };
  std::vector<Part> parts_;  // one per chunk of bodies, kept to save allocations
};

}  // namespace moreau
