// Sources: grains that appear one by one during the run, at rest, touching what is already there.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "moreau/base/random.hpp"
#include "moreau/drive/sizes.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline drive {

// One of the kinds of grains that a source brings.
struct SourceKind {
  double share = 1.0;       // of the number of grains
  std::int32_t shape = -1;  // index into the shapes of the bodies; -1: a ball
  SizeDistribution sizes;   // radii of balls
  std::int32_t material = 0;
  double density = 0.0;
};

template <int D>
struct Source {
  std::string name;
  double rate = 0.0;       // grains per unit time; where the rate is one of mass, no more than so many
  double mass_rate = 0.0;  // mass per unit time; 0: as many grains as `rate` says
  double start = 0.0, end = std::numeric_limits<double>::infinity();
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();  // at most this many grains
  SizeDistribution sizes;
  std::int32_t material = 0;
  double density = 0.0;
  std::vector<SourceKind> mixture;  // empty: balls, as the three lines above say
  Vec<D> centre{};                  // grains come on lines parallel to gravity, at most `spread` from the one through `centre`
  double spread = 0.0;              // uniform over the disc (in the plane: the segment) of this radius
  // A mesh through whose faces the lines go instead, uniform over its area: D corners of each face, and the area of the faces up
  // to and with each. `centre` and `spread` then hold all of it.
  std::vector<Vec<D>> inlet;
  std::vector<double> inlet_area;
};

// What a source has done so far; part of the state of the run.
struct SourceState {
  std::uint64_t emitted = 0;
  double mass = 0.0;  // of what was emitted; counted where the rate is one of mass
  RandomStream random;
};

}  // namespace moreau::inline drive
