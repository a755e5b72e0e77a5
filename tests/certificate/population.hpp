// Steps of many kinds of scene (population_scenes.hpp), each with its solution to 1e-12 by the solvers of given matrices, which
// share no code with the step: what the estimate of the error is measured against.
#pragma once

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "certificate/population_scenes.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/solver/contact_domain.hpp"
#include "moreau/solver/given/global_problem.hpp"
#include "moreau/solver/given/local_solver.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::population {

template <int D>
struct Step {
  StepSystem<D> system;          // impulses: those recalled, as sweeps begin
  std::vector<double> velocity;  // of the solution
  double scale = 0.0;            // velocity scale of its certificate
};

// The step as matrices; pistons and the deformation of a cell are freedoms after those of the bodies.
template <int D>
GlobalProblem matrices_of(const StepSystem<D>& s) {
  constexpr int F = StepSystem<D>::freedoms, S = spin_dimension<D>;
  GlobalProblem p;
  p.dimension = D;
  std::vector<Eigen::Triplet<double>> mass, entries;
  const int rows = static_cast<int>(s.size()), columns = D * static_cast<int>(s.contacts.size());
  for (std::size_t b = 0; b < s.bodies.size(); ++b) {
    const int first = F * static_cast<int>(b);
    Eigen::Matrix<double, S, S> turning;
    for (int i = 0; i < S; ++i)
      for (int j = 0; j < S; ++j) turning(i, j) = s.bodies[b].inverse_inertia[i][j];
    turning = turning.inverse().eval();
    for (int d = 0; d < D; ++d) mass.emplace_back(first + d, first + d, 1.0 / s.bodies[b].inverse_mass);
    for (int i = 0; i < S; ++i)
      for (int j = 0; j < S; ++j) mass.emplace_back(first + D + i, first + D + j, turning(i, j));
  }
  for (std::size_t m = 0; m < s.motions.size(); ++m) {
    const int at = F * static_cast<int>(s.bodies.size()) + static_cast<int>(m);
    mass.emplace_back(at, at, 1.0 / s.motions[m].inverse_mass);
  }
  p.w.resize(columns);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    const StepContact<D>& contact = s.contacts[c];
    p.friction.push_back(contact.bound.friction);
    for (int k = 0; k < D; ++k) {
      const int column = D * static_cast<int>(c) + k;
      p.w[column] = contact.bias[k];
      for (int d = 0; d < F; ++d) {
        entries.emplace_back(F * contact.a + d, column, contact.on_a[k][d]);
        if (contact.b >= 0) entries.emplace_back(F * contact.b + d, column, contact.on_b[k][d]);
      }
    }
  }
  for (const Sharing<D>& sharing : s.sharings)
    for (int k = 0; k < D; ++k)
      entries.emplace_back(F * static_cast<int>(s.bodies.size()) + sharing.motion, D * static_cast<int>(sharing.contact) + k,
                           sharing.direction[k]);
  p.M.resize(rows, rows), p.H.resize(rows, columns);
  p.M.setFromTriplets(mass.begin(), mass.end()), p.H.setFromTriplets(entries.begin(), entries.end());
  std::vector<double> free;
  s.free_velocity(free);
  p.f = p.M * Eigen::Map<const Eigen::VectorXd>(free.data(), rows);
  return p;
}

// Velocities of the solution, if it is found to 1e-12 within the time. Begins from the impulses of the step.
template <int D>
std::optional<std::vector<double>> solution(const StepSystem<D>& system) {
  const auto reduced = reduce(matrices_of(system));
  if (!reduced) return {};
  LocalSettings settings;
  settings.tolerance = 1e-12, settings.max_time = 0.5;
  settings.start.resize(D * static_cast<Eigen::Index>(system.contacts.size()));
  for (std::size_t c = 0; c < system.contacts.size(); ++c)
    for (int k = 0; k < D; ++k) settings.start[static_cast<Eigen::Index>(D * c) + k] = system.contacts[c].impulse[k];
  const LocalResult result = solve_automatic(reduced->local, settings);
  if (!(result.certificate.error <= 1e-11)) return {};
  StepSystem<D> solved = system;
  for (std::size_t c = 0; c < solved.contacts.size(); ++c)
    for (int k = 0; k < D; ++k) solved.contacts[c].impulse[k] = result.impulse[static_cast<Eigen::Index>(D * c + k)];
  std::vector<double> velocity;
  solved.velocity_of_impulses(velocity);
  return velocity;
}

// The impulses that the sweeps of the step began with, in the frames of the system.
template <int D>
void recall(const StepView<D>& now, StepSystem<D>& system) {
  for (std::size_t i = 0; i < system.contacts.size(); ++i) {
    const ContactGeometry<D> geometry = now.geometry_of(i);
    const Vec<D> recalled = now.formal_contact(now.work.detector.found[i], geometry, {}, false).impulse;
    for (int k = 0; k < D; ++k) system.contacts[i].impulse[k] = dot(system.contacts[i].frame[k], recalled);
  }
}

// f(kind, step number, Step<D>) for every step of the population whose solution is found. Returns how many there are without one.
template <class F>
std::size_t for_each_step(const std::vector<Recipe>& recipes, F&& f) {
  std::size_t unsolved = 0;
  for (const Recipe& recipe : recipes) {
    AnyScene any = parse_scene(recipe.scene, recipe.kind);
    std::visit(
        [&]<int D>(Scene<D>& scene) {
          Simulation<D> simulation(scene.model, scene.bodies, scene.seed);
          std::size_t next = 0;
          simulation.inspect([&](const StepView<D>& now, const Certificate& certificate) {
            if (next >= recipe.steps.size() || now.state.step + 1 != static_cast<std::uint64_t>(recipe.steps[next])) return;
            ++next;
            Step<D> step{now.work.problem.system(), {}, certificate.velocity_scale};
            if (step.system.contacts.empty()) return;
            const auto solved = solution(step.system);
            if (!solved) return void(++unsolved);
            step.velocity = *solved;
            recall(now, step.system);
            f(recipe.kind, recipe.steps[next - 1], step);
          });
          for (int k = 0; k < recipe.steps.back(); ++k) simulation.step();
        },
        any);
  }
  return unsolved;
}

// One plain sweep of Gauss-Seidel, contact after contact.
template <int D>
void sweep(StepSystem<D>& s, std::vector<double>& velocity) {
  constexpr int F = StepSystem<D>::freedoms;
  std::vector<std::vector<const Sharing<D>*>> shared(s.contacts.size());
  for (const Sharing<D>& sharing : s.sharings) shared[sharing.contact].push_back(&sharing);
  for (std::size_t c = 0; c < s.contacts.size(); ++c) {
    StepContact<D>& contact = s.contacts[c];
    const Vec<D> u = s.local_velocity(c, velocity);
    const Vec<D> solved = law_impulse(contact, contact.impulse, u, 0.0);
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
    for (const Sharing<D>* sharing : shared[c]) {
      const std::size_t m = static_cast<std::size_t>(sharing->motion);
      velocity[F * s.bodies.size() + m] += s.motions[m].inverse_mass * dot(sharing->direction, change);
    }
  }
}

}  // namespace moreau::population
