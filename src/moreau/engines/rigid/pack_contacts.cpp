// Packing the contacts of the step into the solver's memory: those between two free round bodies eight at a time
// (round_contacts.hpp), the others one by one.
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/engines/rigid/contact_batches.hpp"
#include "moreau/engines/rigid/round_contacts.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

// The gaps go into the table at once: the rows of the step before are still needed for their impulses and normals, not for their
// gaps.
template <int D>
void pack_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  const std::vector<FoundContact>& found = work.detector.found;
  const BodyParameters<D>& parameters = state.bodies.parameters;
  const std::vector<std::int32_t>& order = state.order;
  ContactTable<D>& table = state.contacts;
  resize_tightly(table.gap, found.size());
  VelocityOf<D>* const rows = work.problem.rows();
  for_chunks(order.size(), slot_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      for (int d = 0; d < D; ++d) rows[s].c[d] = view.midpoint()[i][d];
      rows[s].c[D] = parameters.radius[i];
    }
  });
  RoundPacking<D> in;
  in.found = found.data(), in.place = work.problem.places(), in.slot = work.problem.slots();
  in.old_impulse = table.impulse.data(), in.old_normal = table.normal.data();
  in.impulse_scale = model.time_step / state.impulse_time_step;
  in.bodies = work.problem.bodies(), in.midpoint = rows, in.packs = work.problem.round_packs();
  in.material = parameters.material.data(), in.laws = model.pair_laws.data(), in.materials = model.materials.size();
  in.rule = view.shift_rule(false);
  in.gap = table.gap.data();
  const bool single_image = !work.apparatus.lattice.any();
  work.penetration = sum_chunks<Penetration>(order.size(), slot_chunk, [&](std::size_t begin, std::size_t end, Penetration& sum) {
    in_batches(order, work.detector.row, begin, end, [&](std::span<std::uint32_t> batch) {
      std::size_t pairs = 0;
      for (std::uint32_t i : batch) {
        const bool obstacle = view.is_obstacle(found[i].b);
        if (!obstacle && single_image && view.kind_of(i) == ContactKind::round && view.has_constant_law(found[i])) {
          batch[pairs++] = i;
          continue;
        }
        const ContactGeometry<D> geometry = view.geometry_of(i);
        work.problem.pack(i, found[i].a, obstacle ? -1 : found[i].b, view.contact_of(i, geometry));
        table.gap[i] = geometry.gap;
        const double depth = std::max(0.0, -geometry.gap) / (2.0 * view.smaller_radius(found[i].a, found[i].b));
        sum.sum.add(depth), sum.deepest = std::max(sum.deepest, depth);
      }
      pack_round(in, batch.first(pairs), sum);
    });
  });
}

#define MOREAU_INSTANTIATE(D) template void pack_contacts(const Model<D>&, State<D>&, Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
