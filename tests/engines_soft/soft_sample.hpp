// Small scenes for the soft engine, driven without anything between: model, state, engine.
#pragma once

#include <cmath>
#include <numbers>

#include "moreau/engines/soft/critical_step.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::soft_sample {

template <int D>
Vec<D> at(double x, double up) {
  Vec<D> v{};
  v[0] = x, v[D - 1] = up;
  return v;
}

// The spin that moves the point of a body on its +x side along the last axis at `rate` times the radius.
template <int D>
Spin<D> lifting_spin(double rate) {
  Spin<D> s{};
  s[D == 2 ? 0 : 1] = D == 2 ? rate : -rate;
  return s;
}

struct YieldingLaw : PairLaw {
  SoftLaw soft;
};

inline YieldingLaw soft_law(double k_n, double zeta, double friction = 0.0, double k_t = 0.0, double zeta_t = 0.0) {
  YieldingLaw law;
  law.friction = friction;
  law.soft.stiffness = k_n, law.soft.damping_ratio = zeta, law.soft.tangential_stiffness = k_t,
  law.soft.tangential_damping_ratio = zeta_t;
  return law;
}

template <int D>
struct SoftSample {
  Model<D> model;
  State<D> state;
  SoftEngine<D> engine;

  SoftSample(double step, const YieldingLaw& law, Integrator integrator = Integrator::verlet, Vec<D> gravity = {}) {
    model.time_step = step, model.gravity = gravity, model.soft.integrator = integrator;
    model.materials = {{"grain", 1.0}};
    obey(law);
  }
  void obey(const YieldingLaw& law) { model.pair_laws = {law}, model.soft_laws = {law.soft}; }

  SoftSample& ball(Vec<D> position, double radius, Vec<D> velocity = {}, Spin<D> spin = {}, double mass = 1.0) {
    NewBody<D> b;
    b.radius = radius, b.mass = mass, b.inertia = ball_inertia<D>(radius, mass);
    b.position = position, b.velocity = velocity, b.spin = spin;
    state.bodies.append(b);
    return *this;
  }
  SoftSample& fixed(Vec<D> position, double radius) {
    ball(position, radius);
    state.bodies.parameters.kind.back() = BodyKind::fixed;
    return *this;
  }
  SoftSample& wall(Vec<D> point, Vec<D> normal, int motion = -1) {
    model.walls.push_back({"wall", {WallShape::plane, point, normalized(normal), 0.0}, 0, motion});
    return *this;
  }

  StepReport step() { return engine.step(model, state); }
  StepReport steps(int n) {
    StepReport report;
    for (int k = 0; k < n; ++k) report = step();
    return report;
  }
  const Vec<D>& x(std::size_t i) const { return state.bodies.state.position[i]; }
  const Vec<D>& v(std::size_t i) const { return state.bodies.state.velocity[i]; }
  const Spin<D>& spin(std::size_t i) const { return state.bodies.state.spin[i]; }
};

}  // namespace moreau::soft_sample
