// How well the steps of an experiment were solved, over all its runs: what a page of results must say of itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moreau/dynamics/report.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::reproduce {

struct RunQuality {
  std::uint64_t runs = 0, steps = 0, unconverged_steps = 0;
  double worst_residual = 0.0;             // relative, of any step
  double worst_unbalanced = 0.0;           // momentum still owed, relative
  double worst_penetration = 0.0;          // of a diameter
  std::vector<std::string> warnings = {};  // "run NAME: sentence"

  // A run carried to its end.
  void add(const std::string& name, std::uint64_t step, const RunTotals& totals, const Warnings& said);
  // A step made outside of the runs.
  void add(const StepReport& report);

  std::string sentence() const;
};

}  // namespace moreau::reproduce
