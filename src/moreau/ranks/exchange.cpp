// Bodies that leave and arrive while ranks share them: rank 0 decides, from those bodies alone that matter.
#include "moreau/dynamics/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/ranks/member.hpp"

namespace moreau::ranks {

namespace {

// A body that a new grain may come to lie on.
template <int D>
struct Support {
  std::int32_t name;
  bool held;  // by something (dynamics/exchange.hpp)
  Vec<D> position;
};

template <int D>
double largest_grain(const Source<D>& source, const std::vector<Shape<D>>& shapes) {
  if (source.mixture.empty()) return source.sizes.largest();
  double largest = 0.0;
  for (const SourceKind& kind : source.mixture)
    largest = std::max(largest, kind.shape < 0 ? kind.sizes.largest() : shapes[static_cast<std::size_t>(kind.shape)].reach);
  return largest;
}

// Somewhat more than those that are.
template <int D>
bool is_below_a_source(const Model<D>& model, const Bodies<D>& bodies, std::size_t i, const Vec<D>& up) {
  return std::ranges::any_of(model.sources, [&](const Source<D>& source) {
    const Vec<D> to_body = bodies.state.position[i] - source.centre;
    const double along = dot(to_body, up);
    const double distance = 1.001 * (source.spread + largest_grain(source, bodies.shapes) + bodies.parameters.radius[i]);
    return dot(to_body, to_body) - along * along <= distance * distance;
  });
}

// The rank nearest to a place.
struct Nearest {
  double distance;
  std::int32_t rank;
};

}  // namespace

// Every rank takes its bodies that are in a sink out, ghosts too, as their owners do.
template <int D>
std::size_t Member<D>::remove(const Model<D>& model, State<D>* whole) {
  Bodies<D>& bodies = share_.state.bodies;
  std::vector<std::int32_t> caught;
  std::vector<Homecoming<D>> leaving;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto holds_it = [&](const Sink<D>& sink) { return sink.contains(bodies.state.position[i]); };
    if (!bodies.is_free(i) || std::ranges::none_of(model.sinks, holds_it)) continue;
    caught.push_back(static_cast<std::int32_t>(i));
    if (share_.own[i]) leaving.push_back(homecoming(bodies, i, share_.name[i], share_.key[i]));
  }
  const std::size_t all = this->sum(Count{leaving.size()}).value;
  if (all == 0) return 0;
  const EnergyLedger energy = share_.state.energy;
  remove_into_sinks(model, share_.state, caught);
  share_.state.energy = energy;  // what leaves is booked by rank 0
  Bytes mine;
  put_all<Homecoming<D>>(mine, leaving);
  leaving.clear();
  ranks_.collect(mine, [&](const Bytes& part) { Reader(part).take_all(leaving); });
  if (!whole) return all;
  std::vector<std::int32_t> names;
  for (const Homecoming<D>& body : leaving) come_home(body, whole->bodies), names.push_back(body.name);
  std::sort(names.begin(), names.end());
  return remove_into_sinks(model, *whole, names);
}

// New grains come to lie on what is below the sources: rank 0 puts them there in a state of these bodies alone, and the rank
// nearest to each owns it.
template <int D>
std::size_t Member<D>::insert(const Model<D>& model, State<D>* whole) {
  const Bodies<D>& bodies = share_.state.bodies;
  std::vector<bool> holding = held_bodies(share_.state);
  share_.halo.template to_owners<std::uint8_t>(
      ranks_, [&](std::uint32_t body) { return static_cast<std::uint8_t>(holding[body]); },
      [&](std::uint32_t body, int, std::uint8_t held) { holding[body] = holding[body] || held != 0; });
  const Vec<D> up = normalized(-model.gravity_at(share_.state.time));
  std::vector<Support<D>> supports;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (share_.own[i] && bodies.is_present(i) && is_below_a_source(model, bodies, i, up))
      supports.push_back({share_.name[i], holding[i], bodies.state.position[i]});
  Bytes mine, told;
  put_all<Support<D>>(mine, supports);
  supports.clear();
  ranks_.collect(mine, [&](const Bytes& part) { Reader(part).take_all(supports); });
  if (whole) {
    std::sort(supports.begin(), supports.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
    State<D> seen;
    take_numbers(seen, orders_of(*whole).numbers);
    seen.motion_starts = whole->motion_starts, seen.pistons = whole->pistons, seen.sources = whole->sources;
    seen.bodies.shapes = whole->bodies.shapes;
    std::vector<bool> held;
    for (const Support<D>& support : supports) {
      append(seen.bodies, body_record(whole->bodies, static_cast<std::size_t>(support.name), support.name, 0));
      seen.bodies.state.position.back() = support.position, held.push_back(support.held);
    }
    insert_from_sources(model, seen, held);
    whole->sources = seen.sources, whole->energy = seen.energy;
    std::vector<BodyRecord<D>> fresh;
    for (std::size_t i = supports.size(); i < seen.bodies.size(); ++i) {
      const auto name = static_cast<std::int32_t>(whole->bodies.size());
      fresh.push_back(
          body_record(seen.bodies, i, name, std::numeric_limits<std::uint64_t>::max()));  // the last ones in their order
      append(whole->bodies, fresh.back());
    }
    put_all<BodyRecord<D>>(told, fresh);
  }
  ranks_.broadcast(told);
  std::vector<BodyRecord<D>> fresh;
  Reader(told).take_all(fresh);

  mine.clear();
  for (const BodyRecord<D>& grain : fresh) {
    double nearest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < share_.own.size(); ++i) {
      const Vec<D> way = bodies.state.position[i] - grain.position;
      if (share_.own[i] && bodies.is_present(i)) nearest = std::min(nearest, dot(way, way));
    }
    put(mine, nearest);
  }
  std::vector<Nearest> owners(fresh.size(), {std::numeric_limits<double>::max(), 0});
  std::int32_t rank = 0;
  ranks_.collect(mine, [&](const Bytes& part) {
    Reader reader(part);
    for (Nearest& owner : owners)
      if (const double distance = reader.take<double>(); distance < owner.distance) owner = {distance, rank};
    ++rank;
  });
  told.clear();
  put_all<Nearest>(told, owners);
  ranks_.broadcast(told);
  owners.clear();
  Reader(told).take_all(owners);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    if (owners[k].rank != ranks_.rank()) continue;
    append(share_.state.bodies, fresh[k]);
    share_.name.push_back(fresh[k].name), share_.key.push_back(fresh[k].key), share_.own.push_back(1);
  }
  if (!fresh.empty()) stale_ = true;
  return fresh.size();
}

template <int D>
void Member<D>::exchange(const Model<D>& model, bool arrivals, State<D>* whole, StepReport* report) {
  const std::size_t removed = model.sinks.empty() ? 0 : remove(model, whole), inserted = arrivals ? insert(model, whole) : 0;
  if (report) report->removed = removed, report->inserted = inserted;
  if (removed + inserted == 0) return;
  Bytes told;
  tell_whole(whole, told);
  ranks_.broadcast(told);
  whole_ = Reader(told).take<Whole>();
  engine_.forget();
}

template void Member<2>::exchange(const Model<2>&, bool, State<2>*, StepReport*);
template void Member<3>::exchange(const Model<3>&, bool, State<3>*, StepReport*);

}  // namespace moreau::ranks
