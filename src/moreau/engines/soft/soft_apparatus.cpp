#include "moreau/engines/soft/soft_apparatus.hpp"

#include <algorithm>

namespace moreau::soft {

namespace {

template <int D>
Matrix<D> matrix_of_rows(const std::vector<Vec<D>>& rows) {
  Matrix<D> m{};
  for (std::size_t i = 0; i < rows.size(); ++i) m.row[i] = rows[i];
  return m;
}

}  // namespace

template <int D>
void SoftApparatus<D>::predict(const Model<D>& model, State<D>& state, const Scheme& scheme) {
  const double h = model.time_step, time = state.time + h;
  Integration<D>& kept = state.integration;
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    PistonState& piston = state.pistons[p];
    if (model.pistons[p].control == PistonControl::velocity) {
      const double before = piston.speed;
      piston.speed = model.pistons[p].target.at(time - state.phase_start);
      piston.displacement += (0.5 * h) * (before + piston.speed);
      continue;
    }
    const double a = kept.piston_acceleration[p], jerk = scheme.keeps_jerk() ? kept.piston_jerk[p] : 0.0;
    piston.displacement += path(h, piston.speed, a, jerk);
    piston.speed += gain(h, a, jerk);
    kept.piston_acceleration[p] += h * jerk;
  }
  predict_cell(model, state, time);
  place(model, state, time);
}

// V'' = L' V + L V'. Components with a given rate take it at once; the scheme of those under stress is Verlet's.
template <int D>
void SoftApparatus<D>::predict_cell(const Model<D>& model, State<D>& state, double time) {
  prescribed_change = Matrix<D>{};
  if (!model.cell.deforms) return;
  const double h = model.time_step;
  Matrix<D>& vectors = state.cell.vectors;
  Matrix<D> gradient_now = state.cell.rate * inverse(vectors);
  const Matrix<D> rate = matrix_of_rows<D>(state.integration.gradient_rate);
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q)
      if (!model.cell.component[p][q].stress) {
        const double target = model.cell.component[p][q].target.at(time - state.phase_start);
        prescribed_change.row[p][q] = target - gradient_now.row[p][q];
        gradient_now.row[p][q] = target;
      }
  const Matrix<D> speed = gradient_now * vectors, change = rate * vectors + gradient_now * speed;
  for (int p = 0; p < D; ++p)
    add_exactly(vectors.row[p], state.integration.cell_remainder[static_cast<std::size_t>(p)],
                h * speed.row[p] + (0.5 * h * h) * change.row[p]);
  gradient_now = gradient_now + h * rate;
  state.cell.rate = gradient_now * vectors;
}

template <int D>
void SoftApparatus<D>::place(const Model<D>& model, State<D>& state, double time) {
  time_ = time;
  const std::size_t walls = model.walls.size();
  wall_shift.assign(walls, {}), wall_velocity.assign(walls, {}), wall_surface.assign(walls, {}), piston_of.assign(walls, -1);
  for (std::size_t w = 0; w < walls; ++w)
    if (const std::int32_t motion = model.walls[w].motion; motion >= 0)
      wall_shift[w] = displacement_of(model, state, motion, time), wall_velocity[w] = velocity_of(model, state, motion, time);
  for (std::size_t p = 0; p < model.pistons.size(); ++p)
    for (const PistonWall<D>& wall : model.pistons[p].walls) {
      const std::size_t w = static_cast<std::size_t>(wall.wall);
      wall_shift[w] = state.pistons[p].displacement * wall.direction;
      wall_velocity[w] = state.pistons[p].speed * wall.direction;
      piston_of[w] = static_cast<std::int32_t>(p);
    }
  for (std::size_t w = 0; w < walls; ++w)
    if (const std::int32_t motion = model.walls[w].surface; motion >= 0) {
      wall_surface[w] = rigid_velocity(model.motions[static_cast<std::size_t>(motion)], motion_time(state, motion, time));
      wall_surface[w].centre += wall_shift[w];
    }
  place_cell(model, state);
}

template <int D>
void SoftApparatus<D>::place_cell(const Model<D>& model, const State<D>& state) {
  lattice = lattice_of(model, state);
  gradient = Matrix<D>{}, cell_remainder_ = matrix_of_rows<D>(state.integration.cell_remainder), cell_yields_ = false;
  if (!model.cell.deforms) return;
  gradient = state.cell.rate * inverse(state.cell.vectors);
  for (const auto& row : model.cell.component)
    for (const CellComponent& component : row) cell_yields_ |= component.stress;
}

template <int D>
Vec<D> SoftApparatus<D>::shift_of(Image image) const {
  if (image == 0) return {};
  std::int64_t k[D];
  numbers_of<D>(image, k);
  Vec<D> number;
  for (int d = 0; d < D; ++d) number[d] = static_cast<double>(k[d]);
  return lattice.vectors * number + cell_remainder_ * number;
}

template <int D>
void SoftApparatus<D>::accelerate(const Model<D>& model, State<D>& state, std::span<const double> push, const Matrix<D>& moment) {
  acceleration_.assign(model.pistons.size(), 0.0);
  const double since = time_ - state.phase_start;
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    const Piston<D>& piston = model.pistons[p];
    if (piston.control == PistonControl::velocity) continue;
    double force = piston.target.at(since);
    if (piston.control == PistonControl::stress) force *= face_area(model, wall_shift, piston);
    acceleration_[p] =
        (force + push[p] / static_cast<double>(piston.walls.size())) / piston.mass - model.damping * state.pistons[p].speed;
  }
  rate_ = Matrix<D>{};
  if (!cell_yields_) return;
  const double volume = lattice.volume();
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q)
      if (model.cell.component[p][q].stress)
        rate_.row[p][q] = (moment.row[p][q] - volume * model.cell.component[p][q].target.at(since)) / model.cell.mass -
                          model.damping * gradient.row[p][q];
}

template <int D>
void SoftApparatus<D>::correct(const Model<D>& model, State<D>& state, const Scheme& scheme) {
  const double h = model.time_step;
  Integration<D>& kept = state.integration;
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    const double error = acceleration_[p] - kept.piston_acceleration[p];
    kept.piston_acceleration[p] = acceleration_[p];
    if (model.pistons[p].control == PistonControl::velocity) continue;
    state.pistons[p].displacement += scheme.position * h * h * error;
    state.pistons[p].speed += scheme.velocity * h * error;
    if (scheme.keeps_jerk()) kept.piston_jerk[p] += scheme.jerk / h * error;
  }
  if (!model.cell.deforms) return;
  const Matrix<D> error = rate_ + (-1.0) * matrix_of_rows<D>(kept.gradient_rate);
  state.cell.rate = state.cell.rate + (0.5 * h) * (error * state.cell.vectors);
  std::copy(rate_.row, rate_.row + D, kept.gradient_rate.begin());
}

template <int D>
void SoftApparatus<D>::begin(State<D>& state, const Scheme& scheme) const {
  Integration<D>& kept = state.integration;
  kept.piston_acceleration = acceleration_;
  kept.piston_jerk.assign(scheme.keeps_jerk() ? acceleration_.size() : 0, 0.0);
  kept.gradient_rate.assign(rate_.row, rate_.row + D);
}

template class SoftApparatus<2>;
template class SoftApparatus<3>;

}  // namespace moreau::soft
