// Resizing arrays whose length changes a little at every step: room for a sixteenth more instead of the usual doubling.
#pragma once

#include <cstddef>

namespace moreau::inline base {

template <class Vector>
void resize_tightly(Vector& v, std::size_t n) {
  if (n > v.capacity()) {
    v.clear();  // the old content is not needed
    v.reserve(n + n / 16);
  }
  v.resize(n);
}

}  // namespace moreau::inline base
