#include "moreau/course/record.hpp"

#include <algorithm>

namespace moreau::inline course {

void add(RunTotals& totals, const StepReport& r) {
  const Certificate& c = r.certificate;
  ++totals.steps;
  totals.sweeps += static_cast<std::uint64_t>(c.sweeps);
  totals.relaxations += static_cast<std::uint64_t>(c.sweeps) * r.contacts;
  totals.unconverged_steps += c.converged ? 0 : 1;
  totals.unbounded_steps += c.unbounded ? 1 : 0;
  totals.worst_residual = std::max(totals.worst_residual, c.relative_residual());
  totals.worst_unbalanced = std::max(totals.worst_unbalanced, c.unbalanced);
  totals.factorisations += static_cast<std::uint64_t>(c.factorisations);
  totals.worst_error = std::max(totals.worst_error, c.error);
  totals.worst_body_error = std::max(totals.worst_body_error, c.body_error);
  totals.worst_penetration = std::max(totals.worst_penetration, r.max_penetration);
  totals.max_contacts = std::max(totals.max_contacts, r.contacts);
  totals.max_speed = std::max(totals.max_speed, r.max_speed);
  totals.card_steps += r.on_card ? 1 : 0;
  totals.card_swept_steps += r.swept_on_card ? 1 : 0;
  totals.fast_steps += r.fast ? 1 : 0;
}

}  // namespace moreau::inline course
