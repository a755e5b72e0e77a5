#include "moreau/cli/statics_report.hpp"

#include <algorithm>

#include "moreau/statics/bounded_load_factor.hpp"
#include "moreau/statics/corners.hpp"
#include "moreau/statics/finish.hpp"
#include "moreau/statics/supported_range.hpp"

namespace moreau {

namespace {

constexpr int most_self_stresses = 200;  // that are worked out and written

template <int D>
class Examination {
 public:
  Examination(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, double threshold)
      : model_(model), state_(state), load_(load) {
    const ContactTable<D>& table = state.contacts;
    const auto all = statics::contacts_of_table(model, state);
    // What a contact carries: a push, or a pull where its law has tension.
    const auto carried = [&](std::size_t i, const statics::PointLaw& law) {
      const double p = dot(table.impulse[i], table.normal[i]);
      return law.tension > 0.0 ? std::abs(p) : std::max(p, 0.0);
    };
    std::vector<statics::PointLaw> laws;
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      laws.push_back(statics::point_law(model, state, i));
      if (const double p = carried(i, laws[i]); p > 0.0) sum += p, ++count;
    }
    std::vector<double> forces;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const bool carries = carried(i, laws[i]) * static_cast<double>(count) > threshold * sum;
      if (carries || statics::touches(model, state, i)) touching_.push_back(all[i]), laws_.push_back(laws[i]);
      if (!carries) continue;
      report_.contacts.push_back(all[i]);
      impulse_.push_back(table.impulse[i]);
      forces.push_back(dot(table.impulse[i], table.normal[i]) / state.impulse_time_step);
      if (!table.couple.empty()) couple_.push_back(table.couple[i]);
      report_.friction = report_.friction || laws[i].friction > 0.0 || laws[i].shear > 0.0;
    }
    report_.force = Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
  }

  StaticsReport<D> run(const statics::Load<D>* unit) {
    if (report_.contacts.empty()) {
      report_.refusal = "no contact carries a force";
      return report_;
    }
    std::vector<statics::Pair> pairs;
    for (const auto& c : report_.contacts) pairs.push_back(c.pair);
    const statics::Load<D> any = unit ? load_ + *unit : load_;
    list_ = list_of(model_, state_, pairs, any);
    std::vector<bool> carries(state_.bodies.size(), false);  // a body that is loaded takes part even where nothing touches it
    for (const statics::Pair& p : pairs)
      for (const std::int32_t b : {p.a, p.b})
        if (!is_wall(b)) carries[static_cast<std::size_t>(b)] = true;
    for (std::size_t i = 0; i < state_.bodies.size(); ++i)
      if (state_.bodies.is_free(i)) ++(carries[i] ? report_.bodies : report_.loose);
    const std::vector<bool> tangents(pairs.size(), true);
    const std::span<const double> radius = state_.bodies.parameters.radius;
    turning_ = statics::freedoms_of_pairs(model_, state_, std::span<const statics::Pair>(pairs), any);
    turning_.spins = true;
    complete_ = statics::contact_matrix<D>(turning_, radius, report_.contacts, tangents);
    statics::Freedoms<D> freedoms = list_.freedoms;
    freedoms.spins = statics::some_force_turns<D>(freedoms, radius, report_.contacts, {});
    const statics::SparseRows G = statics::contact_matrix<D>(freedoms, radius, report_.contacts);
    report_.normal = statics::degrees_of(G);
    if (report_.friction) report_.complete = statics::degrees_of(complete_);
    if (report_.normal.hyperstatic() > 0 && report_.normal.hyperstatic() <= most_self_stresses)
      report_.self_stresses = statics::self_stresses(G);
    weigh();
    if (!report_.friction && statics::not_frictionless(model_, state_.bodies).empty() && list_.square()) find_exact_forces(G);
    if (unit) bear(*unit);
    return report_;
  }

 private:
  // Do the forces as they are balance?
  void weigh() {
    Eigen::VectorXd f(D * static_cast<Eigen::Index>(impulse_.size()));
    for (std::size_t c = 0; c < impulse_.size(); ++c) {
      const auto axes = statics::axes_of(report_.contacts[c].normal);
      for (int k = 0; k < D; ++k)
        f[D * static_cast<Eigen::Index>(c) + k] = dot(axes[static_cast<std::size_t>(k)], impulse_[c]) / state_.impulse_time_step;
    }
    report_.mean_force = report_.force.cwiseAbs().mean();
    Eigen::VectorXd F = force_of(model_, state_, turning_, load_);
    for (std::size_t c = 0; c < couple_.size(); ++c) add_couple(report_.contacts[c].pair, couple_[c], F);
    report_.imbalance = statics::imbalance(complete_, f, F) / report_.mean_force;
  }

  // Couples against rolling, as if they were loads.
  void add_couple(const statics::Pair& pair, const Spin<D>& couple, Eigen::VectorXd& F) const {
    const auto on = [&](std::int32_t body, double sign) {
      const std::size_t i = static_cast<std::size_t>(body);
      for (int s = 0; s < spin_dimension<D> && turning_.takes_part(i); ++s)
        F[turning_.column_of_spin(i, s)] += sign * couple[s] / (state_.impulse_time_step * state_.bodies.parameters.radius[i]);
    };
    on(pair.a, 1.0);
    if (!is_wall(pair.b)) on(pair.b, -1.0);
  }

  void find_exact_forces(const statics::SparseRows& G) {
    factor_.set(G);
    report_.isostatic = balancing_forces(factor_, force_of(model_, state_, list_.freedoms, load_), report_.exact) &&
                        report_.exact.minCoeff() > 0.0;
  }

  void bear(const statics::Load<D>& unit) {
    report_.loaded = true;
    if (report_.isostatic && balancing_forces(factor_, force_of(model_, state_, list_.freedoms, unit), report_.change) &&
        list_bears(unit)) {
      const statics::SupportedRange range = statics::supported_range(report_.exact, report_.change);
      if (range.opens_above >= 0) report_.most = range.most, report_.opens_above = pair(range.opens_above);
      if (range.opens_below >= 0) report_.least = range.least, report_.opens_below = pair(range.opens_below);
      if (range.opens_above >= 0) find_failure(range.opens_above);
      if (range.opens_above < 0 || range.opens_below < 0) report_.bound = "some direction of the load is borne without limit";
      return;
    }
    bound(unit);
  }

  // Whether the forces of the list balance all of the load: components that no contact of it opposes are held, as if it were so (a body
  // that touches nothing, or a wall alone; everything along a periodic direction).
  bool list_bears(const statics::Load<D>& unit) {
    statics::Freedoms<D> all = list_.freedoms;
    all.held.clear();
    const double largest = force_of(model_, state_, all, unit).cwiseAbs().maxCoeff();
    const double most = 1e-9 * std::max(largest, report_.change.cwiseAbs().mean());
    if (statics::imbalance(model_, state_, list_, report_.change, unit) <= most) return true;
    report_.change.resize(0);
    return false;
  }

  // All contacts that touch, also those that happen to carry nothing: another load may load them.
  void bound(const statics::Load<D>& unit) {
    std::vector<statics::Pair> pairs;
    for (const auto& c : touching_) pairs.push_back(c.pair);
    report_.touching = touching_.size();
    statics::Freedoms<D> freedoms =
        statics::freedoms_of_pairs(model_, state_, std::span<const statics::Pair>(pairs), load_ + unit);
    freedoms.spins = true;
    const Eigen::VectorXd F0 = force_of(model_, state_, freedoms, load_), F1 = force_of(model_, state_, freedoms, unit);
    const std::span<const double> radius = state_.bodies.parameters.radius;
    std::vector<double> friction;
    for (const statics::PointLaw& law : laws_) friction.push_back(law.friction), report_.cones = report_.cones && law.cone();
    const statics::SparseRows G =
        statics::contact_matrix<D>(freedoms, radius, touching_, std::vector<bool>(touching_.size(), true));
    // Corners that blocks pass each other by hold nothing; joints of mortar hold by their corners too.
    const statics::Corners<D> corners(model_, state_, touching_);
    std::vector<bool> uncertain = corners.are();
    for (std::size_t c = 0; c < uncertain.size(); ++c)
      if (laws_[c].tension > 0.0 || laws_[c].shear > 0.0) uncertain[c] = false;
    const auto find = [&](const Eigen::VectorXd& direction, double sign, std::optional<double>& to) {
      const Stopwatch watch(60.0);
      std::vector<bool> without = uncertain;
      const statics::LoadFactor factor = corners.settle(
          without,
          [&](const std::vector<bool>& left_out) {
            return report_.cones
                       ? statics::load_factor(G, D, friction, F0, direction, watch, left_out)
                       : statics::bounded_load_factor<D>(freedoms, radius, touching_, laws_, F0, direction, watch, left_out);
          },
          [&](const statics::LoadFactor& found) { return statics::motion_of_bodies<D>(state_, freedoms, found.motion); });
      report_.passed = std::max(report_.passed, static_cast<int>(std::count(without.begin(), without.end(), true)));
      if (factor.found == diagnosis::Found::optimum) to = sign * factor.value + 0.0;  // no -0
      if (factor.found == diagnosis::Found::optimum && sign > 0.0)
        keep_failure(statics::motion_of_bodies<D>(state_, freedoms, factor.motion));
      if (factor.found == diagnosis::Found::nothing) report_.bound = "no forces at these contacts balance the load as it is";
      if (factor.found == diagnosis::Found::unbounded) report_.bound = "some direction of the load is borne without limit";
      if (factor.found == diagnosis::Found::failed) report_.bound = no_answer(watch);
    };
    find(F1, 1.0, report_.most);
    find(-F1, -1.0, report_.least);
  }

  static std::string no_answer(const Stopwatch& watch) {
    return watch.over() ? "the program found no answer within 60 s" : "the program found no answer: its numbers are too far apart";
  }

  // The largest velocity is 1.
  void keep_failure(const std::vector<statics::BodyMotion<D>>& motion) {
    double largest = 0.0;
    for (const statics::BodyMotion<D>& body : motion) largest = std::max(largest, norm(body.velocity));
    if (!(largest > 0.0)) return;
    for (const statics::BodyMotion<D>& body : motion) report_.failure.push_back((1.0 / largest) * body.velocity);
  }

  void find_failure(int opened) {
    Eigen::VectorXd v;
    if (!failure_velocity(factor_, opened, v)) return;
    report_.failure.assign(state_.bodies.size(), Vec<D>{});
    for (const std::size_t i : list_.freedoms.body)
      for (int d = 0; d < D; ++d)
        if (const int column = list_.freedoms.column(i, d); column >= 0) report_.failure[i][d] = v[column];
  }

  statics::Pair pair(int l) const { return list_.pairs[static_cast<std::size_t>(l)]; }

  const Model<D>& model_;
  const State<D>& state_;
  const statics::Load<D>& load_;
  std::vector<Vec<D>> impulse_;
  std::vector<Spin<D>> couple_;
  std::vector<statics::Contact<D>> touching_;
  std::vector<statics::PointLaw> laws_;  // of those that touch
  statics::IsostaticList<D> list_;
  statics::Freedoms<D> turning_;
  statics::SparseRows complete_;
  statics::ListFactor factor_;
  StaticsReport<D> report_;
};

}  // namespace

template <int D>
StaticsReport<D> examine(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, const statics::Load<D>* unit,
                         double threshold) {
  return Examination<D>(model, state, load, threshold).run(unit);
}

template StaticsReport<2> examine(const Model<2>&, const State<2>&, const statics::Load<2>&, const statics::Load<2>*, double);
template StaticsReport<3> examine(const Model<3>&, const State<3>&, const statics::Load<3>&, const statics::Load<3>*, double);

}  // namespace moreau
