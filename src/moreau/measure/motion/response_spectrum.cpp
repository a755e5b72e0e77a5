#include "moreau/measure/motion/response_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace moreau::measure {

namespace {

struct Oscillator {
  double w, z, damped;  // angular frequency, damping ratio, w sqrt(1 - z^2)
  double x = 0.0, v = 0.0;

  // Over a time h in which the ground has the acceleration a + s t.
  void advance(double h, double a, double s) {
    if (w * h < 1e-2) return advance_shortly(h, a, s);
    const double square = w * w, shift = 2.0 * z * s / (square * w);
    const double A = x + a / square - shift, B = (v + s / square + z * w * A) / damped;
    const double decay = std::exp(-z * w * h), c = std::cos(damped * h), d = std::sin(damped * h);
    x = decay * (A * c + B * d) - (a + s * h) / square + shift;
    v = decay * ((B * damped - z * w * A) * c - (A * damped + z * w * B) * d) - s / square;
  }

  // The same over a small part of a period, in which the closed form is the difference of numbers 1 / (w h)^3 times as large: by the
  // method of Runge and Kutta, exact in what the ground does and good to (w h)^5 / 120 in the swing.
  void advance_shortly(double h, double a, double s) {
    const auto acceleration = [&](double t, double at, double speed) { return -(a + s * t) - 2.0 * z * w * speed - w * w * at; };
    const double half = 0.5 * h, a1 = acceleration(0.0, x, v), v2 = v + half * a1, a2 = acceleration(half, x + half * v, v2);
    const double v3 = v + half * a2, a3 = acceleration(half, x + half * v2, v3);
    const double v4 = v + h * a3, a4 = acceleration(h, x + h * v3, v4);
    x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
};

// Largest |x| where the velocity vanishes between two instants: of the cubic with these positions and velocities, whose error is
// (w h)^4 / 384 of the amplitude, 2.5e-5 with twenty pieces in a period.
double peak_between(double x0, double v0, double x1, double v1, double h) {
  if (v0 * v1 >= 0.0) return 0.0;
  // v(t) = v0 + b t + c t^2, t in [0, 1]
  const double d = (x1 - x0) / h, b = 6.0 * d - 4.0 * v0 - 2.0 * v1, c = 3.0 * (v0 + v1) - 6.0 * d;
  const double root = std::sqrt(std::max(0.0, b * b - 4.0 * c * v0));
  const double q = -0.5 * (b + std::copysign(root, b));
  double most = 0.0;
  for (const double t : {q != 0.0 ? v0 / q : -1.0, c != 0.0 ? q / c : -1.0})
    if (t > 0.0 && t < 1.0) most = std::max(most, std::abs(x0 + h * t * (v0 + t * (0.5 * b + t * c / 3.0))));
  return most;
}

}  // namespace

std::vector<SpectrumPoint> response_spectrum(const std::vector<double>& times, const std::vector<double>& acceleration,
                                             const std::vector<double>& periods, double damping) {
  std::vector<SpectrumPoint> spectrum;
  for (const double period : periods) {
    const double w = 2.0 * std::numbers::pi / period;
    Oscillator o{w, damping, w * std::sqrt(1.0 - damping * damping)};
    double most = 0.0;
    const auto swing = [&](double h, double a, double s) {
      const double pieces = std::ceil(20.0 * h / period);
      const double piece = h / pieces;
      for (double k = 0; k < pieces; ++k) {
        const double x = o.x, v = o.v;
        o.advance(piece, a + s * k * piece, s);
        most = std::max({most, std::abs(o.x), peak_between(x, v, o.x, o.v, piece)});
      }
    };
    for (std::size_t i = 1; i < times.size(); ++i) {
      const double h = times[i] - times[i - 1];
      swing(h, acceleration[i - 1], (acceleration[i] - acceleration[i - 1]) / h);
    }
    swing(period, 0.0, 0.0);
    spectrum.push_back({period, most, w * w * most});
  }
  return spectrum;
}

}  // namespace moreau::measure
