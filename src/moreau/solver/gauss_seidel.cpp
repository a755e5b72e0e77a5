// Nonlinear Gauss-Seidel (Moreau 1994 sec. 7, 2003 eq. 41-42): when to look, when to stop, what to say.
//
// Sweeps are extrapolated: the next one starts from
//   x = y_k + beta_k (y_k - y_{k-1}),   beta_k = e_k / e_{k-1},   0 where e grew,
// y_k what the last sweep led to, e_k the energy of the corrections that it made. The quotient of energies is that of Fletcher
// and Reeves (Silcowitz-Hansen, Niebe and Erleben 2010 use it for contacts); steps lead from the end of a sweep to the end of the
// next, as in Nesterov's method: ends have forgotten what the laws do not admit. A start with extrapolation may lie outside the
// friction cones; every check, and the end, is on what a sweep led to.
#include "moreau/solver/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "moreau/base/elementary.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/solver/completion.hpp"
#include "moreau/solver/structures.hpp"

namespace moreau::inline solver {

namespace {

constexpr std::size_t settled_contacts = 3000;  // of a structure that may be settled before it is swept
constexpr double few_roundings = 1e-15;         // of impulses, that their velocities carry
constexpr int patience = 60;  // sweeps after which a structure is looked at although sweeps go on
constexpr int asking_looks = 3;  // of a step, that may ask for more sweeps; one more may finish large parts
constexpr double rounding_of_speed = 1e-14;
constexpr double least_share_of_speed = 1e-10;  // that the velocity scale is: less is hardly more than rounding
constexpr double cold_share = 1e-3;       // of the tolerance, to which a structure is brought that begins without impulses ...
constexpr double cold_tolerance = 1e-10;  // ... or this
constexpr double wrong_error = 0.3;       // estimated, above which a structure is not called converged
constexpr int enough_sweeps = 800;        // of one that cannot be finished: more of them hardly help where most contacts slide
constexpr double lost_error = 1.0;        // the same of any step: velocities are wrong by all that its forces bring

constexpr int plain_sweeps = 2;  // before extrapolation is worth its bookkeeping
// Rounding errors of u build up, and extrapolation amplifies them: u is recomputed from P every 100 sweeps, and at the end unless
// it is hardly older.
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
      decay = logarithm(previous_rate_ / rate) / (0.5 * (window + previous_window_));
    previous_rate_ = rate, previous_window_ = window;
    if (rate == 0.0) return 0.0;
    // A decay slower than one over the number of sweeps done cannot be told from none.
    decay = std::max(decay, 0.5 / sweeps);
    return rate * exponential(-0.5 * decay * window) / decay;
  }

 private:
  double previous_rate_ = 0.0;
  int previous_window_ = 0;
};

// The first in the table of all ranks.
struct FirstContact {
  std::int32_t name = std::numeric_limits<std::int32_t>::max();  // of its first body
  bool round = true;
  FirstContact& operator+=(const FirstContact& o) { return o.name < name ? *this = o : *this; }
};

struct FreeBodies {
  ExactSum<double> mass;
  std::size_t count = 0;
  FreeBodies& operator+=(const FreeBodies& o) { return mass += o.mass, count += o.count, *this; }
};

template <class Body, class Counts, class Keeps>
FreeBodies free_bodies(const std::vector<Body>& bodies, Counts&& counts, Keeps&& keeps) {
  return sum_chunks<FreeBodies>(bodies.size(), 4096, [&](std::size_t begin, std::size_t end, FreeBodies& free) {
    TermSum<2> mass;
    for (std::size_t i = begin; i < end; ++i)
      if (bodies[i].inverse_mass > 0.0 && counts(i)) mass.add(1.0 / bodies[i].inverse_mass), free.count += keeps(i) ? 1 : 0;
    free.mass += mass.sum();
  });
}

// Impulses that grow from sweep to sweep while the residual does not fall (Alart 2015: no bounded solution). Compares the end of
// the iteration with its middle. A step that begins from impulses that have grown already cannot make them much larger: there
// they grow on at the pace of before, by what is left of the residual in each sweep.
class GrowthWatch {
 public:
  void note(int sweeps, double impulse_sum, double residual) {
    if (sweeps >= 2 * marks_[2].sweeps) marks_[0] = marks_[1], marks_[1] = marks_[2], marks_[2] = {sweeps, impulse_sum, residual};
  }
  bool unbounded(int sweeps, double impulse_sum, double residual) const {
    const int late = sweeps >= 1.5 * marks_[2].sweeps ? 2 : 1;
    const Mark &mark = marks_[late], &before = marks_[late - 1];
    if (mark.sweeps == 0 || !(residual > 0.95 * mark.residual)) return false;
    if (impulse_sum > 1.2 * mark.impulse_sum) return true;
    const double pace = (impulse_sum - mark.impulse_sum) / (sweeps - mark.sweeps),
                 pace_before = (mark.impulse_sum - before.impulse_sum) / (mark.sweeps - before.sweeps);
    return before.sweeps > 0 && pace > 0.5 * pace_before && pace > 0.1 * residual;
  }

 private:
  struct Mark {
    int sweeps = 0;
    double impulse_sum = 0.0, residual = 0.0;
  };
  Mark marks_[3];  // each at twice the sweeps of the one before, or more
};

template <int D>
std::size_t contacts_of_faces(const ContactProblem<D>& problem) {
  FaceCount faces(D);
  for (const std::uint32_t place : problem.contact_places())
    if (!is_round(kind_at(place)))
      problem.iterate().packs.at(place, [&](auto, const auto& pack, std::size_t lane) { faces.add(pack.a[lane], pack.b[lane]); });
  return problem.over_ranks(Count{faces.contacts()}).value;
}

template <int D>
bool stands_as_masonry(const ContactProblem<D>& problem) {
  Count shaped;
  for (const std::uint32_t place : problem.contact_places()) shaped.value += is_round(kind_at(place)) ? 0 : 1;
  shaped = problem.over_ranks(shaped);
  return may_be_masonry(problem.contacts(), shaped.value) &&
         is_masonry(problem.contacts(), shaped.value, contacts_of_faces(problem));
}

// Whether the end of the step is looked at: always where sweeps are known to be slow (masonry, heavy bodies on light ones, chains;
// not too many contacts without friction, where the solution is that of a convex problem) or a look costs nothing, else now and then.
template <int D>
bool is_structure(const SweptProblem<D>& swept) {
  const ContactProblem<D>& problem = swept.problem();
  const std::size_t contacts = problem.contacts();
  if (contacts <= few_contacts / 2) return true;
  if (const auto& there = swept.made_there()) {
    static_assert(SolverSize::fewest > frictionless_contacts);
    return is_masonry(contacts, there->shaped, there->of_faces) || is_chain(contacts, there->touched) ||
           (has_large_ratio(there->touched) && is_heavy_on_light(there->heaviness));
  }
  if (stands_as_masonry(problem)) return true;
  if (contacts <= frictionless_contacts) {
    double friction = 0.0;
    problem.iterate().packs.each([&](const auto& packs) {
      for (const auto& pack : packs.list)
        for (const double mu : pack.friction) friction = std::max(friction, mu);
    });
    if (problem.over_ranks(Largest<double>{friction}).value == 0.0) return true;
  }
  const std::vector<std::uint64_t>& colours = problem.colouring().used();
  const auto over_touched = [&]<class Sum>(Sum sum) {
    sum = sum_chunks<Sum>(problem.iterate().body_count(), 4096, [&](std::size_t begin, std::size_t end, Sum& mine) {
      for (std::size_t s = begin; s < end; ++s)
        if (const double inverse = problem.iterate().bodies[s].inverse_mass / problem.parts(s);
            inverse > 0.0 && colours[s] != 0 && problem.keeps(s))
          mine.add(inverse, colours[s]);
    });
    return problem.over_ranks(sum);
  };
  const TouchedBodies touched = over_touched(TouchedBodies{});
  return is_chain(contacts, touched) || (has_large_ratio(touched) && is_heavy_on_light(over_touched(Heaviness{})));
}

// Estimates the error of the iterate, and finishes the step where it is too large or says how many sweeps more are the cheaper way.
// `asks`: it may ask for sweeps; `large`: it may finish large parts; `at_the_end`: no sweeps are left.
template <int D>
Completion look(SweptProblem<D>& swept, bool structure, const SolverTask& task, double tolerance, bool asks, bool large, bool at_the_end,
                Certificate& c) {
  FirstContact first;
  const ContactProblem<D>& problem = swept.problem();
  if (const auto& there = swept.made_there())
    first.round = there->first_is_round;
  else if (const auto places = problem.contact_places(); !places.empty())
    problem.iterate().packs.at(places[0], [&](auto, const auto& pack, std::size_t lane) {
      first = {problem.name_of(pack.a[lane]), is_round(kind_at(places[0]))};
    });
  const bool round = D == 2 || problem.over_ranks(first).round;
  const Completion done = swept.completed({.velocity_scale = c.velocity_scale,
                                           .tolerance = tolerance,
                                           .sweep_nanoseconds = round ? 15.0 : 70.0,
                                           .sweeps_left = structure && asks,
                                           .finish = structure || at_the_end,
                                           .finish_large = at_the_end ? structure || task.finish_large : task.finish_large && large,
                                           .to_tolerance = !structure || (at_the_end && problem.contacts() > few_contacts)});
  c.factorisations += done.factorisations;
  c.finishing_failed |= done.failed;
  if (done.factorisations > 0) c.unbalanced = done.error;  // what sweeps owed before is brought; the norm is the same
  c.error = done.error, c.body_error = done.body_error, c.worst_body = done.worst_body;
  return done;
}

template <int D>
Certificate sweep_to_the_end(SweptProblem<D>& swept, const SolverSettings& settings, const SolverTask& task) {
  const ContactProblem<D>& problem = swept.problem();
  const std::size_t contacts = problem.contacts();
  const auto& there = swept.made_there();
  Certificate c;
  swept.refresh();
  c.velocity_scale = task.reference_velocity;
  if (contacts == 0) return c;
  const FreeBodies free =
      there ? FreeBodies{}
            : problem.over_ranks(free_bodies(
                  problem.iterate().bodies, [&](std::size_t s) { return problem.counts(s); },
                  [&](std::size_t s) { return problem.keeps(s); }));
  const std::size_t free_count = there ? there->free_bodies : free.count;
  const double total_mass = there ? there->mass : free.mass.value();

  const auto mean_speed = [&] { return swept.momentum() / std::sqrt(total_mass); };
  double impulse_scale = 0.0;  // [velocity] rms of H_N P_N: what rounding errors are measured against
  const auto put = [&](const Measured& m) {
    const double n = static_cast<double>(contacts);
    c.residual_rms = std::sqrt(m.residual_squares / n);
    c.residual_max = m.residual_max;
    impulse_scale = std::max(std::sqrt(m.impulse_squares / n), task.reference_velocity);
  };
  const double speed = mean_speed();
  const auto weigh = [&] {
    c.velocity_scale =
        std::max({task.reference_velocity, swept.contact_momentum() / std::sqrt(total_mass), least_share_of_speed * speed});
  };
  const double still = rounding_of_speed * speed;  // residual that rounding leaves where nothing is brought: no forces, no blow
  // The same, where the scale is no more than what rounding asks for.
  const auto nothing = [&] { return c.velocity_scale <= least_share_of_speed * speed ? still : 0.0; };
  // The estimated error of a residual that is too small to be looked at.
  const auto negligible = [&] { return c.residual_max <= std::max(negligible_residual * c.velocity_scale, nothing()); };
  const auto error_of_negligible = [&] {
    if (!(c.residual_max > 0.0)) return 0.0;
    return (c.residual_max <= nothing() ? 1.0 : worst_amplification) * c.residual_max / c.velocity_scale;
  };
  const bool structure = settings.finish && is_structure(swept);
  const bool looks = structure || (task.look && settings.finish);
  // All later steps begin from where a structure without impulses ends: hovering at the tolerance, it would take hundreds of them
  // to come to rest.
  const bool cold = structure && swept.contact_momentum() == 0.0;
  const double first_tolerance =
      cold ? std::min(settings.tolerance, std::max(cold_share * settings.tolerance, cold_tolerance)) : settings.tolerance;
  double tolerance = first_tolerance;                                    // tightened by a look that asks for more sweeps
  int look_at = structure ? patience : std::numeric_limits<int>::max();  // sweeps after which to look whatever the residual
  int looked = 0;

  // The impulses of the step before may be right still, or nearly.
  if (structure && !cold) {
    put(swept.measure()), weigh();
    const double goal = std::min(finished_residual, 0.1 * settings.tolerance) * c.velocity_scale;
    // Beside impulses that have grown without bound any velocity is a rounding.
    c.converged = c.residual_max <= std::max(few_roundings * impulse_scale, nothing()) &&
                  c.residual_rms <= std::max(settings.tolerance * c.velocity_scale, still);
    if (c.residual_max > std::max(goal, nothing()) && contacts <= settled_contacts &&
        c.residual_max <= nearly_settled * c.velocity_scale) {
      const Completion done =
          swept.completed({.velocity_scale = c.velocity_scale, .finish_large = task.finish_large, .settling_residual = goal});
      c.factorisations += done.factorisations;
      if (done.factorisations > 0) put(swept.measure()), weigh();
      c.converged = done.settled && c.residual_rms <= settings.tolerance * c.velocity_scale;
      if (c.converged) c.error = done.error, c.body_error = done.body_error, c.worst_body = done.worst_body;
    }
    if (c.converged) {
      if (negligible()) c.error = c.body_error = error_of_negligible();
      return c;
    }
  }

  // Parts that are structures beside a packing are brought to their end whatever the rest owes; false if one is still wrong.
  const auto finish_structures = [&] {
    if (structure || !settings.finish || contacts > contacts_told_apart || !swept.motions().empty()) return true;
    const Completion done = swept.structures_completed(
        {.velocity_scale = c.velocity_scale, .tolerance = settings.tolerance, .sweeps_left = false, .finish_large = task.finish_large});
    c.factorisations += done.factorisations;
    c.finishing_failed |= done.failed;
    if (done.factorisations > 0) put(swept.measure()), weigh();
    if (done.part_error <= wrong_error) return true;
    c.error = done.part_error, c.body_error = done.body_error, c.worst_body = done.worst_body;
    return false;
  };

  OwedMomentum owed;
  GrowthWatch growth;
  Measured measured;
  swept.forget_touched();
  swept.take_snapshot();
  int last_check = 0, next_check = 1;
  c.converged = false;
  double extrapolation = 0.0, last_energy = -1.0;  // negative: extrapolation has not started
  double checked = HUGE_VAL;                       // sum of squared residuals at the last check
  bool falling = true;
  int refreshed = 0;  // sweeps done at the last refresh()
  SinglePrecision single(settings.mixed_precision && settings.extrapolation && settings.max_sweeps >= 8 &&
                         swept.has_single_form());
  while (!c.converged && c.sweeps < settings.max_sweeps) {
    ++c.sweeps;
    const bool check = c.sweeps >= std::min(next_check, settings.max_sweeps);
    // No extrapolation before the limit, so that a step given up ends as smoothly as it can.
    const bool at_the_end = c.sweeps > settings.max_sweeps - settings.max_sweeps / 4;
    const bool far = c.residual_rms > 2.0 * tolerance * c.velocity_scale;
    const bool hardly_begun = c.sweeps <= (single.possible() && far ? 1 : plain_sweeps);
    if (!settings.extrapolation || hardly_begun || at_the_end || (!falling && !swept.is_single())) {
      extrapolation = 0.0, last_energy = -1.0;
      if (swept.is_single()) swept.return_from_single(), swept.take_snapshot();
      if (check)
        measured = swept.measuring_sweep(settings.relaxation);
      else
        swept.sweep(settings.relaxation);
    } else {
      if (last_energy < 0.0) {
        if (single.pays(far, c.sweeps - 1) && single.has_room(c.residual_rms, impulse_scale, mean_speed()))
          swept.go_to_single({power_of_two_near(impulse_scale), power_of_two_near(total_mass / static_cast<double>(free_count))});
        swept.start_extrapolation();
      }
      if (!falling) extrapolation = 0.0;  // in single precision, where a change of precision costs more than the bookkeeping
      measured = swept.accelerated_sweep(settings.relaxation, extrapolation, check);
      if (swept.is_away()) {  // it knows better
        extrapolation = 1.0, last_energy = 0.0;
      } else {
        extrapolation = measured.correction_energy < last_energy ? measured.correction_energy / last_energy : 0.0;
        last_energy = measured.correction_energy;
      }
    }
    if (!check) {
      if (c.sweeps - refreshed >= refresh_period) swept.refresh(), refreshed = c.sweeps;
      continue;
    }
    put(measured);
    const double still_owed = owed.after(swept.change_since_snapshot(), c.sweeps - last_check, c.sweeps);
    last_check = c.sweeps;
    if (c.sweeps <= plain_sweeps || c.residual_rms <= 3.0 * tolerance * c.velocity_scale || c.sweeps == settings.max_sweeps)
      weigh();
    const double scale = c.velocity_scale * std::sqrt(total_mass);
    c.unbalanced = scale > 0.0 ? still_owed / scale : 0.0;
    growth.note(c.sweeps, measured.impulse_sum, c.residual_rms);
    next_check = c.sweeps + (c.sweeps == 1 ? 1 : std::max(2, c.sweeps / 6));
    const auto reached = [&] { return c.residual_rms <= std::max(tolerance * c.velocity_scale, still); };
    const bool near_enough = (reached() && c.unbalanced <= settings.unbalanced_tolerance) || c.sweeps >= look_at;
    if (swept.is_single() && (near_enough || single.at_its_limit(c.residual_rms))) {
      swept.return_from_single();
      if (!near_enough) swept.take_snapshot();
      refreshed = c.sweeps;
      swept.sweep(settings.relaxation);
      ++c.sweeps;
      single.finish(), last_energy = -1.0;
    }
    if (c.sweeps >= 2 && near_enough) {
      if (c.sweeps - refreshed >= few_sweeps) swept.refresh(), refreshed = c.sweeps;
      put(swept.measure());  // on the iterate itself, not on the way to it
      c.converged = reached();
      const bool structures_end = !c.converged || finish_structures();
      if (looks && negligible()) {
        c.error = c.body_error = error_of_negligible();
      } else if (looks && (c.converged || c.sweeps >= look_at)) {
        ++looked;
        const int before = c.factorisations;
        const Completion done = look(swept, structure, task, settings.tolerance, looked <= asking_looks, looked <= asking_looks + 1, false, c);
        put(swept.measure()), weigh();
        const bool tried = c.factorisations > before;
        int more = done.sweeps_wanted;
        if (structure && !done.good && more == 0) {
          // Not brought to its end: from a better start it may be. Else sweeps go on while they are known to help.
          if (tried && looked <= asking_looks)
            more = 2 * patience * looked;
          else if (c.sweeps < enough_sweeps || c.error > wrong_error)
            more = std::max(patience, c.sweeps / 3);
        }
        const double asked = done.good || tried ? tolerance : settings.tolerance;  // a start for later steps, or as good as it gets
        c.converged = more == 0 && c.residual_rms <= std::max(asked * c.velocity_scale, still) &&
                      (!structure || done.good || tried || c.unbalanced <= settings.unbalanced_tolerance);
        look_at = more > 0 ? c.sweeps + more : std::numeric_limits<int>::max();
        tolerance = more > 0 ? std::min(tolerance, 0.1 * c.residual_rms / c.velocity_scale) : settings.tolerance;
        swept.take_snapshot(), last_energy = -1.0;
      }
      if (c.converged && !structures_end) {  // tried again from a better start
        c.converged = false;
        next_check = 2 * c.sweeps;
        swept.take_snapshot(), last_energy = -1.0;
      }
    }
    if (!swept.is_single() && single.pays(false, c.sweeps)) last_energy = -1.0;  // extrapolation starts anew there
    if (structure && c.error > wrong_error) c.converged = false;
    // Momentum may circle around the solution where plain sweeps approach it: without progress since the last check it rests.
    falling = measured.residual_squares < checked;
    checked = measured.residual_squares;
  }
  if (!c.converged) {
    // Judged on the way, like the marks it is compared with: a contact just relaxed shows no residual on the iterate itself.
    c.unbounded = growth.unbounded(c.sweeps, measured.impulse_sum, c.residual_rms);
    swept.refresh();
    put(swept.measure()), weigh();
    // What sweeps did not reach is finished, whatever it is.
    if (settings.finish) {
      const int before = c.factorisations;
      look(swept, structure, task, settings.tolerance, false, true, true, c);
      put(swept.measure()), weigh();
      // Small residuals alone can leave a pile unsupported: what sweeps still owed counts unless a factorisation has brought it.
      const bool brought = c.factorisations > before || c.unbalanced <= settings.unbalanced_tolerance;
      c.converged = c.residual_rms <= settings.tolerance * c.velocity_scale && brought && !(structure && c.error > wrong_error);
      if (c.converged && !finish_structures()) c.converged = false;
      c.unbounded &= !c.converged;
    }
  }
  if (c.error > lost_error) c.converged = false;
  return c;
}

}  // namespace

template <int D>
Certificate solve(ContactProblem<D>& problem, const SolverSettings& settings, const SolverTask& task, SweepMemory<D>& memory,
                  Accelerator<D>* accelerator) {
  SweptProblem<D> swept(problem, memory, accelerator);
  const Certificate certificate = sweep_to_the_end(swept, settings, task);
  swept.finish();
  return certificate;
}

template <int D>
void estimate_end(ContactProblem<D>& problem, SweepMemory<D>& memory, Certificate& c) {
  if (c.error >= 0.0) return;
  const Completion done = SweptProblem<D>(problem, memory, nullptr)
                              .completed({.velocity_scale = c.velocity_scale, .sweeps_left = false, .finish = false});
  c.error = done.error, c.body_error = done.body_error, c.worst_body = done.worst_body;
}

template <int D>
Certificate solve_there(ContactProblem<D>& problem, Accelerator<D>& accelerator, const SolverSize& size,
                        typename SweptProblem<D>::BringProblem bring, const SolverSettings& settings, const SolverTask& task,
                        SweepMemory<D>& memory) {
  SweptProblem<D> swept(problem, memory, accelerator, size, std::move(bring));
  const Certificate certificate = sweep_to_the_end(swept, settings, task);
  swept.finish();
  return certificate;
}

#define MOREAU_INSTANTIATE(D)                                                                                                 \
  template Certificate solve(ContactProblem<D>&, const SolverSettings&, const SolverTask&, SweepMemory<D>&, Accelerator<D>*); \
  template void estimate_end(ContactProblem<D>&, SweepMemory<D>&, Certificate&);                                              \
  template Certificate solve_there(ContactProblem<D>&, Accelerator<D>&, const SolverSize&, SweptProblem<D>::BringProblem,     \
                                   const SolverSettings&, const SolverTask&, SweepMemory<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline solver
