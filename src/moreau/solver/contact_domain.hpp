// The domains of the impulses of a step, and the laws on them, as the error estimate and the finishing solver need them:
// Coulomb's, those beyond it that are a shift and a bound (law/tangent_bound.hpp), and couples against rolling and pivoting
// (law/rolling.hpp).
//
// A couple is a contact whose impulses are M / R and whose velocities are R W: pivoting first, then rolling; in the plane the
// first row is empty. Its bound is a multiple of what another contact carries.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/step_system.hpp"

namespace moreau::inline solver {

// Whether a component can be other than zero.
template <int D>
bool resists(const StepContact<D>& c, int row) {
  if (row == 0) return !c.is_couple() || c.pivoting > 0.0;
  return c.bound.friction > 0.0 || c.bound.shear > 0.0;
}

// What bounds friction or couple: the normal impulse of the contact itself, or of the one that carries it. `impulses`: D per
// contact.
template <int D>
double carried_by(const StepSystem<D>& system, std::size_t contact, const std::vector<double>& impulses) {
  const StepContact<D>& c = system.contacts[contact];
  return std::max(0.0, impulses[D * (c.is_couple() ? static_cast<std::size_t>(c.carrier) : contact)]);
}

// Coulomb's law in the form of Alart and Curnier: P satisfies it with the velocity U iff P = onto_domain(P - rho U), for any rho
// > 0. `carried`: of a couple alone.
template <int D>
Vec<D> onto_domain(const StepContact<D>& c, Vec<D> p, double carried) {
  if (c.is_couple())
    p[0] = std::clamp(p[0], -c.pivoting * carried, c.pivoting * carried);
  else
    p[0] = carried = std::max(p[0], 0.0);
  const double length = tangent_length(p), radius = c.bound.at(carried);
  if (length > radius)
    for (int i = 1; i < D; ++i) p[i] *= radius / length;
  return p;
}

// Its derivatives by p and, of a couple, by what is carried. False where all of them vanish.
template <int D>
struct DomainSlope {
  double own[D][D]{}, carried[D]{};
};
template <int D>
bool slope_onto_domain(const StepContact<D>& c, const Vec<D>& p, double carried, DomainSlope<D>& slope) {
  slope = {};
  const bool couple = c.is_couple();
  if (!couple) carried = std::max(p[0], 0.0);
  if (couple && !(carried > 0.0)) return false;
  if (couple) {
    const double limit = c.pivoting * carried;
    if (std::abs(p[0]) <= limit && limit > 0.0)
      slope.own[0][0] = 1.0;
    else
      slope.carried[0] = p[0] > 0.0 ? c.pivoting : -c.pivoting;
  } else {
    slope.own[0][0] = p[0] > 0.0 ? 1.0 : 0.0;
  }
  const double length = tangent_length(p), radius = c.bound.at(carried);
  if (!couple && !(p[0] > 0.0) && !(radius > 0.0)) return false;
  if (length <= radius) {
    for (int i = 1; i < D; ++i) slope.own[i][i] = 1.0;
    return true;
  }
  const double growth = carried > 0.0 && c.bound.shear + c.bound.friction * carried < c.bound.cap ? c.bound.friction : 0.0;
  for (int i = 1; i < D; ++i) {
    (couple ? slope.carried[i] : slope.own[i][0]) = growth * p[i] / length;
    for (int j = 1; j < D; ++j) slope.own[i][j] = radius / length * ((i == j ? 1.0 : 0.0) - p[i] / length * (p[j] / length));
  }
  return true;
}

// As if nothing but what never resists could move.
template <int D>
DomainSlope<D> stuck_slope(const StepContact<D>& c) {
  DomainSlope<D> slope;
  for (int k = 0; k < D; ++k) slope.own[k][k] = resists(c, k) ? 1.0 : 0.0;
  return slope;
}

// The impulse that satisfies the law with all others as they are; `velocity` is U under the impulse of now. Of couples a step
// towards it, exact between round bodies.
template <int D>
Vec<D> law_impulse(const StepContact<D>& c, const Vec<D>& impulse, const Vec<D>& velocity, double carried);

// |H (P - P*)|: vanishes iff the law holds [velocity].
template <int D>
double law_residual(const StepContact<D>& c, const Vec<D>& impulse, const Vec<D>& velocity, double carried) {
  return norm(c.own * (impulse - law_impulse(c, impulse, velocity, carried)));
}

// What de Saxce's bipotential leaves: zero iff the law holds, of impulses within their domain [power].
template <int D>
double law_power(const StepContact<D>& c, const Vec<D>& impulse, const Vec<D>& velocity, double carried) {
  const double rubbed = c.bound.at(carried) * tangent_length(velocity);
  if (c.is_couple()) return std::max(0.0, dot(impulse, velocity) + rubbed + c.pivoting * carried * std::abs(velocity[0]));
  return std::max(0.0, dot(impulse, velocity) + rubbed) +
         norm(impulse) * std::max(0.0, -velocity[0]) / std::sqrt(1.0 + c.bound.friction * c.bound.friction);
}

}  // namespace moreau::inline solver
