// The forces that one contact at rest can bear, under any law of docs/laws.md: seen from the tip of its tension, n = f_N +
// tension,
//
//   n >= 0,   |f_T| <= min(shear + mu n, cap),   |couple across the normal| <= rolling R n,   |couple along it| <= pivoting R n
//
// with an ellipse for anisotropic friction. Nothing slides at rest: static friction is the friction there is.
#pragma once

#include "moreau/dynamics/contact_records.hpp"
#include "moreau/law/rolling.hpp"
#include "moreau/law/step_law.hpp"

namespace moreau::statics {

// Surfaces touch up to this gap, of the smaller radius; the rigid engine lets cohesion act as far.
inline constexpr double touching_gap = 1e-5;

struct PointLaw {
  double friction = 0.0, shear = 0.0, cap = HUGE_VAL, tension = 0.0;  // forces
  double along = 1.0;                                                 // see law/friction_ellipse.hpp
  Vec<3> direction{};
  double rolling = 0.0, pivoting = 0.0, radius = 0.0;  // radius: the reduced one

  bool cone() const {  // Coulomb's, and nothing else
    return shear == 0.0 && cap == HUGE_VAL && tension == 0.0 && along == 1.0 && rolling == 0.0 && pivoting == 0.0;
  }
};

// Whether the surfaces at row i of the contact table touch: a joint that is intact does wherever it was made.
template <int D>
bool touches(const Model<D>& model, const State<D>& state, std::size_t i) {
  const ContactTable<D>& table = state.contacts;
  const std::vector<double>& radius = state.bodies.parameters.radius;
  double smaller = radius[static_cast<std::size_t>(table.a[i])];
  if (!is_wall(table.b[i])) smaller = std::min(smaller, radius[static_cast<std::size_t>(table.b[i])]);
  const bool bonded = !table.condition.empty() && table.condition[i].bonded();
  return bonded || table.gap[i] <= std::max(model.contact_distance, touching_gap * smaller);
}

// Of row i of the contact table.
template <int D>
PointLaw point_law(const Model<D>& model, const State<D>& state, std::size_t i) {
  const ContactTable<D>& table = state.contacts;
  const Bodies<D>& bodies = state.bodies;
  const PairLaw& law = law_of(model, bodies, table.a[i], table.b[i]);
  const bool bonded = !table.condition.empty() && table.condition[i].bonded();
  StepLaw at_rest = law_in_step(law, 0.0, 0.0, 1.0, bonded);  // impulses in a unit of time are forces
  if (bonded && model.joint_is_per_area(law) && !table.area.empty())
    at_rest.tension += (table.area[i] - 1.0) * law.joint.tension, at_rest.shear *= table.area[i];
  if (!bonded && !touches(model, state, i)) at_rest.tension = 0.0;
  PointLaw p{at_rest.friction, at_rest.shear, at_rest.cap, at_rest.tension, at_rest.along, law.friction_direction};
  if (!law.rolls()) return p;
  const auto curvature = [&](std::int32_t b) {
    return is_wall(b) || !bodies.is_round(static_cast<std::size_t>(b))
               ? 0.0
               : 1.0 / bodies.parameters.radius[static_cast<std::size_t>(b)];
  };
  p.rolling = law.rolling, p.radius = reduced_radius(curvature(table.a[i]), curvature(table.b[i]));
  if (D == 3) p.pivoting = law.pivoting;
  return p;
}

}  // namespace moreau::statics
