// Periodic space on a card: each body once inside the cell, and copies of those near its faces (contact/periodic_points.hpp). A
// pair meets through an image of its second body, which is named by the cells between the two and a copy beside the cell.
#pragma once

#include <algorithm>
#include <vector>

#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau::gpu {

template <int D>
struct PeriodicSpace {
  static constexpr int most_copies = D == 2 ? 9 : 27;  // of a body, itself among them
  bool any = false;
  int copies = 1;          // numbered by increasing image: copies - 1 - c lies opposite of c, the one in the middle is the body
  Lattice<D> lattice{};    // its vectors are those of images
  Matrix<D> basis{};       // reduced vectors
  Matrix<D> to_numbers{};  // its inverse
  double width[D] = {};    // between opposite faces
  Image step[D] = {};      // along each vector of the basis
  Image image[most_copies]{};
  std::int8_t away[most_copies][D]{};  // in vectors of the basis

  PeriodicSpace() = default;
  explicit PeriodicSpace(const Lattice<D>& given) : any(given.any()), lattice(given) {
    if (!any) return;
    std::int64_t z[D][D];
    basis = reduced(given, z), to_numbers = inverse(basis);
    for (int d = 0; d < D; ++d) {
      width[d] = 1.0 / norm(to_numbers.row[d]);
      std::int64_t along[D];
      for (int i = 0; i < D; ++i) along[i] = z[i][d];
      step[d] = image_of<D>(along);
    }
    struct Copy {
      Image image = 0;
      std::int8_t away[D] = {};
    };
    std::vector<Copy> all(1);
    for (int d = 0; d < D; ++d)
      if (given.periodic[d])
        for (std::size_t k = 0, known = all.size(); k < known; ++k)
          for (const int side : {-1, 1}) {
            Copy copy = all[k];
            copy.image += side * step[d], copy.away[d] = static_cast<std::int8_t>(side);
            all.push_back(copy);
          }
    std::sort(all.begin(), all.end(), [](const Copy& x, const Copy& y) { return x.image < y.image; });
    copies = static_cast<int>(all.size());
    for (int c = 0; c < copies; ++c) {
      image[c] = all[static_cast<std::size_t>(c)].image;
      for (int d = 0; d < D; ++d) away[c][d] = all[static_cast<std::size_t>(c)].away[d];
    }
  }

  // Whether whatever a body can reach is among the copies next to the cell.
  bool holds(double reach) const {
    for (int d = 0; d < D; ++d)
      if (lattice.periodic[d] && !(2.0 * reach <= width[d])) return false;
    return true;
  }
  MOREAU_INLINE int itself() const { return copies / 2; }
  MOREAU_INLINE int copy_of(Image of_copy) const {
    int c = 0;
    while (image[c] != of_copy) ++c;
    return c;
  }
  MOREAU_INLINE Vec<D> numbers(const Vec<D>& x) const { return to_numbers * (x - lattice.origin); }
};

}  // namespace moreau::gpu
