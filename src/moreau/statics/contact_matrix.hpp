// The contact operator G (Combe 2001, sec. 3.2): relative velocities at the contacts from the velocities of all that may move,
//
//   U = G v,      Gt f: what contact forces f bring to every freedom,      equilibrium: Gt f + F = 0
//
// with U_N > 0 where a contact opens and f_N > 0 where it pushes. Gt is the transpose of G because the power of the contact
// forces is that of their resultants (eq. 3.10).
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "moreau/statics/contact.hpp"
#include "moreau/statics/freedoms.hpp"

namespace moreau::statics {

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// The row of one direction of a contact: put(column, value).
template <int D, class Put>
void contact_row(const Freedoms<D>& freedoms, std::span<const double> radius, const Contact<D>& c, const Vec<D>& axis,
                 Put&& put) {
  const auto act = [&](std::size_t body, const Vec<D>& arm, double sign) {
    if (!freedoms.takes_part(body)) return;
    for (int d = 0; d < D; ++d)
      if (const int column = freedoms.column(body, d); column >= 0) put(column, sign * axis[d]);
    if (!freedoms.spins) return;
    const Spin<D> turn = (sign / radius[body]) * moment(arm, axis);
    for (int s = 0; s < spin_dimension<D>; ++s) put(freedoms.column_of_spin(body, s), turn[s]);
  };
  act(static_cast<std::size_t>(c.pair.a), c.arm_a, 1.0);
  if (is_wall(c.pair.b)) {
    const std::size_t wall = static_cast<std::size_t>(wall_index(c.pair.b));
    if (const int k = freedoms.wall_piston[wall]; k >= 0)
      put(freedoms.column_of_piston(k), -dot(axis, freedoms.wall_direction[wall]));
    return;
  }
  act(static_cast<std::size_t>(c.pair.b), c.arm_b, -1.0);
  for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
    put(freedoms.column_of_gradient(static_cast<int>(k)),
        axis[freedoms.gradient[k].first] * c.branch[freedoms.gradient[k].second]);
}

// Rows: contact by contact the normal, then the tangents of those contacts that have them (`tangents` empty: none has).
template <int D>
SparseRows contact_matrix(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                          const std::vector<bool>& tangents = {});

// Whether some of these forces turn a body that moves: if none does, spins need no columns.
template <int D>
bool some_force_turns(const Freedoms<D>& freedoms, std::span<const double> radius, std::span<const Contact<D>> contacts,
                      const std::vector<bool>& tangents);

}  // namespace moreau::statics
