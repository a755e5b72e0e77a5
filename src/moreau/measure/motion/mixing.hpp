// How well species are mixed, and means on grids.
//
// Lacey's index (Lacey 1954), with cells of unequal content: n_i bodies in cell i of K that are not empty, N in all, of which the
// species has the share p, and p_i in cell i,
//
//   S^2 = sum n_i (p_i - p)^2 / N,    S_0^2 = p (1 - p) of species apart,    S_R^2 = p (1 - p) (K - 1) / (N - 1) of labels dealt
//   at random M = (S_0^2 - S^2) / (S_0^2 - S_R^2)          0 apart, 1 on average where labels are dealt at random
#pragma once

#include <string>

#include "moreau/measure/region.hpp"

namespace moreau::measure {

// Of every body its species: by material if there are several among the free bodies, else small and large, at the middle between
// the smallest and the largest radius. -1: not free.
template <int D>
struct Species {
  std::vector<std::string> name;
  std::vector<std::int32_t> of_body;
};
template <int D>
Species<D> species_of(const Sample<D>& sample);

template <int D>
struct Mixing {
  std::size_t bodies = 0;  // of the species
  std::size_t cells = 0;   // that hold some body
  double share = 0.0, variance = 0.0, apart = 0.0, random = 0.0;
  double lacey = 0.0;
  double intensity = 0.0;  // S / S_0 (Danckwerts 1952): 1 apart, 0 the same in all cells
  Vec<D> offset{};         // of its middle from that of all bodies, in standard deviations of all places along each axis
};

// One for each species, over bodies with their centre in the region, in cells of width `cell`.
template <int D>
std::vector<Mixing<D>> mixing(const Sample<D>& sample, const Species<D>& species, const Region<D>& region, double cell);

// Means over the free bodies with their centre in a cell of a grid.
template <int D>
struct GridCell {
  Vec<D> centre{};
  double volume = 0.0;
  std::size_t bodies = 0;
  double solid_fraction = 0.0;  // volume of these bodies over that of the cell
  Vec<D> velocity{};            // weighted by mass
  double temperature = 0.0;     // sum m |v - mean|^2 / (D sum m) [velocity^2]
};
template <int D>
std::vector<GridCell<D>> grid_means(const Sample<D>& sample, double cell);

// The same over rings about the vertical axis through `axis` (space): centre = (r, 0, z), velocity = (radial, around, vertical).
std::vector<GridCell<3>> axial_means(const Sample<3>& sample, const Vec<3>& axis, double cell);

// Carrying contacts of a body of species a with bodies of species b, on average: entry [a][b]; the last column: with obstacles.
template <int D>
std::vector<std::vector<double>> species_coordination(const Sample<D>& sample, const Species<D>& species, double threshold);

}  // namespace moreau::measure
