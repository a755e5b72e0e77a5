// What happens between two plateaus of a load path: a record.
#pragma once

#include <string>
#include <vector>

#include "moreau/statics/contact.hpp"

namespace moreau::geometric {

// The packing held while the load parameter went from `from` to `at`; there a contact opened and the packing moved until another
// list held it. The last event of a path ends at its end without motion: `moved` is false.
struct Event {
  double from = 0.0, at = 0.0;  // load parameter; `at` < `from` when unloading
  bool moved = false;
  std::string failure;   // why no new equilibrium was found; empty if one was
  int list_changes = 0;  // contacts opened one after the other
  int path_steps = 0, factorisations = 0;
  int programs = 0;  // linear programs that led on where the motion could not be followed (statics/finish.hpp); mostly none
  std::vector<statics::Pair> lost, gained;  // between the two equilibria
  int lost_weak = 0, gained_weak = 0;  // of those, with less than the mean force: when the first contact opens, and afterwards
  statics::Pair first_opened;
  double work = 0.0;               // of the load, frozen within each motion: by so much the potential energy fell
  std::vector<double> piston;      // displacement of every piston during the event
  int contacts = 0, freedoms = 0;  // of the list that holds afterwards: equal
  double imbalance = 0.0;          // of its forces, over their mean
  double largest_gap = 0.0;        // of its contacts [length]
  double least_force = 0.0;        // over the mean
};

}  // namespace moreau::geometric
