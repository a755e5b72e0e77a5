// The accelerator of the solver on a machine: a card (gpu/plugin.cu), or the processor as a card (gpu/host_machine.hpp).
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "moreau/gpu/array.hpp"
#include "moreau/gpu/chains.hpp"
#include "moreau/gpu/loops.hpp"
#include "moreau/gpu/norms.hpp"
#include "moreau/gpu/shared_loops.hpp"
#include "moreau/solver/accelerator.hpp"

namespace moreau::gpu {

// The iterate in one precision, and the memory in which its sums are made.
template <int D, class Real, class Machine>
struct DeviceIterate {
  static constexpr int lanes = lanes_of<Real>;

  Array<Row<Real>, Machine> bodies, body_last;
  Array<RoundPack<D, Real>, Machine> packs;
  Array<RowOf<Real>, Machine> last;
  Array<Real, Machine> energy, residual, weight;
  std::vector<std::uint32_t> colours;  // where each ends: packs

  explicit DeviceIterate(Machine& m) : bodies(m), body_last(m), packs(m), last(m), energy(m), residual(m), weight(m) {}

  void set_colours(std::vector<std::uint32_t> ends) {
    colours = std::move(ends);
    energy.resize(places()), residual.resize(places()), weight.resize(places());
  }
  std::size_t places() const { return colours.empty() ? 0 : static_cast<std::size_t>(colours.back()) * lanes; }
  Terms<Real> terms() const { return {energy.data(), residual.data(), weight.data()}; }
  std::size_t bytes() const {
    return bodies.bytes() + body_last.bytes() + packs.bytes() + last.bytes() + energy.bytes() + residual.bytes() + weight.bytes();
  }
};

template <int D, class Machine>
class Sweeps : public Accelerator<D> {
 public:
  explicit Sweeps(Machine& machine) : m_(machine) {}
  void use_from(std::size_t contacts) { fewest_contacts_ = contacts; }
  std::size_t fewest_contacts() const override { return fewest_contacts_; }

  void put(const RoundProblem<D>& p) override {
    in_single_ = false, waiting_ = 0, norms_.reset();
    none_ = static_cast<std::int32_t>(p.bodies.size()) - 1;
    bodies_ = p.bodies.size() - 1;
    exact_.bodies.resize(p.bodies.size());
    static_assert(sizeof(SolverBody<D>) == sizeof(Row<double>));
    m_.upload(exact_.bodies.data(), p.bodies.data(), p.bodies.size() * sizeof(Row<double>));
    free_.resize(bodies_ * n);
    if (bodies_ > 0) m_.upload(free_.data(), p.free.data(), bodies_ * n * sizeof(double));
    exact_.packs.put(p.packs);
    exact_.set_colours({p.colour_end.begin(), p.colour_end.end()});
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
  void lay_out(std::vector<std::uint32_t> colour_end, const std::uint64_t* used_by_slot) {
    in_single_ = false, waiting_ = 0, norms_.reset();
    exact_.packs.resize(colour_end.empty() ? 0 : colour_end.back());
    exact_.set_colours(std::move(colour_end));
    touched_ = used_by_slot;
    m_.forget();
  }
  // After it: motions that contacts share; of motion m those up to end[m] of the list of shared().
  void share(std::span<const SharedMotion> motions, std::vector<std::uint32_t> end) {
    std::vector<MotionRow> rows;
    for (const SharedMotion& motion : motions) rows.push_back({motion.inverse_mass, motion.free_change});
    motions_.put(rows), shared_end_ = std::move(end);
  }
  Array<SharedPlace<D>, Machine>& shared() { return shared_; }
  std::vector<MotionRow> motions() const {
    std::vector<MotionRow> rows;
    motions_.get(rows);
    return rows;
  }
  Row<double>* rows() { return exact_.bodies.data(); }
  double* free() { return free_.data(); }
  RoundPack<D, double>* packs() { return exact_.packs.data(); }
  std::size_t bytes() const {
    return exact_.bytes() + single_.bytes() + free_.bytes() + snapshot_.bytes() + then_.bytes() + used_.bytes() + shared_.bytes();
  }

  void put_impulses(std::span<const RoundPack<D>> packs) override {
    flush();
    m_.upload_pieces(exact_.packs.data()->impulse, packs.data()->impulse, sizeof(packs[0].impulse), sizeof(packs[0]),
                     packs.size());
  }
  void fetch(std::span<SolverBody<D>> bodies, std::span<RoundPack<D>> packs) override {
    flush();
    m_.download(bodies.data(), exact_.bodies.data(), bodies_ * sizeof(Row<double>));
    m_.download_pieces(packs.data()->impulse, exact_.packs.data()->impulse, sizeof(packs[0].impulse), sizeof(packs[0]),
                       packs.size());
  }

  void bring(ProblemThere<D>& problem) {
    flush();
    problem.bodies.resize(bodies_ + 1), problem.free.resize(bodies_), problem.packs.resize(exact_.packs.size());
    m_.download(problem.bodies.data(), exact_.bodies.data(), problem.bodies.size() * sizeof(Row<double>));
    static_assert(sizeof(VelocityOf<D>) == n * sizeof(double));
    m_.download(problem.free.data(), free_.data(), bodies_ * n * sizeof(double));
    m_.download(problem.packs.data(), exact_.packs.data(), problem.packs.size() * sizeof(problem.packs[0]));
    problem.colour_end = exact_.colours;
    for (const MotionRow& row : motions()) {
      problem.motions.push_back({row.inverse_mass, row.free_change});
      problem.change.push_back(row.change);
    }
    std::vector<SharedPlace<D>> shared;
    if (!problem.motions.empty()) shared_.get(shared);
    for (std::size_t m = 0, i = 0; m < shared_end_.size(); ++m)
      for (; i < shared_end_[m]; ++i)
        problem.sharings.push_back({shared[i].place, static_cast<std::int32_t>(m), shared[i].direction});
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
    if (by_crew()) return m_.run_together(plain({.sweep = true}, relaxation));
    m_.repeat(0, [&] { colours<Way::plain, false, false>(exact_, relaxation), renew(exact_, {}); });
  }
  Measured measuring_sweep(double relaxation) override {
    begin();
    if (by_crew()) {
      m_.run_together(plain({.measure_sweep = true}, relaxation));
      return fetch_sums<double>({}, true);
    }
    colours<Way::plain, false, true>(exact_, relaxation);
    renew(exact_, {});
    return sum<false, true>(exact_, {}, true);
  }
  Measured measure() override {
    begin();
    if (by_crew()) {
      m_.run_together(plain({.look = true}, 1.0));
      return fetch_sums<double>({}, false);
    }
    m_.run(exact_.places(), relax<Way::looking, false, true>(exact_, 0, 1.0));
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
  using Iterate = DeviceIterate<D, Real, Machine>;

  template <Way way, bool carrying, bool measuring, class Real>
  Relax<D, Real, way, carrying, measuring> relax(Iterate<Real>& it, std::size_t first, double relaxation) {
    return {it.bodies.data(), it.packs.data(), it.last.data(), pace_.data(),
            it.terms(),       first,           none_,          static_cast<Real>(relaxation),
            first > 0};  // the colour itself came before the first colour, and all that made the packs
  }
  template <Way way, bool carrying, bool measuring, class Real>
  void colours(Iterate<Real>& it, double relaxation) {
    std::size_t first = 0;
    std::vector<std::pair<std::size_t, Relax<D, Real, way, carrying, measuring>>> small;  // the last colours have few contacts
    for (const std::uint32_t end : it.colours) {
      const std::size_t count = static_cast<std::size_t>(end) * it.lanes - first;
      const auto loop = relax<way, carrying, measuring>(it, first, relaxation);
      first += count;
      if (count == 0) continue;
      if (count <= few_places) {
        small.push_back({count, loop});
        continue;
      }
      m_.run_in_turn(std::exchange(small, {}));
      m_.run(count, loop);
    }
    m_.run_in_turn(small);
  }
  void refresh_exact() {
    if (by_crew()) return m_.run_together(plain({.refresh = true}, 1.0));
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
    each_motion([&](MotionRow* motion, std::uint32_t first, std::uint32_t count) {
      const SharedPlace<D>* const shared = shared_.data() + first;
      m_.reduce(count, SumGained<D, Real>{shared, it.packs.data()}, there<Gained>(2 * bytes_of_sum),
                RenewSpeed{motion, units.impulse(), units.velocity});
      m_.run(count, FeelChange<D, Real>{shared, motion, it.packs.data()});
    });
  }
  template <class Real>
  void extrapolate_motions(Iterate<Real>& it, const Units& units) {
    m_.run(motions_.size(), ExtrapolateSpeed{motions_.data(), pace_.data(), units.velocity});
    each_motion([&](const MotionRow* motion, std::uint32_t first, std::uint32_t count) {
      m_.run(count, FeelChange<D, Real>{shared_.data() + first, motion, it.packs.data()});
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
    it.last.resize(D * it.packs.size());
    m_.run(it.places(), CopyImpulses<D, Real>{it.packs.data(), it.last.data()});
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
    single_.packs.resize(exact_.packs.size() / 2);
    std::vector<std::uint32_t> ends = exact_.colours;
    for (std::uint32_t& end : ends) end /= 2;
    if (single_.colours != ends) single_.set_colours(std::move(ends));
    m_.run(bodies_ + 1, NarrowBody<D>{exact_.bodies.data(), single_.bodies.data(), 1.0 / units_.velocity, units_.mass});
    m_.run(exact_.places(), NarrowContact<D>{exact_.packs.data(), single_.packs.data(), 1.0 / units_.velocity,
                                             1.0 / units_.impulse(), 1.0 / units_.mass, none_});
  }
  void widen() { m_.run(exact_.places(), WidenImpulse<D>{single_.packs.data(), exact_.packs.data(), units_.impulse()}); }

  // The square of the kinetic norm of the change since the last snapshot, which is renewed.
  template <class Real>
  void put_change() {
    if constexpr (std::is_same_v<Real, float>) {
      const KineticChange<D> change{single_.bodies.data(), touched_, then_.data()};
      m_.reduce(bodies_, change, there<ExactSum<float>>(bytes_of_sum));
    } else {
      const KineticTerm<D, double, Against::snapshot> change{exact_.bodies.data(), exact_.bodies.data(), snapshot_.data(), 1.0};
      m_.reduce(bodies_, change, there<ExactSum<double>>(bytes_of_sum));
    }
  }
  template <class Real>
  double change_from(const char* sum) const {
    ExactSum<Real> change;
    std::memcpy(&change, sum, sizeof(change));
    return std::is_same_v<Real, float> ? change.value() * (units_.mass * units_.velocity * units_.velocity) : change.value();
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
    return exact_.places() <= Machine::most_places_of_crew && exact_.colours.size() <= most_colours_of_chain &&
           motions_.size() == 0;
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
    m_.run_together(AcceleratedChain<D, Real>{rows_of(it, relaxation_), touched_, it.body_last.data(), waiting_, fully,
                                              units.impulse() * units.velocity, there<MeasuredSums<Real>>(),
                                              norms_of<Real>(units)});
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
      norms.change = {single_.bodies.data(), touched_, then_.data()};
    else
      norms.change = {exact_.bodies.data(), exact_.bodies.data(), snapshot_.data(), 1.0};
    norms.changed = there<ExactSum<Real>>(bytes_of_sum);
    norms.measure = {exact_.bodies.data(), iterate<Real>().bodies.data(), free_.data(), units.velocity};
    norms.norms = there<Norms>(3 * bytes_of_sum);
    norms.together = there<typename NormsOf<D, Real>::Both>(2 * bytes_of_sum);
    return norms;
  }
  template <class Real>
  SweptRows<D, Real> rows_of(Iterate<Real>& it, double relaxation) {
    SweptRows<D, Real> rows{it.bodies.data(),
                            it.packs.data(),
                            it.last.data(),
                            pace_.data(),
                            it.terms(),
                            none_,
                            static_cast<Real>(relaxation),
                            bodies_,
                            it.places(),
                            static_cast<int>(it.colours.size()),
                            {}};
    for (std::size_t c = 0; c < it.colours.size(); ++c) rows.end[c] = it.colours[c] * static_cast<std::uint32_t>(it.lanes);
    return rows;
  }
  struct PlainWork {
    bool refresh = false, sweep = false, measure_sweep = false, look = false;
  };
  PlainChain<D> plain(const PlainWork& work, double relaxation) {
    return {rows_of(exact_, relaxation),   free_.data(),        work.refresh, work.sweep, work.measure_sweep, work.look,
            there<MeasuredSums<double>>(), norms_of<double>({})};
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
  std::vector<std::uint32_t> shared_end_;  // by motion
  Array<Pace, Machine> pace_{m_};
  Array<char, Machine> sum_{m_};
  Units units_;
  std::optional<double> change_;  // since the last snapshot, of the last measured sweep
  std::size_t bodies_ = 0, fewest_contacts_ = SolverSize::fewest;
  std::int32_t none_ = 0;
  bool in_single_ = false;
  int waiting_ = 0;  // sweeps
  double relaxation_ = 1.0;
  std::optional<Norms> norms_;  // of the velocities of now
};

}  // namespace moreau::gpu
