#include "moreau/draw/picture/cell.hpp"

#include <array>

#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau::inline draw {

namespace {

constexpr Colour border = grey(0.45);
constexpr double beyond = 100.0;  // lengths of the cell: past every window, which cuts them

Vec<3> at(const Lattice<2>& cell, double u, double v) {
  const Matrix<2>& m = cell.vectors;
  return {{cell.origin[0] + u * m.row[0][0] + v * m.row[0][1], cell.origin[1] + u * m.row[1][0] + v * m.row[1][1], 0.0}};
}

}  // namespace

std::vector<Vec<3>> cell_corners(const Lattice<2>& lattice) {
  if (!lattice.all()) return {};
  const Lattice<2> cell = compact(lattice);
  return {at(cell, 0, 0), at(cell, 1, 0), at(cell, 1, 1), at(cell, 0, 1)};
}

void draw_cell(Canvas& canvas, const Camera& camera, const Lattice<2>& lattice, double letter) {
  if (!lattice.any()) return;
  const double width = 0.09 * letter;
  const Lattice<2> cell = compact(lattice);
  for (const double side : {0.0, 1.0}) {
    const bool all = lattice.all();
    const double from = all ? 0.0 : -beyond, to = all ? 1.0 : beyond;
    if (lattice.periodic[0])
      canvas.line(camera.project(at(cell, side, from)).at, camera.project(at(cell, side, to)).at, width, border);
    if (lattice.periodic[1])
      canvas.line(camera.project(at(cell, from, side)).at, camera.project(at(cell, to, side)).at, width, border);
  }
}

}  // namespace moreau::inline draw
