#include "moreau/cli/diagnose.hpp"

#include <fmt/format.h>

#include "moreau/diagnosis/confinement.hpp"
#include "moreau/fclib/step_file.hpp"

namespace moreau {
namespace {

// H of the global form has the kernel of W and is sparser; bilateral constraints need W.
Eigen::SparseMatrix<double> balance_of(const fclib::Problem& problem, const LocalProblem& local) {
  if (const auto* global = std::get_if<GlobalProblem>(&problem.form); global && global->G.cols() == 0) return global->H;
  return column_major(local.delassus);
}

// A number; "infinite" where there is no bound; null where it was not found.
nlohmann::ordered_json number_or_word(double x) {
  if (std::isnan(x)) return nullptr;
  return std::isinf(x) ? nlohmann::ordered_json("infinite") : nlohmann::ordered_json(x);
}

std::string word(const nlohmann::ordered_json& number) {
  return number.is_null()     ? "? (not found)"
         : number.is_string() ? number.get<std::string>()
                              : fmt::format("{:.6g}", number.get<double>());
}

}  // namespace

nlohmann::ordered_json diagnose(const std::filesystem::path& path, const fclib::Problem& problem, const LocalProblem& local,
                                const LocalResult& result, const std::vector<int>& contacts, const Stopwatch& watch) {
  using namespace diagnosis;
  const Eigen::SparseMatrix<double> balance = balance_of(problem, local);
  const Confinement c = examine(local, balance, result.converged, watch);
  const std::optional<ContactNames> names = fclib::read_contact_names(path);
  nlohmann::ordered_json j;
  static constexpr const char* words[] = {"solution", "none", "unknown"};
  j["existence"] = words[static_cast<int>(c.existence)];
  if (result.squeeze) j["existence"] = "none";
  j["squeezed"] = c.squeezed || result.squeeze.has_value();
  // null: too large, or the program found no answer.
  j["wedged"] =
      !c.examined || c.wedge.found == Found::failed ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(c.wedge.exists);
  j["least_power"] = c.examined ? number_or_word(c.wedge.power) : nlohmann::ordered_json(nullptr);
  if (c.wedge.exists) {
    j["wedge_contacts"] = c.wedge.contacts;
    if (names && names->bodies.size() == static_cast<std::size_t>(local.contacts()))
      j["wedge_bodies"] = bodies_of(*names, c.wedge.contacts, 1000);
  }
  if (c.isolated.searched) {
    j["isolated_solutions"] = nlohmann::ordered_json::array();
    for (const IsolatedSolution& s : c.isolated.all)
      j["isolated_solutions"].push_back({{"modes", s.modes},
                                         {"impulse", std::vector<double>(s.impulse.begin(), s.impulse.end())},
                                         {"velocity", std::vector<double>(s.velocity.begin(), s.velocity.end())}});
    j["isolated_complete"] = c.isolated.complete;
  }
  if (!result.converged) return j;
  const double scale = std::max(result.velocity.cwiseAbs().maxCoeff(), local.free.cwiseAbs().maxCoeff());
  const ForceSet set = force_set(local, balance, result.impulse, result.velocity, 1e-5 * scale, watch);
  j["indeterminacy"] = set.dimension >= 0 ? nlohmann::ordered_json(set.dimension) : nlohmann::ordered_json(nullptr);
  for (const NormalRange& r : normal_ranges(set.problem, result.impulse, contacts, watch))
    j["ranges"].push_back({{"contact", r.contact}, {"now", r.now}, {"least", number_or_word(r.least)}, {"most", number_or_word(r.most)}});
  return j;
}

void print_diagnosis(const nlohmann::ordered_json& j) {
  const std::string existence = j.at("existence");
  fmt::print("  existence       {}\n", existence == "solution" ? "a solution exists"
                                       : existence == "none"   ? "THERE IS NO SOLUTION"
                                                               : "not known");
  if (j.at("wedged").is_null()) fmt::print("  wedge           not known\n");
  if (j.at("wedged").is_boolean() && j.at("wedged")) {
    const auto contacts = j.at("wedge_contacts").get<std::vector<int>>();
    fmt::print("  wedge           impulses{} at {} contacts balance at every body and q works against them (power {:.3g}): {}\n",
               j.at("squeezed") ? " along the normals" : " in the friction cones", contacts.size(),
               j.at("least_power").get<double>(),
               j.contains("wedge_bodies") ? j.at("wedge_bodies").get<std::string>()
                                          : fmt::format("contacts {}", fmt::join(contacts, ", ")));
  }
  if (j.contains("isolated_solutions")) {
    const auto& all = j.at("isolated_solutions");
    fmt::print("  isolated        {} solution{} found, {}\n", all.size(), all.size() == 1 ? "" : "s",
               j.at("isolated_complete") ? "no other exists" : "there may be others");
    if (all.size() > 1)
      for (const auto& s : all)
        fmt::print("                  {} (o open, k stick, s slide): impulses {:.6g}\n", s.at("modes").get<std::string>(),
                   fmt::join(s.at("impulse").get<std::vector<double>>(), ", "));
  }
  if (j.contains("indeterminacy") && j.at("indeterminacy").is_null()) fmt::print("  impulses        indeterminacy not found\n");
  if (j.contains("indeterminacy") && !j.at("indeterminacy").is_null()) {
    const int dimension = j.at("indeterminacy");
    fmt::print("  impulses        {}\n", dimension == 0 ? std::string("unique for these velocities")
                                                        : fmt::format("indeterminate: {} independent self-stresses", dimension));
  }
  if (!j.contains("ranges")) return;
  for (const auto& r : j.at("ranges"))
    fmt::print("  contact {:<7} normal impulse {:.6g}, may be {} to {}\n", r.at("contact").get<int>(), r.at("now").get<double>(),
               word(r.at("least")), word(r.at("most")));
}

}  // namespace moreau
