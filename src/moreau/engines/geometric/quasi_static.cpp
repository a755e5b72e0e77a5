#include "moreau/engines/geometric/quasi_static.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/dynamics/body_sizes.hpp"
#include "moreau/dynamics/take_over.hpp"
#include "moreau/engines/geometric/work.hpp"
#include "moreau/statics/finish.hpp"
#include "moreau/statics/supported_range.hpp"

namespace moreau::geometric {

namespace {

// Elements of the first that are not in the second.
std::vector<Pair> without(std::vector<Pair> these, std::vector<Pair> those) {
  std::sort(these.begin(), these.end()), std::sort(those.begin(), those.end());
  std::vector<Pair> left;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(left));
  return left;
}

// How many of these pairs carry less than the mean force of the list they belong to.
int weaker_than_mean(const std::vector<Pair>& these, const std::vector<Pair>& list, const Eigen::VectorXd& force) {
  std::vector<Pair> weak;
  for (std::size_t c = 0; c < list.size(); ++c)
    if (force[static_cast<Eigen::Index>(c)] < force.mean()) weak.push_back(list[c]);
  return static_cast<int>(these.size() - without(these, std::move(weak)).size());
}

}  // namespace

template <int D>
std::string QuasiStatic<D>::refusal(const State<D>& state, const Load<D>& load) const {
  if (std::string reason = statics::not_frictionless(model_, state.bodies); !reason.empty()) return reason;
  const IsostaticList<D> list = list_of(model_, state, statics::pushing_pairs(state), load);
  if (list.pairs.empty()) return "no contact carries a force";
  if (!list.square())
    return fmt::format("the list of contacts that push is not isostatic: {} contacts, {} freedoms", list.pairs.size(),
                       list.freedoms.size());
  statics::ListFactor factor;
  factor.set(matrix_of(model_, state, list));
  Eigen::VectorXd f;
  if (!balancing_forces(factor, force_of(model_, state, list.freedoms, load), f)) return "the list of contacts is singular";
  if (!(f.minCoeff() >= -settings_.traction * f.cwiseAbs().mean()))
    return "the load lies outside the range that the list of contacts supports";
  return misplaced(state, list);
}

// Contacts of the list that do not touch, and bodies that overlap.
template <int D>
std::string QuasiStatic<D>::misplaced(const State<D>& state, const IsostaticList<D>& list) const {
  const double diameter = mean_diameter(state.bodies);
  double widest = 0.0, deepest = 0.0;
  for (const Contact<D>& c : contacts_of(model_, state, std::span<const Pair>(list.pairs)))
    widest = std::max(widest, std::abs(c.gap));
  if (widest > settings_.tolerances.touch * diameter)
    return fmt::format("contacts that push are up to {:.3g} of a mean diameter from touching", widest / diameter);
  Neighbours<D> neighbours;
  for (const Contact<D>& c : statics::contacts_within(model_, state, neighbours, 0.0)) deepest = std::max(deepest, -c.gap);
  if (deepest > settings_.tolerances.overlap * diameter)
    return fmt::format("bodies overlap by up to {:.3g} of a mean diameter", deepest / diameter);
  return {};
}

template <int D>
Event QuasiStatic<D>::next(State<D>& state, const Load<D>& from, const Load<D>& to, double at) {
  const Load<D> change = to - from, load = from + at * change;
  Event event;
  event.from = event.at = at;
  IsostaticList<D> list = list_of(model_, state, statics::pushing_pairs(state), load);
  if (!list.square()) {  // a contact of the event before may carry nothing: a body that was left on a wall alone
    Event settled = settle(state, load);
    settled.from = settled.at = at;
    return settled;
  }
  const std::vector<Pair> before = list.pairs;
  statics::ListFactor factor;
  factor.set(matrix_of(model_, state, list), names_of(list));
  Eigen::VectorXd f0, f1;
  if (!balancing_forces(factor, force_of(model_, state, list.freedoms, load), f0) ||
      !balancing_forces(factor, force_of(model_, state, list.freedoms, change), f1)) {
    event.failure = "the list of contacts is not isostatic";
    return event;
  }
  const statics::SupportedRange range = statics::supported_range(f0, f1);
  const double held = std::max(0.0, range.most);
  event.at = std::min(1.0, at + held);
  const Load<D> now = from + event.at * change;
  if (range.opens_above < 0 || at + held >= 1.0) {
    statics::put_at_rest(model_, state, list.pairs, f0 + (event.at - at) * f1);
  } else {
    State<D> trial = state;
    event.moved = true;
    event.first_opened = list.pairs[static_cast<std::size_t>(range.opens_above)];
    const bool held_again = rearrange(trial, list, factor, now, change, range.opens_above, event);
    event.factorisations = factor.factorisations();
    if (!held_again && !go_on_by_programs(trial, list, now, event) &&
        !go_back_and_on(state, trial, list, from, to, event))
      return event;
    const Load<D> then = from + event.at * change;
    Eigen::VectorXd f;
    factor.set(matrix_of(model_, trial, list), names_of(list));
    balancing_forces(factor, force_of(model_, trial, list.freedoms, then), f);
    event.lost_weak = weaker_than_mean(without(before, list.pairs), before, f0 + held * f1);
    note(event, before, state, trial, list, then, f);
    // A contact that carries nothing belongs to the list all the same, and the table is to show it.
    statics::put_at_rest(model_, trial, list.pairs, f.cwiseMax(statics::least_told * f.mean()));
    take_over(state, std::move(trial));
  }
  return event;
}

// What the event has led to; `force`: of the list, as it is now.
template <int D>
void QuasiStatic<D>::note(Event& event, const std::vector<Pair>& before, const State<D>& old, const State<D>& now,
                          const IsostaticList<D>& list, const Load<D>& load, const Eigen::VectorXd& force) const {
  event.moved = true;
  event.lost = without(before, list.pairs), event.gained = without(list.pairs, before);
  event.gained_weak = weaker_than_mean(event.gained, list.pairs, force);
  for (std::size_t p = 0; p < now.pistons.size(); ++p)
    event.piston.push_back(now.pistons[p].displacement - old.pistons[p].displacement);
  event.contacts = static_cast<int>(list.pairs.size()), event.freedoms = list.freedoms.size();
  event.imbalance = imbalance(model_, now, list, force, load) / force.mean(), event.least_force = force.minCoeff() / force.mean();
  for (const Contact<D>& c : contacts_of(model_, now, std::span<const Pair>(list.pairs)))
    event.largest_gap = std::max(event.largest_gap, std::abs(c.gap));
}

template <int D>
Event QuasiStatic<D>::settle(State<D>& state, const Load<D>& load) {
  Event event;
  State<D> trial = state;
  const std::vector<Pair> before = statics::pushing_pairs(state);
  IsostaticList<D> list;
  if (!go_on_by_programs(trial, list, load, event)) return event;
  statics::ListFactor factor;
  factor.set(matrix_of(model_, trial, list), names_of(list));
  Eigen::VectorXd f;
  balancing_forces(factor, force_of(model_, trial, list.freedoms, load), f);
  note(event, before, state, trial, list, load, f);
  take_over(state, std::move(trial));
  return event;
}

// Where no program leads on from the place at which the motion ended, the last equilibrium is held a little beyond its load:
// under that it is none any more, and programs lead from it. The event is over at that load.
template <int D>
bool QuasiStatic<D>::go_back_and_on(const State<D>& held, State<D>& state, IsostaticList<D>& list, const Load<D>& from,
                                    const Load<D>& to, Event& event) {
  Event tried = event;
  tried.work = 0.0;
  for (const double beyond : {1e-6, 1e-4, 1e-2}) {
    tried.at = std::min(1.0, event.at + beyond);
    state = held;
    if (!go_on_by_programs(state, list, from + tried.at * (to - from), tried)) continue;
    event = tried;
    return true;
  }
  return false;
}

// Where the motion cannot be followed (two contacts that close at once, a mechanism in balance with contacts that pull), linear
// programs lead from there to an equilibrium: they only lose potential energy, and overlap nothing.
template <int D>
bool QuasiStatic<D>::go_on_by_programs(State<D>& state, IsostaticList<D>& list, const Load<D>& load, Event& event) {
  const State<D> before = state;
  const statics::Finish finished = statics::finish(model_, state, load);
  if (!finished.isostatic) {
    if (event.failure.empty()) event.failure = finished.reason;
    return false;
  }
  event.programs = finished.programs;
  event.failure.clear();
  event.work += work_between(model_, statics::freedoms_of(model_, state.bodies, false), load, before, state);
  list = list_of(model_, state, statics::pushing_pairs(state), load);
  if (!list.square()) event.failure = "the list of contacts is not isostatic";
  return list.square();
}

// Opens contact after contact until all push: the first because its force has vanished, then always the one that pulls most.
template <int D>
bool QuasiStatic<D>::rearrange(State<D>& state, IsostaticList<D>& list, statics::ListFactor& factor, const Load<D>& load,
                               const Load<D>& change, int opened, Event& event) {
  const double diameter = mean_diameter(state.bodies);
  Neighbours<D> neighbours;
  LooseBodies<D> loose(model_, diameter);
  loose.gather(state, list.freedoms);
  for (event.list_changes = 1; event.list_changes <= settings_.most_list_changes; ++event.list_changes) {
    std::optional<Mechanism<D>> mechanism = open_contact(model_, state, list, opened, load);
    if (!mechanism) {
      event.failure = "a contact opened and left more than one freedom";
      return false;
    }
    // At the first opening the load itself does no work, only its change does.
    const Eigen::VectorXd push = force_of(model_, state, mechanism->list.freedoms, event.list_changes == 1 ? change : load);
    const Closed<D> closed =
        geometric::follow(model_, state, *mechanism, load, push, factor, loose, neighbours, diameter, settings_.tolerances);
    event.path_steps += closed.steps, event.work += closed.work;
    if (!closed.failure.empty()) {
      event.failure = closed.failure;
      return false;
    }
    list = std::move(mechanism->list);
    factor.set(matrix_of(model_, state, list), names_of(list));
    Eigen::VectorXd f;
    if (!balancing_forces(factor, force_of(model_, state, list.freedoms, load), f)) {
      event.failure = "the new list of contacts is singular";
      return false;
    }
    Eigen::Index worst = 0;
    if (f.minCoeff(&worst) >= -settings_.traction * f.cwiseAbs().mean()) {
      if (imbalance(model_, state, list, f, load) > 1e-9 * f.cwiseAbs().mean()) {
        event.failure = "a body that lay on a wall alone is pushed along it";
        return false;
      }
      const auto cage = loose.tightest(state, list.freedoms, 0.0, true);
      if (!cage || cage->room >= -settings_.tolerances.overlap * diameter) return true;
      event.failure = "a body without force is left without room";
      return false;
    }
    opened = static_cast<int>(worst);
  }
  event.failure = fmt::format("no equilibrium after {} changes of the list", settings_.most_list_changes);
  return false;
}

template <int D>
Event QuasiStatic<D>::follow(State<D>& state, const Load<D>& from, const Load<D>& to, const Each& each) {
  int idle = 0;  // events one after the other at the same load
  for (double at = 0.0;;) {
    Event event = next(state, from, to, at);
    idle = event.moved && event.at == at ? idle + 1 : 0;
    if (idle == settings_.most_idle)
      event.failure = "contacts without force change places at the same load and nothing moves: several lists hold at once";
    if ((each && !each(event, state)) || !event.moved || !event.failure.empty()) return event;
    at = event.at;
  }
}

template class QuasiStatic<2>;
template class QuasiStatic<3>;

}  // namespace moreau::geometric
