// Contacts of one detection added to those of another.
#include <algorithm>
#include <tuple>

#include "moreau/contact/detect.hpp"

namespace moreau::inline contact {

template <int D>
std::vector<std::int32_t> Detector<D>::include(const Detector& other) {
  MeshPoints<D> remembered;  // not worth a copy
  std::swap(remembered, meshes_);
  const Detector old = *this;
  std::swap(remembered, meshes_);
  std::vector<std::int32_t> from;
  from.reserve(old.found.size() + other.found.size());
  found.clear(), where.clear(), point.clear(), image.clear();
  const auto pair_of = [](const Detector& d, std::size_t i) {
    return std::tuple{d.found[i].a, d.found[i].b, d.image.empty() ? Image{} : d.image[i]};
  };
  const bool shapes = !old.point.empty() || !other.point.empty();
  const auto put = [&](const Detector& d, std::size_t i, bool mine, bool recalls) {
    from.push_back(mine ? static_cast<std::int32_t>(i) : -1);
    found.push_back(d.found[i]);
    if (!recalls) found.back().recalled = -1;
    if (!d.image.empty()) image.push_back(d.image[i]);
    if (!shapes) return;
    const TouchingPoint<D>* touching = d.point_of(i);
    point.push_back(touching ? static_cast<std::int32_t>(where.size()) : -1);
    if (touching) where.push_back(*touching);
  };
  std::size_t i = 0, k = 0;
  while (i < old.found.size() || k < other.found.size()) {
    if (k == other.found.size() || (i < old.found.size() && pair_of(old, i) < pair_of(other, k))) {
      put(old, i++, true, true);
      continue;
    }
    const auto pair = pair_of(other, k);
    const std::size_t begin = i;
    while (i < old.found.size() && pair_of(old, i) == pair) put(old, i++, true, true);
    for (; k < other.found.size() && pair_of(other, k) == pair; ++k) {
      const TouchingPoint<D>* touching = other.point_of(k);
      bool known = !touching && i > begin;
      for (std::size_t p = begin; p < i && touching; ++p) known |= old.point_of(p)->feature == touching->feature;
      // The rows of the table before may be taken already by the points that were known.
      if (!known) put(other, k, false, i == begin);
    }
  }
  std::fill(row.begin(), row.end(), 0);
  for (const FoundContact& contact : found) ++row[static_cast<std::size_t>(contact.a) + 1];
  for (std::size_t a = 0; a + 1 < row.size(); ++a) row[a + 1] += row[a];
  return from;
}

template std::vector<std::int32_t> Detector<2>::include(const Detector&);
template std::vector<std::int32_t> Detector<3>::include(const Detector&);

}  // namespace moreau::inline contact
