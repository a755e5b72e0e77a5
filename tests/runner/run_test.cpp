// A run is a course written into its folder: what it ends with, what it leaves there, and from where it can go on.
#include "moreau/runner/run.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "moreau/course/course.hpp"
#include "moreau/runner/begun_from.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/placed.hpp"
#include "moreau/runner/summary.hpp"
#include "course/two_phases.hpp"

namespace moreau {
namespace {

class Runs : public testing::Test {
 protected:
  Runs() : root_(std::filesystem::temp_directory_path() / fmt::format("moreau-runner-{}", getpid())) {
    std::filesystem::create_directories(root_);
  }
  ~Runs() override { std::filesystem::remove_all(root_); }

  RunFolder folder(const std::string& name, const std::string& text) {
    return RunFolder::create(root_ / name, text, {"0", "none", 1, 1}, false);
  }
  std::string content(const std::string& run, const std::string& file) const {
    std::ifstream in(root_ / run / file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Without what was measured with a clock: the last columns, from the first of seconds on.
  std::string rows(const std::string& run) const {
    std::istringstream in(content(run, "series.csv"));
    std::string all, line;
    std::getline(in, line);
    const auto clock = std::count(line.begin() + static_cast<std::ptrdiff_t>(line.find("insert_seconds")), line.end(), ',') + 1;
    while (std::getline(in, line)) {
      for (auto k = clock; k > 0; --k) line.erase(line.rfind(','));
      all += line + '\n';
    }
    return all;
  }
  std::filesystem::path root_;
};

TEST_F(Runs, end_with_the_hash_of_their_course) {
  const Scene<2> scene = scene_from(two_phases);
  RunFolder run = folder("run", two_phases);
  double last = 0.0;
  RunControls controls;
  controls.progress = [&](const Progress& p) {
    EXPECT_GE(p.fraction, last);
    last = p.fraction;
  };
  const RunResult result = run_scene(scene, run, {}, controls);
  EXPECT_EQ(result.outcome, Outcome::finished);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.last.step, 50u);
  EXPECT_EQ(result.frames, 6u);
  EXPECT_EQ(run.frame_count(), 6u);
  EXPECT_EQ(last, 1.0);

  Course<2> course(scene);
  while (course.step() == Standing::running) {
  }
  EXPECT_EQ(result.state_hash, state_hash(course.state()));
  EXPECT_EQ(state_hash(checkpoint_of(run, scene).state), result.state_hash);
}

TEST_F(Runs, go_on_from_where_they_were_stopped_with_the_same_bits_and_rows) {
  const Scene<2> scene = scene_from(two_phases);
  RunFolder whole = folder("whole", two_phases);
  const RunResult expected = run_scene(scene, whole, {}, {});
  for (const double stop : {0.003, 0.02, 0.0401}) {
    const std::string name = fmt::format("until-{}", stop);
    RunFolder run = folder(name, two_phases);
    RunControls until;
    until.until = stop;
    const RunResult first = run_scene(scene, run, {}, until);
    EXPECT_EQ(first.outcome, Outcome::finished);
    EXPECT_LT(first.last.step, 50u);
    const RunResult second = run_scene(scene, run, std::optional(checkpoint_of(run, scene)), {});
    EXPECT_EQ(second.state_hash, expected.state_hash) << stop;
    EXPECT_EQ(rows(name), rows("whole")) << stop;
    EXPECT_EQ(run.frame_count(), whole.frame_count());
  }
}

TEST_F(Runs, that_are_interrupted_leave_a_checkpoint_and_say_when) {
  const Scene<2> scene = scene_from(two_phases);
  RunFolder run = folder("run", two_phases);
  std::atomic<bool> interrupt = false;
  RunControls controls;
  controls.interrupt = &interrupt;
  controls.progress = [&](const Progress& p) { interrupt = p.report.step == 7; };
  const RunResult result = run_scene(scene, run, {}, controls);
  EXPECT_EQ(result.outcome, Outcome::interrupted);
  EXPECT_NE(result.reason.find("step 7"), std::string::npos) << result.reason;
  EXPECT_EQ(checkpoint_of(run, scene).state.step, 7u);
  EXPECT_NE(content("run", "log.txt").find(result.reason), std::string::npos);
}

// A cell that becomes too narrow ends a run; what is kept is the last state that was good, made anew from an older copy.
TEST_F(Runs, whose_cell_collapses_keep_the_state_before) {
  const std::string text = R"(
dimension = 2
time = { step = 1e-2, duration = 10 }
contact = { rule = "predictive" }
law = { friction = 0.3 }
material = { density = 2000 }
cell = { min = [0, 0], max = [0.5, 0.5], rate = { xx = -0.5 } }
[[grain]]
position = [0.1, 0.1]
radius = 0.1
)";
  const Scene<2> scene = scene_from(text);
  RunFolder run = folder("run", text);
  const RunResult result = run_scene(scene, run, {}, {});
  EXPECT_EQ(result.outcome, Outcome::cell_collapsed);
  EXPECT_NE(result.reason.find("is kept"), std::string::npos) << result.reason;
  const Checkpoint<2> kept = checkpoint_of(run, scene);
  EXPECT_EQ(result.last.step, kept.state.step);
  EXPECT_EQ(result.state_hash, state_hash(kept.state));
  Course<2> course(scene);
  while (course.state().step < kept.state.step) ASSERT_EQ(course.step(), Standing::running);
  EXPECT_EQ(state_hash(course.state()), result.state_hash);
  EXPECT_EQ(course.step(), Standing::cell_collapsed);
}

TEST_F(Runs, that_are_strict_stop_at_a_step_that_does_not_converge) {
  std::string text = R"(
dimension = 2
gravity = 9.81
time = { step = 1e-3, duration = 0.01 }
solver = { max_sweeps = 1, finish = false, tolerance = 1e-9 }
law = { friction = 0.3 }
material = { density = 2000 }
[[wall]]
plane = { normal = [0, 1] }
)";
  for (int k = 0; k < 4; ++k) text += fmt::format("[[grain]]\nposition = [0, {}]\nradius = 0.1\n", 0.1 + 0.2 * k);
  const Scene<2> scene = scene_from(text);
  for (const bool strict : {false, true}) {
    RunFolder run = folder(strict ? "strict" : "patient", text);
    RunControls controls;
    controls.strict = strict;
    const RunResult result = run_scene(scene, run, {}, controls);
    EXPECT_EQ(result.outcome, strict ? Outcome::sweep_limit : Outcome::finished);
    EXPECT_EQ(result.last.step, strict ? 1u : 10u);
    EXPECT_EQ(result.totals.unconverged_steps, result.last.step);
  }
}

TEST_F(Runs, are_not_gone_on_with_another_scene_unless_that_is_accepted) {
  const Scene<2> scene = scene_from(two_phases);
  RunFolder run = folder("run", two_phases);
  RunControls until;
  until.until = 0.01;
  run_scene(scene, run, {}, until);
  std::string other = two_phases;
  other.replace(other.find("friction = 0.4"), 14, "friction = 0.3");
  std::ofstream(run.path() / "scene.toml") << other;
  const RunFolder edited = RunFolder::open(run.path());
  const Scene<2> changed = scene_from(other);
  EXPECT_THROW(checkpoint_of(edited, changed), StoreError);
  EXPECT_EQ(checkpoint_of(edited, changed, SceneChange::accepted).state.step, 10u);
}

// Another scene of the same walls and materials begins with the bodies as they are there, at the time that it is there.
TEST_F(Runs, begin_where_another_has_come_to) {
  const Scene<2> before = scene_from(two_phases);
  RunFolder first = folder("first", two_phases);
  run_scene(before, first, {}, {});
  std::string longer = two_phases;
  longer.replace(longer.find("damping = 5"), 11, "damping = 1\n[[phase]]\nname = \"wait\"\nduration = 0.01");
  const Scene<2> scene = scene_from(longer);
  const Checkpoint<2> start = begun_from(first, before, scene);
  EXPECT_EQ(start.state.bodies.state.position, checkpoint_of(first, before).state.bodies.state.position);
  RunFolder second = folder("second", longer);
  const RunResult result = run_scene(scene, second, std::optional(start), {});
  EXPECT_EQ(result.outcome, Outcome::finished);
  EXPECT_NEAR(result.last.time, 0.05 + 0.06, 1e-9);

  std::string walls = two_phases;
  walls.insert(walls.find("[[wall]]"), "[[wall]]\nplane = { normal = [1, 0], point = [-9, 0] }\n");
  EXPECT_THROW(begun_from(first, before, scene_from(walls)), StoreError);
}

TEST_F(Runs, are_told_in_numbers) {
  const Scene<2> scene = scene_from(two_phases);
  RunFolder run = folder("run", two_phases);
  const RunResult result = run_scene(scene, run, {}, {});
  const nlohmann::ordered_json told = summary(checkpoint_of(run, scene), scene, run.provenance());
  EXPECT_EQ(told.at("state_hash"), result.state_hash);
  EXPECT_EQ(told.at("run").at("unconverged_steps"), 0);
  const std::string table = summary_table(told);
  EXPECT_NE(table.find(result.state_hash.substr(0, 8)), std::string::npos) << table;
}

TEST(Placed, only_bodies_and_the_seed_are_used_up_when_a_run_begins) {
  const Scene<2> scene = scene_from(two_phases);
  std::string text = two_phases;
  text.replace(text.find("friction = 0.4"), 14, "friction = 0.3");
  EXPECT_TRUE(place_the_same(scene, scene_from(text)));
  text.replace(text.find("0.05, 0.35"), 10, "0.06, 0.35");
  EXPECT_FALSE(place_the_same(scene, scene_from(text)));
  EXPECT_TRUE(began_as(scene.bodies, scene));
  EXPECT_FALSE(place_the_same(scene, scene_from("seed = 7\n" + std::string(two_phases))));
}

}  // namespace
}  // namespace moreau
