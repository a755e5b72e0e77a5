// Bodies, pistons and cell at the end of the step, by Taylor's series.
#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/engines/soft/predict_bodies.hpp"
#include "moreau/engines/soft/soft_engine.hpp"
#include "moreau/engines/soft/turning.hpp"

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

// Of accelerations at the beginning of the step.
template <int D>
void SoftEngine<D>::write_lags(const Model<D>& model, const State<D>& state, std::size_t begin, std::size_t end) {
  const double half = 0.5 * model.time_step;
  const Integration<D>& kept = state.integration;
  for (std::size_t i = begin; i < end; ++i) {
    const double at_rim = half * state.bodies.parameters.radius[i];
    for (int d = 0; d < D; ++d) lags_[i].c[d] = half * kept.acceleration[i][d];
    for (int d = 0; d < spin_dimension<D>; ++d)
      lags_[i].c[soft::PushLayout<D>::twist + d] = at_rim * kept.spin_acceleration[i][d];
  }
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
  const auto numbers = [](auto& array) { return array.data()->c; };
  const soft::Flight flight{numbers(s.position), numbers(kept.remainder), numbers(s.velocity), numbers(kept.acceleration),
                            jerky ? numbers(kept.jerk) : nullptr};
  const soft::Turning turning{numbers(s.spin), numbers(kept.spin_acceleration), jerky ? numbers(kept.spin_jerk) : nullptr,
                              numbers(turning_)};
  const bool with_lags = scheme_.takes_mean_velocity() && needs_.tangential != soft::Tangential::none;
  lags_.resize(with_lags ? n : 0);
  for_chunks(n, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    if (with_lags) write_lags(model, state, begin, end);
    soft::predict_places(flight, D * begin, D * end, h);
    soft::predict_spins(turning, spin_dimension<D> * begin, spin_dimension<D> * end, h);
    if (!drives_) write_lines(state, begin, end);
    soft::turn_bodies(s.orientation.data(), turning_.data(), inverse_mass_.data(), begin, end, h);
  });
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
