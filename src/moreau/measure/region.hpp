// Parts of space over which a measure is taken: a box, optionally between two radii about the vertical axis (in the plane: about
// a point), optionally with a hole of the same kind. All volumes are exact.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

template <int D>
struct Extent {
  Vec<D> low, high;  // the box; infinite where it has no side
  Vec<D> centre{};   // the radii are measured from the vertical axis through it (2-D: from it)
  double inner = 0.0, outer = unbounded;
  // In a periodic cell the shape is repeated with it. Its vectors are upright ones, sheared: the last coordinate of all but the
  // last vector is zero, and so on, so that a box as long as the diagonal holds each place once, whatever the shear.
  Lattice<D> lattice{};

  Extent() {
    for (int d = 0; d < D; ++d) low[d] = -unbounded, high[d] = unbounded;
  }
  bool contains(const Vec<D>& x) const;
  Vec<D> folded(Vec<D> x) const;  // the copy in the box from the lower side of the shape, or of the cell where it has none
  double lower(int d) const { return low[d] == -unbounded && lattice.periodic[d] ? lattice.origin[d] : low[d]; }
  double upper(int d) const {  // no farther than one cell
    return lattice.periodic[d] ? std::min(high[d], lower(d) + lattice.vectors.row[d][d]) : high[d];
  }
  double radius_of(const Vec<D>& x) const { return std::hypot(x[0] - centre[0], x[1] - centre[1]); }
  double volume() const;                   // 2-D: area; 0 if empty
  double distance(const Vec<D>& x) const;  // to the nearest surface of any part of the boundary, extended: a lower bound
};

template <int D>
struct Region {
  std::string name;
  Extent<D> outside;
  std::optional<Extent<D>> hole = {};  // inside `outside`
  // Where a region reaches through a wall, so that a contact that overlaps it is not lost, the volume is that of its part within.
  std::optional<double> volume_within = {};
  bool contains(const Vec<D>& x) const { return outside.contains(x) && !(hole && hole->contains(x)); }
  double volume() const { return volume_within ? *volume_within : outside.volume() - (hole ? hole->volume() : 0.0); }
};

// Share of the segment from p to q that lies in the region, 0 to 1.
template <int D>
double share_of_segment(const Region<D>& region, const Vec<D>& p, const Vec<D>& q);

// Share of the ball that lies in the region. Exact when the ball is whole inside or outside, else by 2304 (2-D) or 2744 (3-D)
// points that stand for equal volumes: wrong by less than 0.01.
template <int D>
double share_of_ball(const Region<D>& region, const Vec<D>& centre, double radius);

// Where the sample is: bounded by the walls that are planes across an axis, by a vertical cylinder (2-D: a circle), and elsewhere
// by the free bodies that touch something.
template <int D>
struct Domain {
  Extent<D> shape;
  bool low_wall[D] = {}, high_wall[D] = {}, radial_wall = false;
  // In a periodic cell the shape has no end along the periodic directions, and this is the volume of one cell of it.
  std::optional<double> cell_volume = {};
  Region<D> whole() const { return through_walls({"all", shape, {}, cell_volume}); }
  // `region` made to reach through the walls it touches; its volume stays.
  Region<D> through_walls(Region<D> region) const;
  // Without the layer of thickness `skin` along the walls; empty if nothing is left.
  std::optional<Region<D>> bulk(double skin) const;
  Region<D> skin(double thickness) const;  // that layer
};

template <int D>
Domain<D> domain_of(const Sample<D>& sample);

// Area of the part of a rectangle that lies in the disc of radius R about the origin.
double rectangle_in_disc(double x0, double x1, double y0, double y1, double R);

// The common part of two shapes whose radii, where both have them, have the same centre.
template <int D>
Extent<D> common_part(const Extent<D>& p, const Extent<D>& q);

}  // namespace moreau::measure
