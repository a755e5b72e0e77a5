// A course is a scene that can be stepped without files: what it tells, and in which order, does not depend on who listens or on
// where it was interrupted.
#include "moreau/course/course.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "moreau/course/step_watch.hpp"
#include "course/two_phases.hpp"

namespace moreau {
namespace {

const std::string measured = two_phases + R"(
[[measure]]
quantity = "coordination"
every = 0.01
)";

// What a course tells, one line each.
struct Notes : CourseListener<2> {
  std::vector<std::string> lines;
  void row(const StepReport& r) override { lines.push_back(fmt::format("row {}", r.step)); }
  void frame(std::uint64_t number, const Frame<2>& f) override { lines.push_back(fmt::format("frame {} at {}", number, f.step)); }
  void sample(const measure::SampledMeasure& m, const StepReport& r, const measure::Table&) override {
    lines.push_back(fmt::format("{} {}", m.quantity, r.step));
  }
  void phase_ended(const std::string& name, const State<2>& s, const std::string& why) override {
    lines.push_back(fmt::format("{} ended at {}: {}", name, s.step, why));
  }
  void warning(const Warning& w, bool first) override { lines.push_back(fmt::format("warning {} {}", name_of(w.kind), first)); }
  void unconverged(const std::string&) override { lines.push_back("unconverged"); }
};

TEST(Course, MakesTheStepsOfItsPhasesAndNoMore) {
  const Scene<2> scene = scene_from(measured);
  Notes notes;
  Course<2> course(scene, 1, &notes);
  EXPECT_EQ(course.phase().name, "fall");
  while (course.step() == Standing::running) {
  }
  EXPECT_EQ(course.standing(), Standing::over);
  EXPECT_EQ(course.state().step, 50u);
  EXPECT_EQ(course.phase().name, "drag");
  EXPECT_EQ(course.why(), "");
  const std::string hash = state_hash(course.state());
  EXPECT_EQ(course.step(), Standing::over);  // nothing more happens
  EXPECT_EQ(state_hash(course.state()), hash);

  const auto count = [&](const std::string& begin) {
    return std::ranges::count_if(notes.lines, [&](const std::string& line) { return line.starts_with(begin); });
  };
  EXPECT_EQ(count("frame"), 6);         // the start, and every tenth step; the phases end on one
  EXPECT_EQ(count("coordination"), 5);  // every tenth step
  EXPECT_EQ(count("fall ended at 20: its duration of 0.02 has passed"), 1);
  EXPECT_EQ(count("drag ended at 50"), 1);
  EXPECT_EQ(notes.lines.front(), "frame 0 at 0");
  EXPECT_EQ(course.record().frames, 6u);
  EXPECT_GT(course.record().totals.computing_seconds, 0.0);
}

TEST(Course, RadiiGrowAsEachPhaseBeginsTheFirstOneToo) {
  const Scene<2> scene = scene_from(R"(dimension = 2
material = { density = 1 }
law = { friction = 0 }
grain = { radius = 1, position = [0, 0] }
time = { step = 0.1 }
[[phase]]
duration = 1
radii = 2.0
[[phase]]
duration = 1
radii = 3.0
)");
  Course<2> course(scene, 1);
  const auto& now = course.state().bodies.parameters;
  const double mass = now.mass[0];
  EXPECT_DOUBLE_EQ(now.radius[0], 2.0);
  EXPECT_DOUBLE_EQ(now.inertia[0], 0.5 * mass * 4.0);
  while (course.step() == Standing::running) {
  }
  EXPECT_DOUBLE_EQ(course.state().bodies.parameters.radius[0], 6.0);
  EXPECT_DOUBLE_EQ(course.state().bodies.parameters.mass[0], mass);
}

// By the engine itself, with the models of the phases in turn.
TEST(Course, GivesTheBitsOfItsSimulation) {
  const Scene<2> scene = scene_from(measured);
  Course<2> course(scene);
  while (course.step() == Standing::running) {
  }
  Simulation<2> simulation(scene.phases[0].model, scene.bodies, scene.seed);
  for (int k = 0; k < 20; ++k) simulation.step();
  simulation.mutable_model() = scene.phases[1].model;
  simulation.changed_by_hand();
  for (int k = 0; k < 30; ++k) simulation.step();
  EXPECT_EQ(simulation.state().bodies.state.position, course.state().bodies.state.position);
  EXPECT_EQ(simulation.state().bodies.state.velocity, course.state().bodies.state.velocity);
}

TEST(Course, GoesOnFromAnyStepAsIfItHadNeverStopped) {
  const Scene<2> scene = scene_from(measured);
  Notes whole;
  Course<2> uninterrupted(scene, 1, &whole);
  while (uninterrupted.step() == Standing::running) {
  }
  for (const std::uint64_t stop : {1u, 7u, 20u, 21u, 49u}) {
    Notes notes;
    Course<2> first(scene, 1, &notes);
    while (first.state().step < stop) first.step();
    Course<2> second(scene, first.state(), first.record(), first.references(), {}, 1, &notes);
    while (second.step() == Standing::running) {
    }
    EXPECT_EQ(notes.lines, whole.lines) << stop;
    EXPECT_EQ(state_hash(second.state()), state_hash(uninterrupted.state())) << stop;
  }
}

// One sweep cannot solve a column of four; the scene says to stop there, and who goes on all the same may.
TEST(Course, StopsAtAnUnconvergedStepIfTheSceneSaysSo) {
  std::string text = R"(
dimension = 2
gravity = 9.81
[time]
step = 1e-3
duration = 0.01
[solver]
max_sweeps = 1
finish = false
tolerance = 1e-9
on_limit = "stop"
[law]
friction = 0.3
[[material]]
name = "stone"
density = 2000
[[wall]]
name = "floor"
plane = { normal = [0, 1] }
)";
  for (int k = 0; k < 4; ++k) text += fmt::format("[[grain]]\nposition = [0, {}]\nradius = 0.1\n", 0.1 + 0.2 * k);
  const Scene<2> scene = scene_from(text);
  Notes notes;
  Course<2> course(scene, 1, &notes);
  EXPECT_EQ(course.step(), Standing::unconverged);
  EXPECT_EQ(course.state().step, 1u);
  EXPECT_NE(course.why().find("did not converge in 1 sweeps"), std::string::npos) << course.why();
  EXPECT_EQ(notes.lines.back(), "unconverged");
  EXPECT_EQ(course.record().totals.unconverged_steps, 1u);
  course.step();
  EXPECT_EQ(course.state().step, 2u);
}

TEST(StepWatch, ResidualsExplainEnergyOnlyInStepsThatConverged) {
  const Scene<2> scene = scene_from(measured);
  for (const bool converged : {true, false}) {
    Simulation<2> simulation(scene.phases[0].model, scene.bodies, scene.seed);
    StepReport report;
    for (int k = 0; k < 10; ++k) report = simulation.step();
    StepWatch<2> watch(scene, {});
    EXPECT_TRUE(watch.look(simulation, report, {}).empty());
    report.energy.dissipated -= 1e4;  // far more than these discs have
    report.certificate.converged = converged, report.certificate.residual_rms = 1e6;
    const std::vector<Warning> said = watch.look(simulation, report, {});
    EXPECT_EQ(said.size(), converged ? 0u : 1u);
    if (!said.empty()) {
      EXPECT_EQ(said[0].kind, WarningKind::energy);
    }
  }
}

TEST(Course, SaysThatACellCollapsed) {
  const Scene<2> scene = scene_from(R"(
dimension = 2
[time]
step = 1e-2
duration = 10
[contact]
rule = "predictive"
[law]
friction = 0.3
[[material]]
name = "stone"
density = 2000
[cell]
min = [0, 0]
max = [0.5, 0.5]
rate = { xx = -0.5 }
[[grain]]
position = [0.1, 0.1]
radius = 0.1
)");
  Course<2> course(scene);
  while (course.step() == Standing::running) {
  }
  EXPECT_EQ(course.standing(), Standing::cell_collapsed);
  EXPECT_NE(course.why().find("the periodic cell became narrower"), std::string::npos);
  EXPECT_LT(course.state().time, 10.0);
}

// Two discs in a box without gravity; the phase has no duration.
std::string gas(const std::string& end, const std::string& velocity, const std::string& more = "",
                const std::string& piston = "0", int restitution = 0) {
  return fmt::format(R"(
dimension = 2
time = {{ step = 1e-2 }}
law = {{ friction = 0.3, restitution = {} }}
material = {{ density = 2000 }}
wall = {{ name = "box", box = {{ min = [0, 0], max = [4, 2] }} }}
piston = {{ name = "across", walls = ["box.left", "box.right"], velocity = {} }}
phase = {{ name = "mix", end = {{ {} }} }}
grain = [{{ position = [1, 1], radius = 0.1, velocity = {} }}, {{ position = [2, 1], radius = 0.1 }}]
{}
)",
                     restitution, piston, end, velocity, more);
}

// A phase that is to end isostatic, from bodies in the air.
std::string to_rest(const std::string& press, const std::string& phase) {
  return R"(
dimension = 2
seed = 1
time = { step = 0.004 }
material = { density = 1.0 }
law = { friction = 0.0 }
)" + press +
         R"(
[[grains]]
arrangement = "lattice"
count = 25
diameter = { uniform = [0.5, 1.0] }
random_speed = 1.0
[[phase]]
name = "rest"
end = "isostatic"
)" + phase;
}
const std::string tub = R"(
gravity = 10
wall = { name = "tub", box = { min = [0, 0], max = [4, 20], open = ["top"] } }
)";
const std::string press = R"(
wall = { name = "box", box = { min = [-3, -3], max = [3, 3] } }
piston = [{ name = "x", walls = ["box.left", "box.right"], stress = 1.0 },
          { name = "y", walls = ["box.bottom", "box.top"], stress = 1.0 }]
)";

TEST(Course, LinearProgramsEndAPhaseOnlyNearRestAndWhatTheyDoIsBooked) {
  for (const std::string& how : {tub, press}) {
    const Scene<2> scene = scene_from(to_rest(how, ""));
    Course<2> course(scene);
    const double initial = course.present().energy.initial;
    const bool weighs = how == tub;
    State<2> before = course.state();
    for (int k = 0; k < 20000 && course.standing() == Standing::running; ++k) before = course.state(), course.step();
    ASSERT_EQ(course.standing(), Standing::over);
    const State<2>& now = course.state();
    double most = 0.0;
    for (std::size_t i = 0; i < now.bodies.size(); ++i)
      if (weighs) most = std::max(most, norm(now.bodies.state.position[i] - before.bodies.state.position[i]));
    EXPECT_LT(most, 0.5);
    EXPECT_EQ(now.energy.initial, initial);
    EXPECT_NEAR(now.energy.error(), 0.0, 1e-6);
    const double work = now.energy.wall_work - before.energy.wall_work,
                 lost = before.energy.kinetic + before.energy.potential - now.energy.potential;
    EXPECT_NEAR(now.energy.dissipated - before.energy.dissipated, work + lost, 0.02 * std::abs(work + lost) + 1e-9);
    if (weighs)
      EXPECT_EQ(work, 0.0);
    else
      EXPECT_NE(work, 0.0);
  }
}

TEST(Course, APhaseThatIsOverFarFromRestSaysSoAndMovesNothing) {
  const Scene<2> scene = scene_from(to_rest(tub, "duration = 0.4\n"));
  Course<2> course(scene);
  while (course.step() == Standing::running) {
  }
  EXPECT_GT(course.present().energy.kinetic, 1.0);
  const Warning* said = course.record().warnings.find(WarningKind::time_limit);
  ASSERT_TRUE(said);
  EXPECT_NE(said->where.find("not near rest: its kinetic energy"), std::string::npos) << said->where;
}

// What a course says of its end in the first `steps` steps.
std::string said_of_end(const std::string& text, std::uint64_t steps) {
  const Scene<2> scene = scene_from(text);
  Course<2> course(scene);
  std::string why = course.why_endless();
  while (why.empty() && course.state().step < steps && course.step() == Standing::running) why = course.why_endless();
  return why;
}

TEST(Course, SaysWhichPhasesCanNeverEnd) {
  const auto expect_words = [](const std::string& said, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(said.find(word), std::string::npos) << "no \"" << word << "\" in: " << said;
  };
  expect_words(said_of_end(gas("travelled = 4.0", "[0, 0]"), 1000),
               {"phase 'mix' can never end", "a mean path of 4", "no body moves any more", "step 1000"});
  expect_words(said_of_end(gas("strain = 0.1, piston = \"across\"", "[1, 0]"), 1),
               {"a strain of 0.1 of the piston 'across'", "velocity of that piston is zero", "t = 0"});
  expect_words(said_of_end(gas("bodies = 3", "[1, 0]"), 1), {"at least 3 free bodies", "there are 2 and no source brings more"});
  expect_words(said_of_end(gas("force_residual = 0.1", "[0, 0]"), 1000), {"force_residual", "no body moves"});
  // Gravity sets in motion what is there, and nothing is left: each falls out of the box.
  const std::string sink = "gravity = 10\nsink = { beyond = { point = [0, 0.8], direction = [0, -1] } }\n";
  expect_words(said_of_end(gas("travelled = 100.0", "[0, 0]", sink), 1000),
               {"a mean path of 100", "there is no free body left and no source brings any"});
  expect_words(said_of_end(gas("force_residual = 0.1", "[0, 0]", sink), 1000), {"balanced forces", "no free body left"});
  const std::string brings = sink + "source = { rate = 1, start = 20, count = 9, radius = 0.1, centre = [2, 0] }\n";
  EXPECT_EQ(said_of_end(gas("travelled = 100.0", "[0, 0]", brings), 1500), "");
  // The slowest that moves comes to it one day, if a million steps from now.
  EXPECT_EQ(said_of_end(gas("travelled = 4.0", "[1e-6, 0]"), 2000), "");
  EXPECT_EQ(said_of_end(gas("travelled = 90.0", "[1, 0]", "contact = { rule = \"midpoint\" }\n", "0", 1), 3000), "");
  // Where contacts take all of it, no more than rounding is left.
  expect_words(said_of_end(gas("travelled = 4.0", "[1, 0]"), 1000), {"no body moves any more"});
  // A drag leaves less and less of it.
  expect_words(said_of_end(gas("travelled = 4.0", "[1, 0]", "damping = 1\n"), 10000), {"after 0.5 no body moves"});
  // What may still set them in motion: gravity, a piston, a motion that begins later, a source.
  EXPECT_EQ(said_of_end(gas("travelled = 4.0", "[0, 0]", "gravity = 1e-9\n"), 2000), "");
  EXPECT_EQ(said_of_end(gas("travelled = 4.0", "[0, 0]", "", "{ times = [0, 90, 91], values = [0, 0, 1e-3] }"), 2000), "");
  EXPECT_EQ(said_of_end(gas("travelled = 4.0", "[0, 0]",
                            "motion = { name = \"later\", kind = \"table\", times = [90, 91], positions = [[0, 0], [1, 0]] }\n"),
                        2000),
            "");
  EXPECT_EQ(said_of_end(gas("bodies = 3", "[0, 0]",
                            "gravity = 1\nsource = { rate = 1, count = 5, start = 50, diameter = 0.1, centre = [3, 0] }\n"),
                        2000),
            "");
}

}  // namespace
}  // namespace moreau
