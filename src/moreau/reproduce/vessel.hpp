// Shaken vessels seen once per period, at the same phase of the drive: where the grains are, how they circulate, pictures of it.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "moreau/draw/canvas.hpp"
#include "moreau/reproduce/workshop.hpp"

namespace moreau::reproduce {

// Positions of the free bodies at the frames of a run; the frames are one period apart.
template <int D>
struct Strobe {
  std::vector<double> time, radius;
  std::vector<std::vector<Vec<D>>> position;  // [frame][body]
  std::size_t frames() const { return time.size(); }
};
template <int D>
Strobe<D> strobe_of(const FinishedRun<D>& run);

// Mean vertical displacement from one frame to another, by distance to the side wall.
struct Circulation {
  double at_wall = 0.0;    // grains that were nearer to the side wall than `skin`
  double in_middle = 0.0;  // grains that were farther than two thirds of the largest distance
  double strength() const { return in_middle - at_wall; }
};
// `depth` is the distance of a point to the side wall, `most` its largest value in the vessel. Grains that were above `top` are
// left out: they fly.
template <int D>
Circulation circulation(const Strobe<D>& strobe, std::size_t from, std::size_t to,
                        const std::function<double(const Vec<D>&)>& depth, double most, double skin, double top);
// Mean and standard error over successive windows of `length` frames from `first` on.
struct MeanCirculation {
  Circulation mean, error;
  int windows = 0;
};
template <int D>
MeanCirculation mean_circulation(const Strobe<D>& strobe, std::size_t first, std::size_t length,
                                 const std::function<double(const Vec<D>&)>& depth, double most, double skin, double top);

// Distance from the side wall at which the mean vertical displacement, negative at the wall, becomes positive; as far as the
// middle of the vessel if it does not, 0 if it is not negative at the wall. Over windows of `length` frames from `first` on, in
// classes of `width`.
template <int D>
double layer_thickness(const Strobe<D>& strobe, std::size_t first, std::size_t length,
                       const std::function<double(const Vec<D>&)>& depth, double most, double width, double top);

// Rotation of the mean displacement, and rms displacement, of the grains that were in a rectangle.
struct Patch {
  double rotation = 0.0, rms = 0.0;
};
Patch patch(const Strobe<2>& strobe, std::size_t from, std::size_t to, double x0, double x1, double y0, double y1);
// The two upper corners of a vessel from x = 0 to `width`: a fifth of it wide, 0.35 of the height of the pack high.
struct Corners {
  Patch left, right;
};
Corners upper_corners(const Strobe<2>& strobe, std::size_t from, std::size_t to, double width, double floor);

// Height below which a share of the grains lies.
template <int D>
double height_of_share(const Strobe<D>& strobe, std::size_t frame, double share);

struct Bead {
  Vec<2> from, to;
  double radius = 0.0;
  Colour fill = grey(0.85);
};
// Beads where they were, and a line from there to where they went; the sides of the vessel, and its bottom, as lines.
void draw_displacements(const std::vector<Bead>& beads, double left, double right, double bottom, const std::string& title,
                        const std::filesystem::path& file, int width = 900);

}  // namespace moreau::reproduce
