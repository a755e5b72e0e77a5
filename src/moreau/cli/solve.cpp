// moreau solve: one frictional contact problem from a file of the FCLIB form, solved and certified.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/cli/command.hpp"
#include "moreau/cli/diagnose.hpp"
#include "moreau/fclib/step_file.hpp"
#include "moreau/solver/given/local_solver.hpp"

namespace moreau {
namespace {

struct Options {
  std::string problem, solver = "auto", output;
  LocalSettings settings;
  bool json = false, warm = false, diagnose = false;
  std::vector<int> bounds;  // contacts whose normal impulse is bounded
  int repeat = 1;
};

const char* outcome(const LocalResult& r) { return r.converged ? "solved" : r.squeeze ? "no solution: proven" : "not reached"; }

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
  j["outcome"] = outcome(r);
  if (r.squeeze) j["squeeze"] = {{"contacts", r.squeeze->contacts}, {"power", r.squeeze->power}};
  j["certificate"] = {{"violation", c.violation},
                      {"violation_contact", c.violation_contact},
                      {"largest_given_velocity", c.given},
                      {"relative_violation", c.relative_violation()},
                      {"residual", c.residual},
                      {"approach", c.approach},
                      {"cone", c.cone},
                      {"power", c.power},
                      {"power_velocity", c.power_velocity},
                      {"rounding", c.rounding}};
  return j;
}

std::string listed(const std::vector<int>& contacts) {
  constexpr std::size_t most = 20;
  const std::vector<int> first(contacts.begin(), contacts.begin() + static_cast<std::ptrdiff_t>(std::min(most, contacts.size())));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     contacts.size() > most ? fmt::format(" and {} more", contacts.size() - most) : "");
}

void print(const Options& o, const LocalProblem& problem, const LocalResult& r) {
  const LocalCertificate& c = r.certificate;
  fmt::print("{}: {} contacts in {} dimensions\n", o.problem, problem.contacts(), problem.dimension());
  fmt::print("  solver          {} ({} iterations, {:.3g} s)\n", r.solver, r.iterations, r.time);
  const double asked = o.settings.tolerance;
  fmt::print("  error           {:.3g} of max(|q|, |r|, |u|), {:.3g} of |q|; asked: {:g}\n", c.error, c.error_over_free, asked);
  fmt::print("  contacts        {} open, {} sticking, {} sliding\n", c.open, c.stick, c.slide);
  if (c.violation_contact >= 0)
    fmt::print("  worst contact   {}: law violated by {:.3g} in velocity, {:.3g} of the largest in q; asked: {:g}\n",
               c.violation_contact, c.violation, c.relative_violation(),
               std::min(velocity_tolerances * asked, largest_violation));
  fmt::print("  largest         approach {:.3g}, distance to cone {:.3g}, power {:.3g}\n", c.approach, c.cone, c.power);
  if (r.converged) {
    fmt::print("  tolerance reached\n");
  } else if (r.squeeze) {
    fmt::print("  NO SOLUTION: PROVEN. Whatever the impulses, some contact closes at {:.3g} or faster, among: {}\n",
               -r.squeeze->power, listed(r.squeeze->contacts));
  } else {
    fmt::print("  TOLERANCE NOT REACHED{}\n",
               c.error <= asked ? ": the impulses are so large that the error means nothing; the law is not obeyed" : "");
  }
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
  const Stopwatch watch(o.settings.max_time, o.settings.max_cpu);  // of all that follows
  const fclib::Problem problem = fclib::read_problem(o.problem);
  const double setup_begin = watch.seconds();
  const ReducedProblem reduced = fclib::reduce_problem(problem, o.problem);
  const double setup = watch.seconds() - setup_begin;
  for (const int contact : o.bounds)
    if (contact < 0 || contact >= reduced.local.contacts())
      throw std::runtime_error(
          fmt::format("--bounds {}: the problem has the contacts 0 to {}", contact, reduced.local.contacts() - 1));
  LocalSettings settings = o.settings;
  if (o.warm) settings.start = guess_of(o.problem, reduced.local);
  // Some time is kept for the question why it was not reached.
  const bool asks_why = o.diagnose || !o.bounds.empty();
  const double share = asks_why ? 0.5 : 0.95;
  const auto share_time = [&] {
    settings.max_time = share * watch.seconds_left(), settings.max_cpu = share * watch.processor_seconds_left();
  };
  share_time();
  LocalResult r = solver_named(o.solver).solve(reduced.local, settings);
  if (!r.converged && !r.squeeze) r.squeeze = find_squeeze(reduced.local, watch);
  for (int k = 1; k < o.repeat && !watch.over(); ++k) {  // the same bits every time; only the clock differs
    share_time();
    const LocalResult again = solver_named(o.solver).solve(reduced.local, settings);
    r.time = std::min(r.time, again.time), r.processor_time = std::min(r.processor_time, again.processor_time);
  }
  if (!o.output.empty()) {
    const ReducedProblem::Rest rest = reduced.rest(r.impulse);
    fclib::write_solution(o.output, o.problem, {r.impulse, r.velocity, rest.global_velocity, rest.multiplier});
  }
  nlohmann::ordered_json diagnosis;
  if (asks_why) diagnosis = diagnose(o.problem, problem, reduced.local, r, o.bounds, watch);
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
  command
      ->add_option(
          "--tolerance", o->settings.tolerance,
          "error to reach: natural map over max(|q|, |r|, |u|); and ten times it for the law as a velocity over the largest in q")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--max-time", o->settings.max_time, "give up after so many seconds, diagnosis included")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--max-cpu", o->settings.max_cpu, "give up after so many seconds of processor time, diagnosis included")
      ->check(positive_number());
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
  command->footer(
      "Exit status: 0 if the tolerance was reached, 3 if not or if there is no solution, 1 if the file cannot be used.");
  command->callback([o, &status] { solve(*o, status); });
}

}  // namespace moreau
