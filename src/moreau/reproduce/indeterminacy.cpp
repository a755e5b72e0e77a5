// Contact forces are not unique (Moreau 2003, sec. 8): clouds of them from random initial impulses and from permuted sweeps,
// against the exact set.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moreau/base/random.hpp"
#include "moreau/draw/plot.hpp"
#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/planar_statics.hpp"
#include "moreau/solver/dense_gauss_seidel.hpp"

namespace moreau::reproduce {

namespace {

// Forces of one contact found by repeated solves, in units of the total weight.
struct Cloud {
  std::vector<double> normal, tangential;
  int moving = 0;  // solves that did not end at rest, or did not converge

  void add(const PlanarStatics& s, const DenseResult& result, int contact) {
    if (!result.converged || s.unrest(result.impulse) > 1e-7) {
      ++moving;
      return;
    }
    normal.push_back(result.impulse[2 * contact] / s.weight);
    tangential.push_back(result.impulse[2 * contact + 1] / s.weight);
  }
};

DenseSettings settings_for(const PlanarStatics& s) {
  const double gained = s.load.cwiseQuotient(s.inertia).cwiseAbs().maxCoeff();
  return {.tolerance = 1e-11 * gained, .max_sweeps = 50000};
}

// Moreau's first way: the same problem, started from impulses drawn at random from a plausible domain, here normal ones up to the
// whole weight and tangential ones inside the cone.
Cloud from_random_starts(const PlanarStatics& s, int contact, int count, const Workshop& workshop) {
  const DenseProblem problem = s.problem();
  RandomStream random(1);
  Cloud cloud;
  for (int n = 0; n < count; ++n) {
    workshop.stop_if_interrupted();
    Eigen::VectorXd start(2 * s.contacts());
    for (int c = 0; c < s.contacts(); ++c) {
      start[2 * c] = random.uniform(0.0, s.weight);
      start[2 * c + 1] = random.uniform(-1.0, 1.0) * s.friction[static_cast<std::size_t>(c)] * start[2 * c];
    }
    cloud.add(s, solve_dense_gauss_seidel(problem, settings_for(s), start), contact);
  }
  return cloud;
}

// The lighter way: always from zero, but the contacts swept in another order.
Cloud from_permuted_sweeps(const PlanarStatics& s, int contact, int count, const Workshop& workshop) {
  const DenseProblem problem = s.problem();
  RandomStream random(2);
  Cloud cloud;
  DenseSettings settings = settings_for(s);
  settings.order.resize(static_cast<std::size_t>(s.contacts()));
  std::iota(settings.order.begin(), settings.order.end(), 0);
  for (int n = 0; n < count; ++n) {
    workshop.stop_if_interrupted();
    for (std::size_t k = settings.order.size(); k > 1; --k)
      std::swap(settings.order[k - 1],
                settings.order[std::min(k - 1, static_cast<std::size_t>(random.uniform(0.0, 1.0) * static_cast<double>(k)))]);
    cloud.add(s, solve_dense_gauss_seidel(problem, settings), contact);
  }
  return cloud;
}

struct Range {
  double low = 0.0, high = 0.0;
};
Range range_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

// How far the points of a cloud lie outside the convex polygon at most; 0 if all are inside.
double outside(const std::vector<Vec<2>>& polygon, const Cloud& cloud, double weight) {
  double worst = 0.0;
  for (std::size_t i = 0; i < cloud.normal.size(); ++i) {
    const Vec<2> p{{cloud.normal[i], cloud.tangential[i]}};
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vec<2> from = (1.0 / weight) * polygon[k], to = (1.0 / weight) * polygon[(k + 1) % polygon.size()], side = to - from;
      if (norm(side) < 1e-9) continue;
      worst = std::max(worst, -(side[0] * (p - from)[1] - side[1] * (p - from)[0]) / norm(side));  // inside is on the left
    }
  }
  return worst;
}

double area_of(const std::vector<Vec<2>>& polygon) {
  double twice = 0.0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec<2>&p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    twice += p[0] * q[1] - p[1] * q[0];
  }
  return 0.5 * twice;
}

Section assembly(const Workshop& workshop, const std::string& name, const std::string& title) {
  Section section{title};
  const PlanarStatics s = planar_statics(scene_of<2>(scene_text("indeterminacy", name), name + ".toml"));
  // The contact whose force is the least determined.
  int contact = -1;
  double widest = -1.0;
  int unbounded = 0, determined = 0;
  for (int c = 0; c < s.contacts(); ++c) {
    const std::vector<Vec<2>> box = admissible_set(s, c, 4);
    if (box.empty()) {
      ++unbounded;
      continue;
    }
    double low = box[0][0], high = low;
    for (const Vec<2>& v : box) low = std::min(low, v[0]), high = std::max(high, v[0]);
    determined += high - low < 1e-9 * s.weight;
    if (high - low > widest) widest = high - low, contact = c;
  }
  if (contact < 0) throw std::runtime_error(fmt::format("{}: no contact force is bounded, or the assembly cannot stand", title));
  const std::vector<Vec<2>> exact = admissible_set(s, contact, 720);
  const int count = workshop.quick ? 40 : 1000;
  const Cloud random = from_random_starts(s, contact, count, workshop);
  const Cloud permuted = from_permuted_sweeps(s, contact, count, workshop);
  const std::size_t k = static_cast<std::size_t>(contact);
  section.paragraphs = {
      fmt::format("{} bodies, {} contacts: {} unknown forces for {} equations of balance. Shown is the contact at ({:.3g}, "
                  "{:.3g}) with normal "
                  "({:.3g}, {:.3g}), the one whose normal force is the least determined; forces in units of the total weight. "
                  "The exact set is "
                  "the projection of a convex polyhedron, found by linear programs in 720 directions.",
                  s.inertia.size() / 3, s.contacts(), 2 * s.contacts(), s.inertia.size(), s.point[k][0], s.point[k][1],
                  s.normal[k][0], s.normal[k][1])};
  std::vector<double> exact_normal, exact_tangential;
  for (const Vec<2>& v : exact) exact_normal.push_back(v[0] / s.weight), exact_tangential.push_back(v[1] / s.weight);
  const Range allowed = range_of(exact_normal), found = range_of(random.normal), ordered = range_of(permuted.normal);
  const auto bounds = [](const Range& r) { return fmt::format("[{:.5f}, {:.5f}]", r.low, r.high); };
  section.rows = {
      {"contacts whose normal force is determined by balance alone", "not given",
       fmt::format("{} of {}", determined, s.contacts())},
      measured("area of the exact set / weight²", area_of(exact) / (s.weight * s.weight)),
      stated(fmt::format("{} random starts: all forces found are admissible", count), "admissible",
             fmt::format("{:.1e} of the weight outside the exact set at most; {} of {} ended at rest",
                         outside(exact, random, s.weight), random.normal.size(), count),
             !random.normal.empty() && outside(exact, random, s.weight) < 1e-7),
      stated("random starts: different starts give different forces", "a cloud", fmt::format("normal force in {}", bounds(found)),
             found.high - found.low > 1e-6),
      {"exact range of the normal force", "not given", bounds(allowed)},
      measured("share of the exact range covered by random starts", (found.high - found.low) / (allowed.high - allowed.low)),
      stated(fmt::format("{} permuted sweeps from zero: all forces found are admissible", count), "admissible",
             fmt::format("{:.1e} of the weight outside the exact set at most; {} of {} ended at rest",
                         outside(exact, permuted, s.weight), permuted.normal.size(), count),
             !permuted.normal.empty() && outside(exact, permuted, s.weight) < 1e-7),
      stated("permuted sweeps: the order of the sweep changes the forces", "different solutions",
             fmt::format("normal force in {}", bounds(ordered)), ordered.high - ordered.low > 1e-6),
      measured("share of the exact range covered by permuted sweeps",
               (ordered.high - ordered.low) / (allowed.high - allowed.low)),
  };
  exact_normal.push_back(exact_normal.front()), exact_tangential.push_back(exact_tangential.front());
  const auto file = workshop.figure("cloud-" + name + ".svg");
  draw_plot({.title = title,
             .x_label = "normal force / weight",
             .y_label = "tangential force / weight",
             .curves = {{"exact set", exact_normal, exact_tangential},
                        {"random starts", random.normal, random.tangential, true},
                        {"permuted sweeps", permuted.normal, permuted.tangential, true}}},
            file);
  section.figures.push_back({file, "Forces of one contact: each dot is one solution of the same problem of statics."});
  return section;
}

}  // namespace

Report indeterminacy(const Workshop& workshop) {
  Report report;
  report.protocol = {
      "A small assembly at rest is handed to the solver again and again: one step from zero velocity. First from impulses drawn "
      "at "
      "random, then from zero impulses with the contacts swept in a random order. Each solution at rest is a set of forces that "
      "obeys Coulomb's law and the balance of all bodies; the forces of one contact make a cloud. In the plane the set of all "
      "such "
      "forces is a convex polyhedron, so that the cloud can be compared with the exact set."};
  report.choices = {
      "The papers show no data; the assemblies, the friction 0.5 and the domain of the random starts (normal impulses up "
      "to the whole weight) are chosen here."};
  report.sections.push_back(assembly(workshop, "wall", "A wall of seven bricks"));
  report.sections.push_back(assembly(workshop, "packing", "A pyramid of ten discs"));
  return report;
}

}  // namespace moreau::reproduce
