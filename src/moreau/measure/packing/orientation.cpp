#include "moreau/measure/packing/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/SpecialFunctions>

namespace moreau::measure {

using std::numbers::pi;

double chi_square_likelihood(double chi_square, int degrees) {
  return degrees > 0 ? Eigen::numext::igammac(0.5 * degrees, 0.5 * chi_square) : 1.0;
}

template <int D>
std::vector<double> contact_angles(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  std::vector<double> angles;
  for (const std::size_t c : contacts) {
    const Vec<D>& n = sample.contacts->normal[c];
    if constexpr (D == 2) {
      double t = std::atan2(n[1], n[0]);
      if (t < -0.5 * pi) t += pi;
      if (t >= 0.5 * pi) t -= pi;
      angles.push_back(t);
    } else {
      angles.push_back(std::acos(std::min(1.0, std::abs(n[2]))));
    }
  }
  return angles;
}

namespace {

// Classes of equal probability under the even distribution, in the variable u from 0 to 1: the angle itself in the plane, 1 - cos
// in space. In the plane the first of an even number of classes has -90 degrees in its middle, so that directions along walls and
// lattices, 0 and 90 degrees, are not split between two classes.
double first_angle(int classes) { return -0.5 * pi - (classes % 2 == 0 ? 0.5 * pi / classes : 0.0); }
template <int D>
double even_variable(double t, int classes) {
  if (D == 3) return 1.0 - std::cos(t);
  const double u = (t - first_angle(classes)) / pi;
  return u >= 1.0 ? u - 1.0 : u;
}
template <int D>
double angle_of(double u, int classes) {
  return D == 2 ? first_angle(classes) + pi * u : std::acos(std::clamp(1.0 - u, -1.0, 1.0));
}

double legendre2(double x) { return 0.5 * (3.0 * x * x - 1.0); }
double legendre4(double x) { return 0.125 * (35.0 * x * x * x * x - 30.0 * x * x + 3.0); }

// Mean of the fit over a class, relative to the even distribution.
template <int D>
double fit_over_class(const OrientationFit& f, int order, int which, int classes) {
  const double u0 = static_cast<double>(which) / classes, u1 = static_cast<double>(which + 1) / classes;
  double value = 1.0;
  if constexpr (D == 2) {
    const auto term = [&](double k, double a, double t0) {
      const double from = angle_of<2>(u0, classes), to = angle_of<2>(u1, classes);
      return a * (std::sin(k * (to - t0)) - std::sin(k * (from - t0))) / (k * (to - from));
    };
    if (order >= 2) value += term(2.0, f.a2, f.t2);
    if (order >= 4) value += term(4.0, f.a4, f.t4);
  } else {  // integrals of the Legendre polynomials over x = 1 - u
    const double x0 = 1.0 - u1, x1 = 1.0 - u0;
    const auto p2 = [](double x) { return 0.5 * (x * x * x - x); };
    const auto p4 = [](double x) { return 0.125 * (7.0 * x * x * x * x * x - 10.0 * x * x * x + 3.0 * x); };
    if (order >= 2) value += f.a2 * (p2(x1) - p2(x0)) / (x1 - x0);
    if (order >= 4) value += f.a4 * (p4(x1) - p4(x0)) / (x1 - x0);
  }
  return value;
}

template <int D>
OrientationFit moments(const std::vector<double>& angles) {
  OrientationFit f;
  f.contacts = angles.size();
  if (angles.empty()) return f;
  const double n = static_cast<double>(angles.size());
  double c2 = 0.0, s2 = 0.0, c4 = 0.0, s4 = 0.0;
  for (const double t : angles) {
    if constexpr (D == 2)
      c2 += std::cos(2.0 * t), s2 += std::sin(2.0 * t), c4 += std::cos(4.0 * t), s4 += std::sin(4.0 * t);
    else
      c2 += legendre2(std::cos(t)), c4 += legendre4(std::cos(t));
  }
  if constexpr (D == 2) {
    f.a2 = 2.0 * std::hypot(c2, s2) / n, f.t2 = 0.5 * std::atan2(s2, c2);
    f.a4 = 2.0 * std::hypot(c4, s4) / n, f.t4 = 0.25 * std::atan2(s4, c4);
    f.uncertainty2 = f.uncertainty4 = std::sqrt(2.0 / n);
  } else {
    f.a2 = 5.0 * c2 / n, f.a4 = 9.0 * c4 / n;
    f.uncertainty2 = std::sqrt(5.0 / n), f.uncertainty4 = std::sqrt(9.0 / n);
  }
  return f;
}

template <int D>
std::vector<std::size_t> class_counts(const std::vector<double>& angles, int classes) {
  std::vector<std::size_t> count(static_cast<std::size_t>(classes), 0);
  for (const double t : angles)
    ++count[static_cast<std::size_t>(std::clamp(static_cast<int>(even_variable<D>(t, classes) * classes), 0, classes - 1))];
  return count;
}

}  // namespace

template <int D>
OrientationFit fit_orientations(const std::vector<double>& angles, int classes) {
  OrientationFit f = moments<D>(angles);
  if (angles.empty()) return f;
  const std::vector<std::size_t> count = class_counts<D>(angles, classes);
  const auto likelihood = [&](int order, int parameters) {
    double chi_square = 0.0;
    for (int i = 0; i < classes; ++i) {
      const double share = fit_over_class<D>(f, order, i, classes);
      const double expected = std::max(share, 1e-3) * static_cast<double>(angles.size()) / classes;
      const double off = static_cast<double>(count[static_cast<std::size_t>(i)]) - expected;
      chi_square += off * off / expected;
    }
    return chi_square_likelihood(chi_square, classes - 1 - parameters);
  };
  const int each = D == 2 ? 2 : 1;  // parameters per order
  f.likelihood0 = likelihood(0, 0), f.likelihood2 = likelihood(2, each), f.likelihood4 = likelihood(4, 2 * each);
  return f;
}

template <int D>
OrientationHistogram orientation_histogram(const std::vector<double>& angles, int classes) {
  OrientationHistogram h;
  h.count = class_counts<D>(angles, classes);
  const OrientationFit f = moments<D>(angles);
  for (int i = 0; i < classes; ++i) {
    const double u0 = static_cast<double>(i) / classes, u1 = static_cast<double>(i + 1) / classes;
    h.from.push_back(angle_of<D>(u0, classes)), h.to.push_back(angle_of<D>(u1, classes));
    h.density.push_back(angles.empty() ? 0.0
                                       : static_cast<double>(h.count[static_cast<std::size_t>(i)]) * classes /
                                             static_cast<double>(angles.size()));
    h.order2.push_back(fit_over_class<D>(f, 2, i, classes)), h.order4.push_back(fit_over_class<D>(f, 4, i, classes));
  }
  return h;
}

template std::vector<double> contact_angles(const Sample<2>&, const std::vector<std::size_t>&);
template std::vector<double> contact_angles(const Sample<3>&, const std::vector<std::size_t>&);
template OrientationFit fit_orientations<2>(const std::vector<double>&, int);
template OrientationFit fit_orientations<3>(const std::vector<double>&, int);
template OrientationHistogram orientation_histogram<2>(const std::vector<double>&, int);
template OrientationHistogram orientation_histogram<3>(const std::vector<double>&, int);

}  // namespace moreau::measure
