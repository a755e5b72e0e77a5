#include "moreau/solver/shaped.hpp"

#include "moreau/solver/mass_splitting.hpp"

namespace moreau::inline solver {

namespace {

template <int D>
void store_vector(double (&to)[D][lanes], int lane, const Vec<D>& v) {
  for (int d = 0; d < D; ++d) to[d][lane] = v[d];
}

}  // namespace

template <>
void Shaped<2>::pack(ShapedPack<2>& pack, int lane, const Mobility<2>& a, const Mobility<2>& b, const GeneralContact<2>& c) {
  const Vec<2> n = c.normal, t{{-n[1], n[0]}};
  const Vec<2> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t);
  const double normal = dot(n, along_n), coupling = dot(t, along_n), tangent = dot(t, along_t);
  store_vector(pack.normal, lane, n);
  store_vector(pack.arm_a, lane, c.arm_a);
  store_vector(pack.arm_b, lane, c.arm_b);
  store_vector(pack.impulse, lane, {{dot(n, c.impulse), dot(t, c.impulse)}});
  store_vector(pack.bias, lane, {{dot(n, c.bias), dot(t, c.bias)}});
  pack.inverse_normal[lane] = 1.0 / normal;
  pack.coupling[0][lane] = coupling;
  pack.schur[0][lane] = floored(tangent - coupling / normal * coupling, tangent);
  pack.friction[lane] = c.friction;
}

template <>
void Shaped<3>::pack(ShapedPack<3>& pack, int lane, const Mobility<3>& a, const Mobility<3>& b, const GeneralContact<3>& c) {
  const Vec<3> n = c.normal, t = any_tangent(n), s = cross(n, t);
  const Vec<3> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t),
               along_s = velocity_gained(a, b, c, s);
  const TangentOperator h{dot(n, along_n), dot(t, along_n), dot(s, along_n), dot(t, along_t), dot(s, along_s), dot(s, along_t)};
  const DiagonalOperator turned = diagonal(h);
  const Vec<3> first = turned.cosine * t + turned.sine * s, second = cross(n, first);
  store_vector(pack.normal, lane, n);
  store_vector(pack.tangent, lane, first);
  store_vector(pack.arm_a, lane, c.arm_a);
  store_vector(pack.arm_b, lane, c.arm_b);
  store_vector(pack.impulse, lane, {{dot(n, c.impulse), dot(first, c.impulse), dot(second, c.impulse)}});
  store_vector(pack.bias, lane, {{dot(n, c.bias), dot(first, c.bias), dot(second, c.bias)}});
  pack.inverse_normal[lane] = 1.0 / h.normal;
  for (int i = 0; i < 2; ++i) pack.coupling[i][lane] = turned.coupling[i], pack.schur[i][lane] = turned.schur[i];
  pack.friction[lane] = c.friction;
}

template <>
void Shaped<2>::split(ShapedPack<2>& pack, int l, const Mobility<2>& a, const Mobility<2>& b, Occurrences k) {
  Vec<2> tangent[1] = {{{-pack.normal[1][l], pack.normal[0][l]}}};
  add_to_operator(pack, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
}
template <>
void Shaped<3>::split(ShapedPack<3>& pack, int l, const Mobility<3>& a, const Mobility<3>& b, Occurrences k) {
  Vec<3> n, tangent[2];
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], tangent[0][d] = pack.tangent[d][l];
  tangent[1] = cross(n, tangent[0]);
  add_to_operator(pack, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
  store_vector(pack.tangent, l, tangent[0]);
}

template <>
Vec<2> Shaped<2>::in_frame(const ShapedPack<2>& pack, std::size_t l, const Vec<2>& v) {
  const double x = pack.normal[0][l], y = pack.normal[1][l];
  return {{x * v[0] + y * v[1], x * v[1] - y * v[0]}};
}
template <>
Vec<3> Shaped<3>::in_frame(const ShapedPack<3>& pack, std::size_t l, const Vec<3>& v) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], t[d] = pack.tangent[d][l];
  return {{dot(n, v), dot(t, v), dot(cross(n, t), v)}};
}

template <>
Vec<2> Shaped<2>::impulse(const ShapedPack<2>& pack, std::size_t l) {
  const Vec<2> n{{pack.normal[0][l], pack.normal[1][l]}};
  return pack.impulse[0][l] * n + pack.impulse[1][l] * Vec<2>{{-n[1], n[0]}};
}
template <>
Vec<3> Shaped<3>::impulse(const ShapedPack<3>& pack, std::size_t l) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], t[d] = pack.tangent[d][l];
  return pack.impulse[0][l] * n + pack.impulse[1][l] * t + pack.impulse[2][l] * cross(n, t);
}

template <int D>
ContactRow<D> Shaped<D>::row(const Pack& pack, std::size_t l) {
  ContactRow<D> row;
  for (int d = 0; d < D; ++d) {
    row.frame[0][d] = pack.normal[d][l], row.arm_a[d] = pack.arm_a[d][l], row.arm_b[d] = pack.arm_b[d][l];
    row.bias[d] = pack.bias[d][l], row.impulse[d] = pack.impulse[d][l];
    if constexpr (D == 3) row.frame[1][d] = pack.tangent[d][l];
  }
  if constexpr (D == 2)
    row.frame[1] = {{-row.frame[0][1], row.frame[0][0]}};
  else
    row.frame[2] = cross(row.frame[0], row.frame[1]);
  row.bound.friction = pack.friction[l];
  return row;
}

template struct Shaped<2>;
template struct Shaped<3>;

}  // namespace moreau::inline solver
