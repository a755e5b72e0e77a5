#include "moreau/engines/soft/turning.hpp"

#include "moreau/base/instruction_set.hpp"
#include "moreau/engines/soft/contact_force.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"

namespace moreau::soft {

static_assert(sizeof(Rotation<3>) == 4 * sizeof(double));

namespace {

MOREAU_INLINE void turn_one(Rotation<3>& o, const Vec<3>& spin, double h) {
  double r[4] = {o.w, o.x, o.y, o.z};
  turn_a_little<double>(r, spin, 0.5 * h, [](bool far) { return far; });
  o = {r[0], r[1], r[2], r[3]};
}

// Four rows of two quaternions each, to w, x, y and z of eight, and back.
MOREAU_INLINE void turn_eight(Rotation<3>* o, const Vec<3>* spin, double h) {
  double* numbers = &o->w;
  Lanes pair[4], r[4];
  for (int k = 0; k < 4; ++k) pair[k] = load_unaligned(numbers + 8 * k);
  const Lanes wx = __builtin_shufflevector(pair[0], pair[1], 0, 4, 8, 12, 1, 5, 9, 13),
              wx_far = __builtin_shufflevector(pair[2], pair[3], 0, 4, 8, 12, 1, 5, 9, 13),
              yz = __builtin_shufflevector(pair[0], pair[1], 2, 6, 10, 14, 3, 7, 11, 15),
              yz_far = __builtin_shufflevector(pair[2], pair[3], 2, 6, 10, 14, 3, 7, 11, 15);
  r[0] = __builtin_shufflevector(wx, wx_far, 0, 1, 2, 3, 8, 9, 10, 11);
  r[1] = __builtin_shufflevector(wx, wx_far, 4, 5, 6, 7, 12, 13, 14, 15);
  r[2] = __builtin_shufflevector(yz, yz_far, 0, 1, 2, 3, 8, 9, 10, 11);
  r[3] = __builtin_shufflevector(yz, yz_far, 4, 5, 6, 7, 12, 13, 14, 15);
  turn_a_little<Lanes>(r, load_vectors(spin), Lanes{} + 0.5 * h, [](const auto& far) { return any_of(far); });
  const Lanes near_wx = __builtin_shufflevector(r[0], r[1], 0, 1, 2, 3, 8, 9, 10, 11),
              far_wx = __builtin_shufflevector(r[0], r[1], 4, 5, 6, 7, 12, 13, 14, 15),
              near_yz = __builtin_shufflevector(r[2], r[3], 0, 1, 2, 3, 8, 9, 10, 11),
              far_yz = __builtin_shufflevector(r[2], r[3], 4, 5, 6, 7, 12, 13, 14, 15);
  store_unaligned(numbers, __builtin_shufflevector(near_wx, near_yz, 0, 4, 8, 12, 1, 5, 9, 13));
  store_unaligned(numbers + 8, __builtin_shufflevector(near_wx, near_yz, 2, 6, 10, 14, 3, 7, 11, 15));
  store_unaligned(numbers + 16, __builtin_shufflevector(far_wx, far_yz, 0, 4, 8, 12, 1, 5, 9, 13));
  store_unaligned(numbers + 24, __builtin_shufflevector(far_wx, far_yz, 2, 6, 10, 14, 3, 7, 11, 15));
}

}  // namespace

void turn_bodies(Rotation<2>* orientation, const Vec<1>* spin, const double* inverse_mass, std::size_t begin, std::size_t end,
                 double h) {
  for (std::size_t i = begin; i < end; ++i)
    if (inverse_mass[i] > 0.0) orientation[i] = turned(orientation[i], spin[i], h);
}

MOREAU_VERSIONS(void, turn_bodies,
                (Rotation<3> * orientation, const Vec<3>* spin, const double* inverse_mass, std::size_t begin, std::size_t end,
                 double h),
                (orientation, spin, inverse_mass, begin, end, h)) {
  std::size_t i = begin;
  for (; i < end; i += lanes) {
    bool free = i + lanes <= end;
    for (std::size_t l = 0; free && l < lanes; ++l) free = inverse_mass[i + l] > 0.0;
    if (free)
      turn_eight(orientation + i, spin + i, h);
    else
      for (std::size_t k = i; k < std::min(end, i + lanes); ++k)
        if (inverse_mass[k] > 0.0) turn_one(orientation[k], spin[k], h);
  }
}

}  // namespace moreau::soft
