// Engines that go from one equilibrium to the next under a load: what moves, grows or arrives in their phases is refused.
#include <algorithm>

#include "moreau/drive/accelerogram.hpp"
#include "moreau/drive/standing.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// A disc between two planes, one of which has the motion "m"; `motion` and `phases` follow.
std::string corner(const std::string& motion, const std::string& phases, const std::string& more = "") {
  return "dimension = 2\ngravity = 1\ntime = { step = 0.01 }\nmaterial = { density = 1 }\nlaw = { friction = 0, stiffness = 1e4 }\n" +
         (motion.empty() ? "" : "[[motion]]\nname = \"m\"\n" + motion) +
         "[[wall]]\nname = \"left\"\nplane = { normal = [1, 1] }\n" + (motion.empty() ? "" : "motion = \"m\"\n") +
         "[[wall]]\nname = \"right\"\nplane = { normal = [-1, 1] }\n"
         "[[grain]]\nposition = [0, 0.70710678118654757]\nradius = 0.5\n" +
         more + phases;
}
std::string rest_then(const std::string& engine, const std::string& more = "", const std::string& end = "duration = 2\n") {
  return "[[phase]]\nname = \"fall\"\n" + end + "[[phase]]\nname = \"hold\"\nengine = \"" + engine + "\"\nduration = 1\n" + more;
}
const std::string slides = "kind = \"velocity\"\nvelocity = [0.01, 0]\n";
const std::string table = "kind = \"table\"\ntimes = [0.5, 1.5]\npositions = [[0, 0], [0.1, 0]]\n";

// At the last phase.
void expect_refused(const std::string& toml, std::initializer_list<const char*> words) {
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(toml.rfind("[[phase]]"));
  expect_message(toml, std::to_string(1 + std::count(toml.begin(), toml.begin() + place, '\n')) + ":1", words);
}

TEST(AtRest, walls_that_move) {
  for (const char* engine : {"quasi-static", "elastic"}) {
    const std::string named = std::string("engine \"") + engine + "\"";
    expect_refused(corner(slides, rest_then(engine)),
                   {"the phase 'hold'", named.c_str(), "motion 'm' moves the wall 'left'", "kind = \"rest\""});
    expect_refused("engine = \"" + std::string(engine) + "\"\n" + corner(slides, "[[phase]]\nname = \"all\"\nduration = 1\n"), {"'all'", "motion 'm'"});
    EXPECT_EQ(message_of(corner(slides, rest_then(engine, "[[phase.motion]]\nname = \"m\"\nkind = \"rest\"\n"))), "accepted");
    // At rest again when the phase begins; or not, where it may begin at once.
    EXPECT_EQ(message_of(corner(table, rest_then(engine))), "accepted");
    expect_refused(corner(table, rest_then(engine, "", "end = { kinetic_energy = 1e-6 }\n")), {"motion 'm'"});
    // Begun anew by the phase: its times count from there.
    expect_refused(corner("kind = \"rest\"\n", rest_then(engine, "[[phase.motion]]\nname = \"m\"\n" + table)), {"motion 'm'"});
  }
  for (const char* engine : {"rigid", "lubricated"}) EXPECT_EQ(message_of(corner(slides, rest_then(engine))), "accepted") << engine;
}

TEST(AtRest, bodies_that_are_driven) {
  const std::string disc = "[[grain]]\nname = \"pusher\"\nposition = [5, 9]\nradius = 0.5\nmotion = \"n\"\n";
  const std::string swings = "[[motion]]\nname = \"n\"\nkind = \"swing\"\ncentre = [5, 5]\nangle = 0.1\nfrequency = 1\n";
  expect_refused(corner("", rest_then("quasi-static"), swings + disc), {"motion 'n' moves body 1 ('pusher')"});
}

TEST(AtRest, pistons_and_cells) {
  const std::string lid = "[[wall]]\nname = \"lid\"\nplane = { point = [0, 3], normal = [0, -1] }\n[[piston]]\nname = \"p\"\nwalls = [\"lid\"]\nforce = 1\n";
  for (const char* engine : {"quasi-static", "elastic"}) {
    expect_refused(corner("", rest_then(engine, "piston = { name = \"p\", velocity = 0.01 }\n"), lid), {"piston 'p'", "velocity"});
    EXPECT_EQ(message_of(corner("", rest_then(engine, "piston = { name = \"p\", velocity = 0 }\n"), lid)), "accepted");
  }
  const std::string cell = "dimension = 2\ntime = { step = 0.01 }\nmaterial = { density = 1 }\nlaw = { friction = 0 }\n"
                           "cell = { min = [0, 0], max = [2, 2], stress = { xx = 1, yy = 1 } }\n[[grain]]\nposition = [1, 1]\nradius = 0.5\n";
  expect_refused(cell + rest_then("quasi-static", "cell = { rate = { yy = -1e-4 }, stress = { xx = 1 } }\n"), {"a rate of yy"});
  EXPECT_EQ(message_of(cell + rest_then("quasi-static", "cell = { rate = { yy = 0 }, stress = { xx = 1 } }\n")), "accepted");
}

TEST(AtRest, springs_know_no_radii) {
  expect_refused(corner("", rest_then("elastic", "radii = 1.02\n")), {"'hold'", "'radii' is 1.02"});
  EXPECT_EQ(message_of(corner("", rest_then("quasi-static", "radii = 1.02\n"))), "accepted");
}

TEST(AtRest, sources_that_bring_grains) {
  const auto source = [](const char* keys) { return std::string("[source]\nrate = 5\nradius = 0.2\ncentre = [0, 3]\n") + keys; };
  expect_refused(corner("", rest_then("quasi-static"), source("")), {"'hold'", "the source 'source' brings grains", "'count'"});
  expect_refused(corner("", rest_then("elastic"), source("start = 2.5\n")), {"source 'source'"});
  EXPECT_EQ(message_of(corner("", rest_then("quasi-static"), source("start = 3\n"))), "accepted");
  EXPECT_EQ(message_of(corner("", rest_then("quasi-static"), source("end = 1.5\n"))), "accepted");
  EXPECT_EQ(message_of(corner("", rest_then("quasi-static"), source("count = 10\n"))), "accepted");
  expect_refused(corner("", rest_then("quasi-static"), source("count = 11\n")), {"source 'source'"});
  // When a phase ends by conditions nobody knows whether they are all there.
  EXPECT_EQ(message_of(corner("", rest_then("quasi-static", "", "end = { bodies = 20 }\n"), source("count = 20\n"))), "accepted");
}

TEST(AtRest, an_accelerogram_is_at_rest_before_and_after) {
  const auto m = accelerogram<2>({1.0, 2.0, 3.0, 4.0, 5.0}, {0.0, 1.0, 0.0, -1.0, 0.0}, Vec<2>{{1.0, 0.0}});
  EXPECT_TRUE(stands(m, 0.0, 1.0));
  EXPECT_FALSE(stands(m, 0.0, 1.1));
  EXPECT_FALSE(stands(m, 4.9, 7.0));
  EXPECT_TRUE(stands(m, 5.0, 7.0));
}

}  // namespace
}  // namespace moreau
