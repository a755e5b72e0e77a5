// Mass splitting (Tonge, Benevolenski and Voroshilov 2012): contacts of one pack that share bodies are relaxed at the same time.
//
// A body that occurs k times in the pack is seen by each of these contacts as one k-th of itself: inverse mass and inertia count
// k times in their local operators H_c. With G_c A^-1 G_c^T the true ones, |sum_c G_c^T P_c|^2 <= k sum_c |G_c^T P_c|^2 in the
// norm of A^-1 makes the operator of the pack at most the diagonal of the H_c: simultaneous relaxations cannot overshoot, and
// what they converge to is the same. Impulses push the true bodies.
#pragma once

#include "moreau/solver/contact_operator.hpp"

namespace moreau::inline solver {

// A body with `factor` times the inverse mass and inertia.
template <int D>
Mobility<D> with_inverse_mass_times(double factor, const Mobility<D>& body) {
  Mobility<D> r = body;
  r.inverse_mass *= factor;
  for (double& i : r.inverse_inertia) i *= factor;
  return r;
}

// Adds what the bodies `a` and `b` bring to the local operator of a lane of a ShapedPack or GeneralPack. The frame turns with
// its Schur complement; `tangent`, rows of the frame, is renewed, the impulse and the bias are those they were.
template <class Pack>
void add_to_operator(Pack& pack, int l, const Mobility<2>& a, const Mobility<2>& b, Vec<2> (&tangent)[1]) {
  RigidContact<2> c;
  for (int d = 0; d < 2; ++d) c.normal[d] = pack.normal[d][l], c.arm_a[d] = pack.arm_a[d][l], c.arm_b[d] = pack.arm_b[d][l];
  const Vec<2> along_n = velocity_gained(a, b, c, c.normal), along_t = velocity_gained(a, b, c, tangent[0]);
  const double before = pack.coupling[0][l] * pack.inverse_normal[l] * pack.coupling[0][l];
  const double normal = 1.0 / pack.inverse_normal[l] + dot(c.normal, along_n);
  const double coupling = pack.coupling[0][l] + dot(tangent[0], along_n);
  const double all = pack.schur[0][l] + before + dot(tangent[0], along_t);
  pack.inverse_normal[l] = 1.0 / normal;
  pack.coupling[0][l] = coupling;
  pack.schur[0][l] = floored(all - coupling / normal * coupling, all);
}

template <class Pack>
void add_to_operator(Pack& pack, int l, const Mobility<3>& a, const Mobility<3>& b, Vec<3> (&tangent)[2]) {
  RigidContact<3> c;
  for (int d = 0; d < 3; ++d) c.normal[d] = pack.normal[d][l], c.arm_a[d] = pack.arm_a[d][l], c.arm_b[d] = pack.arm_b[d][l];
  const Vec<3> t = tangent[0], s = tangent[1];
  const Vec<3> along_n = velocity_gained(a, b, c, c.normal), along_t = velocity_gained(a, b, c, t),
               along_s = velocity_gained(a, b, c, s);
  const double inverse = pack.inverse_normal[l], k1 = pack.coupling[0][l], k2 = pack.coupling[1][l];
  TangentOperator h;
  h.normal = 1.0 / inverse + dot(c.normal, along_n);
  h.k1 = k1 + dot(t, along_n), h.k2 = k2 + dot(s, along_n);
  h.h11 = pack.schur[0][l] + k1 * inverse * k1 + dot(t, along_t);
  h.h22 = pack.schur[1][l] + k2 * inverse * k2 + dot(s, along_s);
  h.h12 = k1 * inverse * k2 + dot(s, along_t);
  const DiagonalOperator turned = diagonal(h);
  const auto turn = [&](double& x, double& y) {
    const double first = turned.cosine * x + turned.sine * y;
    y = turned.cosine * y - turned.sine * x, x = first;
  };
  for (int d = 0; d < 3; ++d) turn(tangent[0][d], tangent[1][d]);
  turn(pack.impulse[1][l], pack.impulse[2][l]);
  turn(pack.bias[1][l], pack.bias[2][l]);
  pack.inverse_normal[l] = 1.0 / h.normal;
  for (int i = 0; i < 2; ++i) pack.coupling[i][l] = turned.coupling[i], pack.schur[i][l] = turned.schur[i];
}

}  // namespace moreau::inline solver
