// A frame as measures read it.
#pragma once

#include "moreau/course/phases.hpp"
#include "moreau/measure/packing/sample.hpp"
#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

template <int D>
measure::Sample<D> sample_of(const ShownFrame<D>& shown, const Scene<D>& scene) {
  const Frame<D>& f = shown.frame;
  return measure::sample_of(model_of(scene, f), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
}

inline void push_back(std::vector<float>& values, const Vec<3>& v) {
  for (int d = 0; d < 3; ++d) values.push_back(static_cast<float>(v[d]));
}

}  // namespace moreau::web
