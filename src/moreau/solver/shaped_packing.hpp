// A contact between bodies of any shape under Coulomb's law (shaped.hpp) put into its lane, here and on a graphics card.
#pragma once

#include "moreau/solver/contact_operator.hpp"
#include "moreau/solver/shaped_pack.hpp"

namespace moreau::inline solver {

template <int D>
MOREAU_BOTH void store_vector(double (&to)[D][lanes], int lane, const Vec<D>& v) {
  for (int d = 0; d < D; ++d) to[d][lane] = v[d];
}

MOREAU_BOTH inline void put_shaped(ShapedPack<2>& pack, int lane, const Mobility<2>& a, const Mobility<2>& b, const RigidContact<2>& c) {
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
MOREAU_BOTH inline void put_shaped(ShapedPack<3>& pack, int lane, const Mobility<3>& a, const Mobility<3>& b, const RigidContact<3>& c) {
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

// A vector in the frame of a lane.
MOREAU_BOTH inline Vec<2> in_frame_of_shaped(const ShapedPack<2>& pack, std::size_t l, const Vec<2>& v) {
  const double x = pack.normal[0][l], y = pack.normal[1][l];
  return {{x * v[0] + y * v[1], x * v[1] - y * v[0]}};
}
MOREAU_BOTH inline Vec<3> in_frame_of_shaped(const ShapedPack<3>& pack, std::size_t l, const Vec<3>& v) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], t[d] = pack.tangent[d][l];
  return {{dot(n, v), dot(t, v), dot(cross(n, t), v)}};
}

// The impulse of a lane, in the laboratory frame.
MOREAU_BOTH inline Vec<2> impulse_of_shaped(const ShapedPack<2>& pack, std::size_t l) {
  const Vec<2> n{{pack.normal[0][l], pack.normal[1][l]}};
  return pack.impulse[0][l] * n + pack.impulse[1][l] * Vec<2>{{-n[1], n[0]}};
}
MOREAU_BOTH inline Vec<3> impulse_of_shaped(const ShapedPack<3>& pack, std::size_t l) {
  Vec<3> n, t;
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], t[d] = pack.tangent[d][l];
  return pack.impulse[0][l] * n + pack.impulse[1][l] * t + pack.impulse[2][l] * cross(n, t);
}

}  // namespace moreau::inline solver
