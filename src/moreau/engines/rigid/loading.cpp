// What pistons and the periodic cell do in a step, besides what the contacts feel of them.
#include <algorithm>
#include <cmath>

#include "moreau/base/exact_sum.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

namespace {

template <int D>
struct Moment {
  ExactSum<double, 3> along[D], mass;
  Moment& operator+=(const Moment& o) {
    for (int d = 0; d < D; ++d) along[d] += o.along[d];
    return mass += o.mass, *this;
  }
};

template <int D>
Vec<D> mass_centre(const StepView<D>& view) {
  const Bodies<D>& bodies = view.state.bodies;
  TermSum<3> moment[D], mass;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_present(i) || !view.work.is_own(i)) continue;
    for (int d = 0; d < D; ++d) moment[d].add(bodies.parameters.mass[i] * view.midpoint()[i][d]);
    mass.add(bodies.parameters.mass[i]);
  }
  Moment<D> here;
  for (int d = 0; d < D; ++d) here.along[d] = moment[d].sum();
  here.mass = mass.sum();
  const Moment<D> whole = view.work.over_ranks(here);
  const double all = whole.mass.value();
  Vec<D> centre{};
  if (all > 0.0)
    for (int d = 0; d < D; ++d) centre[d] = whole.along[d].value() / all;
  return centre;
}

struct FreeMass {
  ExactSum<double, 3> mass;
  std::size_t count = 0;
  FreeMass& operator+=(const FreeMass& o) { return mass += o.mass, count += o.count, *this; }
};

}  // namespace

// The bodies of a deforming cell follow a prescribed change of its velocity gradient, about the centre of mass.
template <int D>
void change_gradient(const Model<D>& model, State<D>& state, Workspace<D>& work, const Matrix<D>& change) {
  const StepView<D> view{model, state, work};
  Bodies<D>& bodies = state.bodies;
  work.centre = mass_centre(view);
  TermSum<3> given;  // work
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_present(i)) continue;
    const Vec<D> gained = view.affine(change, i);
    if (work.is_own(i)) given.add(bodies.parameters.mass[i] * dot(gained, bodies.state.velocity[i] + 0.5 * gained));
    bodies.state.velocity[i] += gained;
  }
  const double all = work.over_ranks(given.sum()).value();
  state.energy.wall_work += all, work.given += all;
}

// Which contacts take part in the motions of pistons and of the cell, motion by motion.
template <int D>
std::vector<Sharing<D>> sharings_of(const StepView<D>& view) {
  const Workspace<D>& work = view.work;
  std::vector<Sharing<D>> sharings;
  const std::vector<FoundContact>& found = work.detector.found;
  const std::size_t pistons = work.apparatus.motions().size() - work.apparatus.cell_motions().size();
  for (std::size_t m = 0; m < pistons; ++m)
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!is_wall(found[i].b)) continue;
      const auto& side = work.apparatus.side(static_cast<std::size_t>(wall_index(found[i].b)));
      if (side.motion == static_cast<std::int32_t>(m))
        sharings.push_back({static_cast<std::uint32_t>(i), side.motion, side.direction});
    }
  for (const auto& [motion, p, q] : work.apparatus.cell_motions())
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ContactGeometry<D> geometry = view.geometry_of(i);
      sharings.push_back({static_cast<std::uint32_t>(i), motion, {}});
      sharings.back().direction[p] = view.branch(found[i], geometry)[q];
    }
  return sharings;
}

// What forces bring to a body in the step: h |g|, and the impulse with which a piston or the cell presses on each of its
// contacts, h F over the sum of |c|, over the mean mass.
template <int D>
double reference_velocity(const Model<D>& model, const State<D>& state, const Workspace<D>& work) {
  double largest = 0.0;
  for (std::size_t m = 0; m < work.apparatus.motions().size(); ++m) {
    const SharedMotion& motion = work.apparatus.motions()[m];
    if (motion.inverse_mass > 0.0 && work.sharing_sum[m] > 0.0)
      largest = std::max(largest, std::abs(motion.free_change) / motion.inverse_mass / work.sharing_sum[m]);
  }
  double pressed = 0.0;
  if (largest > 0.0) {
    TermSum<3> masses;
    FreeMass free;
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      if (state.bodies.is_free(i) && work.is_own(i)) masses.add(state.bodies.parameters.mass[i]), ++free.count;
    free.mass = masses.sum();
    free = work.over_ranks(free);
    const double mass = free.mass.value();
    pressed = mass > 0.0 ? largest * static_cast<double>(free.count) / mass : 0.0;
  }
  return std::max(model.time_step * norm(model.gravity), pressed);
}

#define MOREAU_INSTANTIATE(D)                                                                 \
  template void change_gradient(const Model<D>&, State<D>&, Workspace<D>&, const Matrix<D>&); \
  template std::vector<Sharing<D>> sharings_of(const StepView<D>&);                           \
  template double reference_velocity(const Model<D>&, const State<D>&, const Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
