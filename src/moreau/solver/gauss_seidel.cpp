// Nonlinear Gauss-Seidel (Moreau 1994 sec. 7, 2003 eq. 41-42): when to look, when to stop, what to say.
//
// Sweeps are given momentum: the next one starts from
//   x = y_k + beta_k (y_k - y_{k-1}),   beta_k = e_k / e_{k-1},   0 where e grew,
// y_k what the last sweep led to, e_k the energy of the corrections that it made. The quotient of energies is that of Fletcher
// and Reeves (Silcowitz-Hansen, Niebe and Erleben 2010 use it for contacts); steps lead from the end of a sweep to the end of the
// next, as in Nesterov's method: ends have forgotten what the laws do not admit. A start with momentum may lie outside the
// friction cones; every check, and the end, is on what a sweep led to.
#include <algorithm>
#include <cmath>

#include "moreau/solver/contact_problem.hpp"

namespace moreau {

namespace {

constexpr int plain_sweeps = 2;  // before momentum is worth its bookkeeping
// Rounding errors of u build up, and momentum amplifies them: u is recomputed from P every 100 sweeps, and at the end unless it
// is hardly older.
constexpr int refresh_period = 100, few_sweeps = 10;

// x up to a factor of two.
double power_of_two_near(double x) {
  int exponent;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent);
}

// When sweeps are made in single precision (single_form.hpp).
class SinglePrecision {
 public:
  explicit SinglePrecision(bool possible) : possible_(possible) {}

  bool possible() const { return possible_; }
  void finish() { possible_ = false; }

  // Going there costs about two sweeps: not where the end is near, unless it has been missed for a while.
  bool pays(bool far_from_end, int sweeps) const { return possible_ && (far_from_end || sweeps >= first_sweeps); }

  // Whether there is something to gain before its rounding errors, in parts of the velocity scale and of the speed of the bodies,
  // come into sight.
  bool has_room(double residual, double velocity_scale, double speed) {
    limit_ = std::max(1e-5 * velocity_scale, 1e-6 * speed);
    return possible_ = residual > 10.0 * limit_;
  }
  bool at_its_limit(double residual) const { return residual <= limit_; }

 private:
  static constexpr int first_sweeps = 10;
  bool possible_;
  double limit_ = 0.0;
};

// Momentum that the sweeps still to come will bring, from the change of u over the last two windows of sweeps. The change per
// sweep decays like exp(-s k) once the slowest error mode dominates; what is owed is its integral from now on.
class OwedMomentum {
 public:
  // `change`: kinetic norm of the change of u over the last `window` sweeps, `sweeps` in all so far.
  double after(double change, int window, int sweeps) {
    const double rate = change / window;
    double decay = 0.0;
    if (previous_window_ > 0 && rate < previous_rate_)
      decay = std::log(previous_rate_ / rate) / (0.5 * (window + previous_window_));
    previous_rate_ = rate, previous_window_ = window;
    if (rate == 0.0) return 0.0;
    // A decay slower than one over the number of sweeps done cannot be told from none.
    decay = std::max(decay, 0.5 / sweeps);
    return rate * std::exp(-0.5 * decay * window) / decay;
  }

 private:
  double previous_rate_ = 0.0;
  int previous_window_ = 0;
};

// Impulses that grow from sweep to sweep while the residual does not fall (Alart 2015: no bounded solution). Compares the end of
// the iteration with its middle.
class GrowthWatch {
 public:
  void note(int sweeps, double impulse_sum, double residual) {
    if (sweeps >= 2 * late_.sweeps) early_ = late_, late_ = {sweeps, impulse_sum, residual};
  }
  bool unbounded(int sweeps, double impulse_sum, double residual) const {
    const Mark& mark = sweeps >= 1.5 * late_.sweeps ? late_ : early_;
    return mark.sweeps > 0 && impulse_sum > 1.2 * mark.impulse_sum && residual > 0.95 * mark.residual;
  }

 private:
  struct Mark {
    int sweeps = 0;
    double impulse_sum = 0.0, residual = 0.0;
  };
  Mark early_, late_;
};

}  // namespace

template <int D>
Certificate ContactProblem<D>::solve(const SolverSettings& settings, double external_velocity) {
  Certificate c;
  refresh();
  if (contacts_ == 0) return c;
  total_mass_ = 0.0;
  std::size_t free_bodies = 0;
  for (const Body& b : iterate_.bodies)
    if (b.inverse_mass > 0.0) total_mass_ += 1.0 / b.inverse_mass, ++free_bodies;

  const auto put = [&](const Measured& m) {
    const double n = static_cast<double>(contacts_);
    c.residual_rms = std::sqrt(m.residual_squares / n);
    c.residual_max = m.residual_max;
    c.velocity_scale = std::max(std::sqrt(m.impulse_squares / n), external_velocity);
  };

  OwedMomentum owed;
  GrowthWatch growth;
  Measured measured;
  touched_.clear();
  take_snapshot();
  int last_check = 0, next_check = 1;
  c.converged = false;
  double momentum = 0.0, last_energy = -1.0;  // negative: momentum has not started
  double checked = HUGE_VAL;                  // sum of squared residuals at the last check
  bool falling = true;
  int refreshed = 0;  // sweeps done at the last refresh()
  SinglePrecision single(settings.mixed_precision && settings.momentum && settings.max_sweeps >= 8 && has_single_form());
  while (!c.converged && c.sweeps < settings.max_sweeps) {
    ++c.sweeps;
    const bool check = c.sweeps >= std::min(next_check, settings.max_sweeps);
    // No momentum before the limit, so that a step given up ends as smoothly as it can.
    const bool at_the_end = c.sweeps > settings.max_sweeps - settings.max_sweeps / 4;
    const bool far = c.residual_rms > 2.0 * settings.tolerance * c.velocity_scale;
    const bool hardly_begun = c.sweeps <= (single.possible() && far ? 1 : plain_sweeps);
    if (!settings.momentum || hardly_begun || at_the_end || (!falling && !in_single_)) {
      momentum = 0.0, last_energy = -1.0;
      if (in_single_) return_from_single(), take_snapshot();
      if (check)
        measured = measuring_sweep(settings.relaxation);
      else
        sweep(settings.relaxation);
    } else {
      if (last_energy < 0.0) {
        if (single.pays(far, c.sweeps - 1) && single.has_room(c.residual_rms, c.velocity_scale, mean_speed()))
          go_to_single({power_of_two_near(c.velocity_scale), power_of_two_near(total_mass_ / static_cast<double>(free_bodies))});
        start_momentum();
      }
      if (!falling) momentum = 0.0;  // in single precision, where a change of precision costs more than the bookkeeping
      measured = sweep_on(settings.relaxation, momentum, check);
      momentum = measured.correction_energy < last_energy ? measured.correction_energy / last_energy : 0.0;
      last_energy = measured.correction_energy;
    }
    if (!check) {
      if (c.sweeps - refreshed >= refresh_period) refresh(), refreshed = c.sweeps;
      continue;
    }
    put(measured);
    const double still_owed = owed.after(change_since_snapshot(), c.sweeps - last_check, c.sweeps);
    last_check = c.sweeps;
    const bool small_residual = c.residual_rms <= settings.tolerance * c.velocity_scale;
    if (small_residual || c.sweeps == settings.max_sweeps) {
      // The floor is for assemblies whose contact forces balance: there the contacts bring no momentum to compare with.
      const double exchanged = std::max(contact_momentum(), 1e-3 * c.velocity_scale * std::sqrt(total_mass_));
      c.unbalanced = exchanged > 0.0 ? still_owed / exchanged : 0.0;
    }
    growth.note(c.sweeps, measured.impulse_sum, c.residual_rms);
    next_check = c.sweeps + (c.sweeps == 1 ? 1 : std::max(2, c.sweeps / 6));
    const bool near_enough = small_residual && c.unbalanced <= settings.unbalanced_tolerance;
    if (in_single_ && (near_enough || single.at_its_limit(c.residual_rms))) {
      return_from_single();
      if (!near_enough) take_snapshot();
      refreshed = c.sweeps;
      sweep(settings.relaxation);
      ++c.sweeps;
      single.finish(), last_energy = -1.0;
    }
    if (c.sweeps >= 2 && near_enough) {
      if (c.sweeps - refreshed >= few_sweeps) refresh(), refreshed = c.sweeps;
      put(measure());  // on the iterate itself, not on the way to it
      c.converged = c.residual_rms <= settings.tolerance * c.velocity_scale;
    }
    if (!in_single_ && single.pays(false, c.sweeps)) last_energy = -1.0;  // momentum starts anew there
    // Momentum may circle around the solution where plain sweeps approach it: without progress since the last check it rests.
    falling = measured.residual_squares < checked;
    checked = measured.residual_squares;
  }
  if (!c.converged) {
    // Judged on the way, like the marks it is compared with: a contact just relaxed shows no residual on the iterate itself.
    c.unbounded = growth.unbounded(c.sweeps, measured.impulse_sum, c.residual_rms);
    refresh();
    put(measure());
  }
  return c;
}

template Certificate ContactProblem<2>::solve(const SolverSettings&, double);
template Certificate ContactProblem<3>::solve(const SolverSettings&, double);

}  // namespace moreau
