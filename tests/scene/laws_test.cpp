// Contact laws beyond Coulomb in a scene: what is read, and what is refused.
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

const std::string grain = "[grain]\nposition = [0, 0, 1]\nradius = 0.5\n";
const std::string disc = "[grain]\nposition = [0, 1]\nradius = 0.5\n";

// The law is the last table of `space` and `plane`: a test goes on with it from line 10, or puts another friction on line 9.
std::string with_law(const std::string& keys, const std::string& head = space) { return head + keys + grain; }
std::string with_friction(const std::string& friction) {
  return space.substr(0, space.find("friction")) + "friction = " + friction + "\n" + grain;
}

TEST(SceneLaws, every_key_reaches_the_model) {
  const auto s = scene_of<3>(with_law(R"(static_friction = 0.7
static_speed = 1e-3
restitution = { speeds = [0, 1], values = [1, 0.5] }
friction_cap = 8
cohesion = 2
joint = { cohesion = 9, tension = 3, time = 0.25 }
rolling_friction = 0.1
pivoting_friction = 0.05
)"));
  const PairLaw& law = s.model.law(0, 0);
  EXPECT_EQ(law.friction, 0.5);
  EXPECT_EQ(law.static_friction, 0.7);
  EXPECT_EQ(law.static_speed, 1e-3);
  EXPECT_EQ(law.restitution_at_speed.at(0.5), 0.75);
  EXPECT_EQ(law.friction_cap, 8.0);
  EXPECT_EQ(law.cohesion, 2.0);
  EXPECT_EQ(law.joint.cohesion, 9.0);
  EXPECT_EQ(law.joint.tension, 3.0);
  EXPECT_EQ(law.joint.bonded_at, 0.25);
  EXPECT_EQ(law.rolling, 0.1);
  EXPECT_EQ(law.pivoting, 0.05);
  EXPECT_EQ(s.model.shocks, ShockRule::together);
  EXPECT_DOUBLE_EQ(s.model.contact_distance, 1e-3);  // h^2 |gravity|: contacts that pull must not flicker
}

TEST(SceneLaws, friction_is_a_number_a_table_or_two_numbers_and_a_direction) {
  const auto table = scene_of<3>(with_friction("{ speeds = [0, 2], values = [0.6, 0.2] }"));
  EXPECT_DOUBLE_EQ(table.model.law(0, 0).friction_at_speed.at(1.0), 0.4);
  const auto two = scene_of<3>(with_friction("[0.2, 0.6]\nfriction_direction = [0, 2, 0]"));
  EXPECT_EQ(two.model.law(0, 0).friction, 0.2);
  EXPECT_EQ(two.model.law(0, 0).cross_friction, 0.6);
  EXPECT_EQ(two.model.law(0, 0).friction_direction, (Vec<3>{{0, 1, 0}}));
}

TEST(SceneLaws, plain_law_stays_plain) {
  const auto s = scene_of<3>(with_law("restitution = 0.5\n"));
  EXPECT_FALSE(s.model.law(0, 0).bounded());
  EXPECT_FALSE(s.model.law(0, 0).varies());
  EXPECT_DOUBLE_EQ(s.model.contact_distance, s.model.time_step * s.model.time_step * norm(s.model.gravity));
}

TEST(SceneLaws, sequential_shocks_are_for_coulombs_law) {
  const std::string sequential = "[contact]\nshocks = \"sequential\"\n";
  EXPECT_EQ(scene_of<3>(with_law("restitution = 1\n" + sequential)).model.shocks, ShockRule::sequential);
  expect_message(with_law("cohesion = 1\n" + sequential), "9:12", {"'law.friction'", "sequential", "without cap, cohesion"});
  expect_message(with_law("[contact]\nshocks = \"serial\"\n"), "11:10", {"'contact.shocks' is \"serial\"", "'sequential'"});
}

TEST(SceneLaws, mistakes_are_named) {
  expect_message(with_law("static_friction = 0.4\nstatic_speed = 1\n"), "10:19", {"'law.static_friction' is 0.4", "0.5"});
  expect_message(with_law("static_friction = 0.6\n"), "8:1", {"'law.static_speed' is missing"});
  expect_message(with_law("friction_cap = 0\n"), "10:16", {"'law.friction_cap' is 0", "> 0"});
  expect_message(with_law("cohesion = -1\n"), "10:12", {"'law.cohesion' is -1", ">= 0"});
  expect_message(with_law("joint = { cohesion = 1, tension = 3 }\n"), "10:35",
                 {"'law.joint.tension' is 3", "cohesion / friction, which is 2"});
  expect_message(with_law("joint = { cohesion = 1 }\n"), "10:9", {"'law.joint.tension' is missing"});
  expect_message(with_law("joint = { cohesion = 1, tension = 1, tme = 1 }\n"), "10:38", {"unknown key", "did you mean 'time'?"});
  expect_message(with_law("restitution = { speeds = [1, 1], values = [1, 0.5] }\n"), "10:26", {"speeds", "do not increase"});
  expect_message(with_law("restitution = { speeds = [0, 1], values = [1] }\n"), "10:43", {"has 1 entries for 2 speeds"});
  expect_message(with_law("restitution = { speeds = [0], values = [2] }\n"), "10:41", {"is 2", "in [0, 1]"});
  expect_message(with_friction("[0.2, 0.6]"), "8:1", {"'law.friction_direction' is missing"});
  expect_message(with_friction("[0.2]\nfriction_direction = [1, 0, 0]"), "9:12", {"at least 2"});
  expect_message(with_law("friction_direction = [1, 0, 0]\n"), "10:1", {"unknown key 'law.friction_direction'"});
}

TEST(SceneLaws, keys_of_space_are_unknown_in_the_plane) {
  expect_message(plane + "pivoting_friction = 1\n" + disc, "10:1", {"unknown key 'law.pivoting_friction'"});
  EXPECT_EQ(scene_of<2>(plane + "rolling_friction = 0.1\n" + disc).model.law(0, 0).rolling, 0.1);
}

}  // namespace
}  // namespace moreau
