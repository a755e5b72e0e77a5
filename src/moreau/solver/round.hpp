// Contacts between round bodies under Coulomb's law.
//
// The local operator H = G A^-1 G^T is h_N along the normal n and h_T in the tangent plane, without coupling. Spins are stored
// multiplied by the radius (solver_body.hpp): then G u = v_a - v_b - (s_a + s_b) x n needs no radius, and an impulse P on a
// changes
//   v_a by P/m_a,   s_a by -(r_a^2/I_a) n x P;       v_b by -P/m_b,   s_b by -(r_b^2/I_b) n x P.
#pragma once

#include <cstdint>

#include "moreau/base/lanes.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/solver/contact_kind.hpp"
#include "moreau/solver/formal_contact.hpp"
#include "moreau/solver/occurrences.hpp"
#include "moreau/solver/round_pack.hpp"
#include "moreau/solver/solver_body.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

// The bodies of the contact count k.a and k.b times in its operator, where it counted them once (mass_splitting.hpp).
template <class Pack, int D>
void split_round(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k) {
  const double normal = (k.a - 1) * a.inverse_mass + (k.b - 1) * b.inverse_mass;
  const double rolling = (k.a - 1) * a.inverse_inertia[0] + (k.b - 1) * b.inverse_inertia[0];
  pack.inverse_normal[lane] = 1.0 / (1.0 / pack.inverse_normal[lane] + normal);
  pack.inverse_tangent[lane] = 1.0 / (1.0 / pack.inverse_tangent[lane] + normal + rolling);
}

// For the error estimate and the finishing solver (step_system.hpp), from packs that keep impulses in the laboratory frame.
template <int D, class Pack>
ContactRow<D> row_of_round(const Pack& pack, std::size_t lane) {
  ContactRow<D> row;
  Vec<D> n, p, b;
  for (int d = 0; d < D; ++d) n[d] = pack.normal[d][lane], p[d] = pack.impulse[d][lane], b[d] = pack.bias[d][lane];
  row.frame[0] = n, row.arm_a = -n, row.arm_b = n, row.bound.friction = pack.friction[lane];
  if constexpr (D == 2)
    row.frame[1] = {{-n[1], n[0]}};
  else
    row.frame[1] = any_tangent(n), row.frame[2] = cross(n, row.frame[1]);
  for (int k = 0; k < D; ++k) row.bias[k] = dot(row.frame[k], b), row.impulse[k] = dot(row.frame[k], p);
  return row;
}
template <class Pack, int D>
void set_round_impulse(Pack& pack, std::size_t lane, const StepContact<D>& c) {
  for (int d = 0; d < D; ++d) {
    pack.impulse[d][lane] = (c.impulse[0] - c.tension) * c.frame[0][d];
    for (int k = 1; k < D; ++k) pack.impulse[d][lane] += c.impulse[k] * c.frame[k][d];
  }
}

template <int D>
struct Round {
  static constexpr int dimension = D, rows = D;  // rows: unknowns of a contact
  static constexpr ContactKind kind = ContactKind::round;
  static constexpr bool any_shape = false;
  template <class Real>
  using PackOf = RoundPack<D, Real>;
  using Pack = RoundPack<D>;

  template <class F, class... B>
  static void each_row(F&& f, B&... pack) {
    each_row_of_round<D>(f, pack...);
  }

  // `a` and `b` in the scaled form of solver_body.hpp, here and below; so are the arms of the contact.
  static void pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& contact) {
    const double normal = a.inverse_mass + b.inverse_mass + contact.compliance;
    for (int d = 0; d < D; ++d) {
      pack.normal[d][lane] = contact.normal[d];
      pack.impulse[d][lane] = contact.impulse[d];
      pack.bias[d][lane] = contact.bias[d];
    }
    pack.inverse_normal[lane] = 1.0 / normal;
    pack.inverse_tangent[lane] = 1.0 / (normal + a.inverse_inertia[0] + b.inverse_inertia[0]);
    pack.friction[lane] = contact.friction;
  }

  static void split(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k) {
    split_round(pack, lane, a, b, k);
  }

  // A vector in the frame in which the pack keeps impulse and bias: that of the laboratory.
  static Vec<D> in_frame(const Pack&, std::size_t, const Vec<D>& v) { return v; }
  static Vec<D> normal(const Pack& pack, std::size_t lane) {
    Vec<D> n;
    for (int d = 0; d < D; ++d) n[d] = pack.normal[d][lane];
    return n;
  }
  static Vec<D> impulse(const Pack& pack, std::size_t lane) {
    Vec<D> p;
    for (int d = 0; d < D; ++d) p[d] = pack.impulse[d][lane];
    return p;
  }
  static Spin<D> couple(const Pack&, std::size_t) { return {}; }

  static ContactRow<D> row(const Pack& pack, std::size_t lane) { return row_of_round<D>(pack, lane); }
  static void set_impulse(Pack& pack, std::size_t lane, const StepContact<D>& c) { set_round_impulse(pack, lane, c); }
};

}  // namespace moreau::inline solver
