#include "moreau/store/reduced_frame.hpp"

#include <bit>
#include <cmath>

namespace moreau::inline store {
namespace {

constexpr double place_share = 1e-8, point_share = 1e-4;          // of the smallest radius
constexpr double normal_unit = 0x1p-18, surface_share = 0x1p-16;  // the latter of the largest speed
constexpr double round_orientation = 0x1p-10, block_orientation = 0x1p-32;
constexpr int velocity_bits = 13, spin_bits = 12, constant_bits = 33, gap_bits = 12, force_bits = 16;

template <int N>
void to_multiple(Vec<N>& v, double unit) {
  for (int k = 0; k < N; ++k) v[k] = rounded_to_multiple(v[k], unit);
}
template <int N>
void to_bits(Vec<N>& v, int bits) {
  for (int k = 0; k < N; ++k) v[k] = rounded_to_bits(v[k], bits);
}
void to_bits(std::vector<double>& values, int bits) {
  for (double& x : values) x = rounded_to_bits(x, bits);
}

void round_turn(Rotation<2>& r, double unit) { r.angle = rounded_to_multiple(r.angle, unit); }
void round_turn(Rotation<3>& r, double unit) {
  for (double* q : {&r.w, &r.x, &r.y, &r.z}) *q = rounded_to_multiple(*q, unit);
}
void make_unit(Rotation<2>&) {}
void make_unit(Rotation<3>& r) {
  const double length = std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  if (!(length > 0.5 && length < 2.0)) return;  // not one of ours; the check of the frame says so
  for (double* q : {&r.w, &r.x, &r.y, &r.z}) *q /= length;
}

// Relative velocity of the two bodies alone, those of contact_records.cpp; walls and images stand still.
template <int D>
Vec<D> of_bodies(const Frame<D>& frame, std::size_t c) {
  const auto velocity_at = [&](std::size_t i, const Vec<D>& shift) {
    const Vec<D> middle = frame.state.position[i] - (0.5 * frame.time_step) * frame.state.velocity[i] + shift;
    return frame.state.velocity[i] + cross(frame.state.spin[i], frame.contacts.point[c] - middle);
  };
  const Vec<D> a = velocity_at(static_cast<std::size_t>(frame.contacts.a[c]), Vec<D>{});
  if (is_wall(frame.contacts.b[c])) return a;
  return a - velocity_at(static_cast<std::size_t>(frame.contacts.b[c]),
                         frame.contacts.shift.empty() ? Vec<D>{} : frame.contacts.shift[c]);
}

}  // namespace

double rounded_to_bits(double x, int bits) {
  const std::uint64_t dropped = static_cast<std::uint64_t>(53 - bits), half = std::uint64_t{1} << (dropped - 1);
  return std::bit_cast<double>(((std::bit_cast<std::uint64_t>(x) + half) >> dropped) << dropped);
}

double power_of_two_below(double x) { return std::ldexp(1.0, std::ilogb(x)); }

double rounded_to_multiple(double x, double power_of_two) { return std::nearbyint(x / power_of_two) * power_of_two + 0.0; }

template <int D>
void reduce(Frame<D>& frame, std::vector<Vec<D>>& surface_velocity) {
  surface_velocity.clear();
  if (frame.parameters.radius.empty()) return;  // nothing to measure by, and nothing to round
  double smallest = HUGE_VAL, fastest = 0.0;
  for (const double r : frame.parameters.radius) smallest = std::min(smallest, r);
  for (const Vec<D>& v : frame.state.velocity) fastest = std::max(fastest, norm(v));
  for (const Vec<D>& u : frame.contacts.relative_velocity) fastest = std::max(fastest, norm(u));
  ContactRecords<D>& c = frame.contacts;
  surface_velocity.resize(c.size());
  const double unit = fastest > 0.0 ? power_of_two_below(surface_share * fastest) : 1.0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    surface_velocity[k] = of_bodies(frame, k) - c.relative_velocity[k];
    to_multiple(surface_velocity[k], unit);
  }
  const double place = power_of_two_below(place_share * smallest), point = power_of_two_below(point_share * smallest);
  for (std::size_t i = 0; i < frame.state.size(); ++i) {
    to_multiple(frame.state.position[i], place), to_multiple(frame.parameters.origin[i], place);
    round_turn(frame.state.orientation[i], frame.is_block(i) ? block_orientation : round_orientation);
    to_bits(frame.state.velocity[i], velocity_bits), to_bits(frame.state.spin[i], spin_bits);
  }
  to_bits(frame.parameters.radius, constant_bits), to_bits(frame.parameters.mass, constant_bits);
  to_bits(frame.parameters.inertia, constant_bits), to_bits(c.gap, gap_bits);
  for (std::size_t k = 0; k < c.size(); ++k) {
    to_multiple(c.point[k], point), to_multiple(c.normal[k], normal_unit), to_bits(c.force[k], force_bits);
  }
  for (Spin<D>& couple : c.couple) to_bits(couple, force_bits);
  for (Spin<D>& spin : c.relative_spin) to_bits(spin, spin_bits);
  c.impulse.clear(), c.relative_velocity.clear();
}

template <int D>
void restore(Frame<D>& frame, const std::vector<Vec<D>>& surface_velocity) {
  for (Rotation<D>& r : frame.state.orientation) make_unit(r);
  ContactRecords<D>& c = frame.contacts;
  for (std::size_t k = 0; k < c.size(); ++k) {
    c.impulse.push_back(frame.time_step * c.force[k]);
    c.relative_velocity.push_back(of_bodies(frame, k) - surface_velocity[k]);
  }
}

#define MOREAU_INSTANTIATE(D)                            \
  template void reduce(Frame<D>&, std::vector<Vec<D>>&); \
  template void restore(Frame<D>&, const std::vector<Vec<D>>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline store
