#include "moreau/measure/heap/strips.hpp"

#include <numbers>

namespace moreau::measure {

namespace {

// Place in the half-plane through the axis.
template <int D>
std::array<double, 2> meridian(const Vec<D>& x, const Vec<D>& centre) {
  if constexpr (D == 2) return {x[0] - centre[0], x[1]};
  return {distance_to_axis(x, centre), x[D - 1]};
}

}  // namespace

template <int D>
StripForce force_across(const Sample<D>& sample, const Strip& strip, const Vec<D>& centre) {
  const double length = strip.length();
  const std::array<double, 2> nu = strip.normal(), along = {(strip.r2 - strip.r1) / length, (strip.z2 - strip.z1) / length};
  const auto coordinate = [&](const std::array<double, 2>& axis, const Vec<D>& x) {
    const auto [r, z] = meridian(x, centre);
    return axis[0] * (r - strip.r1) + axis[1] * (z - strip.z1);
  };
  StripForce total;
  total.area = D == 2 ? length : std::numbers::pi * (strip.r1 + strip.r2) * length;
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
    if (is_wall(sample.contacts->b[c])) continue;
    const bool a_beyond = coordinate(nu, sample.middle[sample.a(c)]) > 0.0;
    if (a_beyond == (coordinate(nu, sample.middle_b(c)) > 0.0)) continue;
    const Vec<D>& point = sample.contacts->point[c];
    const double t = coordinate(along, point);
    if (!(t >= 0.0 && t < length)) continue;
    const Vec<D> force = (a_beyond ? -1.0 : 1.0) * sample.contacts->force[c];  // by the body beyond on the other
    ++total.contacts;
    total.vertical += force[D - 1];
    if constexpr (D == 2) {
      total.radial += force[0];
    } else {
      const double r = distance_to_axis(point, centre);
      const double cosine = r > 0.0 ? (point[0] - centre[0]) / r : 1.0, sine = r > 0.0 ? (point[1] - centre[1]) / r : 0.0;
      total.radial += cosine * force[0] + sine * force[1];
      total.orthoradial += -sine * force[0] + cosine * force[1];
    }
  }
  for (double* component : {&total.radial, &total.vertical, &total.orthoradial}) *component /= total.area;
  return total;
}

double reciprocity_residual(const Strip& first, const StripForce& on_first, const Strip& second, const StripForce& on_second) {
  const auto project = [](const Strip& strip, const StripForce& force) {
    return strip.normal()[0] * force.radial + strip.normal()[1] * force.vertical;
  };
  const double size =
      std::sqrt(std::hypot(on_first.radial, on_first.vertical) * std::hypot(on_second.radial, on_second.vertical));
  return std::abs(project(first, on_second) - project(second, on_first)) / size;
}

template StripForce force_across(const Sample<2>&, const Strip&, const Vec<2>&);
template StripForce force_across(const Sample<3>&, const Strip&, const Vec<3>&);

}  // namespace moreau::measure
