#include "moreau/engines/soft/push_line.hpp"

#include "moreau/base/instruction_set.hpp"

namespace moreau::soft {

namespace {

template <int D>
MOREAU_INLINE void add_all(const FoundContact* found, const PushLine<D>* rows, std::size_t n, PushLine<D>* sums) {
  for (std::size_t k = 0; k < n;) {
    const std::int32_t a = found[k].a;
    auto sum = row_of<D>(sums[a]);
    do {
      const auto row = row_of<D>(rows[k]);
      sum += row;
      if (const std::int32_t b = found[k].b; !is_wall(b)) write_row<D>(sums[b], row_of<D>(sums[b]) + turned_to_second<D>(row));
    } while (++k < n && found[k].a == a);
    write_row<D>(sums[a], sum);
  }
}

template <int D>
MOREAU_INLINE void sum_of_one(const PushLine<D>* rows, const std::uint32_t* second, const std::uint32_t* second_end,
                              std::size_t first, std::size_t last, PushLine<D>& total) {
  typename PushLayout<D>::Row sum{};
  for (; second != second_end; ++second) sum += turned_to_second<D>(row_of<D>(rows[*second]));
  for (; first < last; ++first) sum += row_of<D>(rows[first]);
  write_row<D>(total, sum);
}

}  // namespace

#define MOREAU_ADD_PUSHES(D)                                                                                                 \
  MOREAU_VERSIONS(void, add_pushes, (const FoundContact* found, const PushLine<D>* rows, std::size_t n, PushLine<D>* sums),  \
                  (found, rows, n, sums)) {                                                                                  \
    add_all<D>(found, rows, n, sums);                                                                                        \
  }                                                                                                                          \
  MOREAU_VERSIONS(void, sum_pushes,                                                                                          \
                  (const PushLine<D>* rows, const std::uint32_t* second, const std::uint32_t* second_end, std::size_t first, \
                   std::size_t last, PushLine<D>& sum),                                                                      \
                  (rows, second, second_end, first, last, sum)) {                                                            \
    sum_of_one<D>(rows, second, second_end, first, last, sum);                                                               \
  }
MOREAU_ADD_PUSHES(2)
MOREAU_ADD_PUSHES(3)
#undef MOREAU_ADD_PUSHES

}  // namespace moreau::soft
