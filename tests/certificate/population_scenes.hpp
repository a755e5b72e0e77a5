// Scenes of many kinds, and which of their steps belong to the population (population.hpp).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace moreau::population {

struct Recipe {
  std::string kind, scene;
  std::vector<int> steps;  // those that are taken, from 1
};

// Of all that is drawn at random. MOREAU_POPULATION_SEED names another: a population that no choice was made on.
inline int seed() {
  const char* given = std::getenv("MOREAU_POPULATION_SEED");
  return given ? std::atoi(given) : 3;
}

inline std::string chain(int dimension, const std::vector<double>& masses) {
  std::string text;
  for (std::size_t k = 0; k < masses.size(); ++k)
    text += fmt::format("[[grain]]\nposition = {}\nradius = 0.05\nmass = {}\n",
                        dimension == 2 ? fmt::format("[0, {}]", 0.05 + 0.1 * static_cast<double>(k))
                                       : fmt::format("[0, 0, {}]", 0.05 + 0.1 * static_cast<double>(k)),
                        masses[k]);
  return text;
}

inline std::string head(int dimension, double friction, const std::string& rule) {
  return fmt::format(
      "dimension = {}\nseed = {}\ngravity = 9.81\ntime = {{ step = 1e-3, duration = 10 }}\nmaterial = {{ density = 1000 }}\n"
      "law = {{ friction = {} }}\ncontact = {{ rule = \"{}\" }}\n",
      dimension, seed(), friction, rule);
}

inline std::string ground(int dimension) {
  return fmt::format("[[wall]]\nname = \"ground\"\nplane = {{ normal = {} }}\n", dimension == 2 ? "[0, 1]" : "[0, 0, 1]");
}

inline std::string box(int dimension, double width, double height) {
  return dimension == 2
             ? fmt::format("[[wall]]\nbox = {{ min = [0, 0], max = [{}, {}], open = [\"top\"] }}\n", width, height)
             : fmt::format("[[wall]]\nbox = {{ min = [0, 0, 0], max = [{0}, {0}, {1}], open = [\"top\"] }}\n", width, height);
}

inline std::string bricks(int count, double friction, const std::string& rule) {
  std::string text = head(2, friction, rule) + ground(2);
  for (int k = 0; k < count; ++k) text += fmt::format("[[block]]\nsize = [0.5, 0.1]\nposition = [0, {}]\n", 0.05 + 0.1 * k);
  return text;
}

inline std::string boxes(int count, const std::string& rule) {
  std::string text = head(3, 0.4, rule) + ground(3);
  for (int k = 0; k < count; ++k)
    text += fmt::format("[[block]]\nsize = [0.5, 0.5, 0.1]\nposition = [0, 0, {}]\n", 0.05 + 0.1 * k);
  return text;
}

inline std::string fill(int dimension, int count, const std::string& more = "") {
  return dimension == 2 ? fmt::format("[[grains]]\ncount = {}\ndiameter = {{ uniform = [0.06, 0.12] }}\nregion = {{ box = [[0, 0], [0.8, 2]] }}\n{}", count, more)
                        : fmt::format("[[grains]]\ncount = {}\ndiameter = {{ uniform = [0.08, 0.14] }}\nregion = {{ box = [[0, 0, 0], [0.45, 0.45, "
                                      "1.5]] }}\n{}", count, more);
}

// Balls of masses between 1 and `ratio`, drawn at random, stacked.
inline std::string mixed_chain(int dimension, double ratio, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> masses;
  for (int k = 0; k < 8; ++k) masses.push_back(std::pow(ratio, static_cast<double>(random() % 1001) / 1000.0));
  return chain(dimension, masses);
}

// A heavy ball let fall on a packing, or put on it.
inline std::string heavy_on_packing(int dimension, double mass) {
  return dimension == 2 ? fmt::format("[[grain]]\nposition = [0.4, 2.3]\nradius = 0.15\nmass = {}\nvelocity = [0, -8]\n", mass)
                        : fmt::format("[[grain]]\nposition = [0.22, 0.22, 1.8]\nradius = 0.15\nmass = {}\nvelocity = [0, 0, -7]\n", mass);
}

inline std::string blow(double friction, const std::string& rule, double mass) {
  return head(2, friction, rule) + ground(2) +
         fmt::format("[[brickwork]]\nbrick = [0.4, 0.2]\nlength = 1.6\ncourses = 5\n[[grain]]\nposition = [-0.21, 0.9]\nradius "
                     "= 0.2\nvelocity = [10, 0]\nmass = {}\n", mass);
}

inline std::string loaded_wall(double load, const std::string& rule) {
  return head(2, 0.6, rule) + ground(2) + "[[brickwork]]\nbrick = [0.4, 0.2]\nlength = 1.2\ncourses = 5\n" +
         fmt::format("[[block]]\nsize = [1.2, 0.2]\nposition = [0.6, 1.1]\nmass = {}\n", 80.0 * load);
}

inline std::string slab(double mass, const std::string& rule) {
  std::string text = head(3, 0.4, rule) + ground(3);
  for (const double x : {-0.4, 0.4})
    for (const double y : {-0.4, 0.4})
      for (int k = 0; k < 3; ++k)
        text += fmt::format("[[block]]\nsize = [0.1, 0.1, 0.1]\nposition = [{}, {}, {}]\nmass = 1\n", x, y, 0.05 + 0.1 * k);
  return text + fmt::format("[[block]]\nsize = [1, 1, 0.1]\nposition = [0, 0, 0.35]\nmass = {}\n", mass);
}

// Grains pressed by a lid, or by all walls, without gravity.
inline std::string pressed(int dimension, double friction, const std::string& rule, double mass) {
  std::string text = head(dimension, friction, rule);
  text.replace(text.find("gravity = 9.81"), 14, "gravity = 0");
  const char* box = dimension == 2 ? "min = [0, 0], max = [0.8, 0.8]" : "min = [0, 0, 0], max = [0.45, 0.45, 0.45]";
  text += fmt::format("[[wall]]\nname = \"box\"\nbox = {{ {} }}\n", box);
  text += dimension == 2 ? "[[grains]]\narrangement = \"lattice\"\ncount = 36\ndiameter = { uniform = [0.06, 0.12] }\nrandom_speed = 0.3\n"
                         : "[[grains]]\narrangement = \"lattice\"\ncount = 27\ndiameter = { uniform = [0.08, 0.14] }\nrandom_speed = 0.3\n";
  text += fmt::format("[[piston]]\nname = \"x\"\nwalls = [\"box.left\", \"box.right\"]\nstress = 200\nmass = {0}\n[[piston]]\nname = \"y\"\nwalls = "
                      "[\"box.bottom\", \"box.top\"]\nstress = 200\nmass = {0}\n", mass);
  return text;
}

inline std::string deforming_cell(int dimension, double friction, const std::string& rule) {
  std::string text = head(dimension, friction, rule);
  text.replace(text.find("gravity = 9.81"), 14, "gravity = 0");
  text += dimension == 2 ? "[cell]\nmin = [0, 0]\nmax = [0.9, 0.9]\nstress = { xx = 200, yy = 200 }\nrate = { xy = 0.5 }\n[[grains]]\ncount = 40\ndiameter = { "
                           "uniform = [0.06, 0.12] }\nrandom_speed = 0.3\n"
                         : "[cell]\nmin = [0, 0, 0]\nmax = [0.5, 0.5, 0.5]\nstress = { xx = 200, yy = 200, zz = 200 }\n[[grains]]\ncount = 30\ndiameter = { "
                           "uniform = [0.08, 0.14] }\nrandom_speed = 0.3\n";
  return text;
}

inline std::vector<Recipe> recipes() {
  std::vector<Recipe> all;
  const std::vector<int> early = {1, 2, 5, 20}, pour = {40, 60, 90, 130, 180, 250}, slow = {100, 150, 220, 300, 400};
  for (const std::string rule : {"midpoint", "predictive"}) {
    for (const int dimension : {2, 3}) {
      for (const double heavy : {10.0, 1e3, 1e6, 1e8}) {
        std::vector<double> masses(5, 1.0);
        masses.back() = heavy;
        all.push_back({"heavy on light", head(dimension, 0.4, rule) + chain(dimension, masses) + ground(dimension), early});
      }
      for (const double ratio : {1e4, 1e6, 1e8})
        all.push_back({"mixed masses", head(dimension, 0.4, rule) + mixed_chain(dimension, ratio, static_cast<unsigned>(seed()) + 4) + ground(dimension), early});
      for (const int n : {20, 60, 200})
        all.push_back(
            {"column", head(dimension, 0.4, rule) + chain(dimension, std::vector<double>(n, 1.0)) + ground(dimension), early});
      for (const double friction : {0.0, 0.3, 2.0}) {
        const std::string poured = head(dimension, friction, rule) + box(dimension, dimension == 2 ? 0.8 : 0.45, 3);
        all.push_back({"packing poured", poured + fill(dimension, 60), pour});
        for (const double mass : {friction == 0.3 ? 1e6 : 1e3, 1e8})
          all.push_back({"heavy ball on a packing", poured + fill(dimension, 30) + heavy_on_packing(dimension, mass), {150, 200, 250, 260, 300}});
        all.push_back({"pistons", pressed(dimension, friction, rule, friction == 2.0 ? 1e-2 : 10.0), slow});
        all.push_back({"deforming cell", deforming_cell(dimension, friction, rule), slow});
      }
    }
    for (const int n : {5, 20, 60}) all.push_back({"bricks", bricks(n, 0.5, rule), early});
    for (const int n : {5, 15}) all.push_back({"boxes", boxes(n, rule), early});
    for (const int stones : {7, 15, 25})
      all.push_back(
          {"arch", head(2, 0.7, rule) + fmt::format("[[arch]]\nradius = 1.0\nthickness = 0.25\nstones = {}\n", stones), early});
    all.push_back({"vault", head(3, 0.7, rule) + "[[arch]]\nradius = 1.0\nthickness = 0.25\ndepth = 0.4\nstones = 9\n", early});
    for (const double friction : {0.0, 0.6, 2.0})
      all.push_back(
          {"wall", head(2, friction, rule) + ground(2) + "[[brickwork]]\nbrick = [0.4, 0.2]\nlength = 2.0\ncourses = 8\n", early});
    for (const double load : {10.0, 1e3, 1e5}) all.push_back({"loaded wall", loaded_wall(load, rule), early});
    for (const double mass : {100.0, 1e4, 1e6}) all.push_back({"slab on columns", slab(mass, rule), early});
    for (const double mass : {10.0, 200.0, 1e4}) all.push_back({"blow on a wall", blow(0.6, rule, mass), {1, 2, 3, 5, 10}});
    for (const double friction : {0.0, 0.4, 2.0})
      all.push_back({"polyhedra poured",
                     head(3, friction, rule) + box(3, 0.5, 3) +
                         "[[blocks]]\ncount = 20\nrandom = { vertices = 12, radius = 0.08 }\nregion = { box = [[0, 0, 0], [0.5, "
                         "0.5, 1.2]] }\n",
                     {60, 100, 150, 220}});
    all.push_back(
        {"periodic cell",
         head(2, 0.3, rule) + "cell = { min = [0, 0], max = [0.8, 3], periodic = [\"x\"] }\n" + ground(2) +
             "[[grains]]\ncount = 60\ndiameter = { uniform = [0.06, 0.12] }\nregion = { box = [[0, 0.01], [0.8, 2]] }\n",
         pour});
  }
  return all;
}

}  // namespace moreau::population
