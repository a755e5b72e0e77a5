#include "moreau/cli/dense_packing.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/engines/simulation.hpp"

namespace moreau {

namespace {

constexpr double density = 6.0 / std::numbers::pi;  // a ball of diameter 1 has mass 1

template <int D>
Model<D> box_model(double length) {
  Model<D> model;
  model.gravity[D - 1] = -9.81;
  model.time_step = 5e-3;
  model.rule = ContactRule::predictive;
  model.materials = {{"grain", density}};
  model.pair_laws = {{0.5, 0.0, 0.0}};
  const auto plane = [&](int axis, double position, double side) {
    Wall<D> wall;
    wall.geometry.point[axis] = position;
    wall.geometry.direction[axis] = side;
    model.walls.push_back(wall);
  };
  plane(D - 1, 0.0, 1.0);
  for (int d = 0; d < D - 1; ++d) plane(d, 0.0, 1.0), plane(d, length, -1.0);
  return model;
}

// Balls on a jittered square lattice, dropped into the box and brought to rest: roughly while they fall, with care at the end.
template <int D>
Bodies<D> settled_block(std::size_t count, double length, std::uint64_t seed) {
  Bodies<D> bodies;
  RandomStream random(seed);
  const std::size_t across = static_cast<std::size_t>(std::max(1.0, std::floor(length / 1.25)));
  for (std::size_t i = 0; i < count; ++i) {
    Vec<D> x;
    std::size_t rest = i;
    for (int d = 0; d < D - 1; ++d) {
      x[d] = (static_cast<double>(rest % across) + 0.5) * length / static_cast<double>(across);
      rest /= across;
    }
    x[D - 1] = (static_cast<double>(rest) + 0.5) * 1.25;
    for (int d = 0; d < D; ++d) x[d] += random.uniform(-0.02, 0.02);
    bodies.append(homogeneous_ball<D>(x, 0.5 * random.uniform(0.8, 1.2), density));
  }
  Model<D> model = box_model<D>(length);
  model.solver = {.tolerance = 1e-2, .unbalanced_tolerance = 0.5, .max_sweeps = 40};
  Simulation<D> simulation(model, std::move(bodies), seed);
  for (int i = 0; i < 600; ++i) simulation.step();
  simulation.mutable_model().solver = {.max_sweeps = 400};
  for (int i = 0; i < 100; ++i) simulation.step();
  return simulation.state().bodies;
}

}  // namespace

template <int D>
DensePacking<D> dense_packing(std::size_t count, std::uint64_t seed) {
  const double share = static_cast<double>(count) / 1000.0;
  const std::size_t tiles = static_cast<std::size_t>(std::max(1.0, std::round(D == 2 ? share : std::sqrt(share))));
  const std::size_t block_count = std::max<std::size_t>(1, count / (D == 2 ? tiles : tiles * tiles));
  const double length = std::max(2.5, std::pow(static_cast<double>(block_count), 1.0 / D));
  const Bodies<D> block = settled_block<D>(block_count, length, seed);

  DensePacking<D> packing;
  packing.model = box_model<D>(length * static_cast<double>(tiles));
  for (std::size_t ty = 0; ty < (D == 2 ? 1 : tiles); ++ty)
    for (std::size_t tx = 0; tx < tiles; ++tx)
      for (std::size_t i = 0; i < block.size(); ++i) {
        Vec<D> x = block.state.position[i];
        const std::size_t tile[2] = {tx, ty};
        for (int d = 0; d < D - 1; ++d) x[d] = static_cast<double>(tile[d]) * length + (tile[d] % 2 == 0 ? x[d] : length - x[d]);
        packing.bodies.append(homogeneous_ball<D>(x, block.parameters.radius[i], density));
      }
  return packing;
}

template DensePacking<2> dense_packing(std::size_t, std::uint64_t);
template DensePacking<3> dense_packing(std::size_t, std::uint64_t);

}  // namespace moreau
