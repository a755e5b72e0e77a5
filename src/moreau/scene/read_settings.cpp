#include <fmt/format.h>

#include "moreau/scene/read_model.hpp"

namespace moreau {
namespace {

constexpr double most_steps = 1e12;

template <int D>
void read_time(TableReader& root, Scene<D>& scene) {
  auto time = root.table("time", true, "a table with 'step' and 'duration'");
  if (!time) return;
  const double step = scene.model.time_step = time->number("step", positive);
  const double duration = scene.duration = time->number("duration", positive);
  if (time->has("step") && time->has("duration") && !root.mistakes().any()) {
    if (step > duration) time->fail("step", fmt::format("is {}; accepted: at most 'time.duration', which is {}", step, duration));
    if (duration > most_steps * step)
      time->fail("step",
                 fmt::format("is {}, {:.3g} steps in all; accepted: at most {:g} steps", step, duration / step, most_steps));
  }
  time->finish();
}

void read_solver(TableReader& root, SolverSettings& solver) {
  auto table = root.table("solver", false);
  if (!table) return;
  solver.tolerance = table->number("tolerance", open_fraction, solver.tolerance);
  solver.unbalanced_tolerance = table->number("unbalanced_tolerance", open_fraction, solver.unbalanced_tolerance);
  solver.max_sweeps = static_cast<int>(table->integer("max_sweeps", 1, 1'000'000'000, solver.max_sweeps));
  solver.relaxation = table->number("relaxation", {"a number in (0, 2)", 0.0, 2.0, false, false}, solver.relaxation);
  solver.momentum = table->flag("momentum", solver.momentum);
  solver.on_limit = table->choice("on_limit", {"warn", "stop"}, 0) == 0 ? OnSweepLimit::warn : OnSweepLimit::stop;
  table->finish();
}

void read_output(TableReader& root, OutputSettings& output) {
  auto table = root.table("output", false);
  if (!table) return;
  output.frame_interval = table->number("frames", nonnegative, output.frame_interval);
  output.series_interval = table->number("series", nonnegative, output.series_interval);
  output.checkpoint_interval = table->number("checkpoint", positive, output.checkpoint_interval);
  table->finish();
}

}  // namespace

template <int D>
bool read_settings(TableReader& root, Scene<D>& scene) {
  scene.title = root.text("title", "");
  scene.seed = static_cast<std::uint64_t>(root.integer("seed", 0, INT64_MAX, 0));
  if (root.has("gravity") && !root.is_array("gravity"))  // one number: downwards along the last axis
    scene.model.gravity[D - 1] = -root.number("gravity", {D == 2 ? "a number >= 0 (downwards), or an array of 2 numbers"
                                                                 : "a number >= 0 (downwards), or an array of 3 numbers",
                                                          0.0, largest_number, true, true});
  else
    scene.model.gravity = root.vector<D>("gravity", Vec<D>{});
  read_time(root, scene);
  bool distance_given = false;
  if (auto contact = root.table("contact", false)) {
    scene.model.rule =
        contact->choice("rule", {"midpoint", "predictive"}, 0) == 0 ? ContactRule::midpoint : ContactRule::predictive;
    distance_given = contact->has("distance");
    scene.model.contact_distance = contact->number("distance", nonnegative, 0.0);
    contact->finish();
  }
  read_solver(root, scene.model.solver);
  read_output(root, scene.output);
  return distance_given;
}

template bool read_settings<2>(TableReader&, Scene<2>&);
template bool read_settings<3>(TableReader&, Scene<3>&);

}  // namespace moreau
