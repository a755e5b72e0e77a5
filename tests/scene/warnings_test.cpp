// What can be foreseen of a scene is said of it, and of no scene that does not deserve it.
#include <filesystem>

#include "scene/scene_text.hpp"

namespace moreau {
namespace {

const std::filesystem::path root = MOREAU_SOURCE_DIR;

template <int D>
std::string kinds(const Scene<D>& scene) {
  std::string text;
  for (const Warning& w : scene.warnings.all()) text += (text.empty() ? "" : " ") + std::string(name_of(w.kind));
  return text;
}
std::string kinds_of(const std::string& toml) {
  return std::visit([](const auto& scene) { return kinds(scene); }, parse_scene(toml, "s.toml"));
}
std::string said(const std::string& toml, WarningKind kind) {
  return std::visit(
      [&](const auto& scene) {
        const Warning* w = scene.warnings.find(kind);
        return w ? sentence_of(*w) : std::string("nothing");
      },
      parse_scene(toml, "s.toml"));
}
void expect_words(const std::string& sentence, std::initializer_list<const char*> words) {
  for (const char* word : words) EXPECT_NE(sentence.find(word), std::string::npos) << "no \"" << word << "\" in: " << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

const std::string floor_and_disc = plane + R"([[wall]]
plane = { normal = [0, 1] }
[[grain]]
position = [0, 1]
radius = 0.5
)";

TEST(Warnings, plain_scene_has_none) { EXPECT_EQ(kinds_of(floor_and_disc), ""); }

TEST(Warnings, friction_above_two_is_said_with_its_materials) {
  EXPECT_EQ(kinds_of(replaced(floor_and_disc, "friction = 0.5", "friction = 2")), "");
  const std::string high = replaced(floor_and_disc, "friction = 0.5", "friction = 2.5");
  EXPECT_EQ(kinds_of(high), "friction");
  expect_words(said(high, WarningKind::friction), {"friction 2.5", "more than 2", "'grain'"});
  EXPECT_EQ(kinds_of(replaced(floor_and_disc, "friction = 0.5", "friction = { speeds = [0, 1], values = [2.5, 0.5] }")),
            "friction");
  EXPECT_EQ(kinds_of(replaced(replaced(floor_and_disc, "duration = 1\n", ""), "[[grain]]",
                              "[[phase]]\nduration = 1\n[[phase]]\nduration = 1\nlaw = { friction = 3 }\n[[grain]]")),
            "friction");
}

TEST(Warnings, frames_further_apart_than_the_run_is_long_are_said) {
  EXPECT_EQ(kinds_of(floor_and_disc + "[output]\nframes = 1\n"), "");
  const std::string rare = floor_and_disc + "[output]\nframes = 1.5\n";
  EXPECT_EQ(kinds_of(rare), "frames");
  expect_words(said(rare, WarningKind::frames), {"1.5 apart", "lasts 1"});
}

TEST(Warnings, steps_longer_than_the_points_of_a_record_are_apart_are_said) {
  const std::string shaken = floor_and_disc + R"([[motion]]
name = "quake"
kind = "accelerogram"
direction = [1, 0]
record = { times = [0, 0.01, 0.02, 0.03], accelerations = [0, 1, -1, 0] }
[[block]]
size = [1, 1]
position = [5, 0.5]
motion = "quake"
)";
  EXPECT_EQ(kinds_of(shaken), "");  // as long as they are apart
  const std::string coarse = replaced(shaken, "step = 0.01", "step = 0.05");
  EXPECT_EQ(kinds_of(coarse), "record");
  expect_words(said(coarse, WarningKind::record), {"0.05 long", "'quake'", "every 0.01", "time.step of 0.01"});
}

TEST(Warnings, degrees_are_no_angle_of_a_tilt) {
  EXPECT_EQ(kinds_of(floor_and_disc + "[tilt]\nto = -6.28\nrate = 0.1\n"), "");
  const std::string degrees = floor_and_disc + "[tilt]\nto = 35\nrate = 2\n";
  EXPECT_EQ(kinds_of(degrees), "angle");
  expect_words(said(degrees, WarningKind::angle), {"tilt.to is 35 rad", "2005 degrees", "in radians", "35 degrees are 0.6109"});
  expect_words(said(floor_and_disc + "[tilt]\nfrom = -20\nto = 0.3\nrate = 2\n", WarningKind::angle), {"tilt.from is -20 rad"});
}

TEST(Warnings, long_path_of_the_first_step_is_foreseen) {
  const std::string fast = replaced(floor_and_disc, "radius = 0.5", "radius = 0.5\nvelocity = [49, 0]");
  EXPECT_EQ(kinds_of(fast), "");  // 0.49 + 0.001 of a radius of 0.5
  const std::string faster = replaced(floor_and_disc, "radius = 0.5", "radius = 0.5\nvelocity = [1000, 0]");
  EXPECT_EQ(kinds_of(faster), "travel");  // ten diameters in a step
  expect_words(said(faster, WarningKind::travel), {"body 0", "20 radii", "shorter time.step"});
  // At rest, but gravity brings 10 x 0.5^2 = 2.5 in a step of 0.5.
  const std::string dropped = replaced(floor_and_disc, "step = 0.01", "step = 0.5");
  EXPECT_EQ(kinds_of(dropped), "travel");
  expect_words(said(dropped, WarningKind::travel), {"5 radii"});
}

TEST(Warnings, bodies_in_excess_are_counted_and_the_worst_is_named) {
  const auto scene = scene_of<2>(floor_and_disc + R"([[grain]]
position = [3, 1]
radius = 0.5
velocity = [400, 0]
[[grain]]
position = [6, 1]
radius = 0.5
velocity = [200, 0]
)");
  const Warning* w = scene.warnings.find(WarningKind::travel);
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->count, 2u);
  EXPECT_NEAR(w->value, 8.002, 1e-9);
  expect_words(sentence_of(*w), {"body 1", "and 1 other body like it"});
}

TEST(Warnings, concave_outline_is_cut_into_convex_parts_and_clouds_of_points_become_hulls) {
  const auto shape_of = [](const std::string& points) {
    const std::string text = replaced(floor_and_disc, "[[grain]]", "[[block]]\nvertices = " + points + "\n[[grain]]");
    EXPECT_EQ(kinds_of(text), "") << points;
    return std::get<Scene<2>>(parse_scene(text, "scene.toml")).bodies.shapes.at(0);
  };
  const Shape<2> angle_iron = shape_of("[[5, 1], [7, 1], [7, 2], [6, 2], [6, 3], [5, 3]]");
  EXPECT_EQ(angle_iron.parts.size(), 2u);
  EXPECT_NEAR(angle_iron.volume, 3.0, 1e-12);
  // Clockwise, and closed by its first point.
  EXPECT_NEAR(shape_of("[[5, 3], [6, 3], [6, 2], [7, 2], [7, 1], [5, 1], [5, 3]]").volume, 3.0, 1e-12);
  // Convex, with a point in the middle of a side; a cloud of points in no order, one of them inside.
  for (const char* points : {"[[5, 1], [6, 1], [7, 1], [7, 2], [5, 2]]", "[[5, 1], [7, 2], [7, 1], [5, 2], [6, 1.5]]"}) {
    EXPECT_EQ(shape_of(points).parts.size(), 1u) << points;
    EXPECT_NEAR(shape_of(points).volume, 2.0, 1e-12) << points;
  }
}

TEST(Warnings, box_open_at_its_bottom_leaves_a_gap) {
  const auto box = [](const std::string& open, const std::string& more = "") {
    return plane + "[[wall]]\nname = \"vessel\"\nbox = { min = [0, 0], max = [2, 2], open = " + open +
           " }\n[[grain]]\nposition = [1, 1]\nradius = 0.5\n" + more;
  };
  EXPECT_EQ(kinds_of(box("[\"top\"]")), "");
  EXPECT_EQ(kinds_of(box("[\"left\", \"top\"]")), "");  // the bottom goes on for ever
  EXPECT_EQ(kinds_of(box("[\"bottom\"]")), "gap");
  expect_words(said(box("[\"bottom\"]"), WarningKind::gap), {"face 'bottom' of box 'vessel'", "fall for ever", "[[sink]]"});
  EXPECT_EQ(kinds_of(box("[\"bottom\"]", "[[sink]]\nbeyond = { point = [0, -3], direction = [0, -1] }\n")), "");
  EXPECT_EQ(kinds_of(box("[\"bottom\"]", "[[wall]]\nname = \"floor\"\nplane = { point = [0, -1], normal = [0.1, 1] }\n")), "");
  EXPECT_EQ(kinds_of(box("[\"bottom\"]", "[[grain]]\nposition = [1, -1]\nradius = 0.5\nfixed = true\n")), "");
  EXPECT_EQ(kinds_of(replaced(box("[\"bottom\"]"), "gravity = 10", "gravity = 0")), "");
}

TEST(Warnings, cylinder_without_a_bottom_leaves_a_gap) {
  const std::string tube =
      space + "[[wall]]\nname = \"tube\"\ncylinder = { radius = 2 }\n[[grain]]\nposition = [0, 0, 1]\nradius = 0.5\n";
  EXPECT_EQ(kinds_of(tube), "gap");
  EXPECT_EQ(kinds_of(tube + "[[wall]]\nname = \"bottom\"\nplane = { normal = [0, 0, 1] }\n"), "");
  EXPECT_EQ(kinds_of(replaced(tube, "radius = 2", "radius = 2, axis = [1, 0, 0]")), "");  // lying: its inside is a floor
}

TEST(Warnings, springs_in_a_rigid_scene_are_said_to_be_unread) {
  const std::string springs = replaced(floor_and_disc, "friction = 0.5", "friction = 0.5\nstiffness = 1e6\ndamping_ratio = 0.2");
  EXPECT_EQ(kinds_of(springs), "ignored");
  expect_words(said(springs, WarningKind::ignored), {"'damping_ratio', 'stiffness'", "engine = \"soft\""});
  EXPECT_EQ(
      kinds_of(replaced(replaced(springs, "step = 0.01", "step = 1e-5"), "gravity = 10", "gravity = 10\nengine = \"soft\"")), "");
  // In a phase that is soft they are read.
  EXPECT_EQ(kinds_of(replaced(replaced(springs, "duration = 1\n", ""), "[[grain]]",
                              "[[phase]]\nduration = 1\n[[phase]]\nduration = 1\nengine = \"soft\"\nstep = 1e-5\n[[grain]]")),
            "");
  // An elastic phase reads stiffnesses, not dashpots.
  const std::string probed = replaced(replaced(springs, "duration = 1\n", ""), "[[grain]]",
                                      "[[phase]]\nduration = 1\n[[phase]]\nduration = 1\nengine = \"elastic\"\n[[grain]]");
  EXPECT_EQ(kinds_of(probed), "ignored");
  EXPECT_EQ(said(probed, WarningKind::ignored).find("'stiffness'"), std::string::npos);
  EXPECT_EQ(kinds_of(replaced(probed, "\ndamping_ratio = 0.2", "")), "");
}

TEST(Warnings, shocks_that_no_engine_reads) {
  const std::string timeless = "dimension = 2\nmaterial = { density = 1 }\n", begin = timeless + "time = { step = 0.001, duration = 1 }\n";
  const std::string end = "contact = { shocks = \"sequential\" }\n[grain]\nposition = [0, 1]\nradius = 0.5\n";
  const std::string law = "law = { friction = 0, restitution = 0.5 }\n";
  EXPECT_EQ(kinds_of("engine = \"lubricated\"\n" + begin + law + end), "ignored");
  expect_words(said("engine = \"lubricated\"\n" + begin + law + end, WarningKind::ignored), {"'contact.shocks'", "engine = \"rigid\""});
  EXPECT_EQ(kinds_of(begin + law + end), "");
  EXPECT_EQ(kinds_of(timeless + "time = { step = 0.001 }\n" + law + end + "[[phase]]\nengine = \"lubricated\"\nduration = 1\n[[phase]]\nengine = \"rigid\"\nduration = 1\n"), "");
  const std::string both = said("engine = \"lubricated\"\n" + begin + "law = { friction = 0, stiffness = 1 }\n" + end, WarningKind::ignored);
  expect_words(both, {"'contact.shocks', 'stiffness'", "engine = \"soft\"", "engine = \"rigid\""});
}

TEST(Warnings, friction_of_springs_may_be_any) {
  const std::string rough =
      replaced(replaced(floor_and_disc, "friction = 0.5", "friction = 5\nstiffness = 1e6"), "step = 0.01", "step = 1e-5");
  EXPECT_EQ(kinds_of(replaced(rough, "gravity = 10", "gravity = 10\nengine = \"soft\"")), "");
  EXPECT_EQ(kinds_of(rough), "ignored friction");
}

// A disc of diameter 1 falls through it in sqrt(2 / 10) = 0.447: a source on one line may bring 2.24 a second, and is spoken of a
// fifth above; one that spreads them over five places five times as many.
TEST(Warnings, source_that_stacks_its_grains_is_said) {
  const auto source = [](const std::string& keys) {
    return plane + "[[wall]]\nplane = { normal = [0, 1] }\n[[source]]\ndiameter = 1\n" + keys;
  };
  EXPECT_EQ(kinds_of(source("rate = 2.6\n")), "");
  EXPECT_EQ(kinds_of(source("rate = 2.8\n")), "stacking");
  EXPECT_EQ(kinds_of(source("rate = 13\nspread = 2\n")), "");
  EXPECT_EQ(kinds_of(source("rate = 14\nspread = 2\n")), "stacking");
  EXPECT_EQ(kinds_of(source("rate = 100\ncount = 1\n")), "");
  // Blocks by the disc that holds them: of diameter sqrt(2) here, 1.88 a second.
  const auto stones = [](const std::string& rate) {
    return plane + "[[wall]]\nplane = { normal = [0, 1] }\n[[source]]\nmixture = [{ share = 1, size = [1, 1] }]\n" + rate;
  };
  EXPECT_EQ(kinds_of(stones("rate = 2.2\n")), "");
  EXPECT_EQ(kinds_of(stones("rate = 2.4\n")), "stacking");
  expect_words(said(source("rate = 22.36068\n"), WarningKind::stacking),
               {"source 'source[1]'", "10 times", "smaller rate", "larger spread"});
}

// Discs on a square lattice stand as columns for ever; a jitter, random velocities, a gravity askew or a single layer do not.
TEST(Warnings, lattice_that_stands_as_columns_is_said) {
  const auto lattice = [](const std::string& keys) {
    return plane +
           "[[wall]]\nbox = { min = [0, 0], max = [4.1, 9], open = [\"top\"] }\n[[grains]]\narrangement = \"lattice\"\ndiameter "
           "= 1\n" +
           keys;
  };
  EXPECT_EQ(kinds_of(lattice("count = 4\n")), "");
  EXPECT_EQ(kinds_of(lattice("count = 9\n")), "stacking");
  EXPECT_EQ(kinds_of(lattice("count = 9\njitter = 0.01\n")), "");
  EXPECT_EQ(kinds_of(lattice("count = 9\nrandom_speed = 0.1\n")), "");
  EXPECT_EQ(kinds_of(replaced(lattice("count = 9\n"), "gravity = 10", "gravity = 0")), "");
  EXPECT_EQ(kinds_of(replaced(lattice("count = 9\n"), "gravity = 10", "gravity = [1, -10]")), "");
  EXPECT_EQ(kinds_of(lattice("count = 9\n") + "[[wall]]\nplane = { normal = [1, 1], point = [-5, 0] }\n"), "");
  expect_words(said(lattice("count = 9\n"), WarningKind::stacking), {"'grains[1]'", "up to 3 in a column", "'jitter'"});
}

TEST(Warnings, free_bodies_above_nothing_are_said) {
  const std::string lonely = plane + "[[grain]]\nposition = [0, 0]\nradius = 0.5\n";
  EXPECT_EQ(kinds_of(lonely), "nothing_below");
  expect_words(said(lonely, WarningKind::nothing_below), {"1 free body", "stops it", "a floor"});
  expect_words(said(lonely + "[[grain]]\nposition = [2, 0]\nradius = 0.5\n", WarningKind::nothing_below),
               {"2 free bodies", "stops them"});
  EXPECT_EQ(kinds_of(replaced(lonely, "gravity = 10", "gravity = 0")), "");
  EXPECT_EQ(kinds_of(lonely + "[[grain]]\nposition = [0, -1]\nradius = 0.5\nfixed = true\n"), "");
  // What hangs by cohesion from a body above is held.
  const std::string above = "[[grain]]\nposition = [0, 1]\nradius = 0.5\nfixed = true\n";
  EXPECT_EQ(kinds_of(lonely + above), "nothing_below");
  EXPECT_EQ(kinds_of(replaced(lonely + above, "friction = 0.5", "friction = 0.5\ncohesion = 100")), "");
  EXPECT_EQ(kinds_of(lonely + "[[sink]]\nbeyond = { point = [0, -3], direction = [0, -1] }\n"), "");
}

// A closed outline is a vessel: grains beyond it, when others are inside, fall away.
TEST(Warnings, bodies_that_start_outside_a_closed_mesh_are_counted) {
  const auto drum = [](const std::string& grains,
                       const std::string& points = "[[0, 0], [4, 0], [4, 4], [2, 3], [0, 4], [0, 0]]") {
    return plane + "[[wall]]\nname = \"drum\"\nmesh = { points = " + points + " }\n[[grain]]\nposition = [1, 1]\nradius = 0.5\n" +
           grains;
  };
  const std::string out = "[[grain]]\nposition = [-1, 1]\nradius = 0.2\n",
                    notch = "[[grain]]\nposition = [2, 3.5]\nradius = 0.2\n";
  EXPECT_EQ(kinds_of(drum("")), "");
  EXPECT_EQ(kinds_of(drum(out + notch)), "outside");
  expect_words(said(drum(out + notch), WarningKind::outside), {"2 of 3 free bodies", "'drum'", "body 1 at (-1, 1)", "inside"});
  EXPECT_EQ(kinds_of(replaced(drum(out), "gravity = 10", "gravity = 0")), "outside");
  // Not where it may be meant: another wall below, a sink, a mesh that is open, a solid on which they lie.
  EXPECT_EQ(kinds_of(drum(out + "[[wall]]\nname = \"floor\"\nplane = { point = [0, -3], normal = [0, 1] }\n")), "");
  EXPECT_EQ(kinds_of(drum(out + "[[sink]]\nbeyond = { point = [0, -3], direction = [0, -1] }\n")), "");
  EXPECT_EQ(kinds_of(drum(out, "[[0, 0], [4, 0], [4, 4]]")), "");
  EXPECT_EQ(kinds_of(drum(out, "[[0, -2], [4, -2], [4, -1], [0, -1], [0, -2]]")), "");
}

// What was foreseen and has come is told as it came: a count of bodies does not go on as one of steps.
TEST(Warnings, what_was_foreseen_gives_way_to_what_has_come) {
  Warnings all;
  all.add({WarningKind::travel, 3.0, 1.0, "body 0", 0, 0.0, 2});
  EXPECT_FALSE(all.add({WarningKind::travel, 2.0, 1.0, "body 1 at (0, 0)", 4, 0.4}));
  EXPECT_FALSE(all.add({WarningKind::travel, 2.5, 1.0, "body 1 at (0, 1)", 5, 0.5}));
  expect_words(sentence_of(all.all()[0]), {"body 1 at (0, 1) moves up to 2.5 radii", "in 2 steps, first in step 4"});
  EXPECT_EQ(sentence_of(all.all()[0]).find("like it"), std::string::npos);
}

TEST(Warnings, no_example_has_any) {
  for (const auto& file : std::filesystem::directory_iterator(root / "examples")) {
    if (file.path().extension() != ".toml") continue;
    EXPECT_EQ(std::visit([](const auto& scene) { return kinds(scene); }, read_scene(file.path())), "") << file.path();
  }
}

TEST(Warnings, worst_value_keeps_its_place_and_cases_are_counted) {
  Warnings all;
  EXPECT_TRUE(all.add({WarningKind::penetration, 0.1, 0.0, "here", 5, 0.5}));
  EXPECT_FALSE(all.add({WarningKind::penetration, 0.3, 0.0, "there", 6, 0.6}));
  EXPECT_FALSE(all.add({WarningKind::penetration, 0.2, 0.0, "", 7, 0.7}));
  ASSERT_EQ(all.all().size(), 1u);
  const Warning& w = all.all()[0];
  EXPECT_EQ(w.count, 3u);
  EXPECT_EQ(w.step, 5u);
  EXPECT_EQ(w.value, 0.3);
  EXPECT_EQ(w.where, "there");
}

}  // namespace
}  // namespace moreau
