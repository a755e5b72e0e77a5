// Arrays of a course and the growth of its bodies. A source appends bodies, and their memory may move. Before a step that could
// do so while arrays look at it, the course moves to new memory by itself and leaves the old to the arrays: what is old is
// refused with a sentence, and never points to nothing.
#pragma once

#include <cmath>

#include "moreau/bodies/fields.hpp"
#include "moreau/python/held.hpp"

namespace moreau::python {

// More bodies than the next step can bring.
template <int D>
std::size_t bodies_to_come(const Model<D>& model, const State<D>& state) {
  double count = 0.0;
  for (std::size_t k = 0; k < model.sources.size(); ++k) {
    const Source<D>& source = model.sources[k];
    const double due = (state.time + model.time_step - source.start) * source.rate + 2.0;
    const double left = static_cast<double>(source.count - state.sources[k].emitted);
    count += std::max(0.0, std::min(left, due - static_cast<double>(state.sources[k].emitted)));
  }
  return static_cast<std::size_t>(std::min(count, 1e9)) + 1;
}

// Room for so many more in every array of the bodies; what had to move is left to the lease.
template <int D>
void make_room(Bodies<D>& bodies, std::size_t more, Lease& lease) {
  const auto grow = [&]<class T>(std::vector<T>& values) {
    if (values.capacity() - values.size() >= more) return;
    auto old = std::make_shared<std::vector<T>>(std::move(values));
    values.reserve(std::max(2 * old->size(), old->size() + more));
    values.assign(old->begin(), old->end());
    lease.kept.push_back(std::move(old));
  };
  fields::body_columns(bodies, [&](const char*, auto& values) { grow(values); });
}

}  // namespace moreau::python
