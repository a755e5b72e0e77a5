// What is measured on a conical pile at one instant: shape, density, pressure on the ground, forces across cuts.
#pragma once

#include <vector>

#include "moreau/measure/ground_pressure.hpp"
#include "moreau/measure/heap_slope.hpp"
#include "moreau/measure/sample.hpp"
#include "moreau/reproduce/workshop.hpp"

namespace moreau::reproduce {

struct PileInstant {
  Frame<3> frame;
  measure::Sample<3> sample;

  PileInstant(const FinishedRun<3>& run, double time);  // the frame next to this time; the last one if it is later
  PileInstant(const PileInstant&) = delete;

  double top_speed() const;
  std::size_t carrying() const;  // contacts
  std::size_t grains() const;
};

// Pressure on the ground by rings about the axis [dPa].
struct PilePressure {
  std::vector<double> radius, ring;  // middle of a ring, pressure there
  double centre = 0.0;               // mean over the two innermost rings: one of them is a few grains
  double largest = 0.0;              // of all rings
};
inline constexpr double ring_width = 0.75;  // cm: two mean diameters
PilePressure pressure_under(const PileInstant& now);

// Forces across upright cylindrical cuts where fossil layers cross them.
struct PileCuts {
  std::vector<double> angle;     // between the force and the layer [degrees], where both are known
  std::vector<double> residual;  // of reciprocity with a sloped cut through the same point
};
// `poured`: time at which pouring ended; layers are told apart by the times of birth of their grains.
PileCuts cuts_of(const PileInstant& now, const measure::HeapSlope& heap, double poured);

// The bank, from 0.4 of the radius of the cone outwards: layers against the free surface, and forces across cones parallel to it.
struct PileBank {
  std::vector<double> layer_angle;    // slope of fossil layers below the horizontal, outwards [degrees]
  std::vector<double> from_vertical;  // direction of the force on a cone parallel to the surface [degrees]; positive: outwards
};
PileBank bank_of(const PileInstant& now, const measure::HeapSlope& heap, double poured);

// How far the grains of a layer lie from the axis, and how high those do that have stayed near it.
struct CentralGrains {
  double share = 0.0;   // of the layer, within `reach` of the axis
  double height = 0.0;  // their mean height
};
CentralGrains central_grains(const PileInstant& now, double born_from, double born_to, double reach);

// How far the top rises above the surface at two to three ring widths from the axis: less when the apex is round.
double apex_rise(const PileInstant& now);

measure::HeapSlope slope_of(const PileInstant& now);

// Share of matter in the heart of the pile: a cylinder that lies well inside the cone.
double bulk_density(const PileInstant& now, const measure::HeapSlope& heap);

}  // namespace moreau::reproduce
