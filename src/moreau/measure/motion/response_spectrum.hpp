// Response spectrum of a ground motion: the greatest answer of damped oscillators of given period to it, from rest,
//
//   x'' + 2 z w x' + w^2 x = - a(t),       w = 2 pi / T,      displacement S_d = max |x|,    pseudo-acceleration S_a = w^2 S_d
//
// The acceleration is linear between the points of the record, hence the answer is known exactly there (Nigam and Jennings 1969);
// pieces longer than a twentieth of the period are cut, so that peaks between points are not missed by more than 1.3 %.
#pragma once

#include <vector>

namespace moreau::measure {

struct SpectrumPoint {
  double period = 0.0;
  double displacement = 0.0;  // S_d, after the end of the record too: one period of free swing
  double acceleration = 0.0;  // S_a
};

std::vector<SpectrumPoint> response_spectrum(const std::vector<double>& times, const std::vector<double>& acceleration,
                                             const std::vector<double>& periods, double damping);

}  // namespace moreau::measure
