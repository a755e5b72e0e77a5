// Small scenes built by hand: balls, walls, one law between grains and one with walls, and a solver asked for nearly all digits.
// In the plane and in space alike, x is the first axis and up is the last.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/engines/simulation.hpp"

namespace moreau::sample {

constexpr double g = 9.81;

template <int D>
Vec<D> at(double x, double up) {
  Vec<D> v{};
  v[0] = x, v[D - 1] = up;
  return v;
}

// The spin that moves the top of a ball towards +x at `rate` times its radius: about -z in the plane, about +y in space.
template <int D>
Spin<D> forward_spin(double rate) {
  Spin<D> s{};
  if constexpr (D == 2)
    s[0] = -rate;
  else
    s[1] = rate;
  return s;
}
template <int D>
double forward_rate(const Spin<D>& s) {
  return D == 2 ? -s[0] : s[D == 2 ? 0 : 1];
}

template <int D>
inline constexpr double inertia_factor = D == 2 ? 0.5 : 0.4;  // I / (m r^2)
template <int D>
inline constexpr double tangent_factor = D == 2 ? 3.0 : 3.5;  // h_T / h_N

inline SolverSettings exact_solver() { return {.tolerance = 1e-12, .unbalanced_tolerance = 1e-9, .max_sweeps = 20000}; }

enum Matter { grains = 0, walls = 1 };

template <int D>
struct Sample {
  Model<D> model;
  Bodies<D> bodies;

  explicit Sample(double time_step, PairLaw law = {}, Vec<D> gravity = at<D>(0, -g)) {
    model.gravity = gravity;
    model.time_step = time_step;
    model.solver = exact_solver();
    model.materials = {{"grain", 1.0}, {"wall", 1.0}};
    laws(law, law);
  }

  Sample& laws(PairLaw between_grains, PairLaw with_walls) {
    model.pair_laws = {between_grains, with_walls, with_walls, with_walls};
    return *this;
  }

  Sample& floor(double height = 0.0) { return wall(at<D>(0, height), at<D>(0, 1)); }

  Sample& wall(Vec<D> point, Vec<D> normal, int motion = -1) {
    model.walls.push_back({"wall", {WallShape::plane, point, normalized(normal), 0.0}, walls, motion});
    return *this;
  }

  Sample& cylinder(double radius, int motion = -1) {
    model.walls.push_back({"cylinder", {WallShape::cylinder, {}, at<D>(0, 1), radius}, walls, motion});
    return *this;
  }

  // Side walls at x = 0 and x = width (and y in space).
  Sample& sides(double width) {
    for (int d = 0; d + 1 < D; ++d) {
      Vec<D> e{}, far{};
      e[d] = 1.0, far[d] = width;
      wall({}, e), wall(far, -e);
    }
    return *this;
  }

  int motion(Motion<D> m) {
    model.motions.push_back(m);
    return static_cast<int>(model.motions.size()) - 1;
  }

  Sample& ball(Vec<D> position, double radius, Vec<D> velocity = {}, Spin<D> spin = {}, double mass = 1.0) {
    NewBody<D> b;
    b.radius = radius, b.mass = mass, b.inertia = ball_inertia<D>(radius, mass);
    b.position = position, b.velocity = velocity, b.spin = spin;
    bodies.append(b);
    return *this;
  }

  Sample& obstacle(Vec<D> position, double radius, int motion = -1) {
    ball(position, radius);
    bodies.parameters.kind.back() = motion < 0 ? BodyKind::fixed : BodyKind::driven;
    bodies.parameters.motion.back() = motion;
    return *this;
  }

  Simulation<D> start(std::uint64_t seed = 0) const { return Simulation<D>(model, bodies, seed); }
};

template <int D>
Motion<D> steady(Vec<D> velocity) {
  Motion<D> m;
  m.kind = MotionKind::constant, m.velocity = velocity;
  return m;
}

template <int D>
Motion<D> shaken(Vec<D> amplitude, double frequency, double phase) {
  Motion<D> m;
  m.kind = MotionKind::sinusoid, m.amplitude = amplitude, m.frequency = frequency, m.phase = phase;
  return m;
}

template <int D>
double height(const Simulation<D>& s, std::size_t body) {
  return s.state().bodies.state.position[body][D - 1];
}

// Velocity of a relative to b at a contact, from body velocities given apart from the state; walls and obstacles at rest.
template <int D>
Vec<D> contact_velocity(const Bodies<D>& bodies, const BodyState<D>& motion, std::int32_t a, std::int32_t b, const Vec<D>& n) {
  const std::size_t i = static_cast<std::size_t>(a);
  Vec<D> u = motion.velocity[i] - cross(bodies.parameters.radius[i] * motion.spin[i], n);
  if (is_wall(b) || !bodies.is_free(static_cast<std::size_t>(b))) return u;
  const std::size_t j = static_cast<std::size_t>(b);
  return u - motion.velocity[j] - cross(bodies.parameters.radius[j] * motion.spin[j], n);
}

// Grains on a square lattice of `across` sites per side from x = 0, jittered, `count` in all, radii in [low, high] x 0.5 spacing.
template <int D, class Random>
void fill_lattice(Sample<D>& s, Random& random, int count, int across, double spacing, double low, double high, double bottom,
                  double speed) {
  for (int k = 0; k < count; ++k) {
    int rest = k;
    Vec<D> x{}, v{};
    for (int d = 0; d < D; ++d) {
      const int site = d + 1 < D ? rest % across : rest;
      rest /= across;
      x[d] = (site + 0.5) * spacing + (d + 1 < D ? 0.0 : bottom);
      v[d] = random.uniform(-speed, speed);
    }
    const double radius = 0.5 * spacing * random.uniform(low, high);
    for (int d = 0; d < D; ++d) x[d] += random.uniform(-1, 1) * (0.5 * spacing - radius);
    s.ball(x, radius, v, {}, ball_mass<D>(radius, 1.0));
  }
}

}  // namespace moreau::sample
