// The accelerator of the solver on a machine: a card (gpu/plugin.cu), or the processor as a card (gpu/host_machine.hpp).
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "moreau/gpu/array.hpp"
#include "moreau/gpu/cell_loops.hpp"
#include "moreau/gpu/chains.hpp"
#include "moreau/gpu/loops.hpp"
#include "moreau/gpu/norms.hpp"
#include "moreau/gpu/shared_loops.hpp"
#include "moreau/solver/accelerator.hpp"

namespace moreau::gpu {

// The contacts of one kind in one precision.
template <class Kind, class Real, class Machine>
struct DevicePacks {
  using Of = Kind;
  Array<typename Kind::template PackOf<Real>, Machine> packs;
  Array<RowOf<Real>, Machine> last;
  std::vector<std::uint32_t> colours;  // where each ends: packs
  std::size_t begin = 0;               // its first place among those of all kinds

  explicit DevicePacks(Machine& m) : packs(m), last(m) {}
  std::size_t places() const { return colours.empty() ? 0 : static_cast<std::size_t>(colours.back()) * lanes_of<Real>; }
};

// The iterate in one precision, and the memory in which its sums are made.
template <class Set, class Real, class Machine>
struct DeviceIterate;
template <class... Kind, class Real, class Machine>
struct DeviceIterate<KindSet<Kind...>, Real, Machine> {
  static constexpr int lanes = lanes_of<Real>;

  Array<Row<Real>, Machine> bodies, body_last;
  Array<Row<Real>, Machine> turnings;  // by slot; empty in the plane, and where no contact asks for it
  std::tuple<DevicePacks<Kind, Real, Machine>...> kinds;
  Array<Real, Machine> energy, residual, weight;
  std::size_t colours = 0;

  explicit DeviceIterate(Machine& m)
      : bodies(m), body_last(m), turnings(m), kinds(machine_of<Kind>(m)...), energy(m), residual(m), weight(m) {}

  // f(packs of a kind), for each of them.
  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... of_kind) { (f(of_kind), ...); }, kinds);
  }
  template <class F>
  void each(F&& f) const {
    std::apply([&](const auto&... of_kind) { (f(of_kind), ...); }, kinds);
  }
  template <class Of>
  auto& get() {
    return std::get<DevicePacks<Of, Real, Machine>>(kinds);
  }

  // After the colours of all kinds have been set.
  void set_places() {
    std::size_t begin = 0;
    each([&](auto& of_kind) {
      of_kind.begin = begin, begin += of_kind.places();
      colours = of_kind.colours.size();
    });
    energy.resize(begin), residual.resize(begin), weight.resize(begin);
  }
  std::size_t places() const { return energy.size(); }
  const Row<Real>* turned() const { return turnings.size() > 0 ? turnings.data() : nullptr; }
  Terms<Real> terms() const { return {energy.data(), residual.data(), weight.data()}; }
  // The kinds of a set, for loops.
  template <class... Of>
  KindRows<Real, Of...> rows(KindSet<Of...>) {
    KindRows<Real, Of...> rows;
    fill(rows);
    return rows;
  }
  std::size_t bytes() const {
    std::size_t sum = bodies.bytes() + body_last.bytes() + turnings.bytes() + energy.bytes() + residual.bytes() + weight.bytes();
    each([&](const auto& of_kind) { sum += of_kind.packs.bytes() + of_kind.last.bytes(); });
    return sum;
  }

 private:
  template <class>
  static Machine& machine_of(Machine& m) {
    return m;
  }
  void fill(KindRows<Real>&) {}
  template <class Of, class... Rest>
  void fill(KindRows<Real, Of, Rest...>& rows) {
    auto& of_kind = get<Of>();
    rows.of = {of_kind.packs.data(), of_kind.last.data(), of_kind.begin};
    rows.places = of_kind.places();
    for (std::size_t c = 0; c < of_kind.colours.size(); ++c) rows.end[c] = of_kind.colours[c] * static_cast<std::uint32_t>(lanes);
    fill(rows.rest);
  }
};

template <int D, class Machine>
class Sweeps : public Accelerator<D> {
 public:
  explicit Sweeps(Machine& machine) : m_(machine) {}
  void use_from(std::size_t contacts) { fewest_contacts_ = contacts; }
  std::size_t fewest_contacts() const override { return fewest_contacts_; }

  std::uint64_t problems() const override { return problems_; }
  void put(const ProblemHere<D>& p) override {
    ++problems_;
    in_single_ = false, waiting_ = 0, norms_.reset();
    none_ = static_cast<std::int32_t>(p.bodies.size()) - 1;
    bodies_ = p.bodies.size() - 1;
    exact_.bodies.resize(p.bodies.size());
    static_assert(sizeof(SolverBody<D>) == sizeof(Row<double>));
    m_.upload(exact_.bodies.data(), p.bodies.data(), p.bodies.size() * sizeof(Row<double>));
    static_assert(sizeof(Turning<double>) == sizeof(Row<double>));
    exact_.turnings.resize(p.turnings.size());
    if (!p.turnings.empty()) m_.upload(exact_.turnings.data(), p.turnings.data(), p.turnings.size() * sizeof(Row<double>));
    free_.resize(bodies_ * n);
    if (bodies_ > 0) m_.upload(free_.data(), p.free.data(), bodies_ * n * sizeof(double));
    exact_.each([&](auto& of_kind) {
      const auto& here = in_tuple(p.packs, of_kind);
      of_kind.packs.put(here.list), of_kind.colours.assign(here.colour_end.begin(), here.colour_end.end());
    });
    exact_.set_places(), choose_loops();
    used_.put(p.used);
    touched_ = used_.data();
    share({}, {});
    m_.forget();
  }
  // Instead of put(): the problem is made in this memory. Bodies after set_size(), packs after lay_out().
  void set_size(std::size_t bodies) {
    bodies_ = bodies, none_ = static_cast<std::int32_t>(bodies);
    exact_.bodies.resize(bodies + 1), free_.resize(bodies * n);
  }
  // By kind, in the order of AllKinds.
  void lay_out(std::span<const std::vector<std::uint32_t>> colour_end, const std::uint64_t* used_by_slot) {
    in_single_ = false, waiting_ = 0, norms_.reset();
    std::size_t k = 0;
    exact_.each([&](auto& of_kind) {
      of_kind.colours = k < colour_end.size() ? colour_end[k] : std::vector<std::uint32_t>(colour_end[0].size(), 0);
      ++k;
      of_kind.packs.resize(of_kind.colours.empty() ? 0 : of_kind.colours.back());
    });
    exact_.set_places(), choose_loops();
    exact_.turnings.resize(D == 3 && loops_ == Loops::all ? bodies_ + 1 : 0);
    touched_ = used_by_slot;
    m_.forget();
  }
  // After it: motions that contacts share; of motion m those up to end[m] of the list of shared(). Those of a cell come last: all
  // contacts share them, with the branches at their places.
  void share(std::span<const SharedMotion> motions, std::vector<std::uint32_t> end, const CellAxes<D>& cell = {},
             const Vec<D>* branch = nullptr) {
    std::vector<MotionRow> rows;
    for (const SharedMotion& motion : motions) rows.push_back({motion.inverse_mass, motion.free_change});
    motions_.put(rows), shared_end_ = std::move(end), cell_ = cell, branch_ = branch;
  }
  Array<SharedPlace<D>, Machine>& shared() { return shared_; }
  std::vector<MotionRow> motions() const {
    std::vector<MotionRow> rows;
    motions_.get(rows);
    return rows;
  }
  Row<double>* rows() { return exact_.bodies.data(); }
  Row<double>* turnings() { return exact_.turnings.size() > 0 ? exact_.turnings.data() : nullptr; }  // to be filled after lay_out()
  double* free() { return free_.data(); }
  template <class Kind>
  auto* packs() {
    return exact_.template get<Kind>().packs.data();
  }
  template <class Kind>
  std::size_t begin() {
    return exact_.template get<Kind>().begin;
  }
  std::size_t bytes() const {
    return exact_.bytes() + single_.bytes() + free_.bytes() + snapshot_.bytes() + then_.bytes() + used_.bytes() + shared_.bytes();
  }

  void put_impulses(const OfEachKindThere<PacksHere, D>& packs) override {
    flush();
    exact_.each([&](auto& of_kind) {
      const auto& list = in_tuple(packs, of_kind).list;
      if (!list.empty())
        m_.upload_pieces(of_kind.packs.data()->impulse, list.data()->impulse, sizeof(list[0].impulse), sizeof(list[0]), list.size());
    });
  }
  void fetch(std::span<SolverBody<D>> bodies, const OfEachKindThere<PacksHere, D>& packs) override {
    flush();
    m_.download(bodies.data(), exact_.bodies.data(), bodies_ * sizeof(Row<double>));
    exact_.each([&](auto& of_kind) {
      const auto& list = in_tuple(packs, of_kind).list;
      if (!list.empty())
        m_.download_pieces(list.data()->impulse, of_kind.packs.data()->impulse, sizeof(list[0].impulse), sizeof(list[0]), list.size());
    });
  }

  void bring(ProblemThere<D>& problem) {
    flush();
    problem.bodies.resize(bodies_ + 1), problem.free.resize(bodies_);
    m_.download(problem.bodies.data(), exact_.bodies.data(), problem.bodies.size() * sizeof(Row<double>));
    static_assert(sizeof(VelocityOf<D>) == n * sizeof(double));
    m_.download(problem.free.data(), free_.data(), bodies_ * n * sizeof(double));
    problem.turnings.resize(exact_.turnings.size());
    if (!problem.turnings.empty())
      m_.download(problem.turnings.data(), exact_.turnings.data(), problem.turnings.size() * sizeof(Row<double>));
    exact_.each([&](auto& of_kind) {
      auto& there = in_tuple(problem.packs, of_kind);
      of_kind.packs.get(there.list), there.colour_end = of_kind.colours;
    });
    for (const MotionRow& row : motions()) {
      problem.motions.push_back({row.inverse_mass, row.free_change});
      problem.change.push_back(row.change);
    }
    std::vector<SharedPlace<D>> shared;
    if (!problem.motions.empty()) shared_.get(shared);
    for (std::size_t m = 0, i = 0; m < shared_end_.size(); ++m)
      for (; i < shared_end_[m]; ++i)
        problem.sharings.push_back({shared[i].place, static_cast<std::int32_t>(m), shared[i].direction});
    if (cell_.motions == 0) return;
    std::vector<Vec<D>> branch(exact_.places());
    m_.download(branch.data(), branch_, branch.size() * sizeof(branch[0]));
    for (int m = 0; m < cell_.motions; ++m)
      for (std::size_t place = 0; place < branch.size(); ++place) {
        Sharing<D> sharing{static_cast<std::uint32_t>(place), static_cast<std::int32_t>(shared_end_.size()) + m, {}};
        sharing.direction[cell_.p[m]] = branch[place][cell_.q[m]];
        problem.sharings.push_back(sharing);
      }
  }

  void refresh() override {
    begin();
    if (in_single_) {
      widen(), keep(Keep::come_back);
      refresh_exact();
      narrow(), keep(Keep::left);
    } else {
      refresh_exact();
    }
  }
  void sweep(double relaxation) override {
    begin();
    if (by_crew()) return run_plain({.sweep = true}, relaxation);
    m_.repeat(0, [&] { colours<Way::plain, false, false>(exact_, relaxation), renew(exact_, {}); });
  }
  Measured measuring_sweep(double relaxation) override {
    begin();
    if (by_crew()) {
      run_plain({.measure_sweep = true}, relaxation);
      return fetch_sums<double>({}, true);
    }
    colours<Way::plain, false, true>(exact_, relaxation);
    renew(exact_, {});
    return sum<false, true>(exact_, {}, true);
  }
  Measured measure() override {
    begin();
    if (by_crew()) {
      run_plain({.look = true}, 1.0);
      return fetch_sums<double>({}, false);
    }
    with_kinds([&](auto set) {
      m_.run(exact_.places(), exact_.rows(set).template all<Way::looking, false, true>(swept(exact_, 1.0)));
    });
    return sum<false, true>(exact_, {}, false);
  }

  void go_to_single(const Units& units) override {
    begin();
    units_ = units;
    narrow(), keep(Keep::left);
    then_.resize(bodies_);
    m_.run(bodies_, Copy<Row<float>>{single_.bodies.data(), then_.data()});
    in_single_ = true;
    m_.forget();  // units are others
  }
  void return_from_single() override { begin(), widen(), keep(Keep::come_back), in_single_ = false, refresh_exact(); }

  void start_extrapolation() override {
    flush();
    pace_.resize(1);
    m_.run(1, SetPace{pace_.data(), true});
    keep(Keep::last);
    if (in_single_)
      start(single_);
    else
      start(exact_);
  }
  Measured accelerated_sweep(double relaxation, bool rest, bool fully) override {
    if (by_crew()) {
      if (rest) flush(), m_.run(1, SetPace{pace_.data(), false});
      ++waiting_, relaxation_ = relaxation;
      if (!fully) return {};
      run_waiting(true);
      return in_single_ ? fetch_sums<float>(units_, true) : fetch_sums<double>({}, true);
    }
    norms_.reset();
    if (rest) m_.run(1, SetPace{pace_.data(), false});
    return in_single_ ? on(single_, units_, relaxation, fully) : on(exact_, {}, relaxation, fully);
  }

  void take_snapshot() override {
    flush();
    keep(Keep::snapshot);
    snapshot_.resize(bodies_ * n);
    if (in_single_)
      m_.run(bodies_, TakeSnapshot<D, float>{single_.bodies.data(), snapshot_.data(), units_.velocity});
    else
      m_.run(bodies_, TakeSnapshot<D, double>{exact_.bodies.data(), snapshot_.data(), 1.0});
  }
  double motions_since_snapshot() override {
    double sum = 0.0;  // as SharedMotions::kinetic_square_since_snapshot
    if (motions_.size() == 0) return sum;
    flush();
    for (const MotionRow& row : motions())
      if (row.inverse_mass > 0.0) {
        const double change = row.change - row.snapshot;
        sum += change * change / row.inverse_mass;
      }
    keep(Keep::snapshot);
    return sum;
  }
  // After every measured sweep, whose sums it came with.
  double change_since_snapshot() override { return std::exchange(change_, {}).value(); }
  double contact_momentum() override { return norms().brought.value(); }
  double momentum() override { return norms().all.value(); }

 private:
  static constexpr std::size_t n = velocity_dimension<D>;
  static constexpr std::size_t bytes_of_sum = 256, parts_of_sum = 4;  // measured, change, gained or passing, norms
  static constexpr std::size_t few_places = 1024;                     // of a colour that is not worth a start of its own
  template <class Real>
  using Iterate = DeviceIterate<AllKinds<D>, Real, Machine>;

  // Of a tuple with one for each kind, that of these packs.
  template <class Tuple, class Packs>
  static auto& in_tuple(Tuple& tuple, const Packs&) {
    return std::get<place_in_tuple<Packs>()>(tuple);
  }
  template <class Packs>
  static constexpr std::size_t place_in_tuple() {
    constexpr ContactKind kind = Packs::Of::kind;
    return kind == ContactKind::round ? 0 : kind == ContactKind::round_law ? 1 : kind == ContactKind::round_rolling ? 2 : 3;
  }

  // f(set of the kinds that are in the problem); crews know those of round bodies only.
  template <class F>
  void with_round_kinds(F&& f) {
    if (loops_ == Loops::only_round)
      f(OnlyRound<D>{});
    else
      f(RoundKinds<D>{});
  }
  template <class F>
  void with_kinds(F&& f) {
    if (loops_ == Loops::all)
      f(AllKinds<D>{});
    else
      with_round_kinds(f);
  }
  void choose_loops() {
    loops_ = exact_.template get<ShapedThere<D>>().places() > 0                        ? Loops::all
             : exact_.template get<RoundThere<D>>().places() == exact_.places() ? Loops::only_round
                                                                                       : Loops::round;
  }

  template <class Real>
  Swept<Real> swept(Iterate<Real>& it, double relaxation) {
    return {it.bodies.data(), it.turned(), pace_.resize(1), it.terms(), none_, static_cast<Real>(relaxation)};
  }
  template <Way way, bool carrying, bool measuring, class Real>
  void colours(Iterate<Real>& it, double relaxation) {
    with_kinds([&](auto set) {
      const auto rows = it.rows(set);
      const Swept<Real> all = swept(it, relaxation);
      using Loop = decltype(rows.template colour<way, carrying, measuring>(all, 0));
      std::vector<std::pair<std::size_t, Loop>> small;  // the last colours have few contacts
      for (int c = 0; c < static_cast<int>(it.colours); ++c) {
        const std::size_t count = rows.in_colour(c);
        if (count == 0) continue;
        const Loop loop = rows.template colour<way, carrying, measuring>(all, c);
        if (count <= few_places) {
          small.push_back({count, loop});
          continue;
        }
        m_.run_in_turn(std::exchange(small, {}));
        m_.run(count, loop);
      }
      m_.run_in_turn(small);
    });
  }
  void refresh_exact() {
    if (by_crew()) return run_plain({.refresh = true}, 1.0);
    m_.run(bodies_, SetFree<D>{exact_.bodies.data(), free_.data()});
    colours<Way::applying, false, false>(exact_, 1.0);
    renew(exact_, {});
  }

  void keep(Keep what) { m_.run(motions_.size(), KeepSpeed{motions_.data(), what}); }
  // f(motion, its first contact, how many).
  template <class F>
  void each_motion(F&& f) {
    std::uint32_t first = 0;
    for (std::size_t m = 0; m < shared_end_.size(); ++m)
      f(motions_.data() + m, first, shared_end_[m] - first), first = shared_end_[m];
  }
  template <class Real>
  void renew(Iterate<Real>& it, const Units& units) {
    if (motions_.size() == 0) return;
    with_kinds([&](auto set) {
      const auto rows = it.rows(set);
      using Rows = std::remove_const_t<decltype(rows)>;
      each_motion([&](MotionRow* motion, std::uint32_t first, std::uint32_t count) {
        const SharedPlace<D>* const shared = shared_.data() + first;
        m_.reduce(count, SumGained<D, Real, Rows>{shared, rows}, there<Gained>(2 * bytes_of_sum),
                  RenewSpeed{motion, units.impulse(), units.velocity});
        m_.run(count, FeelChange<D, Real, Rows>{shared, motion, rows});
      });
      if (cell_.motions == 0) return;
      MotionRow* const motion = motions_.data() + shared_end_.size();
      m_.reduce(it.places(), SumCellGained<D, Real, Rows>{cell_, branch_, rows}, there<CellGained<D>>(2 * bytes_of_sum),
                RenewCell<D>{motion, cell_.motions, units.impulse(), units.velocity});
      m_.run(it.places(), FeelCell<D, Real, Rows>{cell_, branch_, motion, rows});
    });
  }
  template <class Real>
  void extrapolate_motions(Iterate<Real>& it, const Units& units) {
    if (motions_.size() == 0) return;
    m_.run(motions_.size(), ExtrapolateSpeed{motions_.data(), pace_.data(), units.velocity});
    with_kinds([&](auto set) {
      const auto rows = it.rows(set);
      using Rows = std::remove_const_t<decltype(rows)>;
      each_motion([&](const MotionRow* motion, std::uint32_t first, std::uint32_t count) {
        m_.run(count, FeelChange<D, Real, Rows>{shared_.data() + first, motion, rows});
      });
      const MotionRow* const motion = motions_.data() + shared_end_.size();
      if (cell_.motions > 0) m_.run(it.places(), FeelCell<D, Real, Rows>{cell_, branch_, motion, rows});
    });
  }

  template <class Sum>
  Sum* there(std::size_t from = 0) {
    static_assert(sizeof(Sum) <= bytes_of_sum);
    return reinterpret_cast<Sum*>(sum_.resize(parts_of_sum * bytes_of_sum) + from);
  }
  template <class Sum, class Loop>
  Sum total(std::size_t count, const Loop& loop) {
    Sum sum;
    m_.reduce(count, loop, there<Sum>());
    m_.download(&sum, there<Sum>(), sizeof(sum));
    return sum;
  }
  // `changing`: with the change since the last snapshot, all of it fetched at once.
  template <bool carrying, bool measuring, class Real>
  Measured sum(Iterate<Real>& it, const Units& units, bool changing) {
    using Sums = std::conditional_t<measuring, MeasuredSums<Real>, EnergySum<Real>>;
    const SumTerms<Real, carrying, measuring> terms{it.terms()};
    if constexpr (carrying)
      m_.reduce(it.places(), terms, there<Sums>(), NextPace<Real>{pace_.data(), units.impulse() * units.velocity});
    else
      m_.reduce(it.places(), terms, there<Sums>());
    if constexpr (measuring) {
      char both[2 * bytes_of_sum];
      if (changing) put_change<Real>();
      m_.download(both, sum_.data(), sizeof(both));
      Sums s;
      std::memcpy(&s, both, sizeof(s));
      if (changing) change_ = change_from<Real>(both + bytes_of_sum);
      return s.in_units_of_the_problem(units);
    }
    return {};
  }

  template <class Real>
  void start(Iterate<Real>& it) {
    it.each([&](auto& of_kind) {
      using Kind = typename std::remove_reference_t<decltype(of_kind)>::Of;
      RowOf<Real>* const last = of_kind.last.resize(Kind::rows * of_kind.packs.size());
      m_.run(of_kind.places(), CopyImpulses<Kind, Real>{of_kind.packs.data(), last});
    });
    it.body_last.resize(bodies_);
    m_.run(bodies_, Copy<Row<Real>>{it.bodies.data(), it.body_last.data()});
  }
  template <class Real>
  Measured on(Iterate<Real>& it, const Units& units, double relaxation, bool fully) {
    const auto carry = [&] {
      m_.run(bodies_, Carry<D, Real>{it.bodies.data(), touched_, it.body_last.data(), pace_.data()});
      extrapolate_motions(it, units);
    };
    if (fully) {
      carry();
      colours<Way::plain, true, true>(it, relaxation);
      renew(it, units);
      return sum<true, true>(it, units, true);
    }
    m_.repeat(in_single_ ? 2 : 1, [&] {
      carry();
      colours<Way::plain, true, false>(it, relaxation);
      renew(it, units);
      sum<true, false>(it, units, false);
    });
    return {};
  }

  void narrow() {
    single_.bodies.resize(bodies_ + 1);
    m_.run(bodies_ + 1, NarrowBody<D>{exact_.bodies.data(), single_.bodies.data(), 1.0 / units_.velocity, units_.mass});
    single_.turnings.resize(exact_.turnings.size());
    m_.run(exact_.turnings.size(), NarrowTurning{exact_.turnings.data(), single_.turnings.data(), units_.mass});
    each_kind([&](auto& exact, auto& single) {
      single.packs.resize(exact.packs.size() / 2);
      single.colours = exact.colours;
      for (std::uint32_t& end : single.colours) end /= 2;
    });
    single_.set_places();
    each_kind([&](auto& exact, auto& single) {
      using Kind = typename std::remove_reference_t<decltype(exact)>::Of;
      m_.run(exact.places(),
             NarrowContact<Kind>{exact.packs.data(), single.packs.data(),
                                 RowFactors{1.0 / units_.velocity, 1.0 / units_.impulse(), 1.0 / units_.mass}, none_});
    });
  }
  void widen() {
    each_kind([&](auto& exact, auto& single) {
      using Kind = typename std::remove_reference_t<decltype(exact)>::Of;
      m_.run(exact.places(), WidenImpulse<Kind>{single.packs.data(), exact.packs.data(), units_.impulse()});
    });
  }
  // f(packs of a kind in double precision, the same in single precision)
  template <class F>
  void each_kind(F&& f) {
    exact_.each([&](auto& exact) { f(exact, single_.template get<typename std::remove_reference_t<decltype(exact)>::Of>()); });
  }

  // The square of the kinetic norm of the change since the last snapshot, which is renewed.
  template <class Real>
  void put_change() {
    if constexpr (std::is_same_v<Real, float>) {
      const KineticChange<D> change{single_.bodies.data(), touched_, then_.data(), single_.turned()};
      m_.reduce(bodies_, change, there<SingleChange>(bytes_of_sum));
    } else {
      const KineticTerm<D, double, Against::snapshot> change{exact_.bodies.data(), exact_.bodies.data(), snapshot_.data(),
                                                                        1.0, exact_.turned()};
      m_.reduce(bodies_, change, there<ExactSum<double>>(bytes_of_sum));
    }
  }
  template <class Real>
  double change_from(const char* sum) const {
    typename ChangeSum<Real>::Type change;
    std::memcpy(&change, sum, sizeof(change));
    if constexpr (std::is_same_v<Real, float>)
      return (change.moved.value() + change.turned.value()) * (units_.mass * units_.velocity * units_.velocity);
    else
      return change.value();
  }

  // Of the velocities of now.
  const Norms& norms() {
    flush();
    if (norms_) return *norms_;
    norms_ =
        in_single_ ? total<Norms>(bodies_, norms_of<float>(units_).measure) : total<Norms>(bodies_, norms_of<double>({}).measure);
    return *norms_;
  }

  // A crew makes the sweeps of small problems (chains.hpp); those that are not measured wait for one that is, or for whoever
  // asks.
  bool by_crew() const {
    return exact_.places() <= Machine::most_places_of_crew && shared_end_.empty() && loops_ != Loops::all;
  }
  void flush() {
    if (waiting_ > 0) run_waiting(false);
  }
  void begin() { flush(), norms_.reset(); }
  void run_waiting(bool fully) {
    in_single_ ? run_waiting(single_, units_, fully) : run_waiting(exact_, {}, fully);
    waiting_ = 0, norms_.reset();
  }
  template <class Real>
  void run_waiting(Iterate<Real>& it, const Units& units, bool fully) {
    with_round_kinds([&]<class... Kind>(KindSet<Kind...> set) {
      m_.run_together(AcceleratedChain<D, Real, Kind...>{rows_of(set, it, relaxation_), touched_, it.body_last.data(), waiting_, fully,
                                                         units.impulse() * units.velocity, there<MeasuredSums<Real>>(),
                                                         norms_of<Real>(units), cell_of(units)});
    });
  }
  template <class Real>
  Iterate<Real>& iterate() {
    if constexpr (std::is_same_v<Real, float>)
      return single_;
    else
      return exact_;
  }
  template <class Real>
  NormsOf<D, Real> norms_of(const Units& units) {
    NormsOf<D, Real> norms;
    if constexpr (std::is_same_v<Real, float>)
      norms.change = {single_.bodies.data(), touched_, then_.data(), single_.turned()};
    else
      norms.change = {exact_.bodies.data(), exact_.bodies.data(), snapshot_.data(), 1.0, exact_.turned()};
    norms.changed = there<typename ChangeSum<Real>::Type>(bytes_of_sum);
    norms.measure = {exact_.bodies.data(), iterate<Real>().bodies.data(), free_.data(), units.velocity, exact_.turned()};
    norms.norms = there<Norms>(3 * bytes_of_sum);
    norms.together = there<typename NormsOf<D, Real>::Both>(2 * bytes_of_sum);
    return norms;
  }
  template <class Real, class... Kind>
  SweptRows<Real, Kind...> rows_of(KindSet<Kind...> set, Iterate<Real>& it, double relaxation) {
    return {swept(it, relaxation), it.rows(set), bodies_, it.places(), static_cast<int>(it.colours)};
  }
  ChainCell<D> cell_of(const Units& units) {
    return {cell_, branch_, motions_.data(), units.impulse(), units.velocity, cell_gained_.resize(1)};
  }
  struct PlainWork {
    bool refresh = false, sweep = false, measure_sweep = false, look = false;
  };
  void run_plain(const PlainWork& work, double relaxation) {
    with_round_kinds([&]<class... Kind>(KindSet<Kind...> set) {
      m_.run_together(PlainChain<D, Kind...>{rows_of(set, exact_, relaxation), free_.data(), work.refresh, work.sweep,
                                             work.measure_sweep, work.look, there<MeasuredSums<double>>(), norms_of<double>({}),
                                             cell_of({})});
    });
  }
  // What a chain left.
  template <class Real>
  Measured fetch_sums(const Units& units, bool changing) {
    char all[parts_of_sum * bytes_of_sum];
    m_.download(all, sum_.data(), sizeof(all));
    MeasuredSums<Real> sums;
    std::memcpy(&sums, all, sizeof(sums));
    if (changing) change_ = change_from<Real>(all + bytes_of_sum);
    std::memcpy(&norms_.emplace(), all + 3 * bytes_of_sum, sizeof(Norms));
    return sums.in_units_of_the_problem(units);
  }

  Machine& m_;
  Iterate<double> exact_{m_};
  Iterate<float> single_{m_};
  Array<double, Machine> free_{m_}, snapshot_{m_};
  Array<Row<float>, Machine> then_{m_};
  Array<std::uint64_t, Machine> used_{m_};
  const std::uint64_t* touched_ = nullptr;  // by slot: not zero, the body is touched
  Array<MotionRow, Machine> motions_{m_};
  Array<SharedPlace<D>, Machine> shared_{m_};
  std::vector<std::uint32_t> shared_end_;  // by motion, of pistons
  CellAxes<D> cell_;
  const Vec<D>* branch_ = nullptr;  // by place
  Array<CellGained<D>, Machine> cell_gained_{m_};
  Array<Pace, Machine> pace_{m_};
  Array<char, Machine> sum_{m_};
  Units units_;
  std::optional<double> change_;  // since the last snapshot, of the last measured sweep
  std::uint64_t problems_ = 0;
  std::size_t bodies_ = 0, fewest_contacts_ = SolverSize::fewest;
  std::int32_t none_ = 0;
  bool in_single_ = false;
  enum class Loops { only_round, round, all } loops_ = Loops::only_round;
  int waiting_ = 0;  // sweeps
  double relaxation_ = 1.0;
  std::optional<Norms> norms_;  // of the velocities of now
};

}  // namespace moreau::gpu
