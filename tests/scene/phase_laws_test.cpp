// What a phase makes of the laws: the keys that it names change, of each pair of materials, and all others stay.
#include "moreau/scene/read/settings.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// Of two materials, every key of a law beyond friction; then phases that a test adds, from line 25 on.
const std::string rich = R"(dimension = 3
time = { step = 0.01 }
[[material]]
name = "stone"
density = 2
[[material]]
name = "soil"
density = 2
[[grain]]
position = [0, 0, 1]
radius = 0.5
material = "stone"
[law]
friction = 0.5
restitution = 0.8
tangential_restitution = 0.1
static_friction = 0.7
static_speed = 1e-3
friction_cap = 8
cohesion = 2
joint = { cohesion = 9, tension = 3, time = 0.25, per = "area" }
rolling_friction = 0.1
pivoting_friction = 0.05
stiffness = 100
unloading_stiffness = 200
damping_ratio = 0.3
tangential_stiffness = 70
tangential_damping_ratio = 0.2
[[pair]]
materials = ["soil", "soil"]
friction = 0.3
restitution = 0.2
[[phase]]
name = "first"
duration = 1
)";

// The scene with a second phase of these keys.
Scene<3> with_second(const std::string& keys, const std::string& head = rich) {
  return scene_of<3>(head + "[[phase]]\nname = \"second\"\nduration = 1\n" + keys + "\n");
}

const PairLaw& law_of(const Scene<3>& scene, int phase, int a = 0, int b = 0) {
  return scene.phases[static_cast<std::size_t>(phase)].model.law(a, b);
}

TEST(PhaseLaws, a_law_changes_what_it_names_and_keeps_the_rest) {
  for (const std::string keys : {"law = { friction = 0.4 }", "pair = { materials = [\"stone\", \"stone\"], friction = 0.4 }"}) {
    const auto s = with_second(keys);
    PairLaw expected = law_of(s, 0);
    EXPECT_EQ(expected.joint.tension, 3.0);
    expected.friction = 0.4;
    EXPECT_EQ(law_of(s, 1), expected) << keys;
    EXPECT_EQ(s.phases[1].model.soft_laws[0], s.phases[0].model.soft_laws[0]) << keys;
    EXPECT_EQ(s.phases[1].model.joints_per_area[0], 1) << keys;
    EXPECT_EQ(s.model.pair_laws[0].friction, 0.5);
  }
}

TEST(PhaseLaws, friction_need_not_be_named) {
  const auto s = with_second("law = { rolling_friction = 0.2, stiffness = 150 }");
  PairLaw expected = law_of(s, 0);
  expected.rolling = 0.2;
  EXPECT_EQ(law_of(s, 1), expected);
  EXPECT_EQ(s.phases[1].model.soft_laws[0].stiffness, 150.0);
  EXPECT_EQ(s.phases[1].model.soft_laws[0].damping_ratio, 0.3);
}

TEST(PhaseLaws, of_a_joint_too_only_what_is_named) {
  const MortarJoint joint = law_of(with_second("pair = { materials = [\"stone\", \"stone\"], joint = { tension = 2 } }"), 1).joint;
  EXPECT_EQ(joint.tension, 2.0);
  EXPECT_EQ(joint.cohesion, 9.0);
  EXPECT_EQ(joint.bonded_at, 0.25);
}

TEST(PhaseLaws, each_key_can_be_switched_off) {
  const auto s = with_second(
      "law = { restitution = 0, tangential_restitution = 0, static_friction = false, friction_cap = false, cohesion = 0, joint = false, "
      "rolling_friction = 0, pivoting_friction = 0, unloading_stiffness = false }");
  PairLaw plain;
  plain.friction = 0.5;
  EXPECT_EQ(law_of(s, 1), plain);
  EXPECT_EQ(s.phases[1].model.joints_per_area[0], 0);
  EXPECT_FALSE(s.phases[1].model.soft_laws[0].remembers_depth());
  EXPECT_TRUE(law_of(s, 0).joint.exists());
}

TEST(PhaseLaws, one_friction_takes_the_place_of_another) {
  const std::string slippery = "law = { friction = { speeds = [0, 2], values = [0.6, 0.2] }, static_friction = 0.7, static_speed = 1 }\n";
  const std::string wood = "law = { friction = [0.2, 0.4], friction_direction = [0, 1, 0] }\n";
  auto s = with_second(slippery + "[[phase]]\nduration = 1\nlaw = { friction = 0.3 }");
  EXPECT_FALSE(law_of(s, 1).friction_at_speed.empty());
  EXPECT_TRUE(law_of(s, 2).friction_at_speed.empty());
  EXPECT_EQ(law_of(s, 2).static_speed, 1.0);
  s = with_second(wood + "[[phase]]\nduration = 1\nlaw = { friction = [0.3, 0.6] }\n[[phase]]\nduration = 1\n"
                         "law = { friction_direction = [1, 0, 0] }\n[[phase]]\nduration = 1\nlaw = { friction = 0.3 }");
  EXPECT_EQ(law_of(s, 2).friction_direction, (Vec<3>{{0, 1, 0}}));
  EXPECT_EQ(law_of(s, 2).cross_friction, 0.6);
  EXPECT_EQ(law_of(s, 3).friction_direction, (Vec<3>{{1, 0, 0}}));
  EXPECT_EQ(law_of(s, 3).friction, 0.3);
  EXPECT_EQ(law_of(s, 4).cross_friction, 0.0);
  s = with_second("law = { restitution = { speeds = [0, 1], values = [1, 0.5] } }\n[[phase]]\nduration = 1\nlaw = { restitution = 0.6 }");
  EXPECT_EQ(law_of(s, 1).normal_restitution, 0.0);
  EXPECT_EQ(law_of(s, 1).restitution_at_speed.at(1.0), 0.5);
  EXPECT_TRUE(law_of(s, 2).restitution_at_speed.empty());
}

// A pair begins from what held for it before, not from the law beside it; the law reaches all others, also those of a [[pair]].
TEST(PhaseLaws, law_and_pairs_side_by_side) {
  const auto s = with_second("law = { friction = 0.6 }\npair = { materials = [\"soil\", \"stone\"], restitution = 0.1 }");
  EXPECT_EQ(law_of(s, 1, 0, 0).friction, 0.6);
  EXPECT_EQ(law_of(s, 1, 1, 1).friction, 0.6);
  EXPECT_EQ(law_of(s, 1, 1, 1).normal_restitution, 0.2);
  EXPECT_FALSE(law_of(s, 1, 1, 1).joint.exists());
  EXPECT_EQ(law_of(s, 1, 0, 1).friction, 0.5);
  EXPECT_EQ(law_of(s, 1, 0, 1).normal_restitution, 0.1);
  EXPECT_EQ(law_of(s, 1, 0, 1), law_of(s, 1, 1, 0));
}

TEST(PhaseLaws, pairs_of_a_scene_have_nothing_of_its_law) {
  EXPECT_EQ(law_of(with_second(""), 0, 1, 1).cohesion, 0.0);
}

TEST(PhaseLaws, dampers_follow_a_restitution_that_changes) {
  const std::string head = "dimension = 3\ntime = { step = 0.01 }\nmaterial = { density = 2 }\n[law]\nfriction = 0\nrestitution = 1\n"
                           "stiffness = 100\n[grain]\nposition = [0, 0, 1]\nradius = 0.5\n[[phase]]\nname = \"first\"\nduration = 1\n";
  const auto s = with_second("law = { restitution = 0 }", head);
  EXPECT_LT(s.phases[0].model.soft_laws[0].damping_ratio, 1e-12);
  EXPECT_EQ(s.phases[1].model.soft_laws[0].damping_ratio, 0.9);
}

TEST(PhaseLaws, settings_have_their_place_in_a_phase) {
  const auto set = [](const std::string& keys, const char* key, const char* value) {
    const std::string text = rich + "[[phase]]\nname = \"second\"\nduration = 1\n" + keys;
    return std::get<Scene<3>>(parse_scene(text, "s.toml", {}, std::vector<Setting>{{key, value}}));
  };
  for (const char* keys : {"", "law = { friction = 0.4 }\n", "law = { cohesion = 2 }\n"}) {
    EXPECT_EQ(law_of(set(keys, "phase[second].law.friction", "0.3"), 1).friction, 0.3) << keys;
    EXPECT_EQ(law_of(set(keys, "phase[second].law.friction", "0.3"), 1).joint.tension, 3.0) << keys;
    EXPECT_FALSE(law_of(set(keys, "phase[second].law.joint", "false"), 1).joint.exists()) << keys;
  }
}

TEST(PhaseLaws, mistakes_are_named) {
  const std::string second = rich + "[[phase]]\nname = \"second\"\nduration = 1\n";  // a test goes on with line 39
  expect_message(second + "law = { friction = 0.8 }\n", "39:20", {"'phase[2].law.friction' is 0.8", "static friction in force, 0.7"});
  expect_message(second + "law = { friction = 4, static_friction = false }\n", "39:7",
                 {"'phase[2].law' leaves a joint with the tension 3", "which is 2.25"});
  expect_message(second + "law = { stiffness = 300 }\n", "39:21", {"'phase[2].law.stiffness' is 300", "unloading in force, 200"});
  expect_message(second + "law = { joint = true }\n", "39:17", {"is true", "a table, or false"});
  expect_message(second + "law = { friction_cap = 0 }\n", "39:24", {"is 0", "a number > 0, or false"});
  expect_message(second + "law = { frction = 0.8 }\n", "39:9", {"unknown key 'phase[2].law.frction'", "'friction'"});
  expect_message(second + "law = { friction_direction = [1, 0, 0] }\n", "39:9", {"unknown key"});
  expect_message(second + "pair = { materials = [\"stone\", \"sol\"] }\n", "39:22", {"'soil'"});
  expect_message(second + "pair = { materials = [\"soil\", \"soil\"], joint = { tension = 1 } }\n", "39:48", {"joint.cohesion' is missing"});
}

}  // namespace
}  // namespace moreau
