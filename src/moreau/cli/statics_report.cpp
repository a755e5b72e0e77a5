#include "moreau/cli/statics_report.hpp"

#include <fmt/format.h>

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
      if (state_.bodies.is_free(i)) ++(list_.freedoms.place[i] >= 0 ? report_.bodies : report_.loose);
    const std::vector<bool> tangents(pairs.size(), true);
    const std::span<const double> radius = state_.bodies.parameters.radius;
    turning_ = list_.freedoms;
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

nlohmann::ordered_json json_of(const statics::Degrees& d) {
  return {{"forces", d.forces},
          {"freedoms", d.freedoms},
          {"rank", d.rank},
          {"hyperstatic", d.hyperstatic()},
          {"hypostatic", d.hypostatic()}};
}

std::string text_of(const statics::Degrees& d) {
  return fmt::format("{} forces, {} freedoms: hyperstatic {}, hypostatic {}", d.forces, d.freedoms, d.hyperstatic(),
                     d.hypostatic());
}

std::string text_of(const statics::Pair& p) {
  return is_wall(p.b) ? fmt::format("body {} and wall {}", p.a, wall_index(p.b)) : fmt::format("bodies {} and {}", p.a, p.b);
}

}  // namespace

template <int D>
StaticsReport<D> examine(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, const statics::Load<D>* unit,
                         double threshold) {
  return Examination<D>(model, state, load, threshold).run(unit);
}

template <int D>
nlohmann::ordered_json json_of(const StaticsReport<D>& r) {
  nlohmann::ordered_json j{{"bodies", r.bodies},
                           {"loose", r.loose},
                           {"contacts", r.contacts.size()},
                           {"normal_forces", json_of(r.normal)},
                           {"mean_force", r.mean_force},
                           {"imbalance", r.imbalance},
                           {"isostatic", r.isostatic}};
  if (r.complete) j["all_components"] = json_of(*r.complete);
  if (r.isostatic) j["least_force"] = r.exact.minCoeff() / r.exact.mean();
  if (!r.loaded) return j;
  j["supported"] = {r.least ? nlohmann::ordered_json(*r.least) : nullptr, r.most ? nlohmann::ordered_json(*r.most) : nullptr};
  if (!r.bound.empty()) j["unknown"] = r.bound;
  if (r.isostatic && r.most) j["opens_above"] = {r.opens_above.a, r.opens_above.b};
  if (r.isostatic && r.least) j["opens_below"] = {r.opens_below.a, r.opens_below.b};
  return j;
}

template <int D>
void print(const StaticsReport<D>& r) {
  fmt::print("{} bodies carry at {} contacts, {} are loose\n", r.bodies, r.contacts.size(), r.loose);
  fmt::print("  normal forces      {}\n", text_of(r.normal));
  if (r.complete) fmt::print("  with friction      {}\n", text_of(*r.complete));
  fmt::print("  forces of the run  mean {:.6g}, out of balance by {:.1e} of it\n", r.mean_force, r.imbalance);
  if (r.isostatic)
    fmt::print("  isostatic          the forces follow from the load; least {:.3g} of the mean\n",
               r.exact.minCoeff() / r.exact.mean());
  else if (!r.friction)
    fmt::print("  not isostatic      as it is; --finish looks for an exact equilibrium near by\n");
  if (!r.loaded) return;
  const auto word = [](const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : std::string("?"); };
  fmt::print("  supported load     {} to {}{}\n", word(r.least), word(r.most), r.bound.empty() ? "" : " (" + r.bound + ")");
  if (!r.isostatic) {
    if (r.most || r.least)
      fmt::print("                     static bounds: beyond them no forces within the friction cones balance\n");
    return;
  }
  if (r.most) fmt::print("  above it opens     the contact of {}\n", text_of(r.opens_above));
  if (r.least) fmt::print("  below it opens     the contact of {}\n", text_of(r.opens_below));
}

template <int D>
std::string csv_of(const StaticsReport<D>& r) {
  std::string text = "a,b";
  for (int d = 0; d < D; ++d) text += fmt::format(",normal_{}", "xyz"[d]);
  text += ",force";
  if (r.isostatic) text += ",exact";
  if (r.isostatic && r.loaded) text += ",per_unit_of_load";
  for (Eigen::Index k = 0; k < r.self_stresses.cols(); ++k) text += fmt::format(",self_stress_{}", k + 1);
  text += '\n';
  for (std::size_t c = 0; c < r.contacts.size(); ++c) {
    const Eigen::Index row = static_cast<Eigen::Index>(c);
    text += fmt::format("{},{}", r.contacts[c].pair.a, r.contacts[c].pair.b);
    for (int d = 0; d < D; ++d) text += fmt::format(",{:.17g}", r.contacts[c].normal[d]);
    text += fmt::format(",{:.17g}", r.force[row]);
    if (r.isostatic) text += fmt::format(",{:.17g}", r.exact[row]);
    if (r.isostatic && r.loaded) text += fmt::format(",{:.17g}", r.change[row]);
    for (Eigen::Index k = 0; k < r.self_stresses.cols(); ++k) text += fmt::format(",{:.17g}", r.self_stresses(row, k));
    text += '\n';
  }
  return text;
}

#define MOREAU_INSTANTIATE(D)                                                                                                    \
  template StaticsReport<D> examine(const Model<D>&, const State<D>&, const statics::Load<D>&, const statics::Load<D>*, double); \
  template nlohmann::ordered_json json_of(const StaticsReport<D>&);                                                              \
  template void print(const StaticsReport<D>&);                                                                                  \
  template std::string csv_of(const StaticsReport<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau
