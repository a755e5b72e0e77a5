// One contact of the elastic engine: a normal and a tangential spring with a slider (Combe 2001, eq. 5.1, 5.2 and fig. 5.1).
//
//   f = f0 + k (d - p)      d = -G u  displacement at the contact, compression positive;  p  what has slipped
//
// with the force kept in Coulomb's cone |f_T| <= mu f_N. Slip follows the tangential force; by Coulomb's rule it does not open
// the contact, by the associated rule it does, p_N = -mu |p_T|, and the force is then the projection of the trial force on the
// cone in the metric 1/k. Opening is reversible: a contact that opened closes again at its own gap, without tangential force.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "moreau/base/elementary.hpp"

namespace moreau::elastic {

enum class Flow : std::uint8_t { coulomb, associated };
enum class Status : std::uint8_t { stick, slide, open };

struct Spring {
  double normal = 0.0, tangential = 0.0;  // [force / length]
  double friction = 0.0;
  // Without friction there is no tangential spring.
  double sideways() const { return friction > 0.0 ? tangential : 0.0; }
};

// Force at a displacement, and how it changes with it. Components: normal, then tangents.
template <int D>
struct Reply {
  std::array<double, D> force{};
  std::array<std::array<double, D>, D> tangent{};  // df/dd, not symmetric where Coulomb's rule slides
  std::array<double, D> slip{};                    // by which p grows
  Status status = Status::open;
};

// The trial force is that without any further slip.
template <int D>
Reply<D> reply(const Spring& spring, Flow flow, const std::array<double, D>& trial) {
  const double kn = spring.normal, kt = spring.sideways(), mu = kt > 0.0 ? spring.friction : 0.0;
  Reply<D> r;
  double along = 0.0;
  for (int k = 1; k < D; ++k) along = hypotenuse(along, trial[k]);
  const auto slips_to = [&](double ft) {  // along the trial force; normal part by the rule of flow
    for (int k = 1; k < D && along > 0.0 && kt > 0.0; ++k) r.slip[k] = (1.0 - ft / along) * trial[k] / kt;
    if (flow == Flow::associated && kt > 0.0) r.slip[0] = -mu * (along - ft) / kt;
  };
  const double dilation = flow == Flow::associated && kt > 0.0 ? mu * kn / kt : 0.0;  // force it adds per tangential force lost
  if (trial[0] < 0.0 && trial[0] + dilation * along <= 0.0) {
    slips_to(0.0);
    return r;
  }
  r.status = Status::stick;
  r.tangent[0][0] = kn;
  r.force = trial;
  for (int k = 1; k < D; ++k) {
    r.tangent[k][k] = kt;
    if (kt == 0.0) r.force[k] = 0.0;
  }
  if (kt == 0.0 || along <= mu * trial[0]) return r;
  // Sliding: f_N = (trial_N + dilation |trial_T|) / (1 + dilation mu), f_T = mu f_N along the trial force.
  r.status = Status::slide;
  const double fn = (trial[0] + dilation * along) / (1.0 + dilation * mu), ft = mu * fn;
  slips_to(ft);
  r.force[0] = fn;
  r.tangent[0][0] = kn / (1.0 + dilation * mu);
  for (int k = 1; k < D; ++k) {
    const double t = trial[k] / along;
    r.force[k] = ft * t;
    r.tangent[k][0] = mu * t * r.tangent[0][0];
    r.tangent[0][k] = dilation * kt * t / (1.0 + dilation * mu);
    for (int l = 1; l < D; ++l) {
      const double u = trial[l] / along;
      r.tangent[k][l] = mu * t * (dilation * kt * u / (1.0 + dilation * mu)) + kt * (ft / along) * ((k == l ? 1.0 : 0.0) - t * u);
    }
  }
  return r;
}

// The same with the tangential force bounded by a number instead of the normal force. Of a potential, hence with a symmetric
// tangent: convex, and what Coulomb's rule is a sequence of, each with the normal forces of the one before.
template <int D>
Reply<D> reply_within(const Spring& spring, double bound, const std::array<double, D>& trial) {
  const double kt = spring.sideways();
  Reply<D> r;
  if (trial[0] > 0.0) r.status = Status::stick, r.force[0] = trial[0], r.tangent[0][0] = spring.normal;
  double along = 0.0;
  for (int k = 1; k < D; ++k) along = hypotenuse(along, trial[k]);
  if (kt == 0.0) return r;
  const double part = along > bound ? bound / along : 1.0;
  if (along > bound && r.status == Status::stick) r.status = Status::slide;
  for (int k = 1; k < D; ++k) {
    r.force[k] = part * trial[k];
    r.slip[k] = (1.0 - part) * trial[k] / kt;
    for (int l = 1; l < D; ++l)
      r.tangent[k][l] = along > bound ? kt * part * ((k == l ? 1.0 : 0.0) - trial[k] * trial[l] / (along * along))
                        : k == l      ? kt
                                      : 0.0;
  }
  return r;
}

}  // namespace moreau::elastic
