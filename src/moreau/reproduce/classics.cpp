#include "moreau/reproduce/classics.hpp"

#include "moreau/reproduce/experiment.hpp"

namespace moreau::reproduce {

Report classics(const Workshop& workshop) {
  Report report;
  report.protocol = {
      "Eight small problems of the papers, each run through the same step as a packing of grains: scene file, contact detection, "
      "Gauss-Seidel solver, midpoint update. The papers describe them in words; the exact answers follow from their equations "
      "and "
      "are derived in the README of this experiment."};
  using Classic = Section (*)(const Workshop&);
  for (const Classic classic :
       {wedged_bar, rocking_block, superball, bead_impacts, painleve_rod, sweeping_process, bounce_accumulation, newtons_chain}) {
    workshop.stop_if_interrupted();
    report.sections.push_back(classic(workshop));
    workshop.tell(report.sections.back().title);
  }
  return report;
}

}  // namespace moreau::reproduce
