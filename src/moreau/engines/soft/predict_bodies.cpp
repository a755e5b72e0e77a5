#include "moreau/engines/soft/predict_bodies.hpp"

#include "moreau/base/instruction_set.hpp"
#include "moreau/engines/soft/scheme.hpp"

namespace moreau::soft {

MOREAU_VERSIONS(void, predict_places, (const Flight& flight, std::size_t begin, std::size_t end, double h),
                (flight, begin, end, h)) {
  double* __restrict x = flight.position;
  double* __restrict carry = flight.remainder;
  double* __restrict v = flight.velocity;
  double* __restrict a = flight.acceleration;
  const double* __restrict jerk = flight.jerk;
  if (jerk == nullptr)
    for (std::size_t k = begin; k < end; ++k) {
      add_exactly(x[k], carry[k], path(h, v[k], a[k], 0.0));
      v[k] += gain(h, a[k], 0.0);
    }
  else
    for (std::size_t k = begin; k < end; ++k) {
      add_exactly(x[k], carry[k], path(h, v[k], a[k], jerk[k]));
      v[k] += gain(h, a[k], jerk[k]);
      a[k] += h * jerk[k];
    }
}

MOREAU_VERSIONS(void, predict_spins, (const Turning& turning, std::size_t begin, std::size_t end, double h),
                (turning, begin, end, h)) {
  double* __restrict spin = turning.spin;
  double* __restrict a = turning.acceleration;
  double* __restrict mean = turning.turning;
  const double* __restrict jerk = turning.jerk;
  const double rate = 1.0 / h;
  if (jerk == nullptr)
    for (std::size_t k = begin; k < end; ++k) {
      mean[k] = rate * path(h, spin[k], a[k], 0.0);
      spin[k] += gain(h, a[k], 0.0);
    }
  else
    for (std::size_t k = begin; k < end; ++k) {
      mean[k] = rate * path(h, spin[k], a[k], jerk[k]);
      spin[k] += gain(h, a[k], jerk[k]);
      a[k] += h * jerk[k];
    }
}

}  // namespace moreau::soft
