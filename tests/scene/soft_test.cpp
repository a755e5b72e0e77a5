// Contacts that yield in a scene: what is read, what follows from other values, and what is refused.
#include "moreau/engines/soft/damping.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

// `keys` on line 10, of the law; the soft engine on line 1.
std::string soft_scene(const std::string& keys, const std::string& step = "1e-4", const std::string& more = "") {
  return "engine = \"soft\"\ndimension = 2\n[time]\nstep = " + step +
         "\nduration = 1\n[material]\ndensity = 2\n[law]\nfriction = 0.5\n" + keys + "\n[grain]\nposition = [0, 1]\nradius = 0.5\n" + more;
}

TEST(SoftScene, every_key_reaches_the_model) {
  const auto s = scene_of<2>(soft_scene("stiffness = 100\nunloading_stiffness = 400\ndamping_ratio = 0.1\ntangential_stiffness = 30\ntangential_damping_ratio = 0.2",
                                        "1e-4", "[soft]\nintegrator = \"gear\"\ndashpots_pull = true\n"));
  EXPECT_EQ(scene_of<2>(soft_scene("stiffness = 100")).model.soft.integrator, Integrator::gear);
  const SoftLaw& law = s.model.soft_laws[0];
  EXPECT_EQ(s.model.engine, EngineKind::soft);
  EXPECT_EQ(law.stiffness, 100.0);
  EXPECT_EQ(law.unloading_stiffness, 400.0);
  EXPECT_EQ(law.damping_ratio, 0.1);
  EXPECT_EQ(law.tangential_stiffness, 30.0);
  EXPECT_EQ(law.tangential_damping_ratio, 0.2);
  EXPECT_EQ(s.model.soft.integrator, Integrator::gear);
  EXPECT_TRUE(s.model.soft.dashpots_pull);
}

TEST(SoftScene, what_is_not_given_follows) {
  const auto plain = scene_of<2>(soft_scene("stiffness = 100"));
  EXPECT_EQ(plain.model.soft_laws[0].damping_ratio, 0.9);
  EXPECT_EQ(plain.model.soft_laws[0].tangential_stiffness, 50.0);
  const auto rebound = scene_of<2>(soft_scene("stiffness = 100\nrestitution = 0.6"));
  EXPECT_NEAR(soft::restitution_of(rebound.model.soft_laws[0].damping_ratio, false), 0.6, 1e-12);
  const auto walton = scene_of<2>(soft_scene("stiffness = 100\nunloading_stiffness = 200"));
  EXPECT_EQ(walton.model.soft_laws[0].damping_ratio, 0.0);
}

TEST(SoftScene, level_of_stiffness_gives_the_stiffness) {
  const auto s = scene_of<2>(soft_scene("", "1e-4", "[soft]\nlevel = 1000\npressure = 3\n"));
  EXPECT_EQ(s.model.soft_laws[0].stiffness, 3000.0);
  EXPECT_EQ(s.phases[0].model.soft_laws[0].stiffness, 3000.0);
}

TEST(SoftScene, a_phase_may_change_engine_and_settings) {
  const auto s = scene_of<2>(
      "dimension = 2\n[time]\nstep = 0.01\n[material]\ndensity = 1\n[law]\nfriction = 0\nstiffness = 100\n[grain]\nposition = [0, 1]\nradius = 0.5\n"
      "[[phase]]\nname = \"rigid\"\nduration = 1\n"
      "[[phase]]\nname = \"soft\"\nengine = \"soft\"\nstep = 0.001\nsoft = { integrator = \"gear\" }\nduration = 1\n");
  EXPECT_EQ(s.phases[0].model.engine, EngineKind::rigid);
  EXPECT_EQ(s.phases[1].model.engine, EngineKind::soft);
  EXPECT_EQ(s.phases[1].model.soft.integrator, Integrator::gear);
}

TEST(SoftScene, mistakes) {
  expect_message(soft_scene(""), "1:1", {"have no stiffness", "'stiffness' in their law", "[soft]"});
  expect_message(soft_scene("stiffness = 100", "0.5"), "1:1", {"time step is 0.5", "not stable", "accepted: at most"});
  expect_message(soft_scene("stiffness = 0"), "10:13", {"stiffness", "> 0"});
  expect_message(soft_scene("stiffness = 10\nunloading_stiffness = 5"), "11:23", {"unloading_stiffness", "less than"});
  expect_message(soft_scene("unloading_stiffness = 5"), "10:23", {"without 'stiffness'"});
  expect_message(soft_scene("stiffness = 10\ncohesion = 2"), "1:1", {"does not know", "cohesion"});
  expect_message(soft_scene("stiffness = 10", "1e-4", "[soft]\nlevel = 10\n"), "14:1", {"pressure"});
  expect_message(soft_scene("stiffness = 10", "1e-4", "[soft]\nintegrator = \"euler\"\n"), "15:14", {"verlet", "gear"});
  expect_message(soft_scene("stiffness = 10", "1e-4", "[block]\nsize = [1, 1]\nposition = [5, 5]\n"), "1:1", {"blocks", "rigid"});
}

}  // namespace
}  // namespace moreau
