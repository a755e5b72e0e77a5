#include "moreau/ranks/member.hpp"

#include <algorithm>
#include <numeric>

#include "moreau/engines/rigid/look_ahead.hpp"
#include "moreau/engines/rigid/periods.hpp"
#include "moreau/geometry/space_filling.hpp"
#include "moreau/ranks/shared_colours.hpp"

namespace moreau::ranks {

namespace {
// What a rank sends home: of each body of its own what evolves, and its contacts.
template <int D>
struct Homecoming {
  std::int32_t name;
  std::uint64_t key;
  Vec<D> position, velocity;
  Rotation<D> orientation;
  Spin<D> spin;
};
}  // namespace

template <int D>
Member<D>::Member(Communicator& ranks) : ranks_(ranks) {
  engine_.share(this);
}

template <int D>
void Member<D>::begin(const State<D>* whole) {
  share_ = {};
  stale_ = balance_ = true;
  if (whole) {
    const std::size_t n = whole->bodies.size();
    share_.state.bodies = whole->bodies;
    share_.state.contacts = whole->contacts;
    share_.name.resize(n), share_.own.assign(n, 1), share_.key.assign(n, 0);
    std::iota(share_.name.begin(), share_.name.end(), 0);
    for (std::size_t k = 0; k < whole->order.size(); ++k) share_.key[static_cast<std::size_t>(whole->order[k])] = k;
    whole_ = {moreau::mean_radius(whole->bodies), whole->order.size() == n && n > 0};
  }
  Bytes told;
  put(told, whole_);
  ranks_.broadcast(told);
  whole_ = Reader(told).take<Whole>();
}

template <int D>
void Member<D>::divide_anew(const Model<D>& model, double margin) {
  divide(ranks_, model, look_ahead(model, whole_.mean_radius), balance_, margin, share_, reach_);
  this->names_ = share_.name, this->own_ = share_.own;
  engine_.forget();
  stale_ = balance_ = false;
}

template <int D>
StepReport Member<D>::step(const Model<D>& model, const Scalars<D>& scalars, const std::vector<MotionStart<D>>& motions) {
  set_scalars(share_.state, scalars);
  share_.state.motion_starts = motions;
  if (is_reordered(share_.state.step)) stale_ = balance_ = true;
  for (double margin = 1.0;;) {
    const bool anew = stale_;
    if (anew) divide_anew(model, margin);
    before_ = share_.state;
    try {
      return engine_.step(model, share_.state);
    } catch (const GhostsMissing&) {
      share_.state = before_;
      stale_ = true;
      if (anew) margin *= 2.0;
    }
  }
}

template <int D>
void Member<D>::renew_order(State<D>& state, bool due) {
  if (!due && whole_.ordered) return;
  const std::vector<Vec<D>>& position = state.bodies.state.position;
  const CurveBounds<D> bounds = this->sum(curve_bounds(position));
  share_.key = curve_keys(position, bounds);
  state.order = order_along(share_.key);
  state.contacts.colour.clear();
  whole_.ordered = true;
}

template <int D>
void Member<D>::demand_reach(const Bodies<D>&, const LookAhead& ahead) {
  const bool holds = reach_.holds(share_, ahead);
  if (this->sum(Largest<int>{holds ? 0 : 1}).value != 0) throw GhostsMissing{};
}

template <int D>
bool Member<D>::colour_all(Colouring& colouring, std::span<const Colouring::Contact> contacts, std::span<const std::uint32_t> slots) {
  const auto here = complete_colours(ranks_, share_.halo, slots, contacts, colouring);
  if (!here) return false;
  batons_.plan(ranks_, share_.halo, *here, share_.own, slots);
  this->counted_ = batons_.kept_here(slots.size() + 1);
  return true;
}

template <int D>
Completion Member<D>::complete(const std::vector<SystemRow<D>>& rows, const CompletionTask& task, std::vector<Vec<D>>& impulses) {
  Bytes mine;
  put_all<SystemRow<D>>(mine, rows);
  const std::vector<Bytes> parts = ranks_.gather(mine);
  Completion done;
  std::vector<Bytes> back(parts.size());
  if (ranks_.rank() == 0) {
    std::vector<SystemRow<D>> all;
    std::vector<std::uint32_t> from;  // rank of each
    for (std::size_t r = 0; r < parts.size(); ++r) Reader(parts[r]).take_all(all), from.resize(all.size(), static_cast<std::uint32_t>(r));
    // The rows of a body are of one rank, in their order.
    std::vector<std::uint32_t> order(all.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return all[x].a < all[y].a; });
    std::vector<SystemRow<D>> sorted;
    for (const std::uint32_t k : order) sorted.push_back(all[k]);
    StepSystem<D> system = system_of<D>(sorted);
    system.complete();
    done = moreau::complete(system, task);
    if (done.worst_body >= 0) done.worst_body = system.names[static_cast<std::size_t>(done.worst_body)];
    std::vector<Vec<D>> impulse(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) impulse[order[k]] = system.contacts[k].impulse;
    for (std::size_t r = 0, at = 0; r < parts.size(); ++r) {
      std::size_t count = 0;
      while (at + count < from.size() && from[at + count] == r) ++count;
      put(back[r], done);
      if (done.factorisations > 0) put_all<Vec<D>>(back[r], std::span(impulse).subspan(at, count));
      at += count;
    }
  }
  const Bytes came = ranks_.scatter(back);
  Reader reader(came);
  done = reader.take<Completion>();
  impulses.clear();
  if (done.factorisations > 0) reader.take_all(impulses);
  return done;
}

template <int D>
void Member<D>::gather(State<D>* whole) const {
  Bytes mine;
  std::vector<Homecoming<D>> bodies;
  const BodyState<D>& s = share_.state.bodies.state;
  for (std::size_t i = 0; i < share_.name.size(); ++i)
    if (share_.own[i])
      bodies.push_back({share_.name[i], share_.key[i], s.position[i], s.velocity[i], s.orientation[i], s.spin[i]});
  put_all<Homecoming<D>>(mine, bodies);
  put_all<ContactRecord<D>>(mine, share_.contacts());
  const std::vector<Bytes> parts = ranks_.gather(mine);
  if (!whole) return;
  std::vector<std::uint64_t> key(whole->bodies.size());
  std::vector<ContactRecord<D>> contacts;
  for (const Bytes& part : parts) {
    bodies.clear();
    Reader reader(part);
    reader.take_all(bodies), reader.take_all(contacts);
    BodyState<D>& to = whole->bodies.state;
    for (const Homecoming<D>& body : bodies) {
      const std::size_t i = static_cast<std::size_t>(body.name);
      to.position[i] = body.position, to.velocity[i] = body.velocity, to.orientation[i] = body.orientation, to.spin[i] = body.spin;
      key[i] = body.key;
    }
  }
  std::stable_sort(contacts.begin(), contacts.end(), [](const auto& x, const auto& y) { return x.a < y.a; });
  whole->contacts = {};
  for (const ContactRecord<D>& contact : contacts) append(whole->contacts, contact);
  if (whole_.ordered) whole->order = order_along(key);
}

template class Member<2>;
template class Member<3>;

}  // namespace moreau::ranks
