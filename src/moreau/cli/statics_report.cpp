#include "moreau/cli/statics_report.hpp"

#include "moreau/dynamics/contact_records.hpp"
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
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.size(); ++i)
      if (const double p = dot(table.impulse[i], table.normal[i]); p > 0.0) sum += p, ++count;
    const auto all = statics::contacts_of_table(model, state);
    std::vector<double> forces;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const double p = dot(table.impulse[i], table.normal[i]);
      if (!(p * static_cast<double>(count) > threshold * sum)) continue;
      report_.contacts.push_back(all[i]);
      impulse_.push_back(table.impulse[i]);
      forces.push_back(p / state.impulse_time_step);
      friction_.push_back(law_of(model, state.bodies, table.a[i], table.b[i]).friction);
      report_.friction = report_.friction || friction_.back() > 0.0;
    }
    report_.force = Eigen::Map<const Eigen::VectorXd>(forces.data(), static_cast<Eigen::Index>(forces.size()));
  }

  StaticsReport<D> run(const statics::Load<D>* unit) {
    if (report_.contacts.empty()) {
      report_.refusal = "no contact carries a force; run it first, or give --finish";
      return report_;
    }
    std::vector<statics::Pair> pairs;
    for (const auto& c : report_.contacts) pairs.push_back(c.pair);
    const statics::Load<D> any = unit ? load_ + *unit : load_;
    list_ = list_of(model_, state_, pairs, any);
    for (std::size_t i = 0; i < state_.bodies.size(); ++i)
      if (state_.bodies.is_free(i)) ++(list_.freedoms.takes_part(i) ? report_.bodies : report_.loose);
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
    report_.mean_force = report_.force.mean();
    report_.imbalance = statics::imbalance(complete_, f, force_of(model_, state_, turning_, load_)) / report_.mean_force;
  }

  void find_exact_forces(const statics::SparseRows& G) {
    factor_.set(G);
    report_.isostatic = balancing_forces(factor_, force_of(model_, state_, list_.freedoms, load_), report_.exact) &&
                        report_.exact.minCoeff() > 0.0;
  }

  void bear(const statics::Load<D>& unit) {
    report_.loaded = true;
    if (report_.isostatic && balancing_forces(factor_, force_of(model_, state_, list_.freedoms, unit), report_.change)) {
      const statics::SupportedRange range = statics::supported_range(report_.exact, report_.change);
      if (range.opens_above >= 0) report_.most = range.most, report_.opens_above = pair(range.opens_above);
      if (range.opens_below >= 0) report_.least = range.least, report_.opens_below = pair(range.opens_below);
      if (range.opens_above >= 0) find_failure(range.opens_above);
      if (range.opens_above < 0 || range.opens_below < 0) report_.bound = "some direction of the load is borne without limit";
      return;
    }
    const Eigen::VectorXd F0 = force_of(model_, state_, turning_, load_), F1 = force_of(model_, state_, turning_, unit);
    const auto find = [&](const Eigen::VectorXd& direction, double sign, std::optional<double>& to) {
      const statics::LoadFactor factor = statics::load_factor(complete_, D, friction_, F0, direction, Stopwatch(60.0));
      if (factor.found == diagnosis::Found::optimum) to = sign * factor.value;
      if (factor.found == diagnosis::Found::nothing) report_.bound = "no forces at these contacts balance the load as it is";
      if (factor.found == diagnosis::Found::unbounded) report_.bound = "some direction of the load is borne without limit";
      if (factor.found == diagnosis::Found::failed) report_.bound = "the program found no answer within 60 s";
    };
    find(F1, 1.0, report_.most);
    find(-F1, -1.0, report_.least);
  }

  void find_failure(int opened) {
    Eigen::VectorXd v;
    if (!failure_velocity(factor_, opened, v)) return;
    report_.failure.assign(state_.bodies.size(), Vec<D>{});
    for (std::size_t k = 0; k < list_.freedoms.body.size(); ++k)
      for (int d = 0; d < D; ++d) report_.failure[list_.freedoms.body[k]][d] = v[D * static_cast<int>(k) + d];
  }

  statics::Pair pair(int l) const { return list_.pairs[static_cast<std::size_t>(l)]; }

  const Model<D>& model_;
  const State<D>& state_;
  const statics::Load<D>& load_;
  std::vector<Vec<D>> impulse_;
  std::vector<double> friction_;
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
