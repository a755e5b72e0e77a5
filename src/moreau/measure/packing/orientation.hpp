// Directions of the contact normals as a histogram, and its smooth form.
//
// In the plane: the angle t of n from the x axis, from -pi/2 to pi/2 (n and -n are one direction), and the density per unit angle
//   E(t) = 1/pi (1 + a2 cos 2(t - t2) + a4 cos 4(t - t4)),       a_k = 2 |mean exp(i k t)|, t_k = arg / k
// (Combe 2001, sec. 2.3: N0 (1 + d cos 2(t - t0)), d = a2). In space: the angle between n and the vertical, in classes of equal
// solid angle, and E = 1 + a2 P2(cos) + a4 P4(cos), a_k = (2k + 1) mean P_k.
#pragma once

#include "moreau/measure/contacts/contact_selection.hpp"

namespace moreau::measure {

struct OrientationFit {
  std::size_t contacts = 0;
  double a2 = 0.0, t2 = 0.0;  // angles [rad]; 0 in space
  double a4 = 0.0, t4 = 0.0;
  double uncertainty2 = 0.0, uncertainty4 = 0.0;  // standard deviation of a2, a4 of as many directions drawn without preference
  // Probability of deviations from the fit as large as those seen, by chi square over the classes; order 0 is the even
  // distribution.
  double likelihood0 = 0.0, likelihood2 = 0.0, likelihood4 = 0.0;
};

struct OrientationHistogram {
  std::vector<double> from, to;  // [rad]: angle from the x axis (2-D), from the vertical (3-D)
  std::vector<std::size_t> count;
  std::vector<double> density;         // 1 for an even distribution
  std::vector<double> order2, order4;  // the fits, mean over the class
};

template <int D>
std::vector<double> contact_angles(const Sample<D>& sample, const std::vector<std::size_t>& contacts);

template <int D>
OrientationFit fit_orientations(const std::vector<double>& angles, int classes = 36);
template <int D>
OrientationHistogram orientation_histogram(const std::vector<double>& angles, int classes = 36);

// Upper tail of the chi square distribution.
double chi_square_likelihood(double chi_square, int degrees);

}  // namespace moreau::measure
