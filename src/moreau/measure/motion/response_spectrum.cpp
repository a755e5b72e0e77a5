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
    const double square = w * w, shift = 2.0 * z * s / (square * w);
    const double A = x + a / square - shift, B = (v + s / square + z * w * A) / damped;
    const double decay = std::exp(-z * w * h), c = std::cos(damped * h), d = std::sin(damped * h);
    x = decay * (A * c + B * d) - (a + s * h) / square + shift;
    v = decay * ((B * damped - z * w * A) * c - (A * damped + z * w * B) * d) - s / square;
  }
};

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
        o.advance(piece, a + s * k * piece, s);
        most = std::max(most, std::abs(o.x));
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
