#include "moreau/reproduce/experiment.hpp"

namespace moreau::reproduce {

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"conical-pile", "Conical pile of 14 000 grains", "Moreau 2003, sec. 9; 2004, sec. 10", conical_pile},
      {"stone-arch", "Stone arch forced at its key stone", "Moreau 2004, sec. 9", stone_arch},
      {"corner-circulation", "Shaken box: circulation in the corners", "Moreau 1994, Fig. 1", corner_circulation},
      {"segregation", "Size segregation and convection in a shaken vessel", "Moreau 1994, Fig. 2", segregation},
      {"shaken-cylinder", "Beads in a shaken cylinder", "Moreau 1994, Fig. 3", shaken_cylinder},
      {"classics", "Small classics with exact answers", "Moreau 1994, 2003, 2004", classics},
      {"indeterminacy", "Indeterminacy of contact forces", "Moreau 2003, sec. 8", indeterminacy},
      {"alart", "Problems without solution, and shocks in chains", "Alart 2015", alart},
  };
  return all;
}

}  // namespace moreau::reproduce
