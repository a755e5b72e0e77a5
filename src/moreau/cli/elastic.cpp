#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/cli/command.hpp"
#include "moreau/cli/load_text.hpp"
#include "moreau/cli/outputs.hpp"
#include "moreau/cli/state_of.hpp"
#include "moreau/engines/elastic/load_path.hpp"
#include "moreau/engines/elastic/network_of.hpp"
#include "moreau/scene/read/toml_reader.hpp"
#include "moreau/statics/load_factor.hpp"
#include "moreau/store/output_file.hpp"

namespace moreau {

namespace {

constexpr double nearly_all = 0.95;  // of the displacement at which small ones end: the search stopped there, and for that

struct ElasticOptions {
  std::string run, path, forces;
  std::vector<std::string> loads;
  elastic::Material material;
  elastic::LoadSteps steps;
  elastic::Settings settings;
  double friction = -1.0;
  bool associated = false, json = false;
};

// What is watched of a displacement: pistons, and strains of the cell.
template <int D>
std::vector<std::pair<std::string, int>> watched(const Model<D>& model, const statics::Freedoms<D>& freedoms) {
  std::vector<std::pair<std::string, int>> names;
  for (std::size_t k = 0; k < freedoms.piston.size(); ++k)
    names.emplace_back(model.pistons[freedoms.piston[k]].name, freedoms.column_of_piston(static_cast<int>(k)));
  for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
    names.emplace_back(fmt::format("strain_{}{}", "xyz"[freedoms.gradient[k].first], "xyz"[freedoms.gradient[k].second]),
                       freedoms.column_of_gradient(static_cast<int>(k)));
  return names;
}

template <int D>
std::string table_of(const Model<D>& model, const elastic::Structure<D>& structure, const elastic::LoadPath& path) {
  const auto names = watched(model, structure.freedoms);
  std::string text = "load";
  for (const auto& [name, column] : names) text += "," + name;
  text += ",sliding,open,hyperstatic,imbalance,newton,nguyen\n";
  for (const elastic::Point& p : path.points) {
    text += fmt::format("{}", p.load);
    for (const auto& [name, column] : names) text += fmt::format(",{}", p.found.rest.displacement[column]);
    text += fmt::format(",{},{},{},{},{},{}\n", p.found.contacts.sliding, p.found.contacts.open,
                        structure.hyperstatic(p.found.contacts.force), p.found.imbalance, p.found.newton, p.found.nguyen);
  }
  return text;
}

template <int D>
std::string forces_of(const elastic::Structure<D>& structure, const elastic::Found& found) {
  std::string text = D == 2 ? "a,b,normal,tangential,slip\n" : "a,b,normal,tangential_1,tangential_2,slip_1,slip_2\n";
  for (std::size_t c = 0; c < structure.contacts.size(); ++c) {
    const Eigen::Index row = D * static_cast<Eigen::Index>(c);
    text += fmt::format("{},{}", structure.contacts[c].pair.a, structure.contacts[c].pair.b);
    for (int k = 0; k < D; ++k) text += fmt::format(",{}", found.contacts.force[row + k]);
    for (int k = 1; k < D; ++k) text += fmt::format(",{}", found.rest.slip[row + k]);
    text += "\n";
  }
  return text;
}

template <int D>
double smallest_radius(const State<D>& state, const statics::Freedoms<D>& freedoms) {
  double least = 0.0;
  for (const std::size_t i : freedoms.body)
    least = least > 0.0 ? std::min(least, state.bodies.parameters.radius[i]) : state.bodies.parameters.radius[i];
  return least;
}

std::string text_of_bound(const statics::LoadFactor& bound, const Stopwatch& watch) {
  switch (bound.found) {
    case diagnosis::Found::optimum:
      return fmt::format("no load beyond {:.6g} can rest at these contacts (static bound)", bound.bound);
    case diagnosis::Found::unbounded:
      return "the static bound sets no limit to this load";
    case diagnosis::Found::nothing:
      return "no forces at these contacts balance even the load of the run";
    default:
      return watch.over() ? "the program of the static bound found no answer within 60 s"
                          : "the program of the static bound found no answer: its numbers are too far apart";
  }
}

template <int D>
int solve_elastic(const Model<D>& model, const State<D>& state, const std::vector<NamedBodies>& named, const Instant& instant,
                  const ElasticOptions& o) {
  const statics::Load<D> load = statics::load_at(model, state, state.time);
  statics::Load<D> unit;
  for (const std::string& text : o.loads) unit = unit + read_load(text, model, state.bodies, named);
  const elastic::Structure<D> structure = elastic::structure_of(model, state, load + unit, o.material);
  if (structure.carrying == 0)
    throw std::runtime_error(fmt::format("{}: no contact carries a force {}; accepted: a run that has come to rest under its load", o.run,
                                         instant.words()));
  const Eigen::VectorXd F0 = force_of(model, state, structure.freedoms, load),
                        F1 = force_of(model, state, structure.freedoms, unit);
  elastic::Settings settings = o.settings;
  settings.farthest = 0.2 * smallest_radius(state, structure.freedoms);
  const elastic::Equilibrium equilibrium(structure.network, settings);
  const elastic::LoadPath path = follow(equilibrium, at_reference(structure.network), F0, F1, o.steps, [&](const auto& p) {
    if (!o.json)
      fmt::print("  load {:<10.6g} sliding {:<6} open {:<6} imbalance {:.1e}\n", p.load, p.found.contacts.sliding,
                 p.found.contacts.open, p.found.imbalance);
    return true;
  });
  const Eigen::VectorXd towards = o.steps.to < 0.0 ? Eigen::VectorXd(-F1) : F1;
  const Stopwatch watch(60.0);
  statics::LoadFactor bound = statics::load_factor(structure.network.G, D, structure.friction(), F0, towards, watch);
  // What no forces balance cannot rest without slip either: a loaded body that nothing touches has no contact to slip at.
  const double borne = bound.found == diagnosis::Found::optimum ? std::max(0.0, bound.bound) : HUGE_VAL;
  if (o.steps.to < 0.0) bound.value = -bound.value, bound.bound = -bound.bound;
  bound.value += 0.0, bound.bound += 0.0;  // no -0
  nlohmann::ordered_json j{{"bodies", structure.freedoms.body.size()}, {"contacts", structure.contacts.size()}};
  instant.note(j);
  if (!path.points.empty()) {
    const elastic::Found& end = path.points.back().found;
    const double limit = std::min(borne, elastic_limit(equilibrium, path.points.front().found.contacts.force, towards));
    if (std::isfinite(limit)) j["elastic_up_to"] = o.steps.to < 0.0 ? -limit : limit;
    j["last_equilibrium"] = path.points.back().load;
    j["sliding"] = end.contacts.sliding, j["open"] = end.contacts.open, j["imbalance"] = end.imbalance;
    for (const auto& [name, column] : watched(model, structure.freedoms)) j["displacement"][name] = end.rest.displacement[column];
  }
  j["complete"] = path.complete;
  if (path.not_found_at) j["not_found_at"] = *path.not_found_at;
  const bool far = path.not_found_at && !path.points.empty() &&
                   path.points.back().found.rest.displacement.cwiseAbs().maxCoeff() > nearly_all * settings.farthest;
  if (far) j["displacements_end_at"] = settings.farthest;
  if (bound.found == diagnosis::Found::optimum) j["static_bound"] = bound.bound;
  if (o.json) {
    fmt::print("{}\n", j.dump(2));
  } else {
    if (j.contains("elastic_up_to")) fmt::print("  first slip or opening at load {:.6g}\n", j["elastic_up_to"].get<double>());
    if (!path.points.empty()) fmt::print("  last equilibrium at load {:.6g}\n", path.points.back().load);
    if (path.not_found_at)
      fmt::print(
          "  none was found at load {:.6g}; that does not say that there is none{}\n", *path.not_found_at,
          far ? fmt::format(": displacements have come to {:.3g}, a tenth of the smallest diameter, beyond which they are not "
                            "small and the method ends",
                            settings.farthest)
              : std::string());
    fmt::print("  {}\n  {} {}\n", text_of_bound(bound, watch), instant.run, instant.words());
  }
  if (!o.path.empty()) write_output(o.path, table_of(model, structure, path));
  if (!o.forces.empty() && !path.points.empty()) write_output(o.forces, forces_of(structure, path.points.back().found));
  return path.points.empty() ? exit_unconverged : exit_ok;
}

}  // namespace

void add_elastic(CLI::App& app, int& status) {
  auto o = std::make_shared<ElasticOptions>();
  CLI::App* command = app.add_subcommand(
      "elastic", "load a packing that has come to rest by increments, its contacts being springs with sliders; no dynamics");
  command->add_option("RUN", o->run, "the folder of a run (its latest state)")->required()->check(CLI::ExistingDirectory);
  command
      ->add_option("--load", o->loads,
                   "load that grows: piston:NAME, gravity, acceleration:X,Y, cell:xx, force:BODY:X,Y; several add up")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--stiffness", o->material.normal, "of the normal springs, force per length")
      ->required()
      ->check(positive_number());
  command->add_option("--ratio", o->material.ratio, "tangential over normal stiffness")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--friction", o->friction, "between bodies, instead of that of the scene")->check(number_in(0.0, largest_number));
  command->add_flag("--associated", o->associated, "slip opens contacts (for the theorem of limit loads)");
  command->add_option("--near", o->material.near, "round bodies no further apart than this may come into contact")
      ->check(positive_number());
  command->add_option("--to", o->steps.to, "load at the end, in units of --load; may be negative")
      ->check(number_in(-1e300, 1e300))
      ->capture_default_str();
  command->add_option("--step", o->steps.step, "increment of the load")->check(positive_number())->capture_default_str();
  command->add_option("--finest", o->steps.finest, "smallest increment when no equilibrium is found")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--tolerance", o->settings.tolerance, "of the balance, relative to the largest force")
      ->check(number_in(1e-14, 0.1))
      ->capture_default_str();
  command->add_option("--iterations", o->settings.most_nguyen, "most iterations with the elastic operator in an increment")
      ->check(CLI::Range(1, 100000000))
      ->capture_default_str();
  command->add_option("--threshold", o->material.threshold, "contacts carry above this times the mean normal force")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--path", o->path,
                      "write load, displacements of pistons and cell, counts of every increment to this CSV file");
  command->add_option("--forces", o->forces, "write forces and slips of the last equilibrium to this CSV file");
  command->add_flag("--json", o->json, "as JSON");
  command->callback([o, &status] {
    constexpr double least = 1e-6;  // a million increments, and increments cut into a million
    const auto demand = [](const char* option, double value, double at_least, const char* of) {
      if (value < at_least)
        throw std::runtime_error(fmt::format("{} is {:g}; accepted: at least {:g}, a millionth of {}", option, value, at_least, of));
    };
    demand_different_outputs({{"--path", o->path}, {"--forces", o->forces}});
    demand("--step", o->steps.step, least * std::abs(o->steps.to), "--to");
    demand("--finest", o->steps.finest, least * o->steps.step, "--step");
    if (o->friction >= 0.0) o->material.friction = o->friction;
    if (o->associated) o->material.flow = elastic::Flow::associated;
    status = with_state_of_run(o->run, [&](const auto& model, const auto& state, const auto& scene, const Instant& instant) {
      return solve_elastic(model, state, scene.named, instant, *o);
    });
  });
}

}  // namespace moreau
