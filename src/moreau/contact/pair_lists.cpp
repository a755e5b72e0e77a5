#include "moreau/contact/pair_lists.hpp"

#include <algorithm>
#include <limits>

#include "moreau/base/memory.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau::inline contact {

namespace {
constexpr std::size_t body_chunk = 512;

// Sorts different numbers, few of them mostly: the place of each is how many are smaller, counted for all side by side.
// `end`: up to where memory may be read.
void sort_few(std::int32_t* first, std::int32_t* last, const std::int32_t* end) {
  constexpr std::ptrdiff_t most = 16, width = 4;
  typedef std::int32_t Four __attribute__((vector_size(width * sizeof(std::int32_t))));
  const std::ptrdiff_t count = last - first;
  if (count < 2) return;
  if (count > most || end - first < most) return std::sort(first, last);
  Four value[most / width], smaller[most / width] = {};
  __builtin_memcpy(value, first, sizeof(value));
  for (std::ptrdiff_t k = 0; k < count; ++k)
    for (std::ptrdiff_t q = 0; q < most / width; ++q) smaller[q] -= value[q] > first[k];
  std::int32_t number[most], place[most];
  __builtin_memcpy(number, value, sizeof(value)), __builtin_memcpy(place, smaller, sizeof(smaller));
  for (std::ptrdiff_t k = 0; k < count; ++k) first[place[k]] = number[k];
}
}  // namespace

void PairLists::check_growth(std::size_t to) const {
  demand_memory(static_cast<double>(to) * static_cast<double>(sizeof(CandidatePair) + (with_images_ ? sizeof(Image) : 0)),
                "the pairs of bodies that may touch soon");
}

void PairLists::order(std::size_t n, std::vector<std::uint32_t>& row, std::vector<std::int32_t>& partner,
                      std::vector<Image>& image) const {
  double pairs = 0.0;
  for (const List& list : list_) pairs += static_cast<double>(list.pairs.size());
  demand_memory(pairs * (with_images_ ? 40.0 : 4.0), "the order of the pairs of bodies that may touch soon");
  if (pairs > static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
    throw MemoryShortage(
        "there are more pairs of bodies that may touch soon than can be counted: the bodies move too far in a step");
  row.assign(n + 1, 0);
  for (const List& list : list_)
    for (const CandidatePair& p : list.pairs) ++row[static_cast<std::size_t>(p.a) + 1];
  for (std::size_t a = 0; a < n; ++a) row[a + 1] += row[a];
  resize_tightly(partner, row[n]);
  std::vector<std::uint32_t> next(row.begin(), row.end() - 1);
  image.clear();
  if (!with_images_) {
    for (const List& list : list_)
      for (const CandidatePair& p : list.pairs) partner[next[static_cast<std::size_t>(p.a)]++] = p.b;
    for_chunks(n, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t a = begin; a < end; ++a)
        sort_few(partner.data() + row[a], partner.data() + row[a + 1], partner.data() + row[end]);
    });
    return;
  }
  std::vector<std::pair<std::int32_t, Image>> both(row[n]);
  for (const List& list : list_)
    for (std::size_t k = 0; k < list.pairs.size(); ++k)
      both[next[static_cast<std::size_t>(list.pairs[k].a)]++] = {list.pairs[k].b, list.images[k]};
  image.resize(row[n]);
  for_chunks(n, body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) std::sort(both.begin() + row[a], both.begin() + row[a + 1]);
    for (std::size_t p = row[begin]; p < row[end]; ++p) partner[p] = both[p].first, image[p] = both[p].second;
  });
}

}  // namespace moreau::inline contact
