// Steps of many kinds of scene, each with its solution to 1e-12 by the solvers of given matrices, which share no code with the
// step: what the estimate of the error is measured against.
#pragma once

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "moreau/engines/rigid/step_problem.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/solver/local_solver.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::population {

struct Recipe {
  std::string kind, scene;
  std::vector<int> steps;  // those that are taken, from 1
};

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
      "dimension = {}\nseed = 3\ngravity = 9.81\ntime = {{ step = 1e-3, duration = 10 }}\nmaterial = {{ density = 1000 }}\n"
      "law = {{ friction = {} }}\ncontact = {{ rule = \"{}\" }}\n",
      dimension, friction, rule);
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

inline std::vector<Recipe> recipes() {
  std::vector<Recipe> all;
  const std::vector<int> early = {1, 2, 5, 20}, pour = {40, 60, 90, 130, 180, 250};
  for (const char* rule : {"midpoint", "predictive"})
    for (const int dimension : {2, 3}) {
      for (const double heavy : {10.0, 1e3, 1e6, 1e8}) {
        std::vector<double> masses(5, 1.0);
        masses.back() = heavy;
        all.push_back({"heavy on light", head(dimension, 0.4, rule) + chain(dimension, masses) + ground(dimension), early});
      }
      for (const int n : {20, 60, 200})
        all.push_back(
            {"column", head(dimension, 0.4, rule) + chain(dimension, std::vector<double>(n, 1.0)) + ground(dimension), early});
      for (const double friction : {0.0, 0.3, 2.0}) {
        const std::string fill =
            dimension == 2
                ? "[[grains]]\ncount = 60\ndiameter = { uniform = [0.06, 0.12] }\nregion = { box = [[0, 0], [0.8, 2]] }\n"
                : "[[grains]]\ncount = 60\ndiameter = { uniform = [0.08, 0.14] }\nregion = { box = [[0, 0, 0], [0.45, 0.45, "
                  "1.5]] }\n";
        all.push_back(
            {"packing poured", head(dimension, friction, rule) + box(dimension, dimension == 2 ? 0.8 : 0.45, 3) + fill, pour});
      }
    }
  for (const char* rule : {"midpoint", "predictive"}) {
    for (const int n : {5, 20, 60}) all.push_back({"bricks", bricks(n, 0.5, rule), early});
    for (const int n : {5, 15}) all.push_back({"boxes", boxes(n, rule), early});
    for (const int stones : {7, 15, 25})
      all.push_back(
          {"arch", head(2, 0.7, rule) + fmt::format("[[arch]]\nradius = 1.0\nthickness = 0.25\nstones = {}\n", stones), early});
    all.push_back({"vault", head(3, 0.7, rule) + "[[arch]]\nradius = 1.0\nthickness = 0.25\ndepth = 0.4\nstones = 9\n", early});
    all.push_back(
        {"wall", head(2, 0.6, rule) + ground(2) + "[[brickwork]]\nbrick = [0.4, 0.2]\nlength = 2.0\ncourses = 8\n", early});
    all.push_back({"blow on a wall",
                   head(2, 0.6, rule) + ground(2) +
                       "[[brickwork]]\nbrick = [0.4, 0.2]\nlength = 1.6\ncourses = 5\n[[grain]]\nposition = [-0.21, 0.9]\nradius "
                       "= 0.2\nvelocity = [10, 0]\n",
                   {1, 2, 3, 5, 10}});
    all.push_back({"polyhedra poured",
                   head(3, 0.4, rule) + box(3, 0.5, 3) +
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

template <int D>
struct Step {
  StepSystem<D> system;          // impulses: those recalled, as sweeps begin
  std::vector<double> velocity;  // of the solution
  double scale = 0.0;            // h |g|
};

// From the matrices of a step: shares nothing with the layouts that sweeps work on.
template <int D>
StepSystem<D> system_of(const StepProblem& p) {
  constexpr int F = StepSystem<D>::freedoms;
  StepSystem<D> s;
  const Eigen::MatrixXd M = Eigen::MatrixXd(p.form.M);
  for (std::size_t b = 0; b < p.body.size(); ++b) {
    StepBody<D> body;
    const Eigen::Index first = static_cast<Eigen::Index>(F * b);
    body.inverse_mass = 1.0 / M(first, first);
    const Eigen::MatrixXd turning = M.block(first + D, first + D, spin_dimension<D>, spin_dimension<D>).inverse();
    for (int i = 0; i < spin_dimension<D>; ++i)
      for (int j = 0; j < spin_dimension<D>; ++j) body.inverse_inertia[i][j] = turning(i, j);
    const Eigen::VectorXd free = M.block(first, first, F, F).ldlt().solve(p.form.f.segment(first, F));
    for (int d = 0; d < F; ++d) body.free_velocity[d] = free[d];
    s.bodies.push_back(body);
  }
  for (std::size_t c = 0; c < p.form.friction.size(); ++c) {
    StepContact<D> contact;
    contact.friction = p.form.friction[c];
    for (int k = 0; k < D; ++k) {
      const Eigen::Index column = static_cast<Eigen::Index>(D * c + k);
      contact.bias[k] = p.form.w[column], contact.impulse[k] = p.recalled[column];
      for (Eigen::SparseMatrix<double>::InnerIterator e(p.form.H, column); e; ++e) {
        const std::int32_t body = static_cast<std::int32_t>(e.row() / F);
        if (contact.a < 0) contact.a = body;
        if (body != contact.a) contact.b = body;
      }
    }
    for (int k = 0; k < D; ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator e(p.form.H, static_cast<Eigen::Index>(D * c + k)); e; ++e)
        (e.row() / F == contact.a ? contact.on_a : contact.on_b)[k][e.row() % F] = e.value();
    s.contacts.push_back(contact);
  }
  s.complete();
  return s;
}

// The solution, if it is found to 1e-12 within the time.
template <int D>
std::optional<std::vector<double>> solution(const StepProblem& p, const StepSystem<D>& system) {
  const auto reduced = reduce(p.form);
  if (!reduced) return {};
  LocalSettings settings;
  settings.tolerance = 1e-12, settings.max_time = 1.0;
  settings.start = p.solved;
  const LocalResult result = solve_automatic(reduced->local, settings);
  if (!(result.certificate.error <= 1e-11)) return {};
  StepSystem<D> solved = system;
  for (std::size_t c = 0; c < solved.contacts.size(); ++c)
    for (int k = 0; k < D; ++k) solved.contacts[c].impulse[k] = result.impulse[static_cast<Eigen::Index>(D * c + k)];
  std::vector<double> velocity;
  solved.velocity_of_impulses(velocity);
  return velocity;
}

// f(kind, step number, Step<D>) for every step of the population whose solution is found.
template <class F>
void for_each_step(const std::vector<Recipe>& recipes, F&& f) {
  for (const Recipe& recipe : recipes) {
    AnyScene any = parse_scene(recipe.scene, recipe.kind);
    std::visit(
        [&]<int D>(Scene<D>& scene) {
          Simulation<D> simulation(scene.model, scene.bodies, scene.seed);
          std::size_t next = 0;
          simulation.inspect([&](const StepView<D>& now, const Certificate&) {
            if (next >= recipe.steps.size() || now.state.step + 1 != static_cast<std::uint64_t>(recipe.steps[next])) return;
            ++next;
            const StepProblem problem = step_problem(now);
            if (problem.form.friction.empty()) return;
            Step<D> step{system_of<D>(problem), {}, now.model.time_step * norm(now.model.gravity)};
            const auto solved = solution(problem, step.system);
            if (!solved) return;
            step.velocity = *solved;
            f(recipe.kind, recipe.steps[next - 1], step);
          });
          for (int k = 0; k < recipe.steps.back(); ++k) simulation.step();
        },
        any);
  }
}

// One plain sweep of Gauss-Seidel, contact after contact.
template <int D>
void sweep(StepSystem<D>& s, std::vector<double>& velocity) {
  constexpr int F = StepSystem<D>::freedoms;
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    StepContact<D>& contact = s.contacts[c];
    const Vec<D> u = s.local_velocity(c, velocity);
    const Vec<D> solved = coulomb_impulse(contact.own, u - contact.own * contact.impulse, contact.friction);
    const Vec<D> change = solved - contact.impulse;
    contact.impulse = solved;
    const auto push = [&](std::int32_t b, const double(&on)[D][F]) {
      if (b < 0) return;
      const StepBody<D>& body = s.bodies[static_cast<std::size_t>(b)];
      double momentum[F]{};
      for (int k = 0; k < D; ++k)
        for (int d = 0; d < F; ++d) momentum[d] += on[k][d] * change[k];
      double* v = velocity.data() + F * static_cast<std::size_t>(b);
      for (int d = 0; d < D; ++d) v[d] += body.inverse_mass * momentum[d];
      for (int i = 0; i < spin_dimension<D>; ++i)
        for (int j = 0; j < spin_dimension<D>; ++j) v[D + i] += body.inverse_inertia[i][j] * momentum[D + j];
    };
    push(contact.a, contact.on_a), push(contact.b, contact.on_b);
  }
}

}  // namespace moreau::population
