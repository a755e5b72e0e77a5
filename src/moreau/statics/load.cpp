#include "moreau/statics/load.hpp"

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/cell_volume.hpp"

namespace moreau::statics {

template <int D>
Load<D> load_at(const Model<D>& model, const State<D>& state, double time) {
  Load<D> load;
  load.gravity = model.gravity_at(time);
  for (const Piston<D>& piston : model.pistons)
    load.piston.push_back(piston.control == PistonControl::velocity ? 0.0 : piston.target.at(time - state.phase_start));
  if (model.cell.deforms)
    for (int p = 0; p < D; ++p)
      for (int q = p; q < D; ++q)
        if (model.cell.component[p][q].stress)
          load.cell.row[p][q] = model.cell.component[p][q].target.at(time - state.phase_start);
  return load;
}

template <int D>
Eigen::VectorXd force_of(const Model<D>& model, const State<D>& state, const Freedoms<D>& freedoms, const Load<D>& load) {
  Eigen::VectorXd F = Eigen::VectorXd::Zero(freedoms.size());
  for (std::size_t k = 0; k < freedoms.body.size(); ++k) {
    const std::size_t i = freedoms.body[k];
    Vec<D> f = state.bodies.parameters.mass[i] * load.gravity;
    if (i < load.force.size()) f += load.force[i];
    for (int d = 0; d < D; ++d)
      if (const int column = freedoms.column(i, d); column >= 0) F[column] = f[d];
  }
  const std::vector<Vec<D>> shift = wall_shifts(model, state);
  for (std::size_t k = 0; k < freedoms.piston.size(); ++k) {
    const Piston<D>& piston = model.pistons[freedoms.piston[k]];
    double force = load.piston[freedoms.piston[k]] * static_cast<double>(piston.walls.size());
    if (piston.control == PistonControl::stress) force *= face_area(model, shift, piston);
    F[freedoms.column_of_piston(static_cast<int>(k))] = force;
  }
  const double volume = freedoms.gradient.empty() ? 0.0 : cell_volume(model, shift, lattice_of(model, state));
  for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
    F[freedoms.column_of_gradient(static_cast<int>(k))] =
        -volume * load.cell.row[freedoms.gradient[k].first][freedoms.gradient[k].second];
  return F;
}

#define MOREAU_INSTANTIATE(D)                                         \
  template Load<D> load_at(const Model<D>&, const State<D>&, double); \
  template Eigen::VectorXd force_of(const Model<D>&, const State<D>&, const Freedoms<D>&, const Load<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
