#include "moreau/solver/general.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/solver/mass_splitting.hpp"

namespace moreau::inline solver {

namespace {

template <int N>
void store_rows(double (*to)[lanes], int lane, const Vec<N>& v) {
  for (int d = 0; d < N; ++d) to[d][lane] = v[d];
}

// Largest eigenvalue of what a unit of couple brings in spin, both divided by R; in space its bound by the sums of rows.
template <class Pack>
double turning(const Pack& pack, int l, const Mobility<2>& a, const Mobility<2>& b) {
  return pack.turn_a[l] * pack.turn_a[l] * a.inverse_inertia[0] + pack.turn_b[l] * pack.turn_b[l] * b.inverse_inertia[0];
}
template <class Pack>
double turning(const Pack& pack, int l, const Mobility<3>& a, const Mobility<3>& b) {
  const double square_a = pack.turn_a[l] * pack.turn_a[l], square_b = pack.turn_b[l] * pack.turn_b[l];
  double i[6];
  for (int k = 0; k < 6; ++k) i[k] = square_a * a.inverse_inertia[k] + square_b * b.inverse_inertia[k];
  return std::max(
      {i[0] + std::abs(i[3]) + std::abs(i[4]), i[1] + std::abs(i[3]) + std::abs(i[5]), i[2] + std::abs(i[4]) + std::abs(i[5])});
}

template <int D>
struct Frame {
  Vec<D> tangent[D - 1];  // rows of G: u_i = tangent_i . u
  Vec<D> dual[D - 1];     // P = P_N n + sum P_i tangent_i, P_i = dual_i . P
  double normal, coupling[D - 1], schur[D - 1];
};

Frame<2> frame_of(const Mobility<2>& a, const Mobility<2>& b, const GeneralContact<2>& c) {
  Frame<2> f{};
  const Vec<2> n = c.normal, t{{-n[1], n[0]}};
  const Vec<2> along_n = velocity_gained(a, b, c, n), along_t = velocity_gained(a, b, c, t);
  f.tangent[0] = f.dual[0] = t;
  f.normal = dot(n, along_n), f.coupling[0] = dot(t, along_n);
  const double tangent = dot(t, along_t);
  f.schur[0] = floored(tangent - f.coupling[0] / f.normal * f.coupling[0], tangent);
  return f;
}

Frame<3> frame_of(const Mobility<3>& a, const Mobility<3>& b, const GeneralContact<3>& c) {
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
void General<D, rolls>::pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& c) {
  const Frame<D> f = frame_of(a, b, c);
  store_rows(pack.normal, lane, c.normal);
  store_rows(pack.arm_a, lane, c.arm_a);
  store_rows(pack.arm_b, lane, c.arm_b);
  pack.impulse[0][lane] = dot(c.normal, c.impulse);
  pack.bias[0][lane] = dot(c.normal, c.bias);
  for (int i = 0; i < D - 1; ++i) {
    store_rows(pack.tangent[i], lane, f.tangent[i]);
    pack.impulse[i + 1][lane] = dot(f.dual[i], c.impulse);
    pack.bias[i + 1][lane] = dot(f.tangent[i], c.bias);
    pack.coupling[i][lane] = f.coupling[i];
    pack.schur[i][lane] = f.schur[i];
  }
  pack.inverse_normal[lane] = 1.0 / f.normal;
  double largest = 0.0;
  if constexpr (rolls) pack.turn_a[lane] = c.turn_a, pack.turn_b[lane] = c.turn_b, largest = turning(pack, lane, a, b);
  pack_law(pack, lane, c, largest);
}

template <int D, bool rolls>
void General<D, rolls>::split(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k) {
  const Mobility<D> more_a = with_inverse_mass_times<D>(k.a - 1, a), more_b = with_inverse_mass_times<D>(k.b - 1, b);
  Vec<D> tangent[D - 1];
  for (int i = 0; i < D - 1; ++i)
    for (int d = 0; d < D; ++d) tangent[i][d] = pack.tangent[i][d][lane];
  add_to_operator(pack, lane, more_a, more_b, tangent);
  for (int i = 0; i < D - 1; ++i) store_rows(pack.tangent[i], lane, tangent[i]);
  if constexpr (rolls)
    if (pack.inverse_turning[lane] > 0.0)
      pack.inverse_turning[lane] = 1.0 / (1.0 / pack.inverse_turning[lane] + turning(pack, lane, more_a, more_b));
}

template <int D, bool rolls>
Vec<D> General<D, rolls>::in_frame(const Pack& pack, std::size_t l, const Vec<D>& velocity) {
  Vec<D> w{};
  for (int d = 0; d < D; ++d) {
    w[0] += pack.normal[d][l] * velocity[d];
    for (int i = 0; i < D - 1; ++i) w[i + 1] += pack.tangent[i][d][l] * velocity[d];
  }
  return w;
}

template <int D, bool rolls>
Vec<D> General<D, rolls>::impulse(const Pack& pack, std::size_t l) {
  Vec<D> p{};
  for (int d = 0; d < D; ++d) {
    p[d] = pack.impulse[0][l] * pack.normal[d][l];
    for (int i = 0; i < D - 1; ++i) p[d] += pack.impulse[i + 1][l] * pack.tangent[i][d][l];
  }
  return p;
}

template <int D, bool rolls>
ContactRow<D> General<D, rolls>::row(const Pack& pack, std::size_t l) {
  ContactRow<D> row;
  for (int d = 0; d < D; ++d) {
    row.frame[0][d] = pack.normal[d][l], row.arm_a[d] = pack.arm_a[d][l], row.arm_b[d] = pack.arm_b[d][l];
    row.bias[d] = pack.bias[d][l], row.impulse[d] = pack.impulse[d][l];
    for (int i = 0; i < D - 1; ++i) row.frame[i + 1][d] = pack.tangent[i][d][l];
  }
  put_law(pack, l, row);
  return row;
}

// Not the whole structure: Clang 14 would make the members of rolling contacts for the others, too.
#define MOREAU_GENERAL(D, rolls)                                                                                       \
  template void General<D, rolls>::pack(Pack&, int, const Mobility<D>&, const Mobility<D>&, const GeneralContact<D>&); \
  template void General<D, rolls>::split(Pack&, int, const Mobility<D>&, const Mobility<D>&, Occurrences);             \
  template Vec<D> General<D, rolls>::in_frame(const Pack&, std::size_t, const Vec<D>&);                                \
  template Vec<D> General<D, rolls>::impulse(const Pack&, std::size_t);                                                \
  template ContactRow<D> General<D, rolls>::row(const Pack&, std::size_t);
MOREAU_GENERAL(2, false)
MOREAU_GENERAL(3, false)
MOREAU_GENERAL(2, true)
MOREAU_GENERAL(3, true)
#undef MOREAU_GENERAL

}  // namespace moreau::inline solver
