// Packing the contacts of the step into the solver's memory: those between two free round bodies eight at a time
// (round_contacts.hpp), the others one by one.
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/dynamics/contact_batches.hpp"
#include "moreau/dynamics/round_contacts.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

template <int D>
bool Simulation<D>::has_constant_law(const FoundContact& found) const {
  return step_laws_.empty() || !law_of(found.a, found.b).varies();
}

// All that the packing of one contact needs of the step.
template <int D>
GeneralContact<D> Simulation<D>::contact_of(std::size_t i, const ContactPlace& place) const {
  const FoundContact& found = detector_.found[i];
  const PairLaw& law = law_of(found.a, found.b);
  if (step_laws_.empty())
    return formal_contact(found, place, {law.friction, law.normal_restitution, law.tangential_restitution}, false);
  GeneralContact<D> contact = formal_contact(found, place, step_laws_[i], bonded_[i] != 0);
  if (law.bounded()) add_law(contact, i);
  return contact;
}

// The gaps go into the table at once: the rows of the step before are still needed for their impulses and normals, not for their
// gaps.
template <int D>
void Simulation<D>::pack_contacts() {
  const std::vector<FoundContact>& found = detector_.found;
  const BodyParameters<D>& parameters = state_.bodies.parameters;
  const std::vector<std::int32_t>& order = state_.order;
  ContactTable<D>& table = state_.contacts;
  resize_tightly(table.gap, found.size());
  VelocityOf<D>* const rows = problem_.rows();
  for_chunks(order.size(), slot_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      for (int d = 0; d < D; ++d) rows[s].c[d] = midpoint()[i][d];
      rows[s].c[D] = parameters.radius[i];
    }
  });
  RoundPacking<D> in;
  in.found = found.data(), in.place = problem_.places(), in.slot = problem_.slots();
  in.old_impulse = table.impulse.data(), in.old_normal = table.normal.data();
  in.impulse_scale = model_.time_step / state_.impulse_time_step;
  in.bodies = problem_.bodies(), in.midpoint = rows, in.blocks = problem_.round_blocks();
  in.material = parameters.material.data(), in.laws = model_.pair_laws.data(), in.materials = model_.materials.size();
  in.rule = shift_rule(false);
  in.gap = table.gap.data();
  const bool single_image = !apparatus_.lattice.any();
  penetration_ = reduce_chunks<Penetration>(order.size(), slot_chunk, [&](std::size_t begin, std::size_t end) {
    Penetration sum;
    in_batches(order, detector_.row, begin, end, [&](std::span<std::uint32_t> batch) {
      std::size_t pairs = 0;
      for (std::uint32_t i : batch) {
        const bool obstacle = is_obstacle(found[i].b);
        if (!obstacle && single_image && kind_of(i) == ContactKind::round && has_constant_law(found[i])) {
          batch[pairs++] = i;
          continue;
        }
        const ContactPlace place = place_of(i);
        problem_.pack(i, found[i].a, obstacle ? -1 : found[i].b, contact_of(i, place));
        table.gap[i] = place.gap;
        const double depth = std::max(0.0, -place.gap) / (2.0 * smaller_radius(found[i].a, found[i].b));
        sum += {depth, depth};
      }
      pack_round(in, batch.first(pairs), sum);
    });
    return sum;
  });
}

template void Simulation<2>::pack_contacts();
template void Simulation<3>::pack_contacts();
template bool Simulation<2>::has_constant_law(const FoundContact&) const;
template bool Simulation<3>::has_constant_law(const FoundContact&) const;

}  // namespace moreau
