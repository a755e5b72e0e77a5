// moreau solve: one frictional contact problem from a file of the FCLIB form, solved and certified.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/cli/command.hpp"
#include "moreau/cli/diagnose.hpp"
#include "moreau/fclib/step_file.hpp"
#include "moreau/solver/local_solver.hpp"

namespace moreau {
namespace {

struct Options {
  std::string problem, solver = "auto", output;
  LocalSettings settings;
  bool json = false, warm = false, diagnose = false;
  std::vector<int> bounds;  // contacts whose normal impulse is bounded
  int repeat = 1;
};

nlohmann::ordered_json describe(const LocalProblem& problem, const LocalResult& r, const LocalSettings& settings, double setup) {
  const LocalCertificate& c = r.certificate;
  nlohmann::ordered_json j;
  j["solver"] = r.solver;
  j["iterations"] = r.iterations;
  j["time_s"] = r.time;
  j["error"] = c.error;
  j["error_over_q"] = c.error_over_free;
  j["converged"] = r.converged;
  j["contacts"] = problem.contacts();
  j["processor_s"] = r.processor_time;
  j["tolerance"] = settings.tolerance;
  j["dimension"] = problem.dimension();
  j["reduction_s"] = setup;
  j["open"] = c.open, j["stick"] = c.stick, j["slide"] = c.slide;
  j["certificate"] = {{"residual", c.residual},
                      {"residual_contact", c.residual_contact},
                      {"velocity_scale", c.velocity_scale},
                      {"relative_residual", c.relative_residual()},
                      {"approach", c.approach},
                      {"cone", c.cone},
                      {"power", c.power}};
  return j;
}

void print(const Options& o, const LocalProblem& problem, const LocalResult& r) {
  const LocalCertificate& c = r.certificate;
  fmt::print("{}: {} contacts in {} dimensions\n", o.problem, problem.contacts(), problem.dimension());
  fmt::print("  solver          {} ({} iterations, {:.3g} s)\n", r.solver, r.iterations, r.time);
  fmt::print("  error           {:.3g} of max(|q|, |r|, |u|), {:.3g} of |q|; asked: {:g}\n", c.error, c.error_over_free,
             o.settings.tolerance);
  fmt::print("  contacts        {} open, {} sticking, {} sliding\n", c.open, c.stick, c.slide);
  if (c.residual_contact >= 0)
    fmt::print("  worst contact   {}: law violated by {:.3g} in velocity, {:.3g} of the largest velocity\n", c.residual_contact,
               c.residual, c.relative_residual());
  fmt::print("  largest         approach {:.3g}, distance to cone {:.3g}, power {:.3g}\n", c.approach, c.cone, c.power);
  const bool unbounded = !r.converged && c.error <= o.settings.tolerance;
  fmt::print("  {}{}\n", r.converged ? "tolerance reached" : "TOLERANCE NOT REACHED",
             unbounded ? ": the impulses grew without bound, the law is not obeyed" : "");
}

const NamedSolver& solver_named(const std::string& name) {
  for (const NamedSolver& s : local_solvers())
    if (name == s.name) return s;
  return local_solvers().front();  // not met: the command line accepts known names only
}

std::string solver_list() {
  std::string list;
  for (const NamedSolver& s : local_solvers()) list += fmt::format("\n  {:<16}{}", s.name, s.purpose);
  return list;
}

Eigen::VectorXd guess_of(const std::string& path, const LocalProblem& problem) {
  std::optional<Eigen::VectorXd> guess = fclib::read_guess(path);
  if (!guess || guess->size() != problem.free.size() || !guess->allFinite())
    throw std::runtime_error(
        fmt::format("{}: holds no 'guesses/1/r' of {} finite numbers to start from", path, problem.free.size()));
  return *guess;
}

void solve(const Options& o, int& status) {
  const fclib::Problem problem = fclib::read_problem(o.problem);
  const Stopwatch watch;
  const ReducedProblem reduced = fclib::reduce_problem(problem, o.problem);
  const double setup = watch.seconds();
  for (const int contact : o.bounds)
    if (contact < 0 || contact >= reduced.local.contacts())
      throw std::runtime_error(
          fmt::format("--bounds {}: the problem has the contacts 0 to {}", contact, reduced.local.contacts() - 1));
  LocalSettings settings = o.settings;
  if (o.warm) settings.start = guess_of(o.problem, reduced.local);
  LocalResult r = solver_named(o.solver).solve(reduced.local, settings);
  for (int k = 1; k < o.repeat; ++k) {  // the same bits every time; only the clock differs
    const LocalResult again = solver_named(o.solver).solve(reduced.local, settings);
    r.time = std::min(r.time, again.time), r.processor_time = std::min(r.processor_time, again.processor_time);
  }
  if (!o.output.empty()) {
    const ReducedProblem::Rest rest = reduced.rest(r.impulse);
    fclib::write_solution(o.output, o.problem, {r.impulse, r.velocity, rest.global_velocity, rest.multiplier});
  }
  nlohmann::ordered_json diagnosis;
  if (o.diagnose || !o.bounds.empty()) diagnosis = diagnose(o.problem, problem, reduced.local, r, o.bounds);
  if (o.json) {
    nlohmann::ordered_json j = describe(reduced.local, r, o.settings, setup);
    if (!diagnosis.is_null()) j["diagnosis"] = diagnosis;
    fmt::print("{}\n", j.dump(2));
  } else {
    print(o, reduced.local, r);
    if (!diagnosis.is_null()) print_diagnosis(diagnosis);
  }
  status = r.converged ? exit_ok : exit_unconverged;
}

}  // namespace

void add_solve(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("solve", "solve a frictional contact problem given as an FCLIB file (HDF5), local or global form");
  std::vector<std::string> names;
  for (const NamedSolver& s : local_solvers()) names.emplace_back(s.name);
  command->add_option("PROBLEM", o->problem, "file with a group fclib_local or fclib_global")->required();
  command->add_option("--solver", o->solver, "one of:" + solver_list())->check(CLI::IsMember(names))->capture_default_str();
  command->add_option("--tolerance", o->settings.tolerance, "error to reach: natural map over max(|q|, |r|, |u|)")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--max-time", o->settings.max_time, "give up after so many seconds")
      ->check(positive_number())
      ->capture_default_str();
  command
      ->add_option("--max-iterations", o->settings.max_iterations,
                   "give up after so many sweeps or steps (0: the solver's own limit)")
      ->check(CLI::NonNegativeNumber);
  command->add_option(
      "--output", o->output,
      "write the problem with its solution (group 'solution': r, u, v, l) to this file, which may be PROBLEM itself; "
      "nothing is written without it");
  command->add_flag("--diagnose", o->diagnose,
                    "tell whether a solution exists, which bodies are wedged, and how indeterminate the impulses are");
  command->add_option("--bounds", o->bounds,
                      "by how much the normal impulse of this contact may vary (several may be given); diagnoses");
  command->add_flag("--warm", o->warm, "start from the impulses of 'guesses/1', as written by `moreau run --dump-problem`");
  command->add_option("--repeat", o->repeat, "solve so many times and report the least time")->check(CLI::PositiveNumber);
  command->add_flag("--json", o->json, "as JSON");
  command->footer("Exit status: 0 if the tolerance was reached, 3 if not, 1 if the file cannot be used.");
  command->callback([o, &status] { solve(*o, status); });
}

}  // namespace moreau
