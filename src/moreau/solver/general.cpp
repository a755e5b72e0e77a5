#include "moreau/solver/general.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/solver/mass_splitting.hpp"

namespace moreau {

namespace {

template <int N>
void store_rows(double (*to)[lanes], int lane, const Vec<N>& v) {
  for (int d = 0; d < N; ++d) to[d][lane] = v[d];
}

// Largest eigenvalue of I_a^-1 + I_b^-1, or in space its bound by the sums of rows (exact for round bodies).
double turning(const RigidBody<2>& a, const RigidBody<2>& b) { return a.inverse_inertia[0] + b.inverse_inertia[0]; }
double turning(const RigidBody<3>& a, const RigidBody<3>& b) {
  double i[6];
  for (int k = 0; k < 6; ++k) i[k] = a.inverse_inertia[k] + b.inverse_inertia[k];
  return std::max(
      {i[0] + std::abs(i[3]) + std::abs(i[4]), i[1] + std::abs(i[3]) + std::abs(i[5]), i[2] + std::abs(i[4]) + std::abs(i[5])});
}

template <int D>
struct Frame {
  Vec<D> tangent[D - 1];  // rows of G: u_i = tangent_i . u
  Vec<D> dual[D - 1];     // P = P_N n + sum P_i tangent_i, P_i = dual_i . P
  double normal, coupling[D - 1], schur[D - 1];
};

Frame<2> frame_of(const RigidBody<2>& a, const RigidBody<2>& b, const GeneralContact<2>& c) {
  Frame<2> f{};
  const Vec<2> n = c.normal, t{{-n[1], n[0]}};
  const Vec<2> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t);
  f.tangent[0] = f.dual[0] = t;
  f.normal = dot(n, along_n), f.coupling[0] = dot(t, along_n);
  const double tangent = dot(t, along_t);
  f.schur[0] = floored(tangent - f.coupling[0] / f.normal * f.coupling[0], tangent);
  return f;
}

Frame<3> frame_of(const RigidBody<3>& a, const RigidBody<3>& b, const GeneralContact<3>& c) {
  const Vec<3> n = c.normal;
  const double along = c.law.along, across = 1.0 / along;
  const Vec<3> first = along == 1.0 ? any_tangent(n) : tangent_along(c.direction, n);
  const Vec<3> t = along * first, s = across * cross(n, first);
  const Vec<3> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t),
               along_s = velocity_gained(a, b, c, s);
  Frame<3> f{};
  const TangentOperator h{dot(n, along_n), dot(t, along_n), dot(s, along_n), dot(t, along_t), dot(s, along_s), dot(s, along_t)};
  const DiagonalOperator turned = diagonal(h);
  const double cosine = turned.cosine, sine = turned.sine;
  f.normal = h.normal;
  const Vec<3> dual_t = (across * across) * t, dual_s = (along * along) * s;
  f.tangent[0] = cosine * t + sine * s, f.tangent[1] = cosine * s - sine * t;
  f.dual[0] = cosine * dual_t + sine * dual_s, f.dual[1] = cosine * dual_s - sine * dual_t;
  for (int i = 0; i < 2; ++i) f.coupling[i] = turned.coupling[i], f.schur[i] = turned.schur[i];
  return f;
}

}  // namespace

template <int D, bool rolls>
auto General<D, rolls>::moving_body(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>> poses) -> Body {
  if (!poses.empty()) return {Rigid<D>::moving_body(bodies, i, poses)};
  Body body{};
  body.inverse_mass = 1.0 / bodies.parameters.mass[i];
  for (int d = 0; d < spin_dimension<D>; ++d) body.inverse_inertia[d] = 1.0 / bodies.parameters.inertia[i];
  return body;
}

template <int D, bool rolls>
void General<D, rolls>::pack(Block& block, int lane, const Body& a, const Body& b, const Contact& c) {
  const Frame<D> f = frame_of(a, b, c);
  store_rows(block.normal, lane, c.normal);
  store_rows(block.arm_a, lane, c.arm_a);
  store_rows(block.arm_b, lane, c.arm_b);
  block.impulse[0][lane] = dot(c.normal, c.impulse);
  block.bias[0][lane] = dot(c.normal, c.bias);
  for (int i = 0; i < D - 1; ++i) {
    store_rows(block.tangent[i], lane, f.tangent[i]);
    block.impulse[i + 1][lane] = dot(f.dual[i], c.impulse);
    block.bias[i + 1][lane] = dot(f.tangent[i], c.bias);
    block.coupling[i][lane] = f.coupling[i];
    block.schur[i][lane] = f.schur[i];
  }
  block.inverse_normal[lane] = 1.0 / f.normal;
  block.friction[lane] = c.law.friction;
  block.shear[lane] = c.law.shear, block.cap[lane] = c.law.cap, block.tension[lane] = c.law.tension;
  if constexpr (rolls) {
    const bool curved = c.radius > 0.0;  // between two flat faces there is nothing to roll
    const double radius = curved ? c.radius : 1.0, largest = radius * radius * turning(a, b);
    block.radius[lane] = radius;
    block.rolling[lane] = curved ? c.rolling : 0.0, block.pivoting[lane] = curved ? c.pivoting : 0.0;
    block.inverse_turning[lane] = largest > 0.0 ? 1.0 / largest : 0.0;
    store_rows(block.impulse + D, lane, (1.0 / radius) * c.couple);
    store_rows(block.bias + D, lane, radius * c.spin_bias);
  }
}

template <int D, bool rolls>
void General<D, rolls>::split(Block& block, int lane, const Body& a, const Body& b, Occurrences k) {
  const RigidBody<D> more_a = with_inverse_mass_times<D>(k.a - 1, a), more_b = with_inverse_mass_times<D>(k.b - 1, b);
  Vec<D> tangent[D - 1];
  for (int i = 0; i < D - 1; ++i)
    for (int d = 0; d < D; ++d) tangent[i][d] = block.tangent[i][d][lane];
  add_to_operator(block, lane, more_a, more_b, tangent);
  for (int i = 0; i < D - 1; ++i) store_rows(block.tangent[i], lane, tangent[i]);
  if constexpr (rolls)
    if (block.inverse_turning[lane] > 0.0)
      block.inverse_turning[lane] =
          1.0 / (1.0 / block.inverse_turning[lane] + block.radius[lane] * block.radius[lane] * turning(more_a, more_b));
}

template <int D, bool rolls>
void General<D, rolls>::make_neutral(Block& block) {
  block = Block{};
  for (int l = 0; l < lanes; ++l) {
    block.inverse_normal[l] = block.inverse_turning[l] = 1.0;
    for (auto& eigenvalue : block.schur) eigenvalue[l] = 1.0;
  }
}

template <int D, bool rolls>
Vec<D> General<D, rolls>::in_frame(const Block& block, std::size_t l, const Vec<D>& velocity) {
  Vec<D> w{};
  for (int d = 0; d < D; ++d) {
    w[0] += block.normal[d][l] * velocity[d];
    for (int i = 0; i < D - 1; ++i) w[i + 1] += block.tangent[i][d][l] * velocity[d];
  }
  return w;
}

template <int D, bool rolls>
Vec<D> General<D, rolls>::impulse(const Block& block, std::size_t l) {
  Vec<D> p{};
  for (int d = 0; d < D; ++d) {
    p[d] = block.impulse[0][l] * block.normal[d][l];
    for (int i = 0; i < D - 1; ++i) p[d] += block.impulse[i + 1][l] * block.tangent[i][d][l];
  }
  return p;
}

template <int D, bool rolls>
Spin<D> General<D, rolls>::couple(const Block& block, std::size_t l) {
  Spin<D> m{};
  if constexpr (rolls)
    for (int d = 0; d < spin_dimension<D>; ++d) m[d] = block.radius[l] * block.impulse[D + d][l];
  return m;
}

template struct General<2, false>;
template struct General<3, false>;
template struct General<2, true>;
template struct General<3, true>;

}  // namespace moreau
