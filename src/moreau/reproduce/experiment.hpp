// The published experiments, by name. Each is one file of this room and one folder of experiments/.
#pragma once

#include <string>
#include <vector>

#include "moreau/reproduce/report.hpp"
#include "moreau/reproduce/workshop.hpp"

namespace moreau::reproduce {

struct Experiment {
  std::string name;    // of the command and of the folder in experiments/
  std::string title;   // of the page
  std::string source;  // where it was published
  Report (*carry_out)(const Workshop&);
};

const std::vector<Experiment>& experiments();

Report conical_pile(const Workshop&);
Report stone_arch(const Workshop&);
Report corner_circulation(const Workshop&);
Report segregation(const Workshop&);
Report shaken_cylinder(const Workshop&);
Report classics(const Workshop&);
Report indeterminacy(const Workshop&);
Report alart(const Workshop&);

}  // namespace moreau::reproduce
