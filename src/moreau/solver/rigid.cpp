#include "moreau/solver/rigid.hpp"

#include "moreau/solver/mass_splitting.hpp"

namespace moreau {

namespace {

template <int D>
void store_vector(double (&to)[D][lanes], int lane, const Vec<D>& v) {
  for (int d = 0; d < D; ++d) to[d][lane] = v[d];
}

}  // namespace

template <>
RigidBody<2> Rigid<2>::moving_body(const Bodies<2>& bodies, std::size_t i, std::span<const Pose<2>>) {
  RigidBody<2> body{};
  body.inverse_mass = 1.0 / bodies.parameters.mass[i];
  body.inverse_inertia[0] = 1.0 / bodies.parameters.inertia[i];
  return body;
}

// I^-1 = R diag(1/I) R^T.
template <>
RigidBody<3> Rigid<3>::moving_body(const Bodies<3>& bodies, std::size_t i, std::span<const Pose<3>> poses) {
  RigidBody<3> body{};
  body.inverse_mass = 1.0 / bodies.parameters.mass[i];
  const Vec<3> principal = bodies.principal_inertia(i);
  const Vec<3>* row = poses[i].rotation.row;
  const auto entry = [&](int p, int q) {
    return row[p][0] * row[q][0] / principal[0] + row[p][1] * row[q][1] / principal[1] + row[p][2] * row[q][2] / principal[2];
  };
  body.inverse_inertia[0] = entry(0, 0), body.inverse_inertia[1] = entry(1, 1), body.inverse_inertia[2] = entry(2, 2);
  body.inverse_inertia[3] = entry(0, 1), body.inverse_inertia[4] = entry(0, 2), body.inverse_inertia[5] = entry(1, 2);
  return body;
}

template <>
double Rigid<2>::kinetic_square(const RigidBody<2>& body, const VelocityOf<2>& d) {
  return (d.c[0] * d.c[0] + d.c[1] * d.c[1]) / body.inverse_mass + d.c[2] * d.c[2] / body.inverse_inertia[0];
}

// w . I w with I the inverse of the symmetric I^-1, by cofactors.
template <>
double Rigid<3>::kinetic_square(const RigidBody<3>& body, const VelocityOf<3>& d) {
  const double* i = body.inverse_inertia;
  const double xx = i[1] * i[2] - i[5] * i[5], yy = i[0] * i[2] - i[4] * i[4], zz = i[0] * i[1] - i[3] * i[3];
  const double xy = i[4] * i[5] - i[3] * i[2], xz = i[3] * i[5] - i[4] * i[1], yz = i[3] * i[4] - i[0] * i[5];
  const double determinant = i[0] * xx + i[3] * xy + i[4] * xz;
  const double x = d.c[3], y = d.c[4], z = d.c[5];
  const double turning = (xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z)) / determinant;
  return (d.c[0] * d.c[0] + d.c[1] * d.c[1] + d.c[2] * d.c[2]) / body.inverse_mass + turning;
}

template <>
void Rigid<2>::pack(RigidBlock<2>& block, int lane, const RigidBody<2>& a, const RigidBody<2>& b, const RigidContact<2>& c) {
  const Vec<2> n = c.normal, t{{-n[1], n[0]}};
  const Vec<2> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t);
  const double normal = dot(n, along_n), coupling = dot(t, along_n), tangent = dot(t, along_t);
  store_vector(block.normal, lane, n);
  store_vector(block.arm_a, lane, c.arm_a);
  store_vector(block.arm_b, lane, c.arm_b);
  store_vector(block.impulse, lane, {{dot(n, c.impulse), dot(t, c.impulse)}});
  store_vector(block.bias, lane, {{dot(n, c.bias), dot(t, c.bias)}});
  block.inverse_normal[lane] = 1.0 / normal;
  block.coupling[0][lane] = coupling;
  block.schur[0][lane] = floored(tangent - coupling / normal * coupling, tangent);
  block.friction[lane] = c.friction;
}

template <>
void Rigid<3>::pack(RigidBlock<3>& block, int lane, const RigidBody<3>& a, const RigidBody<3>& b, const RigidContact<3>& c) {
  const Vec<3> n = c.normal, t = any_tangent(n), s = cross(n, t);
  const Vec<3> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t),
               along_s = velocity_gained(a, b, c, s);
  const TangentOperator h{dot(n, along_n), dot(t, along_n), dot(s, along_n), dot(t, along_t), dot(s, along_s), dot(s, along_t)};
  const DiagonalOperator turned = diagonal(h);
  const Vec<3> first = turned.cosine * t + turned.sine * s, second = cross(n, first);
  store_vector(block.normal, lane, n);
  store_vector(block.tangent, lane, first);
  store_vector(block.arm_a, lane, c.arm_a);
  store_vector(block.arm_b, lane, c.arm_b);
  store_vector(block.impulse, lane, {{dot(n, c.impulse), dot(first, c.impulse), dot(second, c.impulse)}});
  store_vector(block.bias, lane, {{dot(n, c.bias), dot(first, c.bias), dot(second, c.bias)}});
  block.inverse_normal[lane] = 1.0 / h.normal;
  for (int i = 0; i < 2; ++i) block.coupling[i][lane] = turned.coupling[i], block.schur[i][lane] = turned.schur[i];
  block.friction[lane] = c.friction;
}

template <>
void Rigid<2>::split(RigidBlock<2>& block, int l, const RigidBody<2>& a, const RigidBody<2>& b, Occurrences k) {
  Vec<2> tangent[1] = {{{-block.normal[1][l], block.normal[0][l]}}};
  add_to_operator(block, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
}
template <>
void Rigid<3>::split(RigidBlock<3>& block, int l, const RigidBody<3>& a, const RigidBody<3>& b, Occurrences k) {
  Vec<3> n, tangent[2];
  for (int d = 0; d < 3; ++d) n[d] = block.normal[d][l], tangent[0][d] = block.tangent[d][l];
  tangent[1] = cross(n, tangent[0]);
  add_to_operator(block, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
  store_vector(block.tangent, l, tangent[0]);
}

template <int D>
void Rigid<D>::make_neutral(RigidBlock<D>& block) {
  block = Block{};
  for (int l = 0; l < lanes; ++l) {
    block.inverse_normal[l] = 1.0;
    for (auto& eigenvalue : block.schur) eigenvalue[l] = 1.0;
  }
}

template <>
Vec<2> Rigid<2>::in_frame(const RigidBlock<2>& block, std::size_t l, const Vec<2>& v) {
  const double x = block.normal[0][l], y = block.normal[1][l];
  return {{x * v[0] + y * v[1], x * v[1] - y * v[0]}};
}
template <>
Vec<3> Rigid<3>::in_frame(const RigidBlock<3>& block, std::size_t l, const Vec<3>& v) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = block.normal[d][l], t[d] = block.tangent[d][l];
  return {{dot(n, v), dot(t, v), dot(cross(n, t), v)}};
}

template <>
Vec<2> Rigid<2>::impulse(const RigidBlock<2>& block, std::size_t l) {
  const Vec<2> n{{block.normal[0][l], block.normal[1][l]}};
  return block.impulse[0][l] * n + block.impulse[1][l] * Vec<2>{{-n[1], n[0]}};
}
template <>
Vec<3> Rigid<3>::impulse(const RigidBlock<3>& block, std::size_t l) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = block.normal[d][l], t[d] = block.tangent[d][l];
  return block.impulse[0][l] * n + block.impulse[1][l] * t + block.impulse[2][l] * cross(n, t);
}

template <int D>
ContactRow<D> Rigid<D>::row(const RigidBlock<D>& block, std::size_t l) {
  ContactRow<D> row;
  for (int d = 0; d < D; ++d) {
    row.frame[0][d] = block.normal[d][l], row.arm_a[d] = block.arm_a[d][l], row.arm_b[d] = block.arm_b[d][l];
    row.bias[d] = block.bias[d][l], row.impulse[d] = block.impulse[d][l];
    if constexpr (D == 3) row.frame[1][d] = block.tangent[d][l];
  }
  if constexpr (D == 2)
    row.frame[1] = {{-row.frame[0][1], row.frame[0][0]}};
  else
    row.frame[2] = cross(row.frame[0], row.frame[1]);
  row.friction = block.friction[l];
  return row;
}

template <int D>
StepBody<D> Rigid<D>::step_body(const RigidBody<D>& body, const VelocityOf<D>& free) {
  StepBody<D> r;
  r.inverse_mass = body.inverse_mass;
  const double* i = body.inverse_inertia;
  if constexpr (D == 2) {
    r.inverse_inertia[0][0] = i[0];
  } else {
    const double full[3][3] = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < 3; ++q) r.inverse_inertia[p][q] = full[p][q];
  }
  for (int d = 0; d < velocity_dimension<D>; ++d) r.free_velocity[d] = free.c[d];
  return r;
}

template struct Rigid<2>;
template struct Rigid<3>;

}  // namespace moreau
