// Bodies, pistons and cell at the end of the step, by Taylor's series.
#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/engines/soft/predict_bodies.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

namespace {
constexpr std::size_t body_chunk = 512;
}

template <int D>
void SoftEngine<D>::write_lines(const State<D>& state, std::size_t begin, std::size_t end) {
  const BodyState<D>& s = state.bodies.state;
  for (std::size_t i = begin; i < end; ++i)
    lines_[i].move(s.position[i], state.integration.remainder[i], s.velocity[i], s.spin[i]);
}

// Bodies that do not move freely have no acceleration; those that are driven are put in their place afterwards.
template <int D>
void SoftEngine<D>::predict(const Model<D>& model, State<D>& state) {
  BodyState<D>& s = state.bodies.state;
  Integration<D>& kept = state.integration;
  const double h = model.time_step;
  const std::size_t n = state.bodies.size();
  apparatus_.predict(model, state, scheme_);
  if (model.cell.deforms) follow_prescribed_change(state);
  std::vector<Vec<D>> driven_from;
  if (drives_) driven_from = s.position;
  const bool jerky = scheme_.keeps_jerk();
  const bool with_lags = scheme_.takes_mean_velocity() && needs_.tangential != soft::Tangential::none;
  lags_.resize(with_lags ? n : 0);
  const soft::Prediction<D> in{state.bodies.parameters.radius.data(),
                               inverse_mass_.data(),
                               s.position.data(),
                               kept.remainder.data(),
                               s.velocity.data(),
                               kept.acceleration.data(),
                               jerky ? kept.jerk.data() : nullptr,
                               s.spin.data(),
                               kept.spin_acceleration.data(),
                               jerky ? kept.spin_jerk.data() : nullptr,
                               s.orientation.data(),
                               drives_ ? nullptr : lines_.data(),
                               with_lags ? lags_.data() : nullptr,
                               h};
  struct Farthest {
    double square = 0.0;
    Farthest& operator+=(const Farthest& o) { return square = std::max(square, o.square), *this; }
  };
  const Farthest farthest = reduce_chunks<Farthest>(
      n, body_chunk, [&](std::size_t begin, std::size_t end) { return Farthest{soft::predict_bodies(in, begin, end)}; });
  // Known where nothing else has moved bodies since contacts were last searched for.
  const bool known = followed_ && !drives_ && !model.cell.deforms && !jerky;
  farthest_ = known ? std::sqrt(farthest.square) : HUGE_VAL;
  if (drives_) {
    for (std::size_t i = 0; i < n; ++i)
      if (state.bodies.parameters.kind[i] == BodyKind::driven) s.position[i] = driven_from[i], kept.remainder[i] = {};
    place_driven_bodies(model, state, state.time, state.time + h, state.time + h);
    write_lines(state, 0, n);
  }
  find_centre(state);
}

template <int D>
void SoftEngine<D>::find_centre(const State<D>& state) {
  centre_ = {};
  if (!apparatus_.lattice.any()) return;
  struct Sum {
    Vec<D> moment{};
    double mass = 0.0;
    Sum& operator+=(const Sum& o) { return moment += o.moment, mass += o.mass, *this; }
  };
  const Bodies<D>& bodies = state.bodies;
  const Sum sum = reduce_chunks<Sum>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    Sum part;
    for (std::size_t i = begin; i < end; ++i)
      if (bodies.is_present(i))
        part.moment += bodies.parameters.mass[i] * bodies.state.position[i], part.mass += bodies.parameters.mass[i];
    return part;
  });
  if (sum.mass > 0.0) centre_ = (1.0 / sum.mass) * sum.moment;
}

// Bodies follow a jump of the velocity gradient, about the centre of mass; what that takes is work of the surroundings.
template <int D>
void SoftEngine<D>::follow_prescribed_change(State<D>& state) {
  const Matrix<D>& change = apparatus_.prescribed_change;
  bool none = true;
  for (const Vec<D>& row : change.row) none &= row == Vec<D>{};
  if (none) return;
  find_centre(state);
  Bodies<D>& bodies = state.bodies;
  double work = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies.is_free(i)) continue;
    const Vec<D> gained = change * (bodies.state.position[i] - centre_);
    work += bodies.parameters.mass[i] * dot(gained, bodies.state.velocity[i] + 0.5 * gained);
    bodies.state.velocity[i] += gained;
  }
  state.energy.wall_work += work;
}

#define MOREAU_INSTANTIATE(D)                                                          \
  template void SoftEngine<D>::write_lines(const State<D>&, std::size_t, std::size_t); \
  template void SoftEngine<D>::predict(const Model<D>&, State<D>&);                    \
  template void SoftEngine<D>::find_centre(const State<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
