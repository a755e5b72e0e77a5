// What a right file becomes.
#include <cmath>
#include <numbers>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

TEST(Scene, shortest_scene_has_the_documented_defaults) {
  const auto s = scene_of<3>(space + "[grain]\nposition = [0, 0, 1]\nradius = 0.5\n");
  EXPECT_EQ(s.title, "");
  EXPECT_EQ(s.seed, 0u);
  EXPECT_EQ(s.duration, 1.0);
  EXPECT_EQ(s.model.time_step, 0.01);
  EXPECT_EQ(s.model.gravity, (Vec<3>{{0, 0, -10}}));
  EXPECT_EQ(s.model.rule, ContactRule::predictive);
  EXPECT_EQ(s.model.contact_distance, 0.0);
  EXPECT_EQ(s.model.solver.tolerance, SolverSettings{}.tolerance);
  EXPECT_EQ(s.model.solver.on_limit, OnSweepLimit::warn);
  EXPECT_EQ(s.output.frame_interval, 0.0);
  EXPECT_EQ(s.output.series_interval, 0.0);
  EXPECT_EQ(s.output.checkpoint_interval, 30.0);
  ASSERT_EQ(s.bodies.size(), 1u);
  EXPECT_TRUE(s.bodies.is_free(0));
  EXPECT_DOUBLE_EQ(s.bodies.parameters.mass[0], 2.0 * 4.0 / 3.0 * std::numbers::pi * 0.125);
  EXPECT_DOUBLE_EQ(s.bodies.parameters.inertia[0], 0.4 * s.bodies.parameters.mass[0] * 0.25);
  EXPECT_EQ(s.model.law(0, 0).friction, 0.5);
  EXPECT_EQ(s.model.law(0, 0).normal_restitution, 0.0);
}

TEST(Scene, what_bounces_is_under_the_midpoint_rule_unless_another_is_asked_for) {
  const std::string ball = "[grain]\nposition = [0, 0, 1]\nradius = 0.5\n";
  const auto rule = [&](const std::string& more) { return scene_of<3>(space + ball + more).model.rule; };
  EXPECT_EQ(rule("[contact]\nshocks = \"sequential\"\n"), ContactRule::midpoint);
  EXPECT_EQ(rule("[contact]\nrule = \"midpoint\"\n"), ContactRule::midpoint);
  std::string bouncing = space + ball;
  const std::size_t law = bouncing.find("[law]\n");
  ASSERT_NE(law, std::string::npos);
  bouncing.insert(law + 6, "restitution = 0.1\n");
  EXPECT_EQ(scene_of<3>(bouncing).model.rule, ContactRule::midpoint);
  EXPECT_EQ(scene_of<3>(bouncing + "[contact]\nrule = \"predictive\"\n").model.rule, ContactRule::predictive);
}

TEST(Scene, every_setting_reaches_the_model) {
  const auto s = scene_of<2>(R"(title = "all"
dimension = 2
seed = 42
gravity = [1, -2]
[time]
step = 1e-3
duration = 3
[contact]
rule = "predictive"
distance = 1e-5
[solver]
tolerance = 1e-6
unbalanced_tolerance = 1e-5
max_sweeps = 77
relaxation = 1.5
extrapolation = false
on_limit = "stop"
[output]
frames = 0.5
series = 0.25
checkpoint = 10
[[material]]
name = "a"
density = 1
[[material]]
name = "b"
density = 3
[[pair]]
materials = ["a", "b"]
friction = 0.3
restitution = 0.4
tangential_restitution = 0.1
[law]
friction = 0.7
[[grain]]
position = [0, 0]
diameter = 1
material = "b"
mass = 5
velocity = [1, 2]
spin = 3
)");
  EXPECT_EQ(s.title, "all");
  EXPECT_EQ(s.seed, 42u);
  EXPECT_EQ(s.model.gravity, (Vec<2>{{1, -2}}));
  EXPECT_EQ(s.model.rule, ContactRule::predictive);
  EXPECT_EQ(s.model.contact_distance, 1e-5);
  EXPECT_EQ(s.model.solver.tolerance, 1e-6);
  EXPECT_EQ(s.model.solver.unbalanced_tolerance, 1e-5);
  EXPECT_EQ(s.model.solver.max_sweeps, 77);
  EXPECT_EQ(s.model.solver.relaxation, 1.5);
  EXPECT_FALSE(s.model.solver.extrapolation);
  EXPECT_EQ(s.model.solver.on_limit, OnSweepLimit::stop);
  EXPECT_EQ(s.output.frame_interval, 0.5);
  EXPECT_EQ(s.output.series_interval, 0.25);
  EXPECT_EQ(s.output.checkpoint_interval, 10.0);
  EXPECT_EQ(s.model.law(0, 1).friction, 0.3);
  EXPECT_EQ(s.model.law(1, 0).normal_restitution, 0.4);
  EXPECT_EQ(s.model.law(1, 0).tangential_restitution, 0.1);
  EXPECT_EQ(s.model.law(0, 0).friction, 0.7);
  EXPECT_EQ(s.bodies.parameters.radius[0], 0.5);
  EXPECT_EQ(s.bodies.parameters.mass[0], 5.0);
  EXPECT_EQ(s.bodies.parameters.inertia[0], 0.5 * 5.0 * 0.25);
  EXPECT_EQ(s.bodies.parameters.material[0], 1);
  EXPECT_EQ(s.bodies.state.velocity[0], (Vec<2>{{1, 2}}));
  EXPECT_EQ(s.bodies.state.spin[0][0], 3.0);
}

TEST(Scene, box_wall_becomes_planes_facing_inwards) {
  const auto s = scene_of<2>(plane + R"([wall]
name = "tray"
box = { min = [-1, 0], max = [1, 3], open = ["top"] }
[grain]
position = [0, 1]
radius = 0.5
)");
  ASSERT_EQ(s.model.walls.size(), 3u);
  EXPECT_EQ(s.model.walls[0].name, "tray.left");
  EXPECT_EQ(s.model.walls[1].name, "tray.right");
  EXPECT_EQ(s.model.walls[2].name, "tray.bottom");
  for (const auto& wall : s.model.walls)
    EXPECT_GE(separation(wall.geometry, Vec<2>{}, Vec<2>{{0, 1}}, 0.5).gap, 0.5 - 1e-15) << wall.name;
}

TEST(Scene, normals_and_axes_are_made_unit) {
  const auto s = scene_of<3>(space + R"([[wall]]
plane = { point = [0, 0, 0], normal = [0, 3, 4] }
[[wall]]
cylinder = { axis = [0, 0, 7], radius = 2 }
[grain]
position = [0, 1, 1]
radius = 0.5
)");
  EXPECT_DOUBLE_EQ(s.model.walls[0].geometry.direction[1], 0.6);
  EXPECT_DOUBLE_EQ(s.model.walls[0].geometry.direction[2], 0.8);
  EXPECT_EQ(s.model.walls[1].geometry.direction[2], 1.0);
  EXPECT_EQ(s.model.walls[1].geometry.radius, 2.0);
}

TEST(Scene, four_kinds_of_motion_are_read) {
  const auto s = scene_of<2>(plane + R"([[motion]]
name = "still"
kind = "rest"
[[motion]]
name = "lift"
kind = "velocity"
velocity = [0, 2]
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.5
direction = [0, 2]
frequency = 3
phase = 1
[[motion]]
name = "path"
kind = "table"
times = [0, 1, 2]
positions = [[0, 0], [1, 0], [1, 1]]
[grain]
position = [0, 0]
radius = 1
)");
  ASSERT_EQ(s.model.motions.size(), 4u);
  EXPECT_EQ(s.model.motions[1].velocity, (Vec<2>{{0, 2}}));
  EXPECT_EQ(s.model.motions[2].amplitude, (Vec<2>{{0, 0.5}}));
  EXPECT_EQ(s.model.motions[2].frequency, 3.0);
  EXPECT_EQ(s.model.motions[2].phase, 1.0);
  EXPECT_EQ(s.model.motions[3].positions[2], (Vec<2>{{1, 1}}));
}

TEST(Scene, driven_grain_starts_on_its_motion) {
  const auto s = scene_of<2>(plane + R"([motion]
name = "shake"
kind = "sinusoid"
amplitude = [0, 0.5]
frequency = 1
phase = 1.5707963267948966
[grain]
position = [0, 1]
radius = 1
motion = "shake"
)");
  EXPECT_EQ(s.bodies.parameters.kind[0], BodyKind::driven);
  EXPECT_EQ(s.bodies.parameters.motion[0], 0);
  EXPECT_EQ(s.bodies.parameters.origin[0], (Vec<2>{{0, 1}}));
  EXPECT_DOUBLE_EQ(s.bodies.state.position[0][1], 1.5);
  EXPECT_NEAR(s.bodies.state.velocity[0][1], 0.0, 1e-14);
}

TEST(Scene, source_takes_density_from_its_material) {
  const auto s = scene_of<3>(space + R"([source]
rate = 200
start = 0.5
end = 0.75
count = 1e2
diameter = { uniform = [0.25, 0.5] }
centre = [1, 2, 3]
spread = 0.8
)");
  const auto& source = s.model.sources.at(0);
  EXPECT_EQ(source.name, "source");
  EXPECT_EQ(source.rate, 200.0);
  EXPECT_EQ(source.start, 0.5);
  EXPECT_EQ(source.end, 0.75);
  EXPECT_EQ(source.count, 100u);
  EXPECT_EQ(source.density, 2.0);
  EXPECT_EQ(source.sizes.low, 0.125);
  EXPECT_EQ(source.sizes.high, 0.25);
  EXPECT_EQ(source.centre, (Vec<3>{{1, 2, 3}}));
  EXPECT_EQ(source.spread, 0.8);
}

TEST(Scene, fixed_grains_may_overlap_each_other_and_walls) {
  const auto s = scene_of<2>(plane + R"([wall]
plane = { normal = [0, 1] }
[[grain]]
position = [0, 0]
radius = 1
fixed = true
[[grain]]
position = [0.5, 0]
radius = 1
fixed = true
)");
  EXPECT_EQ(s.bodies.size(), 2u);
  EXPECT_EQ(s.bodies.parameters.kind[1], BodyKind::fixed);
}

TEST(Scene, grains_that_touch_to_rounding_are_accepted) {
  EXPECT_EQ(message_of(plane + R"([wall]
plane = { normal = [0, 1] }
[[grain]]
position = [0, 0.1]
radius = 0.1
[[grain]]
position = [0, 0.3]
radius = 0.1
[[grain]]
position = [0.2, 0.30000000000000004]
radius = 0.1
)"),
            "accepted");
}

TEST(Scene, law_is_not_asked_for_pairs_that_cannot_meet) {
  // Two fixed materials never meet each other.
  EXPECT_EQ(message_of(R"(dimension = 2
[time]
step = 0.1
duration = 1
[[material]]
name = "grain"
density = 1
[[material]]
name = "stone"
density = 1
[[pair]]
materials = ["grain", "stone"]
friction = 0
[[pair]]
materials = ["grain", "grain"]
friction = 0
[[grain]]
position = [0, 0]
radius = 1
material = "grain"
[[grain]]
position = [5, 0]
radius = 1
fixed = true
material = "stone"
)"),
            "accepted");
}

}  // namespace
}  // namespace moreau
