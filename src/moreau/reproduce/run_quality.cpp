#include "moreau/reproduce/run_quality.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace moreau::reproduce {

void RunQuality::add(const std::string& name, std::uint64_t step, const RunTotals& totals, const Warnings& said) {
  ++runs, steps += step, unconverged_steps += totals.unconverged_steps;
  worst_residual = std::max(worst_residual, totals.worst_residual);
  worst_unbalanced = std::max(worst_unbalanced, totals.worst_unbalanced);
  worst_penetration = std::max(worst_penetration, totals.worst_penetration);
  for (const Warning& w : said.all()) warnings.push_back(fmt::format("run {}: {}", name, sentence_of(w)));
}

void RunQuality::add(const StepReport& report) {
  ++steps, unconverged_steps += report.certificate.converged ? 0 : 1;
  worst_residual = std::max(worst_residual, report.certificate.relative_residual());
  worst_unbalanced = std::max(worst_unbalanced, report.certificate.unbalanced);
  worst_penetration = std::max(worst_penetration, report.max_penetration);
}

std::string RunQuality::sentence() const {
  if (steps == 0) return "No run of a scene enters.";
  return fmt::format(
      "{} of {} steps did not converge (runs: {}); worst relative residual {:.1e}, worst momentum still owed {:.1e}, deepest "
      "overlap {:.1e} of a diameter; warnings: {}.",
      unconverged_steps, steps, runs, worst_residual, worst_unbalanced, worst_penetration, warnings.size());
}

}  // namespace moreau::reproduce
