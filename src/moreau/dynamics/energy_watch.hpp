// What must be remembered of the steps so far to tell whether contacts create energy.
#pragma once

namespace moreau::inline dynamics {

struct EnergyWatch {
  double most_dissipated = 0.0;  // highest the ledger's `dissipated` has been
  double explained = 0.0;        // since then: what the residuals of the solver may have created
  double turnover = 0.0;         // largest kinetic energy, dissipation and work of walls so far
};

}  // namespace moreau::inline dynamics
