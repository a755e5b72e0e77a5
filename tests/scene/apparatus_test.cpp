// Pistons, periodic cells and phases of a scene: what is read, what is refused.
#include <cmath>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// Ten lines: a box with a grain; the phases of a test follow.
const std::string box = R"(dimension = 2
time = { step = 0.01 }
motion = { name = "m", kind = "sinusoid", amplitude = [0, 1], frequency = 5 }
material = { density = 2 }
law = { friction = 0.5 }
wall = { name = "box", box = { min = [0, 0], max = [4, 2] } }
grain = { position = [1, 1], radius = 0.5 }
[[piston]]
name = "across"
walls = ["box.left", "box.right"]
)";

Scene<2> scene_of_text(const std::string& text) { return std::get<Scene<2>>(parse_scene(text, "s.toml")); }

TEST(Apparatus, piston_of_a_box_presses_on_its_present_faces) {
  const Scene<2> s = scene_of_text(box + "stress = 3\n[phase]\nduration = 1\n");
  const Piston<2>& p = s.model.pistons.at(0);
  EXPECT_EQ(p.control, PistonControl::stress);
  ASSERT_EQ(p.walls.size(), 2u);
  EXPECT_EQ(p.walls[0].direction[0], 1.0);
  EXPECT_EQ(p.walls[1].direction[0], -1.0);
  ASSERT_EQ(p.between.size(), 1u);
  EXPECT_EQ(p.between[0], (std::array<std::int32_t, 2>{2, 3}));  // bottom and top
  EXPECT_NEAR(p.mass, 0.05 * 2 * M_PI * 0.25, 1e-12);  // a twentieth of the layer at the wall, as none is given
}

TEST(Apparatus, phases_inherit_from_the_one_before) {
  const Scene<2> s = scene_of_text(box + R"(velocity = 0
[[phase]]
name = "press"
duration = 2
law = { friction = 0.1 }
piston = { stress = { times = [0, 1], values = [1, 5] } }
[[phase]]
name = "shake"
end = { periods = 60, motion = "m" }
step = 0.002
gravity = 10
[[phase]]
name = "rest"
law = { friction = 0.3, restitution = 0.2 }
damping = 4
end = { force_residual = 1e-3, no_monovalent = true, at_least = 1 }
motion = { name = "m", kind = "rest" }
)");
  ASSERT_EQ(s.phases.size(), 3u);
  EXPECT_EQ(s.phases[0].model.pistons[0].control, PistonControl::stress);
  EXPECT_EQ(s.phases[0].model.pistons[0].target.at(0.5), 3.0);
  EXPECT_EQ(s.phases[0].model.pistons[0].between.size(), 1u);
  EXPECT_EQ(s.phases[0].model.pair_laws[0].friction, 0.1);
  EXPECT_EQ(s.phases[1].model.pair_laws[0].friction, 0.1);
  EXPECT_EQ(s.phases[1].duration, 12.0);
  EXPECT_EQ(s.phases[1].model.time_step, 0.002);
  EXPECT_EQ(s.phases[1].model.gravity[1], -10.0);
  EXPECT_EQ(s.phases[2].model.gravity[1], -10.0);
  EXPECT_EQ(s.phases[2].model.damping, 4.0);
  EXPECT_EQ(s.phases[2].model.pair_laws[0].normal_restitution, 0.2);
  EXPECT_TRUE(s.phases[2].end.no_monovalent);
  EXPECT_EQ(s.phases[2].new_motions, std::vector<std::int32_t>{0});
  EXPECT_TRUE(std::isinf(s.duration));
  EXPECT_EQ(s.model.pair_laws[0].friction, 0.5);
}

TEST(Apparatus, scene_without_phases_is_one_phase) {
  const Scene<2> s = scene_of_text(plane + "[grain]\nposition = [1, 1]\nradius = 0.5\n");
  ASSERT_EQ(s.phases.size(), 1u);
  EXPECT_EQ(s.phases[0].duration, 1.0);
  EXPECT_EQ(s.duration, 1.0);
  EXPECT_FALSE(s.phases[0].end.any());
}

TEST(Apparatus, cell_with_stress_and_rate) {
  const std::string text = R"(dimension = 3
time = { step = 0.01, duration = 1 }
material = { density = 2 }
law = { friction = 0.5 }
grain = { position = [1, 1, 1], radius = 0.5 }
[cell]
min = [0, 0, 0]
max = [4, 5, 6]
)";
  const Scene<3> s = std::get<Scene<3>>(parse_scene(text + "stress = { xx = 1, zz = 2 }\nrate = { xz = 0.1 }\n", "s.toml"));
  const Cell<3>& cell = s.phases[0].model.cell;
  EXPECT_TRUE(cell.deforms);
  EXPECT_TRUE(cell.component[0][0].stress);
  EXPECT_FALSE(cell.component[1][1].stress);
  EXPECT_FALSE(cell.component[0][2].stress);
  EXPECT_EQ(cell.component[0][2].target.mean, 0.1);
  EXPECT_EQ(cell.start.volume(), 120.0);
  EXPECT_NEAR(cell.mass, 2 * M_PI / 6 * std::pow(120.0, 2.0 / 3) / 12, 1e-12);
  const Scene<3> fixed = std::get<Scene<3>>(parse_scene(text + "periodic = [\"x\", \"y\"]\n", "s.toml"));
  EXPECT_FALSE(fixed.model.cell.deforms);
  EXPECT_FALSE(fixed.model.cell.start.periodic[2]);
}

TEST(ApparatusMistakes, pistons) {
  const std::string rest = "\n[phase]\nduration = 1\n";
  expect_message(box + rest, "8:1", {"'piston[1]' lacks one of the keys 'velocity', 'force', 'stress'"});
  expect_message(box + "stress = 1\nforce = 2" + rest, "12:9", {"'piston[1].force' stands beside 'stress'", "only one of"});
  expect_message(box + "stress = 1\nmass = 0" + rest, "12:8", {"'piston[1].mass' is 0", "a number > 0"});
  expect_message(box + "force = { times = [0, 0], values = [1, 2] }" + rest, "11:19", {"goes from 0 to 0", "increasing times"});
  expect_message(box + "force = { times = [0, 1], values = [1] }" + rest, "11:36", {"has 1 entries", "as many as 'times'"});
  const auto with_walls = [&](const std::string& walls) {
    std::string text = box + "force = 1" + rest;
    return text.replace(text.find("[\"box.left\", \"box.right\"]"), 25, walls);
  };
  expect_message(with_walls("[\"box.lef\"]"), "10:9", {"names \"box.lef\", which is no wall", "did you mean 'box.left'?"});
  expect_message(with_walls("[]"), "10:9", {"names 0 walls", "one wall, or two"});
  expect_message(with_walls("[\"box.left\", \"box.left\"]"), "10:9", {"a piston moves already", "each wall once"});
}

TEST(ApparatusMistakes, phases_are_refused_before_anything_runs) {
  const std::string start = box + "force = 1\n";  // 11 lines
  expect_message(start + "[phase]\nname = \"p\"\n", "12:1", {"duration", "or a table 'end' of conditions"});
  expect_message(start + "[phase]\nduration = -1\n", "13:12", {"'phase.duration' is -1", "a number > 0"});
  expect_message(start + "[phase]\nduration = 1\npiston = { name = \"uprigt\", force = 1 }\n", "14:19",
                 {"is \"uprigt\"", "no piston", "'across'"});
  expect_message(start + "[phase]\nend = { strian = 0.1 }\n", "13:9", {"unknown key 'phase.end.strian'", "'strain'"});
  expect_message(start + "[phase]\nduration = 1\nlaw = { friction = -1 }\n", "14:20", {"'phase.law.friction' is -1"});
  expect_message(start + "[phase]\nduration = 1\ncell = { stress = { xx = 1 } }\n", "14:8", {"changes the cell", "has none"});
  expect_message(start + "[phase]\nend = { periods = 3, motion = \"n\" }\n", "13:31", {"is \"n\", which is no motion"});
  expect_message(start + "[phase]\nend = { periods = 1e30, motion = \"m\" }\n", "13:19", {"'phase.end.periods' is 1e+30", "steps in all; accepted: at most 1e+12 steps"});
  expect_message(start + "[phase]\nduration = 1e20\n", "13:12", {"'phase.duration' is 1e+20", "accepted: at most 1e+12 steps"});
  expect_message(start + "[phase]\nduration = 1\nmotion = { name = \"m\", kind = \"sinusoid\" }\n", "14:10", {"amplitude"});
  std::string timed = start + "[phase]\nduration = 1\n";
  expect_message(timed.replace(timed.find("step = 0.01"), 11, "step = 0.01, duration = 3"), "2:34",
                 {"'time.duration' is given, but the scene has phases"});
}

TEST(ApparatusMistakes, cells) {
  const std::string start = R"(dimension = 2
time = { step = 0.01, duration = 1 }
material = { density = 2 }
law = { friction = 0.5 }
grain = { position = [1, 1], radius = 0.5 }
)";
  expect_message(start + "cell = { min = [0, 0], max = [0, 3] }\n", "6:30", {"component 0 along axis 1", "more than"});
  expect_message(start + "cell = { min = [0, 0], max = [3, 1.9] }\n", "1:1", {"1.9 long along y", "at least four radii"});
  expect_message(start + "cell = { min = [0, 0], max = [3, 3], periodic = [\"z\"] }\n", "6:49", {"names \"z\""});
  expect_message(start + "cell = { min = [0, 0], max = [3, 3], periodic = [\"x\"], rate = { xy = 1 } }\n", "6:8",
                 {"not periodic (xy)"});
  expect_message(start + "cell = { min = [0, 0], max = [3, 3], rate = { yx = 1 } }\n", "6:47", {"unknown key 'cell.rate.yx'"});
  expect_message(start + "cell = { min = [0, 0], max = [3, 3], rate = { xy = 1 } }\nwall = { plane = { normal = [0, 1] } }\n",
                 "1:1", {"the cell deforms", "no plane along its periodic directions"});
}

std::string in_cell(const std::string& grains) {
  return "dimension = 2\ntime = { step = 0.01, duration = 1 }\nmaterial = { density = 2 }\nlaw = { friction = 0 }\n"
         "cell = { min = [0, 0], max = [4, 4] }\n" +
         grains;
}

// A square lattice of discs of diameter 1 whose first row and column lie on the border, and a disc given two cells away.
TEST(Cell, grains_may_be_given_anywhere_and_are_folded) {
  std::string lattice;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      lattice += "[[grain]]\nposition = [" + std::to_string(i) + ", " + std::to_string(j) + "]\nradius = 0.5\n";
  EXPECT_EQ(scene_of<2>(in_cell(lattice)).bodies.size(), 16u);
  const auto far = scene_of<2>(in_cell("[[grain]]\nposition = [9, -3]\nradius = 0.5\n"));
  EXPECT_EQ(far.bodies.state.position[0], (Vec<2>{{1, 1}}));
  EXPECT_EQ(far.bodies.parameters.origin[0], (Vec<2>{{1, 1}}));
}

TEST(Cell, grains_that_meet_across_its_border_overlap) {
  for (const char* other : {"[3.8, 0]", "[0.2, 3.9]", "[3.9, 3.9]", "[-0.3, 0.1]"})
    expect_message(
        in_cell("[[grain]]\nposition = [0, 0]\nradius = 0.5\n[[grain]]\nposition = " + std::string(other) + "\nradius = 0.3\n"),
        "9:1", {"'grain[2]'", "overlaps 'grain[1]'"});
  // Neither reaches through the border in the direction in which they meet but one.
  expect_message(in_cell("[[grain]]\nposition = [0.6, 2]\nradius = 0.5\n[[grain]]\nposition = [3.9, 2]\nradius = 0.4\n"), "9:1",
                 {"overlaps 'grain[1]'", "by 0.2;"});
}

// Generated grains stay inside, and clear of what reaches in from the other side.
TEST(Cell, generated_grains_keep_clear_of_those_that_reach_through_the_border) {
  const auto scene = scene_of<2>(in_cell("[[grain]]\nposition = [4, 2]\nradius = 1\n[[grains]]\ncount = 12\nradius = 0.3\n"));
  for (std::size_t i = 1; i < scene.bodies.size(); ++i)
    for (const double x : {0.0, 4.0}) EXPECT_GE(norm(scene.bodies.state.position[i] - Vec<2>{{x, 2}}), 1.3 * (1 - 1e-9)) << i;
}

}  // namespace
}  // namespace moreau
