#include "moreau/engines/lubricated/drift.hpp"

#include <algorithm>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/driven_bodies.hpp"

namespace moreau::lubricated {

template <int D>
Drift<D>::Drift(const Model<D>& model, const State<D>& state, double duration) : duration_(duration) {
  const double begin = state.time, end = begin + duration, middle = begin + 0.5 * duration - state.phase_start;
  wall_.assign(model.walls.size(), {});
  for (std::size_t w = 0; w < model.walls.size(); ++w)
    if (const std::int32_t m = model.walls[w].motion; m >= 0)
      wall_[w] = (1.0 / duration) * (displacement_of(model, state, m, end) - displacement_of(model, state, m, begin));
  piston_.assign(model.pistons.size(), 0.0);
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    if (model.pistons[p].control != PistonControl::velocity) continue;
    piston_[p] = model.pistons[p].target.at(middle);
    for (const PistonWall<D>& part : model.pistons[p].walls)
      wall_[static_cast<std::size_t>(part.wall)] = piston_[p] * part.direction;
  }
  const auto& kind = state.bodies.parameters.kind;
  if (!model.motions.empty() && std::find(kind.begin(), kind.end(), BodyKind::driven) != kind.end()) {
    State<D> moved = state;
    place_driven_bodies(model, moved, begin, end, end);
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      body_.push_back((1.0 / duration) * (moved.bodies.state.position[i] - state.bodies.state.position[i]));
  }
  if (model.cell.deforms)
    for (int p = 0; p < D; ++p)
      for (int q = p; q < D; ++q)
        if (!model.cell.component[p][q].stress) gradient_.row[p][q] = model.cell.component[p][q].target.at(middle);
}

template <int D>
double Drift<D>::opening(const statics::Contact<D>& c) const {
  if (is_wall(c.pair.b)) return -dot(c.normal, wall_[static_cast<std::size_t>(wall_index(c.pair.b))]);
  return dot(c.normal, gradient_ * c.branch - body(static_cast<std::size_t>(c.pair.b)));
}

template <int D>
void Drift<D>::apply(const Model<D>& model, State<D>& state) const {
  if (!body_.empty()) place_driven_bodies(model, state, state.time, state.time + duration_, state.time + duration_);
  for (std::size_t p = 0; p < piston_.size(); ++p)
    if (model.pistons[p].control == PistonControl::velocity)
      state.pistons[p].displacement += duration_ * piston_[p], state.pistons[p].speed = piston_[p];
  state.time += duration_;
}

template class Drift<2>;
template class Drift<3>;

}  // namespace moreau::lubricated
