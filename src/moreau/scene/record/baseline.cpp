// Baseline corrections of accelerograms. The velocity is the exact integral of the acceleration, linear between the points.
#include <array>
#include <cmath>

#include "moreau/scene/record/record.hpp"

namespace moreau::inline scene {
namespace {

// Velocity and displacement at the last time, from rest.
struct EndOfRecord {
  double velocity = 0.0, displacement = 0.0;
};
template <class Acceleration>
EndOfRecord end_of(const std::vector<double>& t, const Acceleration& a) {
  EndOfRecord end;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double h = t[i] - t[i - 1], before = a(i - 1), after = a(i);
    end.displacement += h * (end.velocity + h * (before / 3.0 + after / 6.0));
    end.velocity += 0.5 * h * (before + after);
  }
  return end;
}

// Normal equations of at most three unknowns, by elimination with pivots.
std::array<double, 3> solved(std::array<std::array<double, 3>, 3> m, std::array<double, 3> r, int n) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    std::swap(r[k], r[pivot]);
    if (m[k][k] == 0.0) return {};
    for (int i = k + 1; i < n; ++i) {
      const double f = m[i][k] / m[k][k];
      for (int j = k; j < n; ++j) m[i][j] -= f * m[k][j];
      r[i] -= f * r[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) r[k] -= m[k][j] * r[j];
    r[k] /= m[k][k];
  }
  return r;
}

}  // namespace

void correct_baseline(const std::vector<double>& t, std::vector<double>& a, Baseline baseline) {
  if (baseline == Baseline::none || t.size() < 2) return;
  const double start = t.front(), length = t.back() - start;
  const auto at = [&](std::size_t i) { return (t[i] - start) / length; };  // 0 to 1
  if (baseline == Baseline::rest) {
    // End values are linear in the acceleration: two conditions for c_0 and c_1.
    const EndOfRecord end = end_of(t, [&](std::size_t i) { return a[i]; });
    const EndOfRecord one = end_of(t, [](std::size_t) { return 1.0; }), ramp = end_of(t, at);
    const double det = one.velocity * ramp.displacement - ramp.velocity * one.displacement;
    const double c0 = (end.velocity * ramp.displacement - ramp.velocity * end.displacement) / det;
    const double c1 = (one.velocity * end.displacement - end.velocity * one.displacement) / det;
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= c0 + c1 * at(i);
    return;
  }
  const int terms = baseline == Baseline::linear ? 2 : 3;
  // Over time, not over the points, whose intervals may differ: in each the velocity is a parabola, and Gauss' rule exact.
  const double node[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  std::array<std::array<double, 3>, 3> m{};
  std::array<double, 3> r{};
  for (int p = 0; p < terms; ++p)
    for (int q = 0; q < terms; ++q) m[p][q] = 1.0 / (p + q + 3);
  double before = 0.0;  // velocity
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double h = t[i] - t[i - 1];
    for (int k = 0; k < 3; ++k) {
      const double x = node[k], velocity = before + h * x * (a[i - 1] + 0.5 * x * (a[i] - a[i - 1]));
      const double s = at(i - 1) + x * (at(i) - at(i - 1)), power[3] = {s, s * s, s * s * s};
      for (int p = 0; p < terms; ++p) r[p] += weight[k] * h / length * power[p] * velocity;
    }
    before += 0.5 * h * (a[i - 1] + a[i]);
  }
  const std::array<double, 3> c = solved(m, r, terms);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double s = at(i), derivative[3] = {1.0, 2.0 * s, 3.0 * s * s};
    for (int p = 0; p < terms; ++p) a[i] -= c[p] * derivative[p] / length;
  }
}

}  // namespace moreau::inline scene
