// Turning motions, surfaces, sinks and tilting in scenes: what is read, and mistakes.
#include <cmath>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

const std::string one_grain_2 = "[[grain]]\nposition = [0, 1]\nradius = 0.5\n";
const std::string one_grain_3 = "[[grain]]\nposition = [0, 0, 1]\nradius = 0.5\n";
const std::string turn_2 = "[[motion]]\nname = \"turn\"\nkind = \"rotation\"\nrate = 2\n";
const std::string turn_3 = "[[motion]]\nname = \"turn\"\nkind = \"rotation\"\nrate = 2\naxis = [0, 3, 0]\n";
const std::string belt_2 = "[[motion]]\nname = \"belt\"\nkind = \"velocity\"\nvelocity = [1, 0]\n";

TEST(TurningMotions, rotation_and_swing_are_read) {
  const auto s = scene_of<3>(space + one_grain_3 + turn_3 +
                             "[[motion]]\nname = \"rock\"\nkind = \"swing\"\naxis = [1, 0, 0]\ncentre = [1, 2, 3]\nangle = 0.3\n"
                             "frequency = 5\nphase = 1\n");
  const Motion<3>&turn = s.model.motions[0], rock = s.model.motions[1];
  EXPECT_EQ(turn.kind, MotionKind::rotation);
  EXPECT_EQ(turn.axis, (Vec<3>{{0, 1, 0}}));
  EXPECT_EQ(turn.rate, 2.0);
  EXPECT_EQ(rock.kind, MotionKind::swing);
  EXPECT_EQ(rock.centre, (Vec<3>{{1, 2, 3}}));
  EXPECT_EQ(rock.angle, 0.3);
  EXPECT_EQ(rock.frequency, 5.0);
  EXPECT_EQ(rock.phase, 1.0);
  EXPECT_EQ(scene_of<2>(plane + one_grain_2 + turn_2).model.motions[0].axis[0], 1.0);
  expect_message(plane + one_grain_2 + turn_2 + "axis = [0, 0, 1]\n", "17:1", {"unknown key 'motion[1].axis'"});
  expect_message(space + one_grain_3 + "[[motion]]\nname = \"turn\"\nkind = \"rotation\"\nrate = 2\n", "13:1",
                 {"'motion[1].axis' is missing"});
}

TEST(TurningMotions, driven_body_starts_with_the_velocity_of_the_rotation) {
  const auto s = scene_of<2>(plane + "[[grain]]\nposition = [3, 0]\nradius = 0.5\nmotion = \"turn\"\n" + turn_2);
  EXPECT_EQ(s.bodies.state.velocity[0], (Vec<2>{{0, 6}}));
  EXPECT_EQ(s.bodies.state.spin[0][0], 2.0);
}

TEST(Surfaces, of_drum_belt_and_turntable) {
  const auto drum = scene_of<2>(plane + one_grain_2 + turn_2 + "[wall]\ncircle = { radius = 5 }\nmotion = \"turn\"\n");
  EXPECT_EQ(drum.model.walls[0].motion, -1);
  EXPECT_EQ(drum.model.walls[0].surface, 0);
  const auto belt = scene_of<2>(plane + one_grain_2 + belt_2 + "[wall]\nplane = { normal = [0, 1] }\nsurface = \"belt\"\n");
  EXPECT_EQ(belt.model.walls[0].surface, 0);
  EXPECT_EQ(belt.model.walls[0].motion, -1);
  const auto table = scene_of<3>(space + one_grain_3 + turn_3 +
                                 "[wall]\nplane = { normal = [0, 1, 0], point = [0, -1, 0] }\nsurface = \"turn\"\n");
  EXPECT_EQ(table.model.walls[0].surface, 0);
  const auto tube =
      scene_of<3>(space + one_grain_3 + turn_3 + "[wall]\ncylinder = { radius = 5, axis = [0, 1, 0] }\nsurface = \"turn\"\n");
  EXPECT_EQ(tube.model.walls[0].surface, 0);
}

TEST(Surfaces, that_would_leave_their_place_are_refused) {
  const std::string named = "names a motion that";
  const auto refused = [&](const std::string& text, const char* words) {
    const std::string message = message_of(text);
    EXPECT_NE(message.find(named), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  refused(plane + one_grain_2 + turn_2 + "[wall]\nplane = { normal = [0, 1] }\nmotion = \"turn\"\n", "moves a plane");
  refused(plane + one_grain_2 + turn_2 + "[wall]\ncircle = { radius = 5, centre = [1, 0] }\nmotion = \"turn\"\n",
          "another point");
  refused(plane + one_grain_2 + belt_2 + "[wall]\ncircle = { radius = 5 }\nsurface = \"belt\"\n", "does not turn");
  refused(plane + one_grain_2 + belt_2 + "[wall]\nplane = { normal = [1, 1], point = [-5, 0] }\nsurface = \"belt\"\n",
          "along the normal");
  refused(space + one_grain_3 + turn_3 + "[wall]\ncylinder = { radius = 5 }\nsurface = \"turn\"\n", "another axis");
  refused(space + one_grain_3 + turn_3 + "[wall]\nplane = { normal = [0, 0, 1] }\nsurface = \"turn\"\n", "not the normal");
  const std::string both = "[wall]\ncircle = { radius = 5 }\nmotion = \"turn\"\nsurface = \"turn\"\n";
  EXPECT_NE(message_of(plane + one_grain_2 + turn_2 + both).find("one motion that turns"), std::string::npos);
}

TEST(Sinks, are_read_and_mistakes_named) {
  const auto s = scene_of<3>(space + one_grain_3 +
                             "[[sink]]\nname = \"outlet\"\nbeyond = { point = [0, 0, -1], direction = [0, 0, -2] }\n"
                             "[[sink]]\nregion = { cylinder = { radius = 2, bottom = -5, top = -4 } }\n");
  ASSERT_EQ(s.model.sinks.size(), 2u);
  EXPECT_TRUE(s.model.sinks[0].contains({{7, 7, -1.1}}));
  EXPECT_FALSE(s.model.sinks[0].contains({{7, 7, -0.9}}));
  EXPECT_TRUE(s.model.sinks[1].contains({{1, 1, -4.5}}));
  EXPECT_FALSE(s.model.sinks[1].contains({{1, 2, -4.5}}));
  expect_message(plane + one_grain_2 + "[sink]\nname = \"x\"\n", "13:1", {"'sink' lacks one of the keys"});
  expect_message(plane + one_grain_2 + "[sink]\nbeyond = { direction = [0, 0] }\n", "14:24", {"length zero"});
  expect_message(plane + one_grain_2 + "[sink]\nbeyond = { point = [0, 0] }\n", "14:10", {"'sink.beyond.direction' is missing"});
}

TEST(Tilting, is_read_and_mistakes_named) {
  const auto s = scene_of<2>(plane + one_grain_2 + "[tilt]\nto = 0.5\nrate = 0.1\nstart = 2\n");
  EXPECT_TRUE(s.model.tilt.acts());
  EXPECT_NEAR(s.model.gravity_at(4.0)[0], 10 * std::sin(0.2), 1e-14);
  EXPECT_NEAR(s.model.gravity_at(100.0)[1], -10 * std::cos(0.5), 1e-14);
  EXPECT_EQ(s.model.gravity_at(1.0), s.model.gravity);
  expect_message(space + one_grain_3 + "[tilt]\nto = 0.5\nrate = 0.1\n", "13:1", {"'tilt.axis' is missing"});
  expect_message(plane + one_grain_2 + "[tilt]\nto = 0.5\nrate = -1\n", "15:8", {"a number > 0"});
  std::string floating = plane;
  floating.replace(floating.find("gravity = 10"), 12, "gravity = 0 ");
  expect_message(floating + one_grain_2 + "[tilt]\nto = 0.5\nrate = 1\n", "13:1", {"needs gravity"});
}

}  // namespace
}  // namespace moreau
