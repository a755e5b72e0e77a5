#include "moreau/solver/swept_problem.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/solver/single_form.hpp"

namespace moreau::inline solver {

namespace {
constexpr std::size_t body_chunk = 512;
}  // namespace

template <int D>
SweptProblem<D>::SweptProblem(ContactProblem<D>& problem, SweepMemory<D>& memory, Accelerator<D>* accelerator)
    : problem_(problem),
      iterate_(problem.iterate()),
      single_(memory.single),
      motions_(problem.motions()),
      touched_(memory.touched),
      snapshot_(problem.rows()),
      accelerator_(accelerator) {
  single_.partners = problem.partners();
  away_ = accelerator_ && !problem.partners() && fits_accelerator();
  if (away_) hand_over();
}

template <int D>
SweptProblem<D>::SweptProblem(ContactProblem<D>& problem, SweepMemory<D>& memory, Accelerator<D>& accelerator,
                              const SolverSize& size, BringProblem bring)
    : SweptProblem(problem, memory, nullptr) {
  accelerator_ = &accelerator, away_ = true, there_ = size, bring_ = std::move(bring);
  problem_.be_elsewhere(size.contacts);
}

template <int D>
void SweptProblem<D>::finish() {
  if (there_) return problem_.be_elsewhere(0);
  if (away_) accelerator_->fetch(iterate_.bodies, packs_here());
  if (problem_.partners()) iterate_.publish();
}

template <int D>
bool SweptProblem<D>::fits_accelerator() const {
  bool fits = problem_.contacts() >= accelerator_->fewest_contacts() && motions_.empty() && !iterate_.packs.any_overflow();
  iterate_.packs.each([&](const auto& packs) {
    constexpr ContactKind kind = std::remove_cvref_t<decltype(packs)>::Kind::kind;
    fits &= is_round(kind) || kind == ContactKind::shaped || packs.list.empty();
  });
  return fits;
}

template <int D>
OfEachKindThere<PacksHere, D> SweptProblem<D>::packs_here() {
  OfEachKindThere<PacksHere, D> here;
  iterate_.packs.each([&](auto& packs) {
    const auto put = [&](auto& to) {
      using Pack = typename std::remove_cvref_t<decltype(packs)>::Pack;
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(to)>, PacksHere<Pack>>) to = {packs.list, packs.colour_end};
    };
    std::apply([&](auto&... of_kind) { (put(of_kind), ...); }, here);
  });
  return here;
}

template <int D>
void SweptProblem<D>::hand_over() {
  for_chunks(iterate_.body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = problem_.free_velocity(i);
  });
  accelerator_->put(
      {iterate_.bodies, iterate_.turnings, {snapshot_, iterate_.body_count()}, packs_here(), problem_.colouring().used()});
}

template <int D>
template <class F>
decltype(auto) SweptProblem<D>::with_iterate(F&& f) {
  return in_single_ ? f(single_) : f(iterate_);
}

template <int D>
bool SweptProblem<D>::has_single_form() const {
  return problem_.contacts() >= SolverSize::fewest_for_single &&
         (there_ || motions_.empty() || !problem_.over_ranks(Largest<bool>{iterate_.packs.any_overflow()}).value);
}

template <int D>
void SweptProblem<D>::go_to_single(const Units& units) {
  if (away_) {
    accelerator_->go_to_single(units), in_single_ = true;
    return;
  }
  find_touched();
  to_single(iterate_, units, single_);
  single_.start_changes(touched_);
  motions_.leave();
  in_single_ = true;
}

template <int D>
void SweptProblem<D>::return_from_single() {
  if (away_) {
    accelerator_->return_from_single(), in_single_ = false;
    return;
  }
  impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
  refresh();
}

template <int D>
auto SweptProblem<D>::velocity(std::size_t slot) const -> Velocity {
  Velocity v;
  if (in_single_) {
    for (int d = 0; d < velocity_dimension<D>; ++d)
      v.c[d] = single_.units.velocity * static_cast<double>(single_.bodies[slot].velocity[d]);
    return v;
  }
  copy_row<velocity_dimension<D>>(iterate_.bodies[slot].velocity, v.c);
  return v;
}

template <int D>
void SweptProblem<D>::take_snapshot() {
  if (away_) return accelerator_->take_snapshot();
  motions_.take_snapshot();
  for_chunks(iterate_.body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = velocity(i);
  });
}

template <int D>
void SweptProblem<D>::find_touched() {
  if (!touched_.empty()) return;
  iterate_.packs.each([&](const auto& packs) {
    for (std::size_t k = packs.overflow_begin; k < packs.list.size(); ++k)  // their contacts have no colour
      for (int l = 0; l < lanes; ++l)
        for (const std::int32_t body : {packs.list[k].a[l], packs.list[k].b[l]})
          problem_.colouring().used()[static_cast<std::size_t>(body)] |= 1;
  });
  for (std::size_t s = 0; s < iterate_.body_count(); ++s)
    if (problem_.colouring().used()[s] != 0 && problem_.counts(s)) touched_.push_back(static_cast<std::uint32_t>(s));
}

template <int D>
void SweptProblem<D>::start_extrapolation() {
  if (away_) return accelerator_->start_extrapolation();
  find_touched();
  with_iterate([&](auto& iterate) { iterate.start_extrapolation(touched_); });
  motions_.start_extrapolation();
}

template <int D>
Measured SweptProblem<D>::accelerated_sweep(double relaxation, double extrapolation, bool fully) {
  if (away_) return accelerator_->accelerated_sweep(relaxation, extrapolation == 0.0, fully);
  return with_iterate([&](auto& iterate) {
    iterate.extrapolate(touched_, extrapolation);
    motions_.extrapolate(iterate, extrapolation);
    const Measured measured = iterate.accelerated_sweep(relaxation, extrapolation, fully);
    motions_.renew(iterate);
    return measured;
  });
}

template <int D>
void SweptProblem<D>::refresh() {
  if (away_) return accelerator_->refresh();
  if (in_single_) {
    impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
    refresh();
    to_single(iterate_, single_.units, single_), motions_.leave(), in_single_ = true;
    return;
  }
  for_chunks(iterate_.body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Velocity v = problem_.free_velocity(i);
      copy_row<velocity_dimension<D>>(v.c, iterate_.bodies[i].velocity);
    }
  });
  iterate_.apply();
  motions_.renew(iterate_);
}

template <int D>
void SweptProblem<D>::sweep(double relaxation) {
  if (away_) return accelerator_->sweep(relaxation);
  iterate_.sweep(relaxation);
  motions_.renew(iterate_);
}

template <int D>
Measured SweptProblem<D>::measure() const {
  return away_ ? accelerator_->measure() : iterate_.measure();
}

template <int D>
Measured SweptProblem<D>::measuring_sweep(double relaxation) {
  if (away_) return accelerator_->measuring_sweep(relaxation);
  const Measured measured = iterate_.measuring_sweep(relaxation);
  motions_.renew(iterate_);
  return measured;
}

// Kinetic norm of u minus another velocity field: sqrt(sum m |dv|^2 + I |dspin|^2).
template <int D>
template <class Other>
double SweptProblem<D>::kinetic_distance(Other&& other) const {
  constexpr std::size_t few = 32;  // rows at a time
  auto square =
      sum_chunks<ExactSum<double>>(iterate_.body_count(), body_chunk, [&](std::size_t begin, std::size_t end, auto& sum) {
        BodyRow<double> difference[few] = {};
        for (std::size_t first = begin; first < end; first += few) {
          const std::size_t count = std::min(few, end - first);
          for (std::size_t k = 0; k < count; ++k) {
            if (!problem_.counts(first + k)) {
              difference[k] = {};
              continue;
            }
            const Velocity now = velocity(first + k), then = other(first + k);
            for (int d = 0; d < velocity_dimension<D>; ++d) difference[k].c[d] = now.c[d] - then.c[d];
          }
          kinetic_square(iterate_.bodies.data() + first, difference, count, sum);
          if (D == 2 || iterate_.turnings.empty()) continue;
          for (std::size_t k = 0; k < count; ++k) {  // what the bodies turn that are not round
            const SolverBody<D>& body = iterate_.bodies[first + k];
            if (body.inverse_rolling > 0.0 || body.inverse_mass == 0.0 || !problem_.counts(first + k)) continue;
            const double* c = difference[k].c;
            sum.add(turning_square(iterate_.turnings[first + k].c, {c[3], c[4], c[5]}));
          }
        }
      });
  square = problem_.over_ranks(square);
  return std::sqrt(square.value());
}

template <int D>
double SweptProblem<D>::change_since_snapshot() {
  if (away_) {  // rounded as below
    const double motions = accelerator_->motions_since_snapshot(), square = accelerator_->change_since_snapshot();
    const double root = std::sqrt(square);
    return std::sqrt(in_single_ ? motions + square : root * root + motions);
  }
  double square = motions_.kinetic_square_since_snapshot();
  if (in_single_) {
    motions_.take_snapshot();
    return std::sqrt(square + single_.change(touched_));
  }
  motions_.take_snapshot();
  const double bodies = kinetic_distance([&](std::size_t i) { return std::exchange(snapshot_[i], velocity(i)); });
  return std::sqrt(bodies * bodies + square);
}

template <int D>
double SweptProblem<D>::contact_momentum() const {
  if (away_) return std::sqrt(accelerator_->contact_momentum());
  return kinetic_distance([&](std::size_t i) { return problem_.free_velocity(i); });
}

template <int D>
double SweptProblem<D>::momentum() const {
  if (away_) return std::sqrt(accelerator_->momentum());
  return kinetic_distance([](std::size_t) { return Velocity{}; });
}

template <int D>
void SweptProblem<D>::take(std::span<const StepContact<D>> contacts) {
  problem_.take(contacts);
  if (away_) accelerator_->put_impulses(packs_here());
  refresh();
}

template <int D>
void SweptProblem<D>::bring() {
  if (there_) {
    ProblemThere<D> problem;
    bring_(problem);
    problem_.take_over(std::move(problem));
  } else if (away_) {
    accelerator_->fetch(iterate_.bodies, packs_here());
  }
}

template <int D>
Completion SweptProblem<D>::structures_completed(CompletionTask task) {
  if (problem_.partners()) {
    task.structures_only = true;
    return completed(task);
  }
  bring();
  const std::vector<std::uint32_t> chosen = problem_.contacts_of_structures();
  if (chosen.empty()) return {};
  StepSystem<D> system = problem_.system(chosen);
  Completion done = complete(system, task);
  if (done.worst_body >= 0) done.worst_body = system.names[static_cast<std::size_t>(done.worst_body)];
  if (done.factorisations == 0) return done;
  problem_.take(chosen, system.contacts);
  if (away_) accelerator_->put_impulses(packs_here());
  refresh();
  return done;
}

template <int D>
Completion SweptProblem<D>::completed(const CompletionTask& task) {
  bring();
  Completion done;
  if (problem_.partners()) {
    std::vector<StepContact<D>> finished;
    done = problem_.partners()->complete(problem_.system_part(), task, finished);
    if (done.factorisations > 0) take(finished);
  } else {
    StepSystem<D> plain = problem_.system();
    done = complete(plain, task);
    if (done.worst_body >= 0) done.worst_body = plain.names[static_cast<std::size_t>(done.worst_body)];
    if (done.factorisations > 0) take(plain.contacts);
  }
  return done;
}

template class SweptProblem<2>;
template class SweptProblem<3>;

}  // namespace moreau::inline solver
