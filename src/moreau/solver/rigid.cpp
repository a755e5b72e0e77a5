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
void Rigid<2>::pack(RigidBlock<2>& block, int lane, const Mobility<2>& a, const Mobility<2>& b, const GeneralContact<2>& c) {
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
void Rigid<3>::pack(RigidBlock<3>& block, int lane, const Mobility<3>& a, const Mobility<3>& b, const GeneralContact<3>& c) {
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
void Rigid<2>::split(RigidBlock<2>& block, int l, const Mobility<2>& a, const Mobility<2>& b, Occurrences k) {
  Vec<2> tangent[1] = {{{-block.normal[1][l], block.normal[0][l]}}};
  add_to_operator(block, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
}
template <>
void Rigid<3>::split(RigidBlock<3>& block, int l, const Mobility<3>& a, const Mobility<3>& b, Occurrences k) {
  Vec<3> n, tangent[2];
  for (int d = 0; d < 3; ++d) n[d] = block.normal[d][l], tangent[0][d] = block.tangent[d][l];
  tangent[1] = cross(n, tangent[0]);
  add_to_operator(block, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
  store_vector(block.tangent, l, tangent[0]);
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
ContactRow<D> Rigid<D>::row(const Block& block, std::size_t l) {
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
  row.bound.friction = block.friction[l];
  return row;
}

template struct Rigid<2>;
template struct Rigid<3>;

}  // namespace moreau
