#include "moreau/base/exact_sum.hpp"

#include "moreau/base/instruction_set.hpp"

namespace moreau::inline base {

namespace {

template <class Real, int digits>
MOREAU_INLINE void add_all(ExactSum<Real, digits>& sum, const LanesOf<Real>* rows, std::size_t count) {
  using Sum = ExactSum<Real, digits>;
  using Many = LanesOf<Real>;
  if (count == 0) return;
  Many largest{};
  for (std::size_t i = 0; i < count; ++i) {
    const Many size = rows[i] < Real(0) ? -rows[i] : rows[i];
    largest = size > largest ? size : largest;
  }
  Real top = largest[0];
  for (int l = 1; l < lanes_of<Real>; ++l) top = largest[l] > top ? largest[l] : top;
  if (!(top < Sum::too_large())) {
    ++sum.strange;
    return;
  }
  sum.raise(Sum::tier_of(top));
  Many round[digits], whole_part[digits];
  for (int k = 0; k < digits; ++k) round[k] = Many{} + Sum::rounder(sum.tier, k), whole_part[k] = Many{};
  for (std::size_t i = 0; i < count; ++i) {
    Many x = rows[i];
    for (int k = 0; k < digits; ++k) {
      const Many whole = (x + round[k]) - round[k];
      whole_part[k] += whole;
      x -= whole;
    }
  }
  for (int k = 0; k < digits; ++k) {
    double all = 0.0;  // without rounding errors, like the lanes
    for (int l = 0; l < lanes_of<Real>; ++l) all += static_cast<double>(whole_part[k][l]);
    if (!(all == all)) {  // what is no number is not the largest
      ++sum.strange;
      return;
    }
    sum.digit[k] += static_cast<std::int64_t>(all / static_cast<double>(Sum::unit(sum.tier, k)));
  }
}

#define MOREAU_ADD_ROWS(Real, digits)                                                                           \
  MOREAU_VERSIONS(void, add_rows, (ExactSum<Real, digits> & sum, const LanesOf<Real>* rows, std::size_t count), \
                  (sum, rows, count)) {                                                                         \
    add_all<Real, digits>(sum, rows, count);                                                                    \
  }
MOREAU_ADD_ROWS(double, 2)
MOREAU_ADD_ROWS(double, 3)
MOREAU_ADD_ROWS(float, 2)

}  // namespace

template <class Real, int digits>
void ExactSum<Real, digits>::add(const LanesOf<Real>* rows, std::size_t count) {
  add_rows(*this, rows, count);
}
template void ExactSum<double, 2>::add(const Lanes*, std::size_t);
template void ExactSum<double, 3>::add(const Lanes*, std::size_t);
template void ExactSum<float, 2>::add(const SingleLanes*, std::size_t);

}  // namespace moreau::inline base
