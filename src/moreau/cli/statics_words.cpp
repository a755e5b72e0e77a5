// A statics report as JSON, on the terminal, and as CSV.
#include <fmt/format.h>

#include "moreau/cli/statics_report.hpp"

namespace moreau {

namespace {

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

}  // namespace

std::string text_of(const statics::Pair& p) {
  return is_wall(p.b) ? fmt::format("body {} and wall {}", p.a, wall_index(p.b)) : fmt::format("bodies {} and {}", p.a, p.b);
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
  if (r.touching > 0) j["touching"] = r.touching, j["passed"] = r.passed;
  if (!r.bound.empty()) j["unknown"] = r.bound;
  if (!r.failure.empty()) {
    nlohmann::ordered_json& failure = j["failure"] = nlohmann::ordered_json::array();
    for (const Vec<D>& v : r.failure) failure.push_back(v.c);
  }
  const bool opens = r.isostatic && r.touching == 0;
  if (opens && r.most) j["opens_above"] = {r.opens_above.a, r.opens_above.b};
  if (opens && r.least) j["opens_below"] = {r.opens_below.a, r.opens_below.b};
  return j;
}

template <int D>
void print(const StaticsReport<D>& r) {
  const auto counted = [](std::size_t n, const char* one, const char* several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
  };
  fmt::print("{} at {}, {} loose\n", counted(static_cast<std::size_t>(r.bodies), "body carries", "bodies carry"),
             counted(r.contacts.size(), "contact", "contacts"), counted(static_cast<std::size_t>(r.loose), "is", "are"));
  fmt::print("  normal forces      {}\n", text_of(r.normal));
  if (r.complete) fmt::print("  with friction      {}\n", text_of(*r.complete));
  fmt::print("  forces of the run  mean {:.6g}, out of balance by {:.1e} of it\n", r.mean_force, r.imbalance);
  if (r.isostatic)
    fmt::print("  isostatic          the forces follow from the load; least {:.3g} of the mean\n",
               r.exact.minCoeff() / r.exact.mean());
  else if (!r.friction)
    fmt::print("  not isostatic      as it is; --finish looks for an exact equilibrium near by\n");
  if (!r.loaded) return;
  const char* const missing = r.bound.ends_with("without limit") ? "no limit" : "?";
  const auto word = [&](const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : std::string(missing); };
  if (r.contacts.empty() && r.touching == 0) return fmt::print("  supported load     none: nothing touches\n");
  fmt::print("  supported load     {} to {}{}\n", word(r.least), word(r.most), r.bound.empty() ? "" : " (" + r.bound + ")");
  if (!r.isostatic || r.touching > 0) {
    if (r.most || r.least)
      fmt::print(
          "                     static bounds: beyond them no forces within the {} of the {} contacts that touch balance\n",
          r.cones ? "friction cones" : "laws", r.touching);
    if (r.passed > 0)
      fmt::print("                     {} of them, corner on corner, hold nothing: the motion that begins there passes them\n",
                 r.passed);
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
  const bool changes = r.isostatic && r.change.size() > 0;  // not where the load acts on what the list does not hold
  if (changes) text += ",per_unit_of_load";
  for (Eigen::Index k = 0; k < r.self_stresses.cols(); ++k) text += fmt::format(",self_stress_{}", k + 1);
  text += '\n';
  for (std::size_t c = 0; c < r.contacts.size(); ++c) {
    const Eigen::Index row = static_cast<Eigen::Index>(c);
    text += fmt::format("{},{}", r.contacts[c].pair.a, r.contacts[c].pair.b);
    for (int d = 0; d < D; ++d) text += fmt::format(",{:.17g}", r.contacts[c].normal[d]);
    text += fmt::format(",{:.17g}", r.force[row]);
    if (r.isostatic) text += fmt::format(",{:.17g}", r.exact[row]);
    if (changes) text += fmt::format(",{:.17g}", r.change[row]);
    for (Eigen::Index k = 0; k < r.self_stresses.cols(); ++k) text += fmt::format(",{:.17g}", r.self_stresses(row, k));
    text += '\n';
  }
  return text;
}

#define MOREAU_INSTANTIATE(D)                                       \
  template nlohmann::ordered_json json_of(const StaticsReport<D>&); \
  template void print(const StaticsReport<D>&);                     \
  template std::string csv_of(const StaticsReport<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau
