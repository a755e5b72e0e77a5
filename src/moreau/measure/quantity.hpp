// Every quantity by name, as the command line and the scene ask for it: from a sample (and for some an earlier one) to a table.
#pragma once

#include <string>
#include <vector>

#include "moreau/measure/heap/strips.hpp"
#include "moreau/measure/region_choice.hpp"
#include "moreau/measure/table.hpp"

namespace moreau::measure {

// Bodies that follow one another, under a name.
struct NamedGroup {
  std::string name;
  std::size_t first = 0, count = 1;
};

// What can be chosen, with defaults that suit most samples. Zero means: chosen from the sample.
struct Choices {
  std::vector<RegionChoice> regions;  // empty: the whole sample
  bool kinetic = false;               // stress with its kinetic part
  bool walls = false;                 // directions: contacts with obstacles, too
  double axis[2] = {0.0, 0.0};        // where the vertical axis of rings, strips and heaps stands (2-D: x, and y for rings)
  double width = 0.0;                 // of rings of ground pressure, cells of maps, classes of a layer; 0: two mean diameters
  int classes = 0;                    // of histograms; 0: 36 of angle, 40 of force, 10 of mobilisation
  int sectors = 12;                   // of a heap
  double threshold = 1e-6;            // contacts carry when their normal force exceeds this times the mean
  double slice = 0.0;                 // thickness of the slice of a fossil layer; 0: four mean diameters
  double born[2] = {0.0, HUGE_VAL};   // window of births of a fossil layer
  std::vector<Strip> strips;
  std::vector<NamedGroup> bodies;      // whose history is wanted; empty: all free ones
  double point[3] = {0.0, 0.0, 0.0};   // of the plane through which flow is measured
  double normal[3] = {0.0, 0.0, 0.0};  // its normal; zero: no plane, only sinks
  double opening = 0.0;                // joints open or slid by less are whole; 0: 3e-4 of the stones
  std::vector<std::size_t> contacts;   // for the indeterminacy; empty: all, if there are at most 500, else the 20 strongest
};

// An entry [[measure]] of a scene, taken during the run.
struct SampledMeasure {
  enum class Since { start, last, phase };
  std::string name;  // of the file it is written to
  std::string quantity;
  double every = 0.0;          // simulated time between samples
  double offset = 0.0;         // time of one of them; of a stroboscope, less than `every`
  double average = 0.0;        // mean over the steps of this last part of `every`; 0: the step of the sample alone
  Since since = Since::start;  // quantities of two instants: the earlier is the start of the run or the phase, or the last sample
  Choices choices;
};

enum class Needs { one, two };  // instants

template <int D>
struct Quantity {
  std::string name;
  std::string what;  // one line
  Needs needs = Needs::one;
  bool by_region = false;  // heeds Choices::regions
  Table (*measure)(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) = nullptr;
};

// In the order of docs/measures.md.
template <int D>
const std::vector<Quantity<D>>& quantities();

template <int D>
const Quantity<D>* find_quantity(const std::string& name);  // null if there is none

// What `moreau measure` shows when nothing is named.
std::vector<std::string> usual_quantities();

// Of the free bodies; 0 without any.
template <int D>
double mean_diameter(const Sample<D>& sample);

template <int D>
inline Vec<D> axis_of(const Choices& choices) {
  Vec<D> centre{};
  centre[0] = choices.axis[0], centre[1] = choices.axis[1];
  return centre;
}

// The regions chosen, resolved; the whole sample if none is.
template <int D>
std::vector<Region<D>> regions_of(const Sample<D>& sample, const Choices& choices);
// The same for what is counted by bodies and not per volume: the whole sample then has every body, also those in flight.
template <int D>
std::vector<Region<D>> regions_of_bodies(const Sample<D>& sample, const Choices& choices);

// By subject; each in its own file.
template <int D>
void add_stress_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_loading_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_packing_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_contact_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_motion_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_heap_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_rigidity_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_flow_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_mixing_quantities(std::vector<Quantity<D>>& list);
template <int D>
void add_masonry_quantities(std::vector<Quantity<D>>& list);

}  // namespace moreau::measure
