#include "moreau/engines/equilibrium.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "moreau/cli/command.hpp"
#include "moreau/cli/few_touch.hpp"
#include "moreau/cli/moving_supports.hpp"
#include "moreau/cli/state_of.hpp"
#include "moreau/store/output_file.hpp"

namespace moreau {

namespace {

struct EquilibriumOptions {
  std::string what, forces;
  std::vector<std::string> settings;
  double tolerance = 1e-3;
  bool json = false;
};

template <int D>
void write_forces(const ContactRecords<D>& contacts, const std::string& file) {
  std::ostringstream out;
  out << "a,b";
  for (const char* name : {"point", "normal", "force"})
    for (int d = 0; d < D; ++d) out << ',' << name << '_' << "xyz"[d];
  out << ",status\n";
  static constexpr const char* status_names[] = {"open", "stick", "slide"};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    out << contacts.a[i] << ',' << contacts.b[i];
    for (const auto* field : {&contacts.point, &contacts.normal, &contacts.force})
      for (int d = 0; d < D; ++d) out << ',' << fmt::format("{:.17g}", (*field)[i][d]);
    out << ',' << status_names[static_cast<int>(contacts.status[i])] << '\n';
  }
  write_output(file, out.str());
}

template <int D>
int test_equilibrium(const Model<D>& model, State<D> state, const Instant& instant, const EquilibriumOptions& o) {
  const std::string moving = moving_supports(model, state);
  const State<D> before = state;
  const EquilibriumReport<D> report = test_equilibrium(model, std::move(state), o.tolerance);
  const StepReport& step = report.step;
  const std::string few = few_touch(model, before, step.contacts);
  double total = 0.0;
  for (const auto& f : report.forces.force) total += norm(f);
  if (o.json) {
    // Without a converged step the question is open.
    const nlohmann::json possible = step.certificate.converged ? nlohmann::json(report.possible) : nlohmann::json();
    nlohmann::ordered_json j{{"possible", possible},
                             {"max_speed", report.max_speed},
                             {"velocity_scale", report.velocity_scale},
                             {"tolerance", o.tolerance},
                             {"contacts", step.contacts},
                             {"stick", step.stick},
                             {"slide", step.slide},
                             {"open", step.open},
                             {"mean_force", step.contacts > 0 ? total / static_cast<double>(step.contacts) : 0.0},
                             {"residual", step.certificate.relative_residual()},
                             {"unbalanced", step.certificate.unbalanced},
                             {"sweeps", step.certificate.sweeps},
                             {"converged", step.certificate.converged},
                             {"passes", report.passes},
                             {"unjudged", report.unjudged.empty() ? nlohmann::json() : nlohmann::json(report.unjudged)},
                             {"solver", report.solver}};
    if (!few.empty()) j["few_touch"] = few;
    instant.note(j);
    if (!moving.empty()) j["moving"] = moving;
    fmt::print("{}\n", j.dump(2));
  } else {
    const bool gravity = norm(model.gravity) > 0.0;
    fmt::print("{}: starting from rest, one step ends with a largest speed of {:.3g}, {:.2e} of {:.3g} ({})\n",
               report.possible ? "a possible equilibrium" : "not shown to be an equilibrium", report.max_speed,
               report.velocity_scale > 0.0 ? report.max_speed / report.velocity_scale : 0.0, report.velocity_scale,
               gravity ? "h |g|" : "what the contact impulses bring; there is no gravity");
    fmt::print("  {} contacts ({} stick, {} slide, {} open), {} sweeps, relative residual {:.2e}{}\n", step.contacts, step.stick,
               step.slide, step.open, step.certificate.sweeps, step.certificate.relative_residual(),
               step.certificate.converged ? "" : ", NOT converged");
    if (!few.empty()) fmt::print("  {}\n", few);
    if (!instant.run.empty()) fmt::print("  {} {}\n", instant.run, instant.words());
    if (!moving.empty()) fmt::print("  {}\n", moving);
    if (report.passes)
      fmt::print(
          "  forces that balance are there, but only with blocks that touch corner on corner or edge on edge, and the motion "
          "that "
          "begins without these passes them\n");
    if (!report.unjudged.empty())
      fmt::print("  {}: {}\n",
                 report.possible
                     ? "some blocks touch corner on corner or edge on edge; whether the motion would pass these was not judged"
                     : "no other solver was asked for forces that balance",
                 report.unjudged);
    if (report.solver != "step")
      fmt::print("  the forces were found by the solver '{}'; from those recalled, sweeps end elsewhere\n", report.solver);
  }
  if (!o.forces.empty()) {
    write_forces(report.forces, o.forces);
    if (!o.json) fmt::print("  wrote the forces to {}\n", o.forces);
  }
  return report.possible ? exit_ok : exit_unconverged;
}

}  // namespace

void add_equilibrium(CLI::App& app, int& status) {
  auto o = std::make_shared<EquilibriumOptions>();
  CLI::App* command = app.add_subcommand(
      "equilibrium", "is this position a possible equilibrium? One step from rest tells, and gives the contact forces");
  command->add_option("WHAT", o->what, "a scene file, or the folder of a run (its latest state)")->required();
  command
      ->add_option("--tolerance", o->tolerance,
                   "at rest means: every speed below this times h |g| (without gravity: times what the contact impulses bring)")
      ->capture_default_str()
      ->check(positive_number())
      ->check(CLI::Range(1e-12, 1.0));
  add_settings_option(*command, o->settings);
  command->add_option("--forces", o->forces, "write the contact forces to this CSV file");
  command->add_flag("--json", o->json, "as JSON");
  command->callback([o, &status] {
    status = with_state_of(o->what, settings_of(o->settings),
                           [&](const auto& model, const auto& state, const auto&, const Instant& instant) {
                             return test_equilibrium(model, state, instant, *o);
                           });
  });
}

}  // namespace moreau
