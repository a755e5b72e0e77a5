// The problem of a step, contact by contact, in plain numbers: what the error estimate (error_estimate.hpp) and the finishing
// solver (finishing.hpp) read, whatever the layout in which it is swept.
//
//   v = v_free + M^-1 sum_c H_c P_c,      U_c = H_c^T v + b_c,      law(U_c, P_c) at every contact c (contact_domain.hpp)
//
// Where there is tension (cohesion, joints) P is the impulse seen from the tip of its domain, and v_free that of the tips: the
// law is then the same as without. Couples against rolling are contacts of their own, after all others. A motion that contacts
// share (a piston, the deformation of a cell) is one freedom more, after those of the bodies.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "moreau/geometry/vec.hpp"
#include "moreau/law/delassus_block.hpp"
#include "moreau/law/tangent_bound.hpp"
#include "moreau/solver/shared_motion.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau::inline solver {

template <int D>
struct StepBody {
  double inverse_mass = 0.0;
  double inverse_inertia[spin_dimension<D>][spin_dimension<D>]{};
  double free_velocity[velocity_dimension<D>]{};
};

template <int D>
struct StepContact {
  static constexpr int freedoms = velocity_dimension<D>;
  std::int32_t a = -1, b = -1;  // bodies; b = -1: an obstacle
  Vec<D> frame[D]{};            // normal towards a, tangents
  double on_a[D][freedoms]{};   // rows of H^T: velocity along frame[k] per velocity of body a
  double on_b[D][freedoms]{};   // the same of body b
  Vec<D> bias{}, impulse{};     // in the frame
  TangentBound bound{};         // of the impulse across the normal
  double tension = 0.0;         // [impulse] along the normal: the blocks keep the impulse less this
  bool shaped = false;          // not between round bodies
  bool left = false;            // as it was: its part was not asked for
  double pivoting = 0.0;        // of a couple: bound of its component along the normal, in what is carried
  std::int32_t carrier = -1;    // of a couple: the contact whose normal impulse bounds it
  DelassusBlock<D> own{};       // H^T M^-1 H of this contact alone

  bool is_couple() const { return carrier >= 0; }
};

// A contact as the layouts give it; arms from the centres to the contact.
template <int D>
struct ContactRow {
  Vec<D> frame[D]{}, arm_a{}, arm_b{}, bias{},
      impulse{};  // of tangents that carry an ellipse the lengths are not one (general.hpp)
  TangentBound bound{};
  double tension = 0.0;
  bool shaped = false;  // not between round bodies
};
// Its couple, over the reduced radius; turns: that radius over the lengths of the bodies.
template <int D>
struct CoupleRow {
  Spin<D> bias{}, impulse{};  // in the laboratory
  double turn_a = 0.0, turn_b = 0.0, rolling = 0.0, pivoting = 0.0;
};

// Numbers in a part, by those in the whole; -1: not in it, which holds for all between two parts.
struct PartNumbers {
  std::vector<std::int32_t> body, contact, motion;
};

template <int D>
class StepSystem {
 public:
  static constexpr int freedoms = velocity_dimension<D>;

  std::vector<StepBody<D>> bodies;
  std::vector<std::int32_t> names;  // of the bodies in the model; empty in a part
  std::vector<StepContact<D>> contacts;
  std::vector<SharedMotion> motions;
  std::vector<Sharing<D>> sharings;  // ordered by motion; directions in the frames of the contacts

  // Bodies must be there already; motions too.
  void add_contact(std::int32_t a, std::int32_t b, const ContactRow<D>& row);
  void add_couple(std::int32_t carrier, const CoupleRow<D>& row);
  // When all contacts and sharings are there: the local operators, and which contacts each body has.
  void complete();
  // After that, once: impulses and free velocities are those of the problem without tension.
  void look_from_tips();

  std::size_t size() const { return freedoms * bodies.size() + motions.size(); }  // of a vector of velocities
  // `velocity`, `momentum`: freedoms numbers per body, then one per motion. `rows`: D per contact.
  void free_velocity(std::vector<double>& velocity) const;
  void velocity_gained(const std::vector<double>& momentum, std::vector<double>& velocity) const;  // M^-1 momentum
  void momentum_of(const std::vector<double>& rows, std::vector<double>& momentum) const;          // sum_c H_c rows_c
  void local_velocity(const std::vector<double>& velocity, std::vector<double>& rows) const;       // H^T velocity, no bias
  double kinetic_square(const std::vector<double>& momentum, const std::vector<double>& velocity) const;

  // What the impulses of the contacts lead to.
  void velocity_of_impulses(std::vector<double>& velocity) const;
  Vec<D> local_velocity(std::size_t contact, const std::vector<double>& velocity) const;     // U, with bias
  Vec<D> relative_velocity(std::size_t contact, const std::vector<double>& velocity) const;  // H^T velocity

  double total_mass() const;

  // Contacts that feel one another, directly or through others, by their numbers; those alone in a part too.
  std::vector<std::vector<std::int32_t>> parts() const;
  // The contacts given, their bodies and motions renumbered. bodies_of_part[k]: number of body k of the part here. `numbers` serves
  // one part after the other, so that a part costs no more than it is large.
  StepSystem part(std::span<const std::int32_t> contacts, std::vector<std::int32_t>& bodies_of_part, PartNumbers& numbers) const;

 private:
  struct Incidence {
    std::int32_t contact;
    bool first;  // the body is a of the contact
  };
  std::vector<Incidence> incidences_;  // of the bodies, body by body
  std::vector<std::uint32_t> start_;
  std::vector<std::uint32_t> sharing_start_;  // of contact c: sharing_of_[sharing_start_[c]] ...
  std::vector<std::uint32_t> sharing_of_;
};

// A contact between bodies that are named, with all that the system needs of them.
template <int D>
struct SystemRow {
  std::int32_t a = -1, b = -1;  // names; b = -1: an obstacle
  StepBody<D> body_a, body_b;
  ContactRow<D> contact;
  bool turns = false;  // it has a couple
  CoupleRow<D> couple{};
};

// The system, contact by contact. Bodies are numbered as they appear.
template <int D>
class SystemBuilder {
 public:
  // `names`: more than the largest of them.
  SystemBuilder(std::size_t names, std::size_t contacts) : number_(names, -1) { system_.contacts.reserve(contacts); }
  void add(const SystemRow<D>& row);
  // When all contacts are there, motion by motion; direction in the frame of the contact, whose bias feels the change of speed of
  // now.
  void add_sharing(const Sharing<D>& sharing, double change) {
    system_.contacts[sharing.contact].bias -= change * sharing.direction;
    system_.sharings.push_back(sharing);
  }
  StepSystem<D> finish(std::span<const SharedMotion> motions);

 private:
  std::int32_t number_of(std::int32_t name, const StepBody<D>& body);

  StepSystem<D> system_;
  std::vector<std::int32_t> number_;  // of a body in the system, by its name
  std::vector<std::pair<std::int32_t, CoupleRow<D>>> couples_;
};

// What one rank has of a system; contacts of sharings by row.
template <int D>
struct SystemPart {
  std::vector<SystemRow<D>> rows;
  std::vector<Sharing<D>> sharings;
  std::span<const SharedMotion> motions;
  std::span<const double> changes_of_speed;  // of the motions
};

}  // namespace moreau::inline solver
