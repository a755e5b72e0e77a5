#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/base/team.hpp"
#include "moreau/base/version.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/dense_packing.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/gpu/device.hpp"

namespace moreau {

namespace {

struct BenchOptions {
  std::size_t grains = 10000;
  int threads = 1, steps = 20, sweeps = 50, dimension = 3;
  bool json = false, csv = false, extrapolation = false;
};

// Largest memory that the program ever held, in bytes.
double peak_resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// Steps of a fixed number of sweeps on a bed at rest: what is measured is the machine's work, not the difficulty of the problem.
template <int D>
nlohmann::ordered_json timed_steps(const BenchOptions& o) {
  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(o.threads));
  oneapi::tbb::task_arena arena(o.threads);
  Timings timings;
  double relaxations = 0.0, fastest = 0.0;  // fastest: a second, of all steps; what a busy machine disturbs least
  std::size_t contacts = 0;
  StepReport last;
  Team::choose_size(false);
  const bool thread_time = o.threads == 1 && std::string(gpu::in_use()) == "processor";
  if (thread_time) StageClock::count_thread_time();
  DensePacking<D> packing = dense_packing<D>(o.grains);
  Simulation<D> simulation(packing.model, std::move(packing.bodies));
  arena.execute([&] {
    simulation.step();  // the first step builds the lists and has nothing to recall
    SolverSettings& solver = simulation.mutable_model().solver;
    solver.max_sweeps = o.sweeps, solver.finish = false;
    solver.extrapolation = o.extrapolation;
    solver.tolerance = 1e-300;  // never reached: every step makes exactly max_sweeps
    for (int i = 0; i < o.steps; ++i) {
      last = simulation.step();
      timings += last.timings;
      relaxations += static_cast<double>(last.contacts) * last.certificate.sweeps;
      contacts += last.contacts;
      fastest = std::max(fastest, static_cast<double>(last.contacts) * last.certificate.sweeps / last.timings.solve);
    }
  });
  const double n = static_cast<double>(simulation.state().bodies.size());
  const double mean_contacts = static_cast<double>(contacts) / o.steps;
  const auto memory = simulation.memory();
  const double total = timings.total();
  nlohmann::ordered_json j;
  j["dimension"] = D;
  j["grains"] = simulation.state().bodies.size();
  j["threads"] = o.threads;
  j["device"] = gpu::in_use();
  j["seconds"] = thread_time ? "processor" : "wall";
  j["steps"] = o.steps;
  j["sweeps"] = o.sweeps;
  j["extrapolation"] = o.extrapolation;
  j["contacts"] = last.contacts;
  j["relaxations_per_second"] = relaxations / timings.solve;
  j["fastest_relaxations_per_second"] = fastest;
  j["seconds_per_step"] = total / o.steps;
  j["stages"] = {{"insert", timings.insert / total},   {"predict", timings.predict / total},   {"search", timings.search / total},
                 {"detect", timings.detect / total},   {"assemble", timings.assemble / total}, {"solve", timings.solve / total},
                 {"certify", timings.certify / total}, {"update", timings.update / total}};
  j["bytes_per_contact"] = static_cast<double>(memory.contact_bytes) / mean_contacts;
  j["bytes_per_body"] = static_cast<double>(memory.body_bytes) / n;
  j["peak_resident_bytes"] = peak_resident();
  j["state_hash"] = state_hash(simulation.state());
  j["version"] = MOREAU_VERSION;
  j["commit"] = MOREAU_COMMIT;
  return j;
}

void print_table(const nlohmann::ordered_json& j) {
  fmt::print("  dense packing of {} {}, {} contacts, {} thread{}, {}, steps of {} sweeps\n", j.at("grains").get<std::size_t>(),
             j.at("dimension").get<int>() == 2 ? "discs" : "balls", j.at("contacts").get<std::size_t>(),
             j.at("threads").get<int>(), j.at("threads").get<int>() == 1 ? "" : "s", j.at("device").get<std::string>(),
             j.at("sweeps").get<int>());
  fmt::print("  {:<22}{:.1f} million a second in the solver\n", "relaxations",
             j.at("relaxations_per_second").get<double>() * 1e-6);
  fmt::print("  {:<22}{:.3g} s\n", "one step", j.at("seconds_per_step").get<double>());
  for (const auto& [stage, share] : j.at("stages").items())
    fmt::print("    {:<20}{:5.1f} %\n", stage, 100.0 * share.get<double>());
  fmt::print("  {:<22}{:.0f} B per contact, {:.0f} B per grain; at most {:.0f} MB held in all\n", "memory",
             j.at("bytes_per_contact").get<double>(), j.at("bytes_per_body").get<double>(),
             1e-6 * j.at("peak_resident_bytes").get<double>());
  fmt::print("  {:<22}{}\n", "state hash", j.at("state_hash").get<std::string>());
}

void print_csv(const nlohmann::ordered_json& j) {
  std::string header, row;
  const auto put = [&](const std::string& key, const nlohmann::ordered_json& value) {
    header += (header.empty() ? "" : ",") + key;
    row += (row.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : value.dump());
  };
  for (const auto& [key, value] : j.items()) {
    if (key != "stages") {
      put(key, value);
      continue;
    }
    for (const auto& [stage, share] : value.items()) put("share_" + stage, share);
  }
  fmt::print("{}\n{}\n", header, row);
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
  auto o = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "measure the speed of the step on a dense random packing");
  command->add_option("--grains", o->grains, "number of grains")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{10}, std::size_t{20000000}));
  command->add_option("--threads", o->threads, "threads")->capture_default_str()->check(CLI::Range(1, 1024));
  command->add_option("--steps", o->steps, "steps measured")->capture_default_str()->check(CLI::Range(1, 100000));
  command->add_option("--sweeps", o->sweeps, "sweeps per step")->capture_default_str()->check(CLI::Range(1, 100000));
  command->add_option("--dimension", o->dimension, "2: discs, 3: balls")->capture_default_str()->check(CLI::IsMember({2, 3}));
  command->add_flag("--extrapolation", o->extrapolation, "sweeps with extrapolation, as runs do; without: plain sweeps");
  CLI::Option* json = command->add_flag("--json", o->json, "as JSON");
  command->add_flag("--csv", o->csv, "as CSV, with a header")->excludes(json);
  command->callback([o, &status] {
    const nlohmann::ordered_json j = o->dimension == 2 ? timed_steps<2>(*o) : timed_steps<3>(*o);
    if (o->json)
      fmt::print("{}\n", j.dump(2));
    else if (o->csv)
      print_csv(j);
    else
      print_table(j);
    status = exit_ok;
  });
}

}  // namespace moreau
