// Meshes in scenes: walls, grains, sources.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "moreau/engines/simulation.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

namespace fs = std::filesystem;

const fs::path examples = fs::path(MOREAU_SOURCE_DIR) / "examples" / "meshes";

class Meshes : public testing::Test {
 protected:
  Meshes() : folder_(fs::temp_directory_path() / ("moreau-meshes-" + std::to_string(::getpid()))) { fs::create_directories(folder_); }
  ~Meshes() override { fs::remove_all(folder_); }

  // An OFF file; faces as polygons.
  void write(const std::string& name, const std::vector<Vec<3>>& vertices, const std::vector<std::vector<int>>& faces) {
    std::ofstream out(folder_ / name);
    out << "OFF\n" << vertices.size() << " " << faces.size() << " 0\n";
    for (const auto& v : vertices) out << v[0] << " " << v[1] << " " << v[2] << "\n";
    for (const auto& f : faces) {
      out << f.size();
      for (const int k : f) out << " " << k;
      out << "\n";
    }
  }
  // An angle iron: an L in x and y, one thick, extruded along z. Volume 3 z.
  void write_angle_iron(const std::string& name, double z) {
    const std::vector<Vec<2>> outline{{{0, 0}}, {{2, 0}}, {{2, 1}}, {{1, 1}}, {{1, 2}}, {{0, 2}}};
    std::vector<Vec<3>> vertices;
    for (const double height : {0.0, z})
      for (const auto& p : outline) vertices.push_back({{p[0], p[1], height}});
    std::vector<std::vector<int>> faces{{3, 2, 1, 0}, {5, 4, 3, 0}, {6, 7, 8, 9}, {6, 9, 10, 11}};
    for (int k = 0; k < 6; ++k) faces.push_back({k, (k + 1) % 6, (k + 1) % 6 + 6, k + 6});
    write(name, vertices, faces);
  }
  Scene<3> scene_of(const std::string& rest) {
    return std::get<Scene<3>>(parse_scene("dimension = 3\nseed = 4\ngravity = 10\n[time]\nstep = 1e-3\nduration = 2\n[material]\ndensity = "
                                          "2\n[law]\nfriction = 0.3\n" + rest, "s.toml", folder_));
  }

  fs::path folder_;
};

TEST_F(Meshes, body_of_a_mesh_has_its_mass_centre_and_inertia_whatever_stands_for_it) {
  write_angle_iron("l.off", 0.5);
  // Two boxes: 2 x 1 at (1, 0.5) and 1 x 1 at (0.5, 1.5).
  const double volume = 1.5, x = (2 * 1.0 + 1 * 0.5) / 3;
  const double spin_z = (2.0 * ((4 + 1) / 12.0 + (1 - x) * (1 - x) + (0.5 - x) * (0.5 - x)) +
                         1.0 * (2 / 12.0 + (0.5 - x) * (0.5 - x) + (1.5 - x) * (1.5 - x))) / 3;
  for (const std::string convex : {"hull", "parts"}) {
    const Scene<3> scene = scene_of("[[block]]\nmesh = \"l.off\"\nconvex = \"" + convex + "\"\n");
    const Shape<3>& shape = scene.bodies.shapes.at(0);
    EXPECT_NEAR(shape.volume, volume, 1e-12);
    EXPECT_NEAR(scene.bodies.parameters.mass[0], 2 * volume, 1e-12);
    const Vec<3>& centre = scene.bodies.state.position[0];
    EXPECT_NEAR(centre[0], x, 1e-12);
    EXPECT_NEAR(centre[1], x, 1e-12);
    EXPECT_NEAR(centre[2], 0.25, 1e-12);
    EXPECT_NEAR(*std::max_element(shape.gyration.c, shape.gyration.c + 3), spin_z, 1e-12);
    EXPECT_EQ(shape.parts.size(), convex == "hull" ? 1u : 2u);
    const Warning* said = scene.warnings.find(WarningKind::mesh);
    ASSERT_EQ(said != nullptr, convex == "hull");
    if (said != nullptr) {
      EXPECT_NE(sentence_of(*said).find("16.7 % more volume"), std::string::npos) << sentence_of(*said);
    }
  }
}

// Of mass 2 per volume; whichever way the file turns the triangles.
TEST_F(Meshes, surface_within_another_bounds_a_cavity_and_one_within_that_a_body_again) {
  const auto cube = [](double low, double high, std::vector<Vec<3>>& vertices, std::vector<std::vector<int>>& faces, bool inverted) {
    const int first = static_cast<int>(vertices.size());
    for (const double z : {low, high})
      for (const auto& [x, y] : {std::pair(low, low), {high, low}, {high, high}, {low, high}}) vertices.push_back({{x, y, z}});
    for (std::vector<int> face : std::vector<std::vector<int>>{
             {0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}) {
      if (inverted) std::ranges::reverse(face);
      for (int& v : face) v += first;
      faces.push_back(face);
    }
  };
  for (const bool inverted : {false, true})
    for (const std::string convex : {"hull", "parts"}) {
      std::vector<Vec<3>> vertices;
      std::vector<std::vector<int>> faces;
      cube(0.0, 4.0, vertices, faces, false);
      cube(1.0, 3.0, vertices, faces, inverted);  // off the middle of nothing: the centre stays
      cube(1.5, 2.5, vertices, faces, !inverted);
      write("nest.off", vertices, faces);
      const Scene<3> scene = scene_of("[[block]]\nmesh = \"nest.off\"\nconvex = \"" + convex + "\"\n");
      const double volume = 64.0 - 8.0 + 1.0;
      EXPECT_NEAR(scene.bodies.parameters.mass[0], 2.0 * volume, 1e-9) << convex << inverted;
      EXPECT_NEAR(norm(scene.bodies.state.position[0] - Vec<3>{{2.0, 2.0, 2.0}}), 0.0, 1e-12);
      const double gyration = (64.0 * 16.0 - 8.0 * 4.0 + 1.0) / 6.0 / volume;  // a^2 / 6 of a cube
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(scene.bodies.shapes.at(0).gyration[d], gyration, 1e-9);
      const Warning* said = scene.warnings.find(WarningKind::mesh);
      ASSERT_NE(said, nullptr);
      EXPECT_NE(sentence_of(*said).find("a surface within another bounds a cavity"), std::string::npos) << sentence_of(*said);
    }
  // Bodies side by side, as far as boxes tell one within the other: both count.
  write("ell.off", {{{0, 0, 0}}, {{4, 0, 0}}, {{0, 4, 0}}, {{0, 0, 4}}, {{3, 3, 3}}, {{3.5, 3, 3}}, {{3, 3.5, 3}}, {{3, 3, 3.5}}},
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {4, 6, 5}, {4, 5, 7}, {5, 6, 7}, {4, 7, 6}});
  EXPECT_NEAR(scene_of("[[block]]\nmesh = \"ell.off\"\n").bodies.parameters.mass[0], 2.0 * (64.0 + 0.125) / 6.0, 1e-9);
}

TEST_F(Meshes, holes_of_a_body_are_filled_when_asked_and_it_is_said) {
  // A cube of side 2 without its lid, and with a triangle of its bottom missing; the closed one has volume 8, centre 1.
  const std::vector<Vec<3>> corners{{{0, 0, 0}}, {{2, 0, 0}}, {{2, 2, 0}}, {{0, 2, 0}}, {{0, 0, 2}}, {{2, 0, 2}}, {{2, 2, 2}}, {{0, 2, 2}}};
  write("open.off", corners, {{0, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
  const Scene<3> scene = scene_of("[[block]]\nmesh = \"open.off\"\nconvex = \"parts\"\nholes = \"fill\"\n");
  EXPECT_NEAR(scene.bodies.parameters.mass[0], 2 * 8.0, 1e-12);
  for (int d = 0; d < 3; ++d) EXPECT_NEAR(scene.bodies.state.position[0][d], 1.0, 1e-12);
  const Warning* said = scene.warnings.find(WarningKind::mesh);
  ASSERT_NE(said, nullptr);
  EXPECT_NE(sentence_of(*said).find("2 holes are filled by 3 triangles, 25 % of the surface"), std::string::npos) << sentence_of(*said);
  try {
    scene_of("[[block]]\nmesh = \"open.off\"\n");
    FAIL() << "a body with a hole was taken";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("has a hole: no triangle joins triangle 1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("holes = \"fill\""), std::string::npos) << error.what();
  }
  // Two opposite triangles of a face are missing, and with them its corner is where two holes meet.
  write("twice.off", {{{0, 0, 0}}, {{1, 0, 0}}, {{1, 1, 0}}, {{0, 1, 0}}, {{0.5, 0.5, 0}}, {{0.5, 0.5, 1}}},
        {{0, 1, 4}, {2, 3, 4}, {0, 5, 1}, {1, 5, 2}, {2, 5, 3}, {3, 5, 0}});
  try {
    scene_of("[[block]]\nmesh = \"twice.off\"\nholes = \"fill\"\n");
    FAIL() << "holes that meet were filled";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("has holes that meet at the corner [0.5, 0.5, 0]"), std::string::npos) << error.what();
  }
}

TEST_F(Meshes, blocks_of_a_group_are_scaled_meshes_that_rest_on_a_mesh) {
  write_angle_iron("l.off", 1.0);
  write("floor.off", {{{-9, -9, 0}}, {{9, -9, 0}}, {{9, 9, 0}}, {{-9, 9, 0}}}, {{0, 1, 2}, {0, 2, 3}});
  Scene<3> scene = scene_of("[contact]\nrule = \"predictive\"\n[[wall]]\nmesh = \"floor.off\"\n[[blocks]]\ncount = 6\nmesh = \"l.off\"\nconvex = \"parts\"\nscale = 0.2\n"
                            "region = { box = [[-1, -1, 0.1], [1, 1, 2]] }\n");
  for (const Shape<3>& shape : scene.bodies.shapes) EXPECT_NEAR(shape.volume, 3 * 0.008, 1e-12);
  Simulation<3> run(scene.model, scene.bodies, scene.seed);
  for (int k = 0; k < 2000; ++k) run.step();
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_GT(run.state().bodies.state.position[i][2], 0.05);
    EXPECT_LT(run.state().bodies.state.position[i][2], 0.7);
    EXPECT_LT(norm(run.state().bodies.state.velocity[i]), 0.05);
  }
}

TEST_F(Meshes, mesh_is_placed_by_scale_rotation_and_position) {
  write("t.off", {{{0, 0, 0}}, {{2, 0, 0}}, {{0, 2, 0}}}, {{0, 1, 2}});
  const Scene<3> scene = scene_of("[[wall]]\nmesh = \"t.off\"\nscale = 0.5\nrotation = { axis = [1, 0, 0], angle = 1.5707963267948966 }\nposition = [0, 0, 3]\n"
                                  "[[grain]]\nradius = 0.1\nposition = [0, 1, 1]\n");
  const WallGeometry<3>& wall = scene.model.walls[0].geometry;
  Vec<3> low = wall.point, high = low;
  for (const auto& v : wall.mesh->mesh.vertices)
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], wall.point[d] + v[d]), high[d] = std::max(high[d], wall.point[d] + v[d]);
  EXPECT_NEAR(norm(low - Vec<3>{{0, 0, 3}}), 0.0, 1e-12);
  EXPECT_NEAR(norm(high - Vec<3>{{1, 0, 4}}), 0.0, 1e-12);
}

TEST_F(Meshes, source_brings_a_mixture_by_its_shares_onto_a_mesh) {
  write("floor.off", {{{-9, -9, 0}}, {{9, -9, 0}}, {{9, 9, 0}}, {{-9, 9, 0}}}, {{0, 1, 2}, {0, 2, 3}});
  Scene<3> scene = scene_of("[[wall]]\nmesh = \"floor.off\"\n[[source]]\nrate = 400\nspread = 8\ncentre = [0, 0, 5]\nmixture = [{ share = 3, radius = 0.05 }, "
                            "{ share = 1, size = [0.1, 0.1, 0.05] }]\n");
  scene.model.solver.max_sweeps = 50;
  Simulation<3> run(scene.model, scene.bodies, scene.seed);
  for (int k = 0; k < 500; ++k) run.step();
  const Bodies<3>& bodies = run.state().bodies;
  ASSERT_NEAR(static_cast<double>(bodies.size()), 200.0, 1.0);
  std::size_t blocks = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    blocks += !bodies.is_round(i);
    EXPECT_GE(bodies.state.position[i][2], 0.02);
  }
  EXPECT_GT(blocks, 30u);  // 50 with a standard deviation of 6
  EXPECT_LT(blocks, 70u);
}

TEST_F(Meshes, rate_of_mass_is_kept_whatever_the_sizes) {
  Scene<3> scene = scene_of("[[wall]]\nplane = { normal = [0, 0, 1] }\n[[source]]\nmass_rate = 0.8\nspread = 20\ndiameter = { uniform = [0.05, 0.2] }\n");
  scene.model.solver.max_sweeps = 50;
  Simulation<3> run(scene.model, scene.bodies, scene.seed);
  for (int k = 0; k < 800; ++k) run.step();
  double mass = 0.0, largest = 0.0;
  for (const double m : run.state().bodies.parameters.mass) mass += m, largest = std::max(largest, m);
  EXPECT_NEAR(mass, 0.8 * run.state().time, 1.01 * largest);
  EXPECT_EQ(run.state().sources[0].mass, mass);
}

TEST_F(Meshes, examples_are_accepted) {
  for (const auto& file : fs::directory_iterator(examples))
    if (file.path().extension() == ".toml") {
      EXPECT_NO_THROW(read_scene(file.path())) << file.path();
    }
}

}  // namespace
}  // namespace moreau
