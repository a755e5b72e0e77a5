// All that stays constant during a run: gravity, walls, motions, contact laws, sources, settings.
#pragma once

#include <string>
#include <vector>

#include "moreau/drive/cell.hpp"
#include "moreau/drive/motion.hpp"
#include "moreau/drive/piston.hpp"
#include "moreau/drive/sink.hpp"
#include "moreau/drive/source.hpp"
#include "moreau/drive/tilt.hpp"
#include "moreau/drive/wall.hpp"
#include "moreau/dynamics/engine_kind.hpp"
#include "moreau/law/pair_law.hpp"
#include "moreau/law/soft_law.hpp"
#include "moreau/solver/settings.hpp"

namespace moreau::inline dynamics {

// Which contacts are effective in a step, and what is asked of their normal velocity.
enum class ContactRule {
  midpoint,    // Moreau's rule: effective iff gap(t_m, q_m) <= 0; then U_N >= 0
  predictive,  // effective iff the gap is about to close; then U_N + gap/h >= 0: no overlap at the next midpoint (docs/theory.md)
};

// How the impacts of a step are treated (docs/laws.md).
enum class ShockRule {
  together,    // all at once, on formal velocities (Moreau 1994)
  sequential,  // one after the other, before the step is solved without restitution (shocks.hpp)
};

// Of engines that integrate forces in time (docs/engines.md).
enum class Integrator {
  verlet,  // velocity Verlet, dashpots at the predicted velocity: order 2
  gear,    // Gear's predictor-corrector of four values: order 3
};

struct SoftSettings {
  Integrator integrator = Integrator::verlet;
  double level = 0.0, pressure = 0.0;  // stiffness level kappa and the pressure to which it belongs; 0: not given
  bool dashpots_pull = false;          // true: the dashpot of a contact that opens may make its normal force negative
  // Contacts keep the list and the normals of the beginning of the phase; they open and close, and no others come (Combe 2001,
  // 5.2: molecular dynamics under the hypothesis of small perturbations).
  bool small_displacements = false;
};

// Resistance of the film between two round bodies to their approach, over its thickness h (Combe 2001, eq. 1.14).
enum class FilmLaw {
  spheres,    // B/h,       B = 6 pi eta R^2             1/R = 1/R_a + 1/R_b
  cylinders,  // B/h^(3/2), B = 3 sqrt(2) pi eta R^(3/2) per unit of length
};

// Of the lubricated engine (docs/engines.md).
struct LubricatedSettings {
  double viscosity = 1.0;  // eta; sets the scale of time and nothing else
  FilmLaw law = FilmLaw::cylinders;
  double reach = 0.0;  // pairs no further apart have a film [length]; 0: a tenth of the mean diameter
};

// Of the elastic engine (docs/engines.md).
struct ElasticSettings {
  bool associated = false;  // slip opens contacts
  double near = 0.0;        // pairs of round bodies no further apart may come into contact [length]
  double tolerance = 1e-9;  // of the balance, relative to the largest force
  double finest = 1e-3;     // smallest part of a step by which the load grows
};

struct Material {
  std::string name;
  double density = 0.0;
};

template <int D>
struct Model {
  EngineKind engine = EngineKind::rigid;
  Vec<D> gravity{};  // as long as it is not tilted
  Tilt<D> tilt;
  double time_step = 0.0;
  double damping = 0.0;  // c [1/time]: a drag - c m v on every free body, piston and cell, which brings a sample to rest
  ContactRule rule = ContactRule::midpoint;
  double contact_distance = 0.0;  // contacts are effective up to this gap [length]; 0 is the rule of Moreau 2003
  ShockRule shocks = ShockRule::together;
  SolverSettings solver;
  SoftSettings soft;
  LubricatedSettings lubricated;
  ElasticSettings elastic;
  std::vector<Material> materials;
  std::vector<PairLaw> pair_laws;  // row-major square over materials, symmetric
  // Same: whether the strengths of joints are stresses, to be multiplied by the share of the joint's area; may be empty: none is.
  std::vector<std::uint8_t> joints_per_area;
  std::vector<SoftLaw> soft_laws;  // same, of engines whose contacts yield; may be empty
  std::vector<Motion<D>> motions;
  std::vector<Wall<D>> walls;
  std::vector<Piston<D>> pistons;  // walls with a degree of freedom; a wall belongs to one at most and has no motion then
  Cell<D> cell;                    // not periodic in any direction: no cell
  std::vector<Source<D>> sources;
  std::vector<Sink<D>> sinks;

  Vec<D> gravity_at(double time) const { return tilted(gravity, tilt, time); }

  bool joint_is_per_area(const PairLaw& law) const {
    return !joints_per_area.empty() && joints_per_area[static_cast<std::size_t>(&law - pair_laws.data())] != 0;
  }
  const PairLaw& law(std::int32_t material_a, std::int32_t material_b) const {
    return pair_laws[static_cast<std::size_t>(material_a) * materials.size() + static_cast<std::size_t>(material_b)];
  }
};

}  // namespace moreau::inline dynamics
