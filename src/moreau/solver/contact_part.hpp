// The components of one contact in a vector over all contacts.
#pragma once

#include <Eigen/Core>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline solver {

template <int D>
inline Vec<D> contact_part(const Eigen::VectorXd& all, int contact) {
  Vec<D> part;
  for (int i = 0; i < D; ++i) part[i] = all[D * contact + i];
  return part;
}

template <int D>
inline void set_contact_part(Eigen::VectorXd& all, int contact, const Vec<D>& part) {
  for (int i = 0; i < D; ++i) all[D * contact + i] = part[i];
}

}  // namespace moreau::inline solver
