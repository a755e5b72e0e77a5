// Arrays of a course and the growth of its bodies. A source appends bodies, and their memory may move. Before a step that does so
// while arrays look at it, the course moves to new memory by itself and leaves the old to the arrays: what is old is refused with
// a sentence, and never points to nothing.
#pragma once

#include <initializer_list>

#include "moreau/bodies/fields.hpp"
#include "moreau/python/held.hpp"

namespace moreau::python {

// The bodies go on in memory of their own; that which they had is left to those who look at it.
template <int D>
void leave_memory(Bodies<D>& bodies, std::initializer_list<Lease*> lookers) {
  fields::body_columns(bodies, [&]<class T>(const char*, std::vector<T>& values) {
    auto old = std::make_shared<std::vector<T>>(std::move(values));
    values.reserve(2 * old->size());
    values.assign(old->begin(), old->end());
    for (Lease* looker : lookers)
      if (looker) looker->kept.push_back(old);
  });
}

}  // namespace moreau::python
