// The stages of a step on a machine (resident.hpp): a card (plugin.cu), or the processor as a card (host_machine.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "moreau/gpu/card_state.hpp"
#include "moreau/gpu/exchange_loops.hpp"
#include "moreau/gpu/order_loops.hpp"
#include "moreau/gpu/pack_loops.hpp"
#include "moreau/gpu/sweeps.hpp"

namespace moreau::gpu {

template <int D, class Machine>
class CardStep : public Resident<D> {
 public:
  void use_from(std::size_t contacts) override { sweeps_.use_from(contacts); }
  std::size_t bytes() const override {
    return bodies_.bytes() + table_[0].bytes() + table_[1].bytes() + table_[2].bytes() + cell_key_.bytes() + cell_body_.bytes() + cell_row_.bytes() +
           pair_.bytes() + more_.bytes() + recalled_.bytes() + used_.bytes() + best_.bytes() + listed_.bytes() + left_.bytes() +
           slot_begin_.bytes() + sorted_colour_.bytes() + sorted_contact_.bytes() + at_.bytes() + end_velocity_.bytes() +
           sweeps_.bytes();
  }

  void put(const State<D>& state) override {
    bodies_.put(state);
    table_[now_].put(state.contacts, bodies_.size());
    find_middle();
    if (state.order.size() == bodies_.size()) place_slots();
  }
  void fetch(State<D>& state) override {
    bodies_.fetch(state);
    table_[now_].fetch(state.contacts);
  }

  std::vector<std::int32_t> caught(std::span<const SinkRegion<D>> sinks, State<D>& state) override {
    sinks_.put(sinks);
    clear_numbers();
    m_.run(bodies_.size(), FindCaught<D>{bodies_.rows(), sinks_.data(), sinks.size(), caught_.resize(bodies_.size()), numbers_.data()});
    std::vector<std::int32_t> list(counted().number);
    caught_.resize(list.size());
    if (list.empty()) return list;
    m_.download(list.data(), caught_.data(), list.size() * sizeof(list[0]));
    std::sort(list.begin(), list.end());
    for (const std::int32_t i : list) bodies_.fetch_body(static_cast<std::size_t>(i), state.bodies.state);
    return list;
  }
  void remove() override { m_.run(caught_.size(), Remove<D>{bodies_.rows(), bodies_.kind(), caught_.data()}); }
  std::vector<bool> held(State<D>& state) override {
    std::uint8_t* const held = held_.resize(bodies_.size());
    m_.run(bodies_.size(), HoldOthers<D>{bodies_.rows(), held});
    m_.run(table_[now_].rows().count, HoldLoaded<D>{table_[now_].rows(), held});
    bodies_.fetch_positions(state);
    std::vector<std::uint8_t> here;
    held_.get(here);
    return {here.begin(), here.end()};
  }
  void append(const State<D>& state) override {
    bodies_.append(state);
    table_[now_].begin_rows(bodies_.size());
    place_slots();
  }

  void predict(const StepTask<D>& task, std::span<const DrivenRow<D>> driven) override {
    task_ = task;
    walls_.put(task.walls), laws_.put(task.laws);
    m_.run(bodies_.size(), Predict<D>{bodies_.rows(), 0.5 * task.time_step});
    place_driven(driven, true);
    if (task.renew_order) renew_order();
  }

  Found detect() override {
    list_contacts(find(bodies_.rows().velocity, task_.ahead));
    repeats_ = false;
    const std::size_t contacts = next().rows().count;
    return {contacts, sum<Count>(contacts, CountRecalled{recalled_.data()}).number};
  }

  bool assemble() override {
    if (!complete_colours()) return false;
    lay_out();
    const std::size_t n = bodies_.size();
    m_.run(n, SetBody<D>{bodies_.rows(), bodies_.order(), sweeps_.rows(), sweeps_.free(), task_.gained});
    m_.run(1, Set<Row<double>>{sweeps_.rows() + n, {}});
    const PackContact<D> pack{bodies_.rows(),
                              ends(),
                              next().rows(),
                              table_[now_].rows(),
                              at_.data(),
                              recalled_.data(),
                              walls_.data(),
                              laws_.data(),
                              static_cast<std::int64_t>(task_.materials),
                              task_.rule,
                              task_.impulse_scale,
                              sweeps_.rows(),
                              sweeps_.packs()};
    depths_ = sum<Depths>(at_.size(), pack);
    if (repeats_) m_.run(at_.size(), BeginFrom<D>{sweeps_.packs(), at_.data(), next().rows(), table_[solved_].rows()});
    return true;
  }

  std::size_t contacts() const override { return next().rows().count; }
  Depths depths() const override { return depths_; }
  SolverSize size() override {
    const Masses masses = sum<Masses>(bodies_.size(), Weigh<D>{sweeps_.rows(), used_.data()});
    return {next().rows().count, masses.free, masses.touched, masses.total.value(), masses.lightest, masses.heaviest};
  }
  void bring(ProblemThere<D>& problem) override {
    sweeps_.bring(problem);
    bodies_.fetch_order(problem.order);
    std::vector<std::int32_t> at;
    at_.get(at);
    problem.place.resize(next().rows().count);
    for (std::size_t place = 0; place < at.size(); ++place)
      if (at[place] >= 0) problem.place[static_cast<std::size_t>(at[place])] = static_cast<std::uint32_t>(place);
  }
  Accelerator<D>& sweeps() override { return sweeps_; }

  bool include_missed(double tolerated_overlap) override {
    const std::size_t n = bodies_.size();
    end_velocity_.resize(n);
    const Extent extent = sum<Extent>(n, MeasureChange<D>{bodies_.rows(), sweeps_.rows(), end_velocity_.data()});
    const double h = task_.time_step, tolerated = tolerated_overlap * 2.0 * extent.smallest;
    if (!(2.0 * h * extent.change > tolerated)) return false;
    const PairList closing = find(end_velocity_.data(), {h, -tolerated});
    const std::size_t known = next().rows().count;
    PairList all = closing;
    all.pair = more_.resize(found_), all.room = static_cast<std::uint32_t>(found_);
    clear_numbers();
    m_.run(found_, ListNew<D>{closing, all, next().rows()});
    const std::uint32_t missed = counted().number;
    if (missed == 0) return false;
    if (pair_.size() < known + missed) pair_.resize(known + missed);
    all.pair = pair_.data();
    m_.run(known, ListKnown<D>{all, next().rows()});
    m_.run(missed, Copy<std::uint64_t>{more_.data(), pair_.data() + known});
    found_ = known + missed;
    sort_pairs();
    m_.run(at_.size(), KeepImpulse<D>{sweeps_.packs(), at_.data(), next().rows()});
    std::swap(next_, solved_);
    list_contacts(all);
    repeats_ = true;
    return true;
  }

  BodyTotals advance(const Vec<D>& gravity) override {
    return sum<BodyTotals>(bodies_.size(), Advance<D>{bodies_.rows(), sweeps_.rows(), 0.5 * task_.time_step, gravity});
  }
  ContactTotals account() override {
    const ContactTotals totals =
        sum<ContactTotals>(at_.size(), Account<D>{bodies_.rows(), next().rows(), at_.data(), walls_.data(),
                                                  sweeps_.rows(), sweeps_.packs(), static_cast<std::int32_t>(bodies_.size()),
                                                  task_.time_step});
    std::swap(now_, next_);
    return totals;
  }
  void conclude(std::span<const DrivenRow<D>> driven) override { place_driven(driven, false); }

 private:
  using Table = CardContacts<D, Machine>;
  static constexpr std::size_t sampled = 255;  // positions, for the middle of the grid

  template <class Sum, class Loop>
  Sum sum(std::size_t count, const Loop& loop) {
    char* const at = sum_.resize(sizeof(Sum));
    m_.reduce(count, loop, reinterpret_cast<Sum*>(at));
    Sum total;
    m_.download(&total, at, sizeof(Sum));
    return total;
  }
  // What was counted since clear_numbers(), and whether there was something odd.
  struct Counted {
    std::uint32_t number, odd;
  };
  Counted counted() {
    Counted both;
    m_.download(&both, numbers_.data(), sizeof(both));
    return both;
  }
  void clear_numbers() {
    numbers_.resize(2);
    m_.run(2, Set<std::uint32_t>{numbers_.data(), 0});
  }

  ContactEnds<D> ends() const {
    const ContactRows<D> rows = next().rows();
    return {bodies_.rows(), rows.a, rows.b, static_cast<std::uint32_t>(bodies_.size())};
  }
  void place_slots() { m_.run(bodies_.size(), PutSlots{bodies_.order(), bodies_.slot()}); }
  void place_driven(std::span<const DrivenRow<D>> driven, bool midpoint) {
    if (driven.empty()) return;
    driven_.put(driven);
    m_.run(driven.size(), PlaceDriven<D>{bodies_.rows(), driven_.data(), midpoint});
  }

  // Median of some of the positions: cells count from there, wherever a few bodies have gone.
  void find_middle() {
    const std::size_t count = std::min(sampled, bodies_.size());
    middle_ = Vec<D>{};
    if (count == 0) return;
    sample_.resize(count);
    m_.run(count, Sampled<D>{bodies_.rows().position, sample_.data(), bodies_.size() / count});
    std::vector<Vec<D>> some;
    sample_.get(some);
    for (int d = 0; d < D; ++d) {
      std::vector<double> x;
      for (const Vec<D>& at : some)
        if (std::isfinite(at[d])) x.push_back(at[d]);
      if (x.empty()) continue;
      std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
      middle_[d] = x[x.size() / 2];
    }
  }

  void renew_order() {
    const std::size_t n = bodies_.size();
    const Vec<D>* const position = bodies_.rows().middle;
    const Box<D> box = sum<Box<D>>(n, MeasureBox<D>{position});
    double extent = 0.0;
    for (int d = 0; d < D; ++d) extent = std::max(extent, box.high[d] - box.low[d]);
    constexpr int bits = MortonKeys<D>::bits;
    const double scale = extent > 0.0 ? static_cast<double>((std::uint64_t{1} << bits) - 1) / extent : 0.0;
    std::uint64_t* const key = cell_key_.resize(n);
    std::uint32_t* const body = reinterpret_cast<std::uint32_t*>(bodies_.order(n));
    m_.run(n, MortonKeys<D>{position, box.low, scale, key, body});
    m_.sort_with(key, body, n, D * bits);
    place_slots();
    find_middle();
  }

  Table& next() { return table_[next_]; }
  const Table& next() const { return table_[next_]; }

  // The contacts of the step, from sorted pairs.
  void list_contacts(const PairList& list) {
    const std::size_t n = bodies_.size(), contacts = found_;
    Table& then = table_[now_];
    next().resize(contacts, n);
    m_.run(contacts, NamePairs{list, next().rows().a, next().rows().b});
    m_.run(contacts + 1, BeginRows{next().rows().a, next().rows().row, contacts, n});
    recalled_.resize(contacts);
    m_.run(contacts, Recall<D>{next().rows(), then.rows(), recalled_.data(), task_.renew_order || !then.coloured()});
  }
  void sort_pairs() {
    const std::uint64_t n = bodies_.size();
    m_.sort(pair_.data(), found_, static_cast<int>(std::bit_width(n * (n + task_.walls.size()))));
  }

  // All pairs that are contacts with these velocities, in order; found_ of them.
  PairList find(const Vec<D>* velocity, const Ahead& ahead) {
    const std::size_t n = bodies_.size();
    const BodyRows<D> rows = bodies_.rows();
    const Grid<D> grid(middle_, sum<Reaches>(n, MeasureReach<D>{rows, velocity, ahead, middle_}));
    std::uint64_t* const key = cell_key_.resize(n);
    std::uint32_t* const body = cell_body_.resize(n);
    levels_.resize(1);
    m_.run(1, Set<std::uint64_t>{levels_.data(), 0});
    m_.run(n, PutIntoCells<D>{rows, velocity, ahead, grid, key, body, levels_.data()});
    m_.sort_with(key, body, n, grid.key_bits());
    m_.run(n, FillCells<D>{rows, velocity, ahead, body, cell_row_.resize(n)});
    std::uint64_t levels = 1;
    if (!grid.one_level) m_.download(&levels, levels_.data(), sizeof(levels));

    const std::uint64_t walls = task_.walls.size();
    if (pair_.size() == 0) pair_.resize(4 * n + 1024);
    for (;;) {
      clear_numbers();
      const PairList list{pair_.data(), numbers_.data(), static_cast<std::uint32_t>(pair_.size()), n, walls};
      m_.run(n, FindPairs<D>{rows, velocity, ahead, grid, key, body, cell_row_.data(), n, levels, list});
      if (walls > 0) m_.run(n, FindWalls<D>{rows, velocity, ahead, walls_.data(), list});
      found_ = counted().number;
      if (found_ <= pair_.size()) {
        sort_pairs();
        return list;
      }
      pair_.resize(found_ + found_ / 4);
    }
  }

  // False: not all contacts can have one.
  bool complete_colours() {
    const std::size_t n = bodies_.size(), contacts = next().rows().count;
    std::uint8_t* const colour = next().rows().colour;
    used_.resize(n + 1), best_.resize(n + 1), listed_.resize(contacts), left_.resize(contacts);
    Counted kept;
    for (bool again = false;; again = true) {
      clear_numbers();
      m_.run(n + 1, Set<std::uint64_t>{used_.data(), 0});
      m_.run(contacts, KeepColours<D>{ends(), colour, used_.data(), listed_.data(), numbers_.data(), numbers_.data() + 1});
      kept = counted();
      if (kept.odd == 0 || again) break;
      m_.run(contacts, Set<std::uint8_t>{colour, no_colour});
    }
    std::uint32_t waiting = kept.number;
    std::uint32_t *listed = listed_.data(), *left = left_.data();
    while (waiting > 0) {
      clear_numbers();
      m_.run(waiting, ForgetBids<D>{ends(), listed, best_.data()});
      m_.run(waiting, Bid<D>{ends(), listed, best_.data()});
      m_.run(waiting, TakeColour<D>{ends(), listed, best_.data(), used_.data(), colour, left, numbers_.data(), numbers_.data() + 1});
      const Counted left_over = counted();
      if (left_over.odd > 0) return false;
      waiting = left_over.number;
      std::swap(listed, left);
    }
    return true;
  }

  // Contacts of a colour follow the bodies in the solver's memory; colours begin with a new pack, of both precisions where there
  // are many contacts (solver/contact_problem.cpp).
  void lay_out() {
    const std::size_t n = bodies_.size();
    const ContactRows<D> rows = next().rows();
    const std::size_t contacts = rows.count;
    m_.run(n, CountOfSlot{bodies_.order(), rows.row, slot_begin_.resize(n)});
    m_.sum_before(slot_begin_.data(), n);
    std::uint32_t *const colour = sorted_colour_.resize(contacts), *const contact = sorted_contact_.resize(contacts);
    m_.run(contacts, ListBySlot<D>{rows, bodies_.slot(), slot_begin_.data(), colour, contact});
    m_.sort_with(colour, contact, contacts, 7);
    colour_begin_.resize(most_colours + 1);
    m_.run(most_colours + 1, BeginColours{colour, contacts, colour_begin_.data()});
    std::vector<std::uint32_t> begin;
    colour_begin_.get(begin);

    const bool paired = contacts >= SolverSize::fewest_for_single;
    std::vector<std::uint32_t> colour_end, first(most_colours + 1, 0);
    std::uint32_t pack = 0;
    for (std::size_t c = 0; c < most_colours && begin[c] < contacts; ++c) {
      const std::uint32_t count = begin[c + 1] - begin[c], width = paired ? 2 * lanes : lanes;
      first[c] = pack * lanes;
      pack += (count + width - 1) / width * (paired ? 2 : 1);
      colour_end.push_back(pack);
    }
    const std::size_t places = static_cast<std::size_t>(pack) * lanes;
    at_.resize(places);
    m_.run(places, Set<std::int32_t>{at_.data(), -1});
    colour_first_.put(first);
    m_.run(contacts, Places{colour, contact, colour_begin_.data(), colour_first_.data(), at_.data()});
    sweeps_.lay_out(n, std::move(colour_end), used_.data());
  }

  Machine m_;
  StepTask<D> task_;
  CardBodies<D, Machine> bodies_{m_};
  Table table_[3] = {Table{m_}, Table{m_}, Table{m_}};
  int now_ = 0, next_ = 1, solved_ = 2;  // of the step before, of this one, and of this one before contacts were added
  bool repeats_ = false;                 // contacts were added
  Sweeps<D, Machine> sweeps_{m_};
  Vec<D> middle_{};
  std::size_t found_ = 0;
  Depths depths_;
  Array<WallRow<D>, Machine> walls_{m_};
  Array<Coefficients, Machine> laws_{m_};
  Array<DrivenRow<D>, Machine> driven_{m_};
  Array<SinkRegion<D>, Machine> sinks_{m_};
  Array<std::uint32_t, Machine> caught_{m_};
  Array<std::uint8_t, Machine> held_{m_};
  Array<Vec<D>, Machine> sample_{m_}, end_velocity_{m_};
  Array<char, Machine> sum_{m_};
  Array<std::uint32_t, Machine> numbers_{m_};
  Array<std::uint64_t, Machine> cell_key_{m_}, levels_{m_}, pair_{m_}, more_{m_}, used_{m_}, best_{m_};
  Array<std::uint32_t, Machine> cell_body_{m_}, listed_{m_}, left_{m_}, slot_begin_{m_}, sorted_colour_{m_}, sorted_contact_{m_};
  Array<std::uint32_t, Machine> colour_begin_{m_}, colour_first_{m_};
  Array<CellRow<D>, Machine> cell_row_{m_};
  Array<std::int32_t, Machine> recalled_{m_}, at_{m_};
};

}  // namespace moreau::gpu
