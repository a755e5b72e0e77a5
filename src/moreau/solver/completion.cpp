#include "moreau/solver/completion.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/base/elementary.hpp"
#include "moreau/solver/error_estimate.hpp"
#include "moreau/solver/finishing.hpp"

namespace moreau::inline solver {

namespace {

constexpr int craig_steps = 20;
// Costs, counted rather than measured, so that the same step takes the same way on every machine.
constexpr double multiplication_nanoseconds = 0.7;  // in a factorisation
constexpr double contact_nanoseconds = 700.0;  // of a contact in a step of Newton's method, in the plane; in space three times
constexpr double longest_nanoseconds = 1e9;    // that finishing a large part may be expected to take
constexpr double settling_nanoseconds = 2e6;   // that a factorisation of a part may take to be made before sweeps
constexpr int settling_factorisations = 8;
constexpr int usual_factorisations = 5, most_factorisations = 60;                  // of a structure
constexpr int usual_packing_factorisations = 60, most_packing_factorisations = 200;  // of grains with friction

// Of one step of Newton's method.
template <int D>
double newton_nanoseconds(const Finisher<D>& finisher, const StepSystem<D>& part) {
  return multiplication_nanoseconds * finisher.work() +
         contact_nanoseconds * (D == 3 ? 3.0 : 1.0) * static_cast<double>(part.contacts.size());
}

template <int D>
class Completer {
 public:
  Completer(StepSystem<D>& system, const CompletionTask& task) : system_(system), task_(task) {}

  Completion complete() {
    const std::vector<std::vector<std::int32_t>> parts = system_.parts();
    PartNumbers numbers;
    if (task_.structures_only) leave_packings();
    for (const auto& contacts : parts) {
      if (system_.contacts[static_cast<std::size_t>(contacts.front())].left) continue;
      if (parts.size() == 1) {
        complete_part(system_, {});
      } else {
        std::vector<std::int32_t> bodies;
        StepSystem<D> part = system_.part(contacts, bodies, numbers);
        if (complete_part(part, bodies))
          for (std::size_t i = 0; i < contacts.size(); ++i)
            system_.contacts[static_cast<std::size_t>(contacts[i])].impulse = part.contacts[i].impulse;
      }
    }
    result_.error = std::sqrt(kinetic_square_ / system_.total_mass()) / task_.velocity_scale;
    result_.body_error /= task_.velocity_scale, result_.part_error /= task_.velocity_scale;
    return result_;
  }

 private:
  void leave_packings() {
    std::vector<ContactLink> links;
    for (StepContact<D>& c : system_.contacts) {
      c.left = true;
      if (!c.is_couple()) links.push_back({c.a, c.b, c.shaped, c.bound.friction});
    }
    std::vector<double> inverse_mass;
    for (const StepBody<D>& body : system_.bodies) inverse_mass.push_back(body.inverse_mass);
    for (const std::uint32_t i : contacts_of_structures(D, links, inverse_mass)) system_.contacts[i].left = false;
    for (StepContact<D>& c : system_.contacts)
      if (c.is_couple()) c.left = system_.contacts[static_cast<std::size_t>(c.carrier)].left;
  }

  // No more than a residual can be amplified to: near the end of a stiff part the estimate is made of rounding errors.
  static ErrorEstimate estimated(const StepSystem<D>& part, double residual) {
    ErrorEstimate error = estimate_error(part, craig_steps);
    const double most = worst_amplification * residual;
    error.kinetic_square = std::min(error.kinetic_square, most * most * part.total_mass());
    error.body = std::min(error.body, most), error.caution = std::min(error.caution, most);
    return error;
  }

  // Where the residual is too small to be worth an estimate: what it can be at most, which decides nothing.
  static ErrorEstimate bounded(const StepSystem<D>& part, double residual) {
    ErrorEstimate error;
    error.body = worst_amplification * residual;
    error.kinetic_square = error.body * error.body * part.total_mass();
    return error;
  }

  bool is_good(const ErrorEstimate& error) const {
    return error.caution <= good_body_error * task_.velocity_scale;
  }

  // True if the impulses have changed.
  bool complete_part(StepSystem<D>& part, const std::vector<std::int32_t>& bodies) {
    const double residual = largest_residual(part);
    if (residual <= negligible_residual * task_.velocity_scale) return add(bounded(part, residual), bodies), false;
    ErrorEstimate error = estimated(part, residual);
    bool changed = false;
    if (!is_good(error) && (task_.finish || task_.sweeps_left)) {
      const bool small = part.contacts.size() <= few_contacts;
      const double sweeps = logarithm(error.caution / (negligible_residual * task_.velocity_scale)) / error.sigma;
      const double sweeping = sweeps * task_.sweep_nanoseconds * static_cast<double>(part.contacts.size());
      // A factorisation that takes longer than either is not made: it need not be planned to its end.
      const int usual = task_.to_tolerance ? usual_packing_factorisations : usual_factorisations;
      const double longest = std::max(longest_nanoseconds, sweeping) / usual;
      Finisher<D> finisher(part, small ? HUGE_VAL : longest / multiplication_nanoseconds);
      const double newton = newton_nanoseconds(finisher, part);
      if (task_.sweeps_left && sweeping < usual * newton) {
        result_.sweeps_wanted = std::max(result_.sweeps_wanted, static_cast<int>(std::min(1e6, std::ceil(sweeps))));
      } else if (task_.finish && (small || (task_.finish_large && usual * newton < longest_nanoseconds))) {
        const double goal = task_.to_tolerance ? 0.3 * task_.tolerance : std::min(finished_residual, 0.1 * task_.tolerance);
        const Finished finished =
            finisher.finish({goal * task_.velocity_scale, task_.to_tolerance ? most_packing_factorisations : most_factorisations});
        result_.factorisations += finished.factorisations;
        changed = finished.factorisations > 0;
        result_.failed |= !finished.reached && !small;
        error = finished.reached && !task_.to_tolerance ? bounded(part, largest_residual(part))
                                                        : estimated(part, largest_residual(part));
      }
    }
    add(error, bodies);
    result_.part_error = std::max(result_.part_error, std::sqrt(error.kinetic_square / part.total_mass()));
    return changed;
  }

  void add(const ErrorEstimate& error, const std::vector<std::int32_t>& bodies) {
    kinetic_square_ += error.kinetic_square;
    result_.good &= is_good(error);
    if (error.body > result_.body_error) {
      result_.body_error = error.body;
      result_.worst_body =
          bodies.empty() || error.worst_body < 0 ? error.worst_body : bodies[static_cast<std::size_t>(error.worst_body)];
    }
  }

  StepSystem<D>& system_;
  const CompletionTask& task_;
  Completion result_;
  double kinetic_square_ = 0.0;
};

template <int D>
bool settle_part(StepSystem<D>& part, double goal, bool large, int& factorisations) {
  if (largest_residual(part) <= goal) return true;
  if (part.contacts.size() > few_contacts && !large) return false;
  Finisher<D> finisher(part, settling_nanoseconds / multiplication_nanoseconds);
  if (newton_nanoseconds(finisher, part) > settling_nanoseconds) return false;
  const Finished finished = finisher.finish({goal, settling_factorisations});
  factorisations += finished.factorisations;
  return finished.reached;
}

template <int D>
bool settle(StepSystem<D>& system, double goal, bool large, int& factorisations) {
  const std::vector<std::vector<std::int32_t>> parts = system.parts();
  if (parts.size() == 1) return settle_part(system, goal, large, factorisations);
  bool all = true;
  PartNumbers numbers;
  for (const auto& contacts : parts) {
    std::vector<std::int32_t> bodies;
    StepSystem<D> part = system.part(contacts, bodies, numbers);
    all &= settle_part(part, goal, large, factorisations);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      system.contacts[static_cast<std::size_t>(contacts[i])].impulse = part.contacts[i].impulse;
  }
  return all;
}

}  // namespace

template <int D>
Completion complete(StepSystem<D>& system, const CompletionTask& task) {
  if (task.settling_residual == 0.0) return Completer<D>(system, task).complete();
  int factorisations = 0;
  Completion done;
  const bool settled = settle(system, task.settling_residual, task.finish_large, factorisations);
  // What rounding leaves under very heavy bodies.
  if (settled && largest_residual(system) > negligible_residual * task.velocity_scale) {
    CompletionTask estimate = task;
    estimate.sweeps_left = estimate.finish = false;
    done = Completer<D>(system, estimate).complete();
  }
  done.settled = settled, done.factorisations = factorisations;
  return done;
}

template Completion complete(StepSystem<2>&, const CompletionTask&);
template Completion complete(StepSystem<3>&, const CompletionTask&);

}  // namespace moreau::inline solver
