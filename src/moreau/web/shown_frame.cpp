#include <algorithm>
#include <cmath>

#include "moreau/base/hash.hpp"
#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

template <int D>
ShownFrame<D>::ShownFrame(Frame<D> read) : frame(std::move(read)) {
  if (frame.lattice.any()) folded_ = folded(frame);
  const BodyParameters<D>& p = frame.parameters;
  row.assign(p.size(), -1);
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (p.kind[i] == BodyKind::removed) continue;
    row[i] = static_cast<std::int32_t>(body.size());
    body.push_back(static_cast<std::int32_t>(i));
    sum += p.radius[i];
  }
  if (!body.empty()) size = sum / static_cast<double>(body.size());
  Hash hash;
  hash.array(body), hash.array(p.radius), hash.array(p.kind), hash.array(p.shape);
  bodies = hash.hex();
}

template struct ShownFrame<2>;
template struct ShownFrame<3>;

}  // namespace moreau::web
