// From the contacts that were found to the problem of the step.
#include "moreau/dynamics/drag.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

namespace {

// A number that tells the contact from others: its bodies, the image of the second, and the features that meet.
template <int D>
std::uint64_t name_of(const Workspace<D>& work, std::size_t i) {
  const Detector<D>& detector = work.detector;
  const std::int32_t a = work.name_of(detector.found[i].a), b = work.name_of(detector.found[i].b);
  std::uint64_t name = mixed(std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b));
  if (!detector.image.empty()) name = mixed(name + static_cast<std::uint64_t>(detector.image[i]));
  if (const TouchingPoint<D>* where = detector.point_of(i)) name = mixed(name ^ where->feature);
  return name;
}

// Of |c|, by motion.
struct SharingSums {
  ExactSum<double> of[most_shared_motions];
  SharingSums& operator+=(const SharingSums& o) {
    for (int m = 0; m < most_shared_motions; ++m) of[m] += o.of[m];
    return *this;
  }
};

}  // namespace

// Free velocities u_free = u_i + h g (less where there is a drag), contacts with their recalled impulses.
template <int D>
void assemble(const Model<D>& model, State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  const std::vector<FoundContact>& found = work.detector.found;
  const std::vector<Sharing<D>> sharings = sharings_of(view);
  SharingSums sum;
  for (const Sharing<D>& s : sharings) sum.of[s.motion].add(norm(s.direction));
  if (!work.apparatus.motions().empty()) sum = work.over_ranks(sum);
  for (int m = 0; m < most_shared_motions; ++m) work.sharing_sum[m] = sum.of[m].value();
  const Vec<D> gravity = model.gravity_at(state.time + 0.5 * model.time_step);
  work.problem.set_bodies(state.bodies, work.poses, state.order, model.time_step * gravity, drag_factor(model));
  const auto bodies_of = [&](std::size_t i) {
    const std::int32_t b = found[i].b;
    return std::pair<std::int32_t, std::int32_t>{found[i].a, view.is_obstacle(b) ? -1 : b};
  };
  const std::vector<std::uint8_t>& colour = state.contacts.colour;
  const auto colour_before = [&](std::size_t i) {
    return !colour.empty() && found[i].recalled >= 0 ? colour[static_cast<std::size_t>(found[i].recalled)] : Colouring::not_yet;
  };
  work.problem.place_contacts(
      work.detector.row, bodies_of, [&](std::size_t i) { return view.kind_of(i); }, colour_before,
      [&](std::size_t i) { return name_of(work, i); });
  pack_contacts(model, state, work);
  work.problem.split_masses();
  work.problem.set_shared_motions(work.apparatus.motions(), sharings);
}

#define MOREAU_INSTANTIATE(D) template void assemble(const Model<D>&, State<D>&, Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
