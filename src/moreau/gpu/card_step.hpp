// The stages of a step on a machine (resident.hpp): a card (plugin.cu), or the processor as a card (host_machine.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "moreau/gpu/card_state.hpp"
#include "moreau/gpu/exchange_loops.hpp"
#include "moreau/gpu/law_row.hpp"
#include "moreau/gpu/order_loops.hpp"
#include "moreau/gpu/pack_loops.hpp"
#include "moreau/gpu/periodic_loops.hpp"
#include "moreau/gpu/shaped_loops.hpp"
#include "moreau/gpu/sweeps.hpp"
#include "moreau/gpu/touch_loops.hpp"

namespace moreau::gpu {

template <int D, class Machine>
class CardStep : public Resident<D> {
 public:
  void use_from(std::size_t contacts) override { sweeps_.use_from(contacts); }
  std::size_t bytes() const override {
    return bodies_.bytes() + table_[0].bytes() + table_[1].bytes() + table_[2].bytes() + cell_key_.bytes() + cell_point_.bytes() +
           cell_row_.bytes() + pair_.bytes() + more_.bytes() + recalled_.bytes() + used_.bytes() + best_.bytes() +
           listed_.bytes() + left_.bytes() + point_.bytes() + home_.bytes() + copied_.bytes() + copy_.bytes() +
           velocity_before_.bytes() + spin_before_.bytes() + slot_begin_.bytes() + sorted_key_.bytes() +
           sorted_contact_.bytes() + at_.bytes() + branch_.bytes() + branch_at_.bytes() + end_velocity_.bytes() + end_spin_.bytes() +
           touching_.bytes() + touching_begin_.bytes() + touching_count_.bytes() + contact_begin_.bytes() + fresh_.bytes() +
           fresh_before_.bytes() + point_recalled_.bytes() + from_.bytes() + known_key_.bytes() + recalled_then_.bytes() + sweeps_.bytes();
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
    m_.run(bodies_.size(), FindCaught<D>{bodies_.rows(), sinks_.data(), sinks.size(), caught_.resize(bodies_.size()), numbers()});
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

  void keep_velocities() override {
    const std::size_t n = bodies_.size();
    const BodyRows<D> rows = bodies_.rows();
    m_.run(n, CopyVelocities<D>{rows.velocity, rows.spin, velocity_before_.resize(n), spin_before_.resize(n)});
  }
  void recall_velocities() override {
    const BodyRows<D> rows = bodies_.rows();
    m_.run(bodies_.size(), CopyVelocities<D>{velocity_before_.data(), spin_before_.data(), rows.velocity, rows.spin});
  }
  ExactSum<double, 3> damp(double factor) override {
    return sum<EnergyBefore>(bodies_.size(), Damp<D>{bodies_.rows(), factor}).kinetic;
  }
  typename Resident<D>::Followed follow_gradient(const Matrix<D>& change, bool at_midpoint) override {
    const BodyRows<D> rows = bodies_.rows();
    const Vec<D>* const at = at_midpoint ? rows.middle : rows.position;
    const MassMoment<D> moment = sum<MassMoment<D>>(bodies_.size(), SumMassMoment<D>{rows, at});
    Vec<D> centre{};
    if (const double mass = moment.mass.value(); mass > 0.0)
      for (int d = 0; d < D; ++d) centre[d] = moment.along[d].value() / mass;
    if (at_midpoint) task_.cell.centre = task_.ahead.centre = centre;
    return {centre, sum<GivenWork>(bodies_.size(), FollowGradient<D>{rows, at, change, centre}).work};
  }
  void note_gradient_change(const Matrix<D>& change) override { task_.cell.change = change; }
  FirstMoment<D> moment() override { return sum<FirstMoment<D>>(bodies_.size(), Moment<D>{bodies_.rows()}); }

  void predict(const StepTask<D>& task, std::span<const DrivenRow<D>> driven) override {
    task_ = task;
    wall_rows_.assign(task.walls.begin(), task.walls.end());
    walls_.put(wall_rows_);
    laws_.put(*task.laws);
    m_.run(bodies_.size(), Predict<D>{bodies_.rows(), task.time_step, 0.5 * task.time_step});
    place_driven(driven, true);
    if (task.renew_order) renew_order();
  }

  std::optional<std::size_t> detect() override {
    const std::optional<PairList> pairs = find(velocities(), task_.ahead, true);
    if (!pairs) return {};
    if (!any_shape())
      list_contacts(*pairs);
    else if (!list_points(*pairs))
      return {};
    repeats_ = false;
    const std::size_t contacts = next().rows().count;
    note(contacts, CountRecalled{recalled_.data()}, &Board::recalled);
    return contacts;
  }

  bool assemble() override {
    const std::size_t n = bodies_.size();
    sweeps_.set_size(n);
    m_.run(n, SetBody<D>{bodies_.rows(), bodies_.order(), sweeps_.rows(), sweeps_.free(), task_.gained, task_.kept});
    m_.run(1, Set<Row<double>>{sweeps_.rows() + n, {}});
    if (!lay_out(next().rows().count <= Machine::most_places_of_crew) && !lay_out(false)) return false;
    weigh_sharing();
    const PackContact<D> pack{bodies_.rows(),      ends(),
                              next().rows(),       table_[now_].rows(),
                              task_.space.lattice, at_.data(),
                              recalled_.data(),    walls_.data(),
                              laws(),              task_.rule,
                              task_.impulse_scale, task_.contact_distance,
                              task_.time_step,     sweeps_.rows(),
                              packs(),             task_.cell,
                              branch_.data(),      task_.cell.motions > 0 ? branch_at_.resize(at_.size()) : nullptr};
    note(round_places(), pack, &Board::depths);
    if (any_shape()) pack_shaped();
    list_shared();
    if (repeats_)
      m_.run(round_places(), BeginFrom<D>{packs(), at_.data(), any_shape() ? from_.data() : nullptr, next().rows(), table_[solved_].rows()});
    return true;
  }

  std::span<const double> sharing_sums() const override { return sharing_sum_; }
  std::vector<double> changes_of_speed() override {
    std::vector<double> changes;
    for (const MotionRow& row : sweeps_.motions()) changes.push_back(row.change);
    return changes;
  }

  std::size_t contacts() const override { return next().rows().count; }
  SolverSize size() override {
    const Masses& masses = noted_.masses;
    SolverSize size{next().rows().count, masses.free, masses.total.value(), masses.touched, masses.heaviness};
    if (any_shape())
      size.shaped = noted_.shaped.number, size.of_faces = noted_.shaped.of_faces, size.first_is_round = noted_.shaped.first == 0;
    return size;
  }
  void bring(ProblemThere<D>& problem) override {
    sweeps_.bring(problem);
    bodies_.fetch_order(problem.order);
    std::vector<std::int32_t> at;
    at_.get(at);
    problem.place.resize(next().rows().count);
    for (std::size_t place = 0; place < at.size(); ++place)
      if (at[place] >= 0) problem.place[static_cast<std::size_t>(at[place])] = named_place(place);
    std::erase_if(problem.sharings, [&](const Sharing<D>& s) { return at[s.contact] < 0; });  // lanes without contact
    std::sort(problem.sharings.begin(), problem.sharings.end(), [&](const Sharing<D>& x, const Sharing<D>& y) {
      return x.motion != y.motion ? x.motion < y.motion : at[x.contact] < at[y.contact];
    });
    for (Sharing<D>& s : problem.sharings) s.contact = named_place(s.contact);
  }
  Accelerator<D>& sweeps() override { return sweeps_; }

  Missed include_missed(double tolerated_overlap) override {
    const std::size_t n = bodies_.size();
    end_velocity_.resize(n);
    Spin<D>* const end_spin = any_shape() ? end_spin_.resize(n) : nullptr;
    const Extent extent = sum<Extent>(n, MeasureChange<D>{bodies_.rows(), sweeps_.rows(), task_.cell, end_velocity_.data(), end_spin});
    const double h = task_.time_step, tolerated = tolerated_overlap * 2.0 * extent.smallest;
    if (!(2.0 * h * extent.change > tolerated)) return Missed::none;
    const Ahead<D> ahead = task_.ahead.for_time(h, -tolerated);
    const std::optional<PairList> found = find({end_velocity_.data(), end_spin}, ahead, any_shape());
    if (!found) return Missed::not_known;
    if (any_shape()) return include_missed_points(*found, ahead);
    const PairList closing = *found;
    const std::size_t known = next().rows().count;
    PairList all = closing;
    all.pair = more_.resize(found_), all.room = static_cast<std::uint32_t>(found_);
    clear_numbers();
    m_.run(found_, ListNew<D>{closing, all, images(), next().rows()});
    const std::uint32_t missed = counted().number;
    if (missed == 0) return Missed::none;
    if (pair_.size() < known + missed) pair_.resize(known + missed);
    all.pair = pair_.data();
    m_.run(known, ListKnown<D>{all, images(), next().rows()});
    m_.run(missed, Copy<std::uint64_t>{more_.data(), pair_.data() + known});
    found_ = known + missed;
    sort_pairs();
    m_.run(at_.size(), KeepImpulse<D>{packs(), at_.data(), next().rows()});
    std::swap(next_, solved_);
    list_contacts(all);
    repeats_ = true;
    return Missed::included;
  }

  void advance(const Vec<D>& gravity) override {
    note(bodies_.size(), Advance<D>{bodies_.rows(), sweeps_.rows(), 0.5 * task_.time_step, gravity, task_.cell}, &Board::bodies);
  }
  StepTotals account(std::span<const Vec<D>> wall_velocity_change) override {
    for (std::size_t w = 0; w < wall_rows_.size(); ++w) wall_rows_[w].change = wall_velocity_change[w];
    if (!task_.motions.empty()) walls_.put(wall_rows_);
    note(round_places(),
         Account<D>{bodies_.rows(), next().rows(), at_.data(), walls_.data(), laws(), sweeps_.rows(), packs(),
                    static_cast<std::int32_t>(bodies_.size()), task_.time_step, task_.cell, task_.space.lattice},
         &Board::contacts);
    if (any_shape()) account_shaped();
    std::swap(now_, next_);
    read_board();
    if (any_shape()) noted_.contacts += noted_.shaped_contacts, noted_.depths += noted_.shaped_depths;
    return {noted_.bodies, noted_.contacts, noted_.depths, noted_.recalled.number};
  }
  void conclude(std::span<const DrivenRow<D>> driven) override { place_driven(driven, false); }

 private:
  using Table = CardContacts<D, Machine>;
  static constexpr std::size_t sampled = 255;        // positions, for the middle of the grid
  static constexpr std::size_t few_points = 200000;  // each of which several threads look around

  template <class Sum, class Loop>
  Sum sum(std::size_t count, const Loop& loop) {
    char* const at = sum_.resize(sizeof(Sum));
    m_.reduce(count, loop, reinterpret_cast<Sum*>(at));
    Sum total;
    m_.download(&total, at, sizeof(Sum));
    return total;
  }
  // What loops leave there until someone asks: all of it is fetched at once.
  static constexpr std::size_t counters = 6;
  struct Board {
    std::uint32_t number[counters];
    std::uint32_t key_begin[kinds_there * keys_of_kind + 1];
    Masses masses;
    Count recalled;
    Depths depths;
    BodyTotals bodies;
    ContactTotals contacts;
    ShapedContacts shaped;
    Depths shaped_depths;  // of contacts of any shape
    ContactTotals shaped_contacts;
  };
  Board* board() { return reinterpret_cast<Board*>(board_.resize(sizeof(Board))); }
  void read_board() { m_.download(&noted_, board(), sizeof(Board)); }
  template <class Sum, class Loop>
  void note(std::size_t count, const Loop& loop, Sum Board::*where) {
    m_.reduce(count, loop, &(board()->*where));
  }

  // What was counted since clear_numbers(), and whether there was something odd.
  struct Counted {
    std::uint32_t number, odd;
  };
  Counted counted() {
    Counted both;
    m_.download(&both, numbers(), sizeof(both));
    return both;
  }
  std::uint32_t* numbers() { return board()->number; }
  void clear_numbers() { m_.run(counters, Set<std::uint32_t>{numbers(), 0}); }

  PairLaws<D> laws() const {
    return {bodies_.rows().material, walls_.data(), laws_.rows(), static_cast<std::int64_t>(task_.materials)};
  }
  PackedKinds<D> packs() {
    using Law = GeneralRoundThere<D, false>;
    using Rolling = GeneralRoundThere<D, true>;
    return {sweeps_.template packs<RoundThere<D>>(), sweeps_.template packs<Law>(), sweeps_.template packs<Rolling>(),
            sweeps_.template begin<Law>(), sweeps_.template begin<Rolling>()};
  }
  // Places of contacts of any shape come after those of round bodies.
  std::size_t round_places() { return sweeps_.template begin<ShapedThere<D>>(); }
  std::size_t shaped_places() { return at_.size() - round_places(); }
  const std::int32_t* shaped_at() { return at_.data() + round_places(); }
  ShapedPack<D, double>* shaped_packs() { return sweeps_.template packs<ShapedThere<D>>(); }
  bool any_shape() const { return bodies_.any_shape(); }
  Motions<D> velocities() const { return {bodies_.rows().velocity, bodies_.rows().spin}; }
  // As the solver names it.
  std::uint32_t named_place(std::size_t place) {
    const PackedKinds<D> all = packs();
    const auto in = [&](ContactKind kind, std::size_t begin) { return place_of(kind, static_cast<std::uint32_t>(place - begin)); };
    return place < all.law_begin       ? in(ContactKind::round, 0)
           : place < all.rolling_begin ? in(ContactKind::round_law, all.law_begin)
                                       : place < round_places()    ? in(ContactKind::round_rolling, all.rolling_begin)
                                       : in(ContactKind::shaped, round_places());
  }
  ContactEnds<D> ends() const {
    const ContactRows<D> rows = next().rows();
    return {bodies_.rows(), rows.a, rows.b, rows.image, rows.feature, static_cast<std::uint32_t>(bodies_.size())};
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
    next().resize(contacts, n, task_.space.any, laws_.beyond(), laws_.any(ContactKind::round_rolling), false);
    m_.run(contacts, NamePairs<D>{list, images(), next().rows()});
    m_.run(contacts + 1, BeginRows{next().rows().a, next().rows().row, contacts, n});
    recalled_.resize(contacts);
    m_.run(contacts, Recall<D>{next().rows(), then.rows(), recalled_.data(), task_.renew_order || !then.coloured()});
  }
  // The same where bodies are not round. The points of all pairs, which are in order; false: some pair has too many of them.
  bool touch(const PairList& list, const Motions<D>& motions, const Ahead<D>& ahead) {
    const std::size_t pairs = found_;
    touching_begin_.resize(pairs + 1), touching_count_.resize(pairs + 1);
    if (touching_.size() == 0) touching_.resize(2 * bodies_.size() + 1024);
    for (;;) {
      clear_numbers();
      const std::uint32_t room = static_cast<std::uint32_t>(touching_.size());
      m_.run(pairs, TouchPairs<D>{bodies_.rows(), motions, ahead, {task_.time_step, task_.slack, task_.fall}, walls_.data(),
                                  task_.space.lattice, list, images(), table_[now_].rows(), touching(), room, numbers(),
                                  numbers() + 1});
      const Counted points = counted();
      if (points.odd > 0) return false;
      if (points.number <= room) return true;
      touching_.resize(points.number + points.number / 4);
    }
  }
  PairPointRows<D> touching() { return {touching_.data(), touching_begin_.data(), touching_count_.data()}; }
  PairMemory<D> memory() { return {bodies_.rows(), table_[now_].rows(), numbers() + 1}; }
  // Sums of the numbers before each of `count`, and behind them that of all, which is returned.
  std::uint32_t begins(const Array<std::uint32_t, Machine>& of, std::size_t count, Array<std::uint32_t, Machine>& begin) {
    begin.resize(count + 1);
    m_.run(count, Copy<std::uint32_t>{of.data(), begin.data()});
    m_.run(1, Set<std::uint32_t>{begin.data() + count, 0});
    m_.sum_before(begin.data(), count + 1);
    std::uint32_t all = 0;
    m_.download(&all, begin.data() + count, sizeof(all));
    return all;
  }
  PutPoints<D> put_points(const PairList& list) {
    return {list,     images(),      touching(),       contact_begin_.data(),
            memory(), next().rows(), recalled_.data(), task_.renew_order || !table_[now_].coloured()};
  }
  void begin_table(std::size_t contacts) {
    next().resize(contacts, bodies_.size(), task_.space.any, laws_.beyond(), laws_.any(ContactKind::round_rolling), true);
    recalled_.resize(contacts);
  }
  void end_table() {
    const ContactRows<D> rows = next().rows();
    m_.run(rows.count + 1, BeginRows{rows.a, rows.row, rows.count, bodies_.size()});
  }
  bool list_points(const PairList& list) {
    if (!touch(list, velocities(), task_.ahead)) return false;
    const std::size_t pairs = found_;
    begin_table(begins(touching_count_, pairs, contact_begin_));
    m_.run(pairs, put_points(list));
    end_table();
    return counted().odd == 0;
  }

  // Contacts that the step has brought about are put among those of the step.
  Missed include_missed_points(const PairList& closing, const Ahead<D>& ahead) {
    if (!touch(closing, {end_velocity_.data(), end_spin_.data()}, ahead)) return Missed::not_known;
    const std::size_t pairs = found_, known = next().rows().count;
    clear_numbers();
    point_recalled_.resize(touching_.size()), fresh_.resize(pairs + 1);
    m_.run(pairs, FindFresh<D>{closing, images(), bodies_.rows(), touching(), next().rows(), memory(), fresh_.data(),
                               point_recalled_.data(), numbers()});
    const Counted missed = counted();
    if (missed.odd > 0) return Missed::not_known;
    if (missed.number == 0) return Missed::none;
    begins(fresh_, pairs, fresh_before_);
    PairList all = closing;
    all.pair = known_key_.resize(known);
    m_.run(known, ListKnown<D>{all, images(), next().rows()});
    recalled_then_.resize(known);
    m_.run(known, Copy<std::int32_t>{recalled_.data(), recalled_then_.data()});
    m_.run(round_places(), KeepImpulse<D>{packs(), at_.data(), next().rows()});
    m_.run(shaped_places(), KeepShapedImpulse<D>{shaped_packs(), shaped_at(), next().rows()});
    std::swap(next_, solved_);
    begin_table(known + missed.number);
    from_.resize(known + missed.number);
    const ContactRows<D> then = table_[solved_].rows();
    m_.run(known, MoveKnown<D>{closing, pairs, known_key_.data(), fresh_before_.data(), then, recalled_then_.data(),
                               put_points(closing), from_.data()});
    m_.run(pairs, AddFresh<D>{closing, images(), touching(), known_key_.data(), known, fresh_.data(), fresh_before_.data(),
                              point_recalled_.data(), put_points(closing), from_.data()});
    end_table();
    repeats_ = true;
    return Missed::included;
  }

  void pack_shaped() {
    if constexpr (D == 3)
      if (Row<double>* const turning = sweeps_.turnings()) {
        m_.run(bodies_.size(), SetTurning{bodies_.rows(), bodies_.order(), sweeps_.rows(), turning, task_.kept});
        m_.run(1, Set<Row<double>>{turning + bodies_.size(), {}});
      }
    note(shaped_places(),
         PackShaped<D>{bodies_.rows(), ends(), next().rows(), table_[now_].rows(), task_.space.lattice, shaped_at(), recalled_.data(),
                       walls_.data(), laws(), task_.rule, task_.impulse_scale, sweeps_.rows(), sweeps_.turnings(), shaped_packs(),
                       task_.cell},
         &Board::shaped_depths);
    if (repeats_) m_.run(shaped_places(), BeginShapedFrom<D>{shaped_packs(), shaped_at(), from_.data(), table_[solved_].rows()});
  }
  void account_shaped() {
    note(shaped_places(),
         AccountShaped<D>{bodies_.rows(), next().rows(), shaped_at(), walls_.data(), laws(), sweeps_.rows(), shaped_packs(),
                          static_cast<std::int32_t>(bodies_.size()), task_.cell, task_.space.lattice},
         &Board::shaped_contacts);
    m_.run(next().rows().count, PutRoundPoints<D>{bodies_.rows(), next().rows()});
  }

  void sort_pairs() {
    const std::uint64_t n = bodies_.size();
    const std::uint64_t numbers = n * (n + task_.walls.size()) * static_cast<std::uint64_t>(task_.space.copies);
    m_.sort(pair_.data(), found_, static_cast<int>(std::bit_width(numbers)));
  }

  // How many contacts share each motion, and what it adds to their operators (StepView::compliance).
  void weigh_sharing() {
    sharing_sum_.clear();
    const ContactRows<D> rows = next().rows();
    for (std::int32_t m = 0; m < task_.first_cell_motion; ++m)
      sharing_sum_.push_back(sum<SharingSum>(rows.count, SumSharing<D>{rows.b, walls_.data(), m}).lengths.value());
    for (WallRow<D>& wall : wall_rows_)
      if (wall.motion >= 0) {
        const std::size_t m = static_cast<std::size_t>(wall.motion);
        wall.compliance = norm(wall.sharing) * sharing_sum_[m] * task_.motions[m].inverse_mass;
      }
    if (task_.first_cell_motion > 0) walls_.put(wall_rows_);
    if (task_.cell.motions == 0) return;
    m_.run(rows.count, FindBranches<D>{bodies_.rows(), rows, task_.space.lattice, walls_.data(), branch_.resize(rows.count)});
    for (int m = 0; m < task_.cell.motions; ++m) {
      CellComponentRow& component = task_.cell.motion[m];
      component.sharing_sum =
          sum<SharingSum>(rows.count, SumCellSharing<D>{branch_.data(), component.p, component.q}).lengths.value();
      sharing_sum_.push_back(component.sharing_sum);
    }
  }
  void list_shared() {
    std::vector<std::uint32_t> end;
    std::uint32_t listed = 0;
    if (task_.first_cell_motion > 0) sweeps_.shared().resize(next().rows().count);
    for (std::int32_t m = 0; m < task_.first_cell_motion; ++m) {
      clear_numbers();
      m_.run(at_.size(), ListShared<D>{at_.data(), next().rows().b, walls_.data(), m, sweeps_.shared().data() + listed, numbers(),
                                       round_places(), shaped_packs()});
      end.push_back(listed += counted().number);
    }
    CellAxes<D> axes;
    axes.motions = task_.cell.motions;
    for (int m = 0; m < axes.motions; ++m) axes.p[m] = task_.cell.motion[m].p, axes.q[m] = task_.cell.motion[m].q;
    sweeps_.share(task_.motions, std::move(end), axes, branch_at_.data());
  }

  PairImages<D> images() const { return {task_.space, home_.data()}; }

  // The bodies, and in periodic space their copies. None where the cell is too narrow.
  Points<D> points(const Motions<D>& motions, const Ahead<D>& ahead, const Vec<D>& middle, Reaches& reaches) {
    const std::size_t n = bodies_.size();
    const BodyRows<D> rows = bodies_.rows();
    const PeriodicSpace<D>& space = task_.space;
    const auto measure = [&](const Vec<D>* at) { return sum<Reaches>(n, MeasureReach<D>{rows, motions, at, ahead, middle}); };
    if (!space.any) {
      reaches = measure(rows.middle);
      return {rows.middle, nullptr, nullptr, nullptr, n};
    }
    if (point_.size() < n) point_.resize(2 * n + 1024);
    for (;;) {
      const std::size_t room = point_.size();
      Vec<D>* const at = point_.data();
      std::uint32_t* const body = copied_.resize(room);
      std::uint8_t* const copy = copy_.resize(room);
      m_.run(n, FoldBodies<D>{rows, space, at, home_.resize(n), body, copy});
      reaches = measure(at);
      if (!space.holds(wider * reaches.largest)) return {};
      clear_numbers();
      m_.run(n, CopyBodies<D>{rows, space, motions, ahead, reaches.largest, at, body, copy, numbers(),
                              static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(room - n)});
      reaches.spread += 3.0 * reaches.largest;
      const std::size_t count = n + counted().number;
      if (count <= room) return {at, body, copy, home_.data(), count};
      point_.resize(count + count / 4);
    }
  }

  // All pairs that are contacts with these velocities; found_ of them. Nothing where a periodic cell is too narrow.
  std::optional<PairList> find(const Motions<D>& motions, const Ahead<D>& ahead, bool in_order) {
    const std::size_t n = bodies_.size();
    const BodyRows<D> rows = bodies_.rows();
    const Vec<D> middle = task_.space.any ? task_.space.lattice.folded(middle_) : middle_;
    Reaches reaches;
    const Points<D> points = this->points(motions, ahead, middle, reaches);
    if (n > 0 && points.count == 0) return {};
    const Grid<D> grid(middle, reaches);
    std::uint64_t* const key = cell_key_.resize(points.count);
    std::uint32_t* const point = cell_point_.resize(points.count);
    levels_.resize(1);
    m_.run(1, Set<std::uint64_t>{levels_.data(), 0});
    m_.run(points.count, PutIntoCells<D>{rows, motions, ahead, grid, points, key, point, levels_.data()});
    m_.sort_with(key, point, points.count, grid.key_bits());
    m_.run(points.count, FillCells<D>{rows, motions, ahead, points, point, cell_row_.resize(points.count)});

    const std::uint64_t walls = task_.walls.size();
    if (pair_.size() == 0) pair_.resize(4 * n + 1024);
    for (;;) {
      clear_numbers();
      const PairList list{pair_.data(),
                          numbers(),
                          static_cast<std::uint32_t>(pair_.size()),
                          n,
                          walls,
                          static_cast<std::uint64_t>(task_.space.copies)};
      const FindPairs<D> search{rows,
                                motions,
                                ahead,
                                grid,
                                points,
                                images(),
                                key,
                                point,
                                cell_row_.data(),
                                grid.one_level ? nullptr : levels_.data(),
                                list,
                                points.count <= few_points};
      m_.run(search.indices(), search);
      if (walls > 0) m_.run(n, FindWalls<D>{rows, motions, ahead, walls_.data(), list});
      found_ = counted().number;
      if (found_ <= pair_.size()) {
        if (in_order) sort_pairs();
        return list;
      }
      pair_.resize(found_ + found_ / 4);
    }
  }

  bool only_round() const { return laws_.only_round() && !any_shape(); }

  // By a crew: what has come of it stands in numbers().
  void complete_colours_together() {
    const std::size_t n = bodies_.size(), contacts = next().rows().count;
    std::uint8_t* const colour = next().rows().colour;
    used_.resize(n + 1), best_.resize(n + 1), listed_.resize(contacts), left_.resize(contacts);
    clear_numbers();
    m_.run(n + 1, Set<std::uint64_t>{used_.data(), 0});
    m_.run(contacts, KeepColours<D>{ends(), colour, used_.data(), listed_.data(), numbers(), numbers() + 1});
    m_.run_together(ColourRounds<D>{ends(), listed_.data(), left_.data(), numbers(), best_.data(), used_.data(), colour});
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
      m_.run(contacts, KeepColours<D>{ends(), colour, used_.data(), listed_.data(), numbers(), numbers() + 1});
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
      m_.run(waiting, TakeColour<D>{ends(), listed, best_.data(), used_.data(), colour, left, numbers(), numbers() + 1});
      const Counted left_over = counted();
      if (left_over.odd > 0) return false;
      waiting = left_over.number;
      std::swap(listed, left);
    }
    return true;
  }

  // Contacts of a colour follow the bodies in the solver's memory; colours begin with a new pack, of both precisions where there
  // are many contacts (solver/contact_problem.cpp).
  // False: not all contacts have a colour; without a crew, none can have.
  bool lay_out(bool by_crew) {
    if (by_crew)
      complete_colours_together();
    else if (!complete_colours())
      return false;
    note(bodies_.size(), Weigh<D>{sweeps_.rows(), used_.data()}, &Board::masses);
    const std::size_t n = bodies_.size();
    const ContactRows<D> rows = next().rows();
    const std::size_t contacts = rows.count;
    if (any_shape()) note(contacts, CountShaped<D>{rows, ends()}, &Board::shaped);
    m_.run(n, CountOfSlot{bodies_.order(), rows.row, slot_begin_.resize(n)});
    m_.sum_before(slot_begin_.data(), n);
    std::uint32_t *const key = sorted_key_.resize(contacts), *const contact = sorted_contact_.resize(contacts);
    m_.run(contacts, ListBySlot<D>{rows, bodies_.rows(), laws(), only_round(), bodies_.slot(), slot_begin_.data(), key, contact});
    constexpr std::uint32_t keys = kinds_there * keys_of_kind;
    m_.sort_with(key, contact, contacts, std::bit_width(only_round() ? keys_of_kind : keys));
    std::uint32_t* const key_begin = board()->key_begin;
    m_.run(keys + 1, BeginKeys{key, contacts, key_begin});
    read_board();
    if (by_crew && (noted_.number[1] != 0 || noted_.number[2] != 0)) return false;
    const auto count_of = [&](std::uint32_t kind, std::uint32_t c) {
      return noted_.key_begin[kind * keys_of_kind + c + 1] - noted_.key_begin[kind * keys_of_kind + c];
    };

    const std::uint32_t width = contacts >= SolverSize::fewest_for_single ? 2 : 1;  // packs that colours are multiples of
    std::uint32_t colours = 0;
    for (std::uint32_t kind = 0; kind < kinds_there; ++kind)
      for (std::uint32_t c = 0; c < most_colours; ++c)
        if (count_of(kind, c) > 0) colours = std::max(colours, c + 1);
    std::vector<std::uint32_t> colour_end[kinds_there], first(keys, 0);
    std::uint32_t places = 0;
    for (std::uint32_t kind = 0; kind < kinds_there; ++kind) {
      std::uint32_t pack = 0;
      for (std::uint32_t c = 0; c < colours; ++c) {
        first[kind * keys_of_kind + c] = places + pack * lanes;
        pack += (count_of(kind, c) + width * lanes - 1) / (width * lanes) * width;
        colour_end[kind].push_back(pack);
      }
      places += pack * lanes;
    }
    at_.resize(places);
    m_.run(places, Set<std::int32_t>{at_.data(), -1});
    key_first_.put(first);
    m_.run(contacts, Places{key, contact, key_begin, key_first_.data(), at_.data()});
    sweeps_.lay_out(colour_end, used_.data());
    return true;
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
  Board noted_;
  std::vector<WallRow<D>> wall_rows_;  // as there
  std::vector<double> sharing_sum_;  // by motion
  Array<WallRow<D>, Machine> walls_{m_};
  CardLaws<Machine> laws_{m_};
  Array<DrivenRow<D>, Machine> driven_{m_};
  Array<SinkRegion<D>, Machine> sinks_{m_};
  Array<std::uint32_t, Machine> caught_{m_};
  Array<std::uint8_t, Machine> held_{m_};
  Array<Vec<D>, Machine> sample_{m_}, end_velocity_{m_}, velocity_before_{m_}, point_{m_}, branch_{m_}, branch_at_{m_};
  Array<Spin<D>, Machine> spin_before_{m_}, end_spin_{m_};
  // Of pairs that are not round (touch_loops.hpp).
  Array<TouchingPoint<D>, Machine> touching_{m_};
  Array<std::uint32_t, Machine> touching_begin_{m_}, touching_count_{m_}, contact_begin_{m_}, fresh_{m_}, fresh_before_{m_};
  Array<std::int32_t, Machine> point_recalled_{m_}, from_{m_}, recalled_then_{m_};
  Array<std::uint64_t, Machine> known_key_{m_};
  Array<Image, Machine> home_{m_};
  Array<std::uint32_t, Machine> copied_{m_};
  Array<std::uint8_t, Machine> copy_{m_};
  Array<char, Machine> sum_{m_}, board_{m_};
  Array<std::uint64_t, Machine> cell_key_{m_}, levels_{m_}, pair_{m_}, more_{m_}, used_{m_}, best_{m_};
  Array<std::uint32_t, Machine> cell_point_{m_}, listed_{m_}, left_{m_}, slot_begin_{m_}, sorted_key_{m_}, sorted_contact_{m_};
  Array<std::uint32_t, Machine> key_first_{m_};
  Array<CellRow<D>, Machine> cell_row_{m_};
  Array<std::int32_t, Machine> recalled_{m_}, at_{m_};
};

}  // namespace moreau::gpu
