// A model and its state, and the step that takes one to the next.
#pragma once

#include <algorithm>
#include <functional>

#include "moreau/contact/contact_record.hpp"
#include "moreau/contact/detect.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/contact_laws.hpp"
#include "moreau/dynamics/contact_records.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/report.hpp"
#include "moreau/dynamics/round_contacts.hpp"
#include "moreau/dynamics/stage_clock.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/solver/contact_problem.hpp"

namespace moreau {

struct StepProblem;  // step_problem.hpp

template <int D>
class Simulation {
 public:
  // `seed` starts the random streams of the sources.
  Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed = 0);
  // Continue from a checkpoint: bit-identical to the run that wrote it.
  Simulation(Model<D> model, State<D> state);

  StepReport step();

  const Model<D>& model() const { return model_; }
  const State<D>& state() const { return state_; }

  // For experiments that act between steps (imposed impulses, changed velocities). Call `touch()` after moving bodies by hand or
  // changing laws.
  State<D>& mutable_state() { return state_; }
  Model<D>& mutable_model() { return model_; }
  void touch();

  // Called in every step once it is solved, while the bodies still are where it began: the only moment for step_problem().
  using Inspector = std::function<void(const Simulation&, const Certificate&)>;
  void inspect(Inspector inspector) { inspector_ = std::move(inspector); }
  StepProblem step_problem() const;

  // The contacts of the last step as users see them.
  ContactRecords<D> contact_records() const { return moreau::contact_records(model_, state_); }

  // Bytes held per body and per contact by state, neighbour lists and solver, for the benchmarks.
  struct Memory {
    std::size_t body_bytes = 0, contact_bytes = 0;
  };
  Memory memory() const;

 private:
  std::size_t remove_into_sinks();
  std::size_t insert_from_sources();
  void damp();
  bool cell_holds() const;
  void predict_surroundings();
  void predict_bodies();
  void renew_order();
  LookAhead look_ahead() const;
  const PairLaw& law_of(std::int32_t a, std::int32_t b) const { return moreau::law_of(model_, state_.bodies, a, b); }
  // q_m of every body: positions are advanced by half a step in place, and by the other half when the step ends.
  const std::vector<Vec<D>>& midpoint() const { return state_.bodies.state.position; }
  // A wall or a body whose motion does not depend on the contact impulse.
  bool is_obstacle(std::int32_t b) const { return is_wall(b) || !state_.bodies.is_free(static_cast<std::size_t>(b)); }
  Surroundings<D> surroundings() const {
    return {model_.walls, apparatus_.wall_shift, apparatus_.wall_velocity, apparatus_.lattice, apparatus_.gradient, centre_};
  }
  void change_gradient(const Matrix<D>& change);
  Vec<D> affine(const Matrix<D>& change, std::size_t body) const { return change * (midpoint()[body] - centre_); }
  void detect(StepReport& report, LookAhead ahead);
  // Where contact i of the detector is, seen from its two bodies.
  struct ContactPlace {
    Vec<D> normal;        // towards a
    Vec<D> arm_a, arm_b;  // from the centres to the contact; arm_b of a wall from the origin of space
    double gap;
    Vec<D> shift;  // from b to its image at the contact
  };
  ContactPlace place_of(std::size_t i) const;
  ContactPlace solved_place(std::size_t i) const;
  // Between round bodies, or a round body and an obstacle of any shape: the first body is touched where its surface meets the
  // normal.
  bool touches_round(const FoundContact& found) const {
    const Bodies<D>& bodies = state_.bodies;
    return bodies.is_round(static_cast<std::size_t>(found.a)) &&
           (is_obstacle(found.b) || bodies.is_round(static_cast<std::size_t>(found.b)));
  }
  Vec<D> obstacle_velocity(std::int32_t b, const Vec<D>& arm) const;
  Vec<D> relative_velocity(std::size_t a, std::int32_t b, const ContactPlace& place) const;
  // All that does not depend on laws beyond Coulomb's.
  GeneralContact<D> formal_contact(const FoundContact& found, const ContactPlace& place, const StepLaw& law, bool bonded) const;
  GeneralContact<D> contact_of(std::size_t i, const ContactPlace& place) const;
  bool has_constant_law(const FoundContact& found) const;
  // The contacts of the step by kind (contact_kinds.cpp).
  void choose_kinds();
  ContactKind kind_of(std::size_t i) const { return kinds_.empty() ? ContactKind::round : kinds_[i]; }
  // Laws beyond Coulomb's (contact_laws.cpp).
  void evaluate_laws();
  bool is_bonded(const FoundContact& found) const;
  StepLaw step_law(const FoundContact& found, const ContactPlace& place, bool bonded) const;
  void add_law(GeneralContact<D>& contact, std::size_t i) const;
  Spin<D> relative_spin(std::size_t a, std::int32_t b) const;
  // Of a wall or a body that does not move freely; the wall stays where it is, its surface turns.
  Spin<D> obstacle_spin(std::int32_t b) const {
    return is_wall(b) ? wall_surface_[static_cast<std::size_t>(wall_index(b))].spin
                      : state_.bodies.state.spin[static_cast<std::size_t>(b)];
  }
  // Sequential shocks: from the velocities at the beginning of the step to those after the shocks, and back.
  void strike_contacts(StepReport& report);
  void recall_velocities();
  void assemble();
  Vec<D> branch(const FoundContact& found, const ContactPlace& place) const;
  std::vector<Sharing<D>> share() const;
  double compliance(const FoundContact& found, const ContactPlace& place) const;
  double reference_velocity() const;
  void note_finishing(const Certificate& certificate);
  // Velocity at the end of the step, with what the deforming cell adds.
  Vec<D> final_velocity(std::size_t body) const {
    const Vec<D> v = problem_.solved_velocity(body);
    return apparatus_.cell_motions().empty() ? v : v + affine(apparatus_.gradient_change(), body);
  }
  ShiftRule shift_rule(bool bonded) const;
  double smaller_radius(std::int32_t a, std::int32_t b) const {
    const std::vector<double>& radius = state_.bodies.parameters.radius;
    const double r = radius[static_cast<std::size_t>(a)];
    return is_wall(b) ? r : std::min(r, radius[static_cast<std::size_t>(b)]);
  }
  Vec<D> mean_velocity(const FoundContact& found, const ContactPlace& place) const;
  double work_of_surroundings(std::size_t i, const Vec<D>& impulse, const ContactPlace& place) const;
  // Sums over the bodies, at the end of the step where nothing else is said.
  struct BodySums {
    double resultant = 0.0, mass = 0.0, fastest = 0.0, speeds = 0.0, cell_work = 0.0, kinetic = 0.0, potential = 0.0;
    std::size_t free = 0, present = 0;
    bool finite = true;
    BodySums& operator+=(const BodySums& o) {
      resultant += o.resultant, mass += o.mass, free += o.free, present += o.present, finite &= o.finite, speeds += o.speeds;
      cell_work += o.cell_work, kinetic += o.kinetic, potential += o.potential;
      fastest = std::max(fastest, o.fastest);
      return *this;
    }
  };
  BodySums advance();
  void finish(const BodySums& sums, StepReport& report);
  bool is_sound() const;
  void pack_contacts();
  void account_contacts(StepReport& report);
  void place_driven_bodies(double from, double to);

  Model<D> model_;
  State<D> state_;
  Neighbours<D> neighbours_;
  Detector<D> detector_;
  ContactProblem<D> problem_;
  std::vector<ContactKind> kinds_;  // of the contacts of the step; empty when all are between round bodies, under Coulomb's law
  LawNeeds needs_;
  // Of the contacts of the step; empty when all laws are Coulomb's with constant coefficients.
  std::vector<StepLaw> step_laws_;
  std::vector<std::uint8_t> bonded_;
  // Empty unless shocks are sequential.
  std::vector<Vec<D>> struck_;  // impulses of the shocks of every contact
  std::vector<Vec<D>> velocity_before_;
  std::vector<Spin<D>> spin_before_;
  std::vector<Pose<D>> poses_;  // same with the orientation; empty when all bodies are round
  Apparatus<D> apparatus_;
  std::vector<RigidVelocity<D>> wall_surface_;    // velocity of the surface of every wall within itself, to be added
  Vec<D> centre_{};                               // of mass, at the midpoint; for a deforming cell
  double sharing_sum_[most_shared_motions] = {};  // of |c| over the contacts of a shared motion
  Surroundings<D> around_;                        // at the midpoint
  Penetration penetration_;
  Vec<D> moment_before_{};  // sum of mass times position when the step began; kept while gravity tilts
  Inspector inspector_;
};

}  // namespace moreau
