#include "moreau/measure/packing/voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <voro++/voro++.hh>
#pragma GCC diagnostic pop

#include "moreau/base/whole.hpp"

namespace moreau::measure {

namespace {

template <int D>
bool is_sheared(const Lattice<D>& lattice) {
  for (int p = 0; p < D; ++p)
    for (int q = p + 1; q < D; ++q)
      if (lattice.vectors.row[p][q] != 0.0) return true;
  return false;
}

// What both kinds of container, upright and sheared, do alike. `sides`: open[2 d] and open[2 d + 1] tell of low and high sides.
template <int D, class Container, class Loop>
std::vector<VoronoiCell> cells_of(Container& container, Loop loop, const Sample<D>& sample, double thickness,
                                  const bool (&open)[6]) {
  std::vector<VoronoiCell> cells;
  voro::voronoicell_neighbor cell;
  if (loop.start()) do {
      const std::size_t i = static_cast<std::size_t>(loop.pid());
      if (!sample.is_free(i) || !container.compute_cell(cell, loop)) continue;
      VoronoiCell result;
      result.body = i;
      result.volume = cell.volume() / (D == 2 ? thickness : 1.0);
      result.fraction = sample.volume[i] / result.volume;
      std::vector<int> faces;
      cell.neighbors(faces);
      for (const int f : faces) {
        result.neighbours += f >= 0 && f != static_cast<int>(i) ? 1 : 0;
        if (f < 0 && f >= -6)
          result.open = result.open || open[-1 - f];  // the library numbers sides -1 (low x), -2 (high x), ...
      }
      cells.push_back(result);
    } while (loop.inc());
  std::sort(cells.begin(), cells.end(), [](const VoronoiCell& x, const VoronoiCell& y) { return x.body < y.body; });
  return cells;
}

// The plane is a slab as thick as this with all centres in its middle: its cells are prisms over those of the plane.
template <int D>
double slab(const Sample<D>& sample) {
  double largest = 0.0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_present(i)) largest = std::max(largest, sample.parameters->radius[i]);
  return 2.0 * largest;
}

int blocks_along(double length, double side) { return static_cast<int>(std::clamp<std::int64_t>(whole(length / side), 1, 1000)); }

// The same lattice with each vector sheared by at most half of those before it; the cell stays one of upright vectors, sheared.
template <int D>
Lattice<D> least_sheared(Lattice<D> lattice) {
  auto& v = lattice.vectors.row;
  for (int q = 1; q < D; ++q)
    for (int p = q - 1; p >= 0; --p) {
      const double times = std::round(v[p][q] / v[p][p]);
      for (int i = 0; i <= p; ++i) v[i][q] -= times * v[i][p];
    }
  return lattice;
}

// A cell that is sheared, periodic in every direction.
template <int D>
std::vector<VoronoiCell> sheared_cells(const Sample<D>& sample) {
  const Lattice<D> lattice = least_sheared(sample.lattice);
  const auto& v = lattice.vectors.row;
  const double thickness = slab(sample), depth = D == 3 ? v[D - 1][D - 1] : thickness;
  std::size_t present = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) present += sample.is_present(i) ? 1 : 0;
  if (present == 0) return {};
  const double side = std::pow(5.0 * lattice.volume() / static_cast<double>(present), 1.0 / D);
  voro::container_periodic_poly container(v[0][0], v[0][1], v[1][1], D == 3 ? v[0][D - 1] : 0.0, D == 3 ? v[1][D - 1] : 0.0,
                                          depth, blocks_along(v[0][0], side), blocks_along(v[1][1], side),
                                          D == 3 ? blocks_along(depth, side) : 1, 16);
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_present(i)) continue;
    const Vec<D> x = sample.state->position[i] - lattice.origin;
    container.put(static_cast<int>(i), x[0], x[1], D == 3 ? x[D - 1] : 0.5 * depth, sample.parameters->radius[i]);
  }
  const bool open[6] = {};
  return cells_of<D>(container, voro::c_loop_all_periodic(container), sample, thickness, open);
}

}  // namespace

template <int D>
std::vector<VoronoiCell> voronoi_cells(const Sample<D>& sample, const Domain<D>& domain) {
  const Lattice<D>& lattice = sample.lattice;
  if (lattice.any() && is_sheared(lattice)) return sheared_cells(sample);
  const Extent<D>& s = domain.shape;
  std::size_t inside = 0;
  const auto place = [&](std::size_t i) {
    return lattice.any() ? lattice.folded(sample.state->position[i]) : sample.state->position[i];
  };
  for (std::size_t i = 0; i < sample.bodies(); ++i) inside += sample.is_present(i) && s.contains(place(i)) ? 1 : 0;
  if (inside == 0 || (!lattice.any() && !(s.volume() > 0.0))) return {};
  const double thickness = slab(sample);
  double low[3] = {0.0, 0.0, -0.5 * thickness}, high[3] = {0.0, 0.0, 0.5 * thickness}, volume = 1.0;
  int blocks[3] = {1, 1, 1};
  bool periodic[3] = {false, false, false}, open[6] = {};
  for (int d = 0; d < D; ++d) {
    periodic[d] = lattice.periodic[d];
    low[d] = s.lower(d), high[d] = s.upper(d);
    volume *= high[d] - low[d];
    open[2 * d] = !periodic[d] && !domain.low_wall[d], open[2 * d + 1] = !periodic[d] && !domain.high_wall[d];
  }
  const double side = std::pow(5.0 * volume / static_cast<double>(inside), 1.0 / D);  // about five bodies per block
  for (int d = 0; d < D; ++d) blocks[d] = blocks_along(high[d] - low[d], side);
  voro::container_poly container(low[0], high[0], low[1], high[1], low[2], high[2], blocks[0], blocks[1], blocks[2], periodic[0],
                                 periodic[1], periodic[2], 16);
  std::unique_ptr<voro::wall_cylinder> round;
  if (domain.radial_wall) {
    round = std::make_unique<voro::wall_cylinder>(s.centre[0], s.centre[1], 0.0, 0.0, 0.0, 1.0, s.outer);
    container.add_wall(*round);
  }
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    const Vec<D> x = place(i);
    if (sample.is_present(i) && s.contains(x))
      container.put(static_cast<int>(i), x[0], x[1], D == 3 ? x[D - 1] : 0.0, sample.parameters->radius[i]);
  }
  return cells_of<D>(container, voro::c_loop_all(container), sample, thickness, open);
}

template std::vector<VoronoiCell> voronoi_cells(const Sample<2>&, const Domain<2>&);
template std::vector<VoronoiCell> voronoi_cells(const Sample<3>&, const Domain<3>&);

}  // namespace moreau::measure
