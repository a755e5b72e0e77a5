// Contacts between bodies of any shape under Coulomb's law: contact points anywhere on them, full local operators.
//
// With arms c_a, c_b from the centres to the contact, G u = v_a + spin_a x c_a - v_b - spin_b x c_b, and an impulse P on a
// changes
//   v_a by P/m_a,   spin_a by I_a^-1 (c_a x P);       v_b by -P/m_b,   spin_b by -I_b^-1 (c_b x P),
// all in the scaled form of solver_body.hpp. H = G A^-1 G^T is full. It is kept in a frame of its own: normal first, tangents
// along the eigenvectors of the Schur complement S = H_TT - H_TN H_NT / H_NN, so that five numbers hold it and the one-contact
// problem starts from diagonal form (law/coulomb_frame.hpp). Impulse and bias are stored in that frame.
#pragma once

#include <cstdint>

#include "moreau/base/lanes.hpp"
#include "moreau/solver/contact_kind.hpp"
#include "moreau/solver/formal_contact.hpp"
#include "moreau/solver/occurrences.hpp"
#include "moreau/solver/shaped_pack.hpp"
#include "moreau/solver/solver_body.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

template <int D>
struct Shaped {
  static constexpr int dimension = D, rows = D;  // rows: unknowns of a contact
  static constexpr ContactKind kind = ContactKind::shaped;
  static constexpr bool any_shape = true;
  template <class Real>
  using PackOf = ShapedPack<D, Real>;
  using Pack = ShapedPack<D>;

  template <class F, class... B>
  static void each_row(F&& f, B&... pack) {
    each_row_of_shaped<D>(f, pack...);
  }

  static void pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& contact);
  static void split(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, Occurrences k);  // as in Round
  static Vec<D> in_frame(const Pack& pack, std::size_t lane, const Vec<D>& v);                         // in that of the contact
  static Vec<D> normal(const Pack& pack, std::size_t lane) {
    Vec<D> n;
    for (int d = 0; d < D; ++d) n[d] = pack.normal[d][lane];
    return n;
  }
  static Vec<D> impulse(const Pack& pack, std::size_t lane);
  static Spin<D> couple(const Pack&, std::size_t) { return {}; }
  static ContactRow<D> row(const Pack& pack, std::size_t lane);  // as in Round
  static void set_impulse(Pack& pack, std::size_t lane, const StepContact<D>& contact) {
    for (int k = 0; k < D; ++k) pack.impulse[k][lane] = contact.impulse[k];
  }
};

}  // namespace moreau::inline solver
