// Eight contacts side by side that take part in a motion which many share (shared_motion.hpp): a pack in double precision, half of
// one in single. A cell under stress has as many of them as its contacts have packs, for each of its components, and each sweep
// goes over all of them twice or three times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/lanes.hpp"
#include "moreau/solver/sharing.hpp"

namespace moreau::inline solver {

template <int D>
struct SharedPack {
  LaneRow direction[D];     // of the contacts (sharing.hpp); zero where a lane has no part in the motion
  std::uint32_t place = 0;  // of its first lane
  std::int32_t motion = 0;
};

// What `sharings` (contacts by their places, at most one for a contact and a motion) say, pack by pack in the order of places, those
// of one pack one after the other by motion.
template <int D>
void gather_shared_packs(std::span<const Sharing<D>> sharings, std::vector<SharedPack<D>>& packs);

MOREAU_INLINE Lanes in_double(const double* row) { return load(row); }
MOREAU_INLINE Lanes in_double(const float* row) {
  Lanes x;
  for (int l = 0; l < lanes; ++l) x[l] = static_cast<double>(row[l]);
  return x;
}

// Terms c . P of what motions gain, summed by motion.
template <int D>
class GainedTerms {
 public:
  explicit GainedTerms(ExactSum<double, 3>* sums) : sums_(sums) {}
  GainedTerms(const GainedTerms&) = delete;
  ~GainedTerms() {
    for (int m = 0; m < most_shared_motions; ++m) settle(m);
  }

  template <class Rows>
  MOREAU_INLINE void add(const SharedPack<D>& shared, const Rows& impulse, std::size_t lane) {
    Lanes* const terms = terms_[shared.motion];
    int& count = count_[shared.motion];
    for (int d = 0; d < D; ++d) terms[count++] = load(shared.direction[d].c) * in_double(impulse[d] + lane);
    if (count > together - D) settle(shared.motion);
  }

 private:
  static constexpr int together = 16;
  void settle(int m) {
    if (count_[m] > 0) sums_[m].add(terms_[m], static_cast<std::size_t>(count_[m])), count_[m] = 0;
  }
  ExactSum<double, 3>* sums_;
  Lanes terms_[most_shared_motions][together];
  int count_[most_shared_motions] = {};
};

// What the contacts feel of a change of speed of the motion.
template <int D, class Rows>
MOREAU_INLINE void feel(const SharedPack<D>& shared, double step, Rows& bias, std::size_t lane) {
  for (int d = 0; d < D; ++d) {
    const Lanes felt = step * load(shared.direction[d].c);
    auto* const row = bias[d] + lane;
    for (int l = 0; l < lanes; ++l) row[l] += static_cast<std::remove_reference_t<decltype(*row)>>(felt[l]);
  }
}

}  // namespace moreau::inline solver
