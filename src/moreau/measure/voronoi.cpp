#include "moreau/measure/voronoi.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <voro++/voro++.hh>
#pragma GCC diagnostic pop

namespace moreau::measure {

template <int D>
std::vector<VoronoiCell> voronoi_cells(const Sample<D>& sample, const Domain<D>& domain) {
  const Extent<D>& s = domain.shape;
  std::vector<VoronoiCell> cells;
  std::size_t inside = 0;
  double largest = 0.0;
  const Lattice<D>& lattice = sample.lattice;
  const auto place = [&](std::size_t i) {
    return lattice.any() ? lattice.folded(sample.state->position[i]) : sample.state->position[i];
  };
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_present(i)) continue;
    inside += s.contains(place(i)) ? 1 : 0;
    largest = std::max(largest, sample.parameters->radius[i]);
  }
  if (inside == 0 || (!lattice.any() && !(s.volume() > 0.0))) return cells;
  // The plane is a slab with all centres in its middle: its cells are prisms over those of the plane.
  const double thickness = 2.0 * largest;
  double low[3] = {0.0, 0.0, -0.5 * thickness}, high[3] = {0.0, 0.0, 0.5 * thickness}, volume = 1.0;
  int blocks[3] = {1, 1, 1};
  bool periodic[3] = {false, false, false};
  for (int d = 0; d < D; ++d) {
    periodic[d] = lattice.periodic[d];
    low[d] = periodic[d] ? lattice.origin[d] : s.low[d];
    high[d] = periodic[d] ? lattice.origin[d] + lattice.vectors.row[d][d] : s.high[d];
    volume *= high[d] - low[d];
  }
  const double side = std::pow(5.0 * volume / static_cast<double>(inside), 1.0 / D);  // about five bodies per block
  for (int d = 0; d < D; ++d) blocks[d] = std::clamp(static_cast<int>((high[d] - low[d]) / side), 1, 1000);
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
  voro::c_loop_all loop(container);
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
        result.neighbours += f >= 0 ? 1 : 0;
        for (int d = 0; d < D; ++d) {  // the library numbers the sides of the box -1 (low x), -2 (high x), ...
          if (periodic[d]) continue;
          if (f == -1 - 2 * d && !domain.low_wall[d]) result.open = true;
          if (f == -2 - 2 * d && !domain.high_wall[d]) result.open = true;
        }
      }
      cells.push_back(result);
    } while (loop.inc());
  std::sort(cells.begin(), cells.end(), [](const VoronoiCell& x, const VoronoiCell& y) { return x.body < y.body; });
  return cells;
}

template std::vector<VoronoiCell> voronoi_cells(const Sample<2>&, const Domain<2>&);
template std::vector<VoronoiCell> voronoi_cells(const Sample<3>&, const Domain<3>&);

}  // namespace moreau::measure
