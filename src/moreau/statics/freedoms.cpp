#include "moreau/statics/freedoms.hpp"

namespace moreau::statics {

template <int D>
Freedoms<D> freedoms_of(const Model<D>& model, std::size_t all_bodies, std::vector<std::size_t> bodies, bool spins) {
  Freedoms<D> f;
  f.place.assign(all_bodies, Freedoms<D>::elsewhere);
  f.body = std::move(bodies);
  for (std::size_t k = 0; k < f.body.size(); ++k) f.place[f.body[k]] = static_cast<int>(k);
  f.spins = spins;
  f.wall_piston.assign(model.walls.size(), -1);
  f.wall_direction.assign(model.walls.size(), Vec<D>{});
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    if (model.pistons[p].control == PistonControl::velocity || model.pistons[p].stiffness > 0.0) continue;  // soil bears any load
    for (const PistonWall<D>& part : model.pistons[p].walls) {
      f.wall_piston[static_cast<std::size_t>(part.wall)] = static_cast<int>(f.piston.size());
      f.wall_direction[static_cast<std::size_t>(part.wall)] = part.direction;
    }
    f.piston.push_back(p);
  }
  if (model.cell.deforms)
    for (int p = 0; p < D; ++p)
      for (int q = p; q < D; ++q)
        if (model.cell.component[p][q].stress) f.gradient.push_back({p, q});
  return f;
}

template <int D>
Freedoms<D> freedoms_of(const Model<D>& model, const Bodies<D>& bodies, bool spins) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) free.push_back(i);
  return freedoms_of(model, bodies.size(), std::move(free), spins);
}

template Freedoms<2> freedoms_of(const Model<2>&, std::size_t, std::vector<std::size_t>, bool);
template Freedoms<3> freedoms_of(const Model<3>&, std::size_t, std::vector<std::size_t>, bool);
template Freedoms<2> freedoms_of(const Model<2>&, const Bodies<2>&, bool);
template Freedoms<3> freedoms_of(const Model<3>&, const Bodies<3>&, bool);

}  // namespace moreau::statics
