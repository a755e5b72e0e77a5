// Local density: the share of its Voronoi cell that a body fills. Radical cells, so that no cell cuts a larger neighbour
// (voro++).
#pragma once

#include "moreau/measure/region.hpp"

namespace moreau::measure {

struct VoronoiCell {
  std::size_t body = 0;
  double volume = 0.0;    // of the cell (2-D: area)
  double fraction = 0.0;  // matter / volume
  int neighbours = 0;
  bool open = false;  // reaches a side of the domain where there is no wall: its volume means nothing
};

// Cells of the free bodies with their centre in the domain; bodies that are not free bound them. Their volumes add up to that of
// the domain when all bodies are free.
template <int D>
std::vector<VoronoiCell> voronoi_cells(const Sample<D>& sample, const Domain<D>& domain);

}  // namespace moreau::measure
