// Fabric tensor of a set of contacts: the mean of n (x) n, of trace 1 (Satake 1982).
#pragma once

#include "moreau/measure/contacts/contact_selection.hpp"
#include "moreau/measure/stress/tensor.hpp"

namespace moreau::measure {

template <int D>
struct Fabric {
  std::size_t contacts = 0;
  Tensor<D> tensor = Tensor<D>::Zero();
  // Amplitude a of the density of directions, 1 + a cos 2(t - t0) in the plane: 2 (F1 - F2); of 1 + a P2 in space, about the axis
  // that stands out from the other two: a = 5 (3 F - 1) / 2.
  double anisotropy = 0.0;
  Vec<D> direction{};  // of that axis
};

template <int D>
Fabric<D> fabric(const Sample<D>& sample, const std::vector<std::size_t>& contacts);

}  // namespace moreau::measure
