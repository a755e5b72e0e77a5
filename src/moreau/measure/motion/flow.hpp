// Bodies that cross a plane or leave through a sink between two instants, and what driven walls do.
#pragma once

#include <string>

#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

struct Crossing {
  std::size_t forward = 0, backward = 0;  // bodies
  double mass_forward = 0.0, mass_backward = 0.0;
};

// Free at the first instant, or come since; on the other side of the plane at the second (bodies removed in between: where they
// were last). Forward is along `normal`. Who crosses and comes back between the two instants is not seen.
template <int D>
Crossing crossings(const Sample<D>& before, const Sample<D>& after, const Vec<D>& point, const Vec<D>& normal);

struct Exit {
  std::size_t body = 0;
  std::int64_t sink = -1;  // the first that holds its last place
  double residence = 0.0;  // from birth to the middle between the two instants [time]
};

// Bodies that left between the two instants.
template <int D>
std::vector<Exit> exits(const Sample<D>& before, const Sample<D>& after);

// What a wall, or the driven bodies of one motion together, give to the sample.
template <int D>
struct WallDrive {
  std::string name;
  Vec<D> force{};      // of the sample on it
  Spin<D> torque{};    // same, about the axis of its motion if it turns, else about the origin
  double power = 0.0;  // of it on the sample: + it drives, - it is driven
};

template <int D>
std::vector<WallDrive<D>> wall_drives(const Sample<D>& sample);

}  // namespace moreau::measure
