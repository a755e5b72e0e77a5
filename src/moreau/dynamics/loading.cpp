// What pistons, the periodic cell and the drag do in a step, besides what the contacts feel of them.
#include <algorithm>
#include <cmath>

#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {

template <int D>
Vec<D> mass_centre(const Bodies<D>& bodies, const std::vector<Vec<D>>& position) {
  Vec<D> sum{};
  double mass = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_present(i)) sum += bodies.parameters.mass[i] * position[i], mass += bodies.parameters.mass[i];
  return mass > 0.0 ? (1.0 / mass) * sum : sum;
}

}  // namespace

// Narrower, a body could meet another through two images, or its own.
template <int D>
bool Simulation<D>::cell_holds() const {
  const std::vector<double>& radius = state_.bodies.parameters.radius;
  const double largest = radius.empty() ? 0.0 : *std::max_element(radius.begin(), radius.end());
  return least_width(apparatus_.lattice) >= 4.0 * largest;
}

// The drag is taken at the beginning of the step, implicitly: v (1 + c h) = v_i. What it takes is dissipated.
template <int D>
void Simulation<D>::damp() {
  Bodies<D>& bodies = state_.bodies;
  const double share = 1.0 / (1.0 + model_.damping * model_.time_step);
  double before = 0.0;  // not that of the ledger: sinks and sources have been at work since
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    before += kinetic_energy(bodies, i);
    bodies.state.velocity[i] *= share, bodies.state.spin[i] *= share;
  }
  for (PistonState& piston : state_.pistons) piston.speed *= share;
  state_.cell.rate = share * state_.cell.rate;
  state_.energy.dissipated += (1.0 - share * share) * before;
}

// The bodies of a deforming cell follow a prescribed change of its velocity gradient, about the centre of mass.
template <int D>
void Simulation<D>::change_gradient(const Matrix<D>& change) {
  Bodies<D>& bodies = state_.bodies;
  centre_ = mass_centre(bodies, midpoint());
  double work = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_present(i)) continue;
    const Vec<D> gained = affine(change, i);
    work += bodies.parameters.mass[i] * dot(gained, bodies.state.velocity[i] + 0.5 * gained);
    bodies.state.velocity[i] += gained;
  }
  state_.energy.wall_work += work;
}

// Which contacts take part in the motions of pistons and of the cell, motion by motion.
template <int D>
std::vector<Sharing<D>> Simulation<D>::share() const {
  std::vector<Sharing<D>> sharings;
  const std::vector<FoundContact>& found = detector_.found;
  const std::size_t pistons = apparatus_.motions().size() - apparatus_.cell_motions().size();
  for (std::size_t m = 0; m < pistons; ++m)
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!is_wall(found[i].b)) continue;
      const auto& side = apparatus_.side(static_cast<std::size_t>(wall_index(found[i].b)));
      if (side.motion == static_cast<std::int32_t>(m))
        sharings.push_back({static_cast<std::uint32_t>(i), side.motion, side.direction});
    }
  for (const auto& [motion, p, q] : apparatus_.cell_motions())
    for (std::size_t i = 0; i < found.size(); ++i) {
      const ContactPlace place = place_of(i);
      sharings.push_back({static_cast<std::uint32_t>(i), motion, {}});
      sharings.back().direction[p] = branch(found[i], place)[q];
    }
  return sharings;
}

// From the centre of the image of b to that of a.
template <int D>
Vec<D> Simulation<D>::branch(const FoundContact& found, const ContactPlace& place) const {
  return midpoint()[static_cast<std::size_t>(found.a)] - midpoint()[static_cast<std::size_t>(found.b)] - place.shift;
}

// What the shared motions add to the operator of a contact (solver/shared_motion.hpp).
template <int D>
double Simulation<D>::compliance(const FoundContact& found, const ContactPlace& place) const {
  double sum = 0.0;
  const auto add = [&](std::int32_t motion, double share) {
    const std::size_t m = static_cast<std::size_t>(motion);
    sum += share * sharing_sum_[m] * apparatus_.motions()[m].inverse_mass;
  };
  if (is_wall(found.b)) {
    const auto& side = apparatus_.side(static_cast<std::size_t>(wall_index(found.b)));
    if (side.motion >= 0) add(side.motion, norm(side.direction));
    return sum;
  }
  if (apparatus_.cell_motions().empty()) return sum;
  const Vec<D> l = branch(found, place);
  for (const auto& [motion, p, q] : apparatus_.cell_motions()) add(motion, std::abs(l[q]));
  return sum;
}

// What forces bring to a body in the step: h |g|, and the impulse with which a piston or the cell presses on each of its
// contacts, h F over the sum of |c|, over the mean mass.
template <int D>
double Simulation<D>::reference_velocity() const {
  double mass = 0.0, largest = 0.0;
  std::size_t free = 0;
  for (std::size_t m = 0; m < apparatus_.motions().size(); ++m) {
    const SharedMotion& motion = apparatus_.motions()[m];
    if (motion.inverse_mass > 0.0 && sharing_sum_[m] > 0.0)
      largest = std::max(largest, std::abs(motion.free_change) / motion.inverse_mass / sharing_sum_[m]);
  }
  if (largest > 0.0)
    for (std::size_t i = 0; i < state_.bodies.size(); ++i)
      if (state_.bodies.is_free(i)) mass += state_.bodies.parameters.mass[i], ++free;
  const double pressed = mass > 0.0 ? largest * static_cast<double>(free) / mass : 0.0;
  return std::max(model_.time_step * norm(model_.gravity), pressed);
}

#define MOREAU_INSTANTIATE(D)                                                            \
  template bool Simulation<D>::cell_holds() const;                                       \
  template void Simulation<D>::damp();                                                   \
  template void Simulation<D>::change_gradient(const Matrix<D>&);                        \
  template std::vector<Sharing<D>> Simulation<D>::share() const;                         \
  template Vec<D> Simulation<D>::branch(const FoundContact&, const ContactPlace&) const; \
  template double Simulation<D>::reference_velocity() const;                             \
  template double Simulation<D>::compliance(const FoundContact&, const ContactPlace&) const;
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau
