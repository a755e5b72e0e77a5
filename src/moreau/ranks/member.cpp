#include "moreau/ranks/member.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/engines/rigid/look_ahead.hpp"
#include "moreau/engines/rigid/periods.hpp"
#include "moreau/geometry/space_filling.hpp"
#include "moreau/ranks/shared_colours.hpp"
#include "moreau/ranks/work_clock.hpp"

namespace moreau::ranks {

namespace {
constexpr int balance_period = 100;      // steps
constexpr double most_imbalance = 1.15;  // of the longest work over the mean

template <int D>
struct BrokenJoint {
  double time;
  std::int32_t a, b;
  Vec<D> point;
  JointBreak how;
};

// Column after column, so that there is never more than one of them twice. Contacts of one body stay in their order.
template <int D>
void sort_by_first_body(ContactTable<D>& table) {
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return table.a[x] < table.a[y]; });
  const auto sort = [&](auto& column) {
    if (column.empty()) return;
    std::remove_reference_t<decltype(column)> sorted;
    sorted.reserve(column.size());
    for (const std::uint32_t i : order) sorted.push_back(column[i]);
    column = std::move(sorted);
  };
  sort(table.a), sort(table.b), sort(table.gap), sort(table.normal), sort(table.impulse), sort(table.point), sort(table.feature);
  sort(table.image), sort(table.condition), sort(table.area), sort(table.couple), sort(table.colour);
}
}  // namespace

template <int D>
Member<D>::Member(Communicator& ranks) : ranks_(ranks) {
  engine_.join(this);
}

template <int D>
void Member<D>::begin(const State<D>* whole) {
  share_ = {};
  crowd_.clear();
  stale_ = balance_ = true;
  if (whole) {
    const std::size_t n = whole->bodies.size();
    share_.state.bodies = whole->bodies;
    share_.state.contacts = whole->contacts;
    share_.state.wear = whole->wear;
    share_.name.resize(n), share_.own.assign(n, 1), share_.key.assign(n, ~std::uint64_t{0});  // new bodies come last
    std::iota(share_.name.begin(), share_.name.end(), 0);
    for (std::size_t k = 0; k < whole->order.size(); ++k) share_.key[static_cast<std::size_t>(whole->order[k])] = k;
  }
  Bytes told;
  if (whole) whole_.ordered = !whole->order.empty() && whole->order.size() <= whole->bodies.size();
  tell_whole(whole, told);
  if (whole) put(told, whole->bodies.shapes);
  ranks_.broadcast(told);
  Reader reader(told);
  whole_ = reader.take<Whole>();
  if (!whole) share_.state.bodies.shapes = take_shapes<D>(reader);
}

template <int D>
void Member<D>::tell_whole(const State<D>* whole, Bytes& told) {
  if (!whole) return;
  const std::vector<double>& radius = whole->bodies.parameters.radius;
  whole_.mean_radius = moreau::mean_radius(whole->bodies);
  whole_.largest_radius = radius.empty() ? 0.0 : *std::max_element(radius.begin(), radius.end());
  put(told, whole_);
}

template <int D>
void Member<D>::divide_anew(const Model<D>& model, double margin) {
  const double begun = work_time(ranks_);
  divide(ranks_, model, look_ahead(model, whole_.mean_radius), {balance_, share_rate_, crowd_}, margin, share_, reach_);
  if (balance_) worked_ = 0.0, steps_ = 0, share_rate_ = 1.0;
  ranks_.note_division(balance_, work_time(ranks_) - begun);
  this->names_ = share_.name, this->own_ = share_.own;
  engine_.forget();
  stale_ = balance_ = false;
}

template <int D>
StepReport Member<D>::step(const Model<D>& model, const Orders<D>& orders) {
  take_numbers(share_.state, orders.numbers);
  share_.state.motion_starts = orders.motions, share_.state.pistons = orders.pistons;
  fast_ = model.solver.ranks == RankSweeps::fast;
  watch_balance();
  if (is_reordered(share_.state.step)) stale_ = balance_ = true, crowd_.clear();
  if (model.cell.deforms) stale_ = true;  // images move with the cell
  for (double margin = 1.0;;) {
    const bool anew = stale_;
    const std::size_t crowd = crowd_.size();
    if (anew) divide_anew(model, margin);
    before_ = share_.state;
    try {
      const double begun = work_time(ranks_);
      StepReport report = engine_.step(model, share_.state);
      worked_ += work_of_step(work_time(ranks_) - begun), ++steps_;
      report.fast = fast_ && ranks_.size() > 1;
      return report;
    } catch (const ShareMissing&) {
      share_.state = before_;
      stale_ = true;
      if (anew && crowd == crowd_.size()) margin *= 2.0;
    }
  }
}

// Who owns a body changes no bits of exact sweeps, so that clocks may decide it. It changes those of fast ones: there a step is
// as long as its bodies and contacts are many, and a run made twice is divided in the same way.
template <int D>
double Member<D>::work_of_step(double seconds) const {
  if (!fast_) return seconds;
  return 1e-6 * (static_cast<double>(std::ranges::count(share_.own, 1)) +
                 contact_weight * static_cast<double>(share_.state.contacts.size()));
}

// Bodies change ranks where one of these works much longer than the mean.
template <int D>
void Member<D>::watch_balance() {
  if (steps_ < balance_period) return;
  struct Work {
    std::uint64_t longest, all;  // microseconds: whole numbers, the same sum on all ranks
    Work& operator+=(const Work& o) { return longest = std::max(longest, o.longest), all += o.all, *this; }
  };
  const auto mine = static_cast<std::uint64_t>(std::max(0.0, 1e6 * worked_));
  const Work work = this->sum(Work{mine, mine});
  const double mean = std::max(1.0, static_cast<double>(work.all) / ranks_.size());
  ranks_.note_imbalance(static_cast<double>(work.longest) / mean);
  if (static_cast<double>(work.longest) > most_imbalance * mean)
    stale_ = balance_ = true, share_rate_ = fast_ ? 1.0 : std::clamp(static_cast<double>(mine) / mean, 0.2, 5.0);
  worked_ = 0.0, steps_ = 0;
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
void Member<D>::demand_reach(const LookAhead& ahead, const Lattice<D>& lattice, const Matrix<D>& gradient) {
  const bool holds = reach_.holds(share_, ahead, lattice, gradient);
  if (this->sum(Largest<bool>{!holds}).value) throw ShareMissing{};
}

template <int D>
std::vector<WornFace> Member<D>::bring_together(const std::vector<WornFace>& worn) {
  Bytes mine;
  put_all<WornFace>(mine, worn);
  std::vector<WornFace> all;
  for (const Bytes& part : ranks_.gather(mine)) Reader(part).take_all(all);
  std::stable_sort(all.begin(), all.end(), [](const WornFace& x, const WornFace& y) { return x.body < y.body; });
  return all;
}

template <int D>
bool Member<D>::holds(const Lattice<D>& lattice) const {
  Bodies<D> largest;
  largest.parameters.radius = {whole_.largest_radius};
  return cell_holds(lattice, largest);
}

template <int D>
bool Member<D>::colour_all(Colouring& colouring, std::span<const Colouring::Contact> contacts,
                           std::span<const std::uint32_t> slots) {
  const auto here = complete_colours(ranks_, share_.halo, slots, contacts, colouring);
  if (!here) return false;
  if (!fast_) demand_one_overflow(colouring, contacts, slots);
  ways().plan(ranks_, share_.halo, *here, share_.own, slots);
  this->kept_ = ways().kept_here(slots.size() + 1);
  this->counted_ = fast_ ? mass_parts_.counted_here(slots.size() + 1) : this->kept_;
  this->parts_ = fast_ ? mass_parts_.parts(slots.size() + 1) : std::vector<std::uint16_t>{};
  return true;
}

// The overflow is swept contact after contact: one rank has all of it, or gets it, with all that touches the same crowded bodies.
template <int D>
void Member<D>::demand_one_overflow(const Colouring& colouring, std::span<const Colouring::Contact> contacts,
                                    std::span<const std::uint32_t> slots) {
  const bool any = std::ranges::count(colouring.colour, Colouring::most) > 0;
  if (this->sum(Count{any ? 1u : 0u}).value <= 1) return;
  std::vector<std::uint32_t> body_at(slots.size());
  for (std::uint32_t i = 0; i < slots.size(); ++i) body_at[slots[i]] = i;
  std::vector<std::int32_t> names;
  const auto is_crowded = [&](std::uint32_t slot) { return slot < slots.size() && colouring.used()[slot] == ~std::uint64_t{0}; };
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (colouring.colour[i] == Colouring::most || is_crowded(contacts[i].slot_a) || is_crowded(contacts[i].slot_b))
      names.push_back(share_.name[body_at[contacts[i].slot_a]]);
  Bytes mine, all;
  put_all<std::int32_t>(mine, names);
  for (const Bytes& part : ranks_.gather(mine)) Reader(part).take_all(crowd_);
  put_all<std::int32_t>(all, crowd_);
  ranks_.broadcast(all);
  crowd_.clear();
  Reader(all).take_all(crowd_);
  std::sort(crowd_.begin(), crowd_.end());
  crowd_.erase(std::unique(crowd_.begin(), crowd_.end()), crowd_.end());
  balance_ = true;
  throw ShareMissing{};
}

template <int D>
Completion Member<D>::complete(const SystemPart<D>& part, const CompletionTask& task, std::vector<StepContact<D>>& finished) {
  Bytes mine;
  put_all<SystemRow<D>>(mine, part.rows), put_all<Sharing<D>>(mine, part.sharings);
  const std::vector<Bytes> parts = ranks_.gather(mine);
  Completion done;
  std::vector<Bytes> back(parts.size());
  if (ranks_.rank() == 0) {
    std::vector<SystemRow<D>> rows;
    std::vector<Sharing<D>> sharings;
    std::vector<std::size_t> begin{0};  // of the rows of each rank
    for (const Bytes& from : parts) {
      Reader reader(from);
      reader.take_all(rows);
      std::vector<Sharing<D>> there;
      reader.take_all(there);
      for (Sharing<D>& s : there) s.contact += static_cast<std::uint32_t>(begin.back());
      sharings.insert(sharings.end(), there.begin(), there.end());
      begin.push_back(rows.size());
    }
    // As one process has them: the rows of a body are of one rank, in their order.
    std::vector<std::uint32_t> order(rows.size()), place(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) { return rows[x].a < rows[y].a; });
    std::int32_t last = -1;
    for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k, last = std::max({last, rows[k].a, rows[k].b});
    SystemBuilder<D> builder(static_cast<std::size_t>(last + 1), rows.size());
    for (const std::uint32_t k : order) builder.add(rows[k]);
    for (Sharing<D>& s : sharings) s.contact = place[s.contact];
    std::sort(sharings.begin(), sharings.end(),
              [](const auto& x, const auto& y) { return x.motion != y.motion ? x.motion < y.motion : x.contact < y.contact; });
    for (const Sharing<D>& s : sharings) builder.add_sharing(s, part.changes_of_speed[static_cast<std::size_t>(s.motion)]);
    StepSystem<D> system = builder.finish(part.motions);
    done = moreau::complete(system, task);
    if (done.worst_body >= 0) done.worst_body = system.names[static_cast<std::size_t>(done.worst_body)];
    for (std::size_t r = 0; r < parts.size(); ++r) {
      put(back[r], done);
      std::vector<StepContact<D>> there;
      if (done.factorisations > 0) {
        for (std::size_t k = begin[r]; k < begin[r + 1]; ++k) there.push_back(system.contacts[place[k]]);
        for (std::size_t k = rows.size(); k < system.contacts.size(); ++k) {
          const std::size_t carrier = order[static_cast<std::size_t>(system.contacts[k].carrier)];
          if (carrier < begin[r] || carrier >= begin[r + 1]) continue;
          there.push_back(system.contacts[k]), there.back().carrier = static_cast<std::int32_t>(carrier - begin[r]);
        }
      }
      put_all<StepContact<D>>(back[r], there);
    }
  }
  const Bytes came = ranks_.scatter(back);
  Reader reader(came);
  done = reader.take<Completion>();
  finished.clear();
  reader.take_all(finished);
  return done;
}

template <int D>
void Member<D>::gather(State<D>* whole) {
  Bytes mine;
  std::vector<Homecoming<D>> bodies;
  for (std::size_t i = 0; i < share_.name.size(); ++i)
    if (share_.own[i]) bodies.push_back(homecoming(share_.state.bodies, i, share_.name[i], share_.key[i]));
  put_all<Homecoming<D>>(mine, bodies);
  put_all<ContactRecord<D>>(mine, share_.contacts());
  BrokenJoints<D>& broken = share_.state.broken;
  std::vector<BrokenJoint<D>> joints;
  for (std::size_t i = 0; i < broken.size(); ++i)
    joints.push_back({broken.time[i], broken.a[i], broken.b[i], broken.point[i], broken.how[i]});
  put_all<BrokenJoint<D>>(mine, joints);
  broken = {};
  std::vector<std::uint64_t> key(whole ? whole->bodies.size() : 0);
  if (whole) whole->contacts = {};
  joints.clear(), bodies.clear();
  ranks_.collect(mine, [&](const Bytes& part) {
    bodies.clear();
    std::vector<ContactRecord<D>> contacts;
    Reader reader(part);
    reader.take_all(bodies), reader.take_all(contacts), reader.take_all(joints);
    for (const Homecoming<D>& body : bodies) come_home(body, whole->bodies), key[static_cast<std::size_t>(body.name)] = body.key;
    for (const ContactRecord<D>& contact : contacts) append(whole->contacts, contact);
  });
  if (!whole) return;
  whole->wear = share_.state.wear;
  sort_by_first_body(whole->contacts);
  if (whole_.ordered) whole->order = order_along(key);
  // In time; in a step by their first bodies, those that were lost last.
  std::stable_sort(joints.begin(), joints.end(), [](const auto& x, const auto& y) {
    const auto rank = [](const BrokenJoint<D>& j) { return std::tuple(j.time, j.how == JointBreak::lost, j.a); };
    return rank(x) < rank(y);
  });
  for (const BrokenJoint<D>& j : joints) {
    BrokenJoints<D>& to = whole->broken;
    to.time.push_back(j.time), to.a.push_back(j.a), to.b.push_back(j.b), to.point.push_back(j.point), to.how.push_back(j.how);
  }
}

template class Member<2>;
template class Member<3>;

}  // namespace moreau::ranks
