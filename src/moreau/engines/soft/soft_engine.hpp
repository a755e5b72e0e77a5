// Molecular dynamics of round bodies whose contacts yield (Combe 2001, 1.2.1; docs/engines.md): forces follow from overlaps and
// velocities, accelerations from forces, and the motion from accelerations by an explicit scheme.
//
//   predict   bodies, pistons and cell at t + h, by Taylor's series
//   search, detect   contacts there, and which of them were there before
//   push      forces of the contacts
//   correct   accelerations, and with them the state at t + h
#pragma once

#include "moreau/contact/neighbours.hpp"
#include "moreau/engines/engine.hpp"
#include "moreau/engines/soft/body_contacts.hpp"
#include "moreau/engines/soft/pair_forces.hpp"
#include "moreau/engines/soft/soft_apparatus.hpp"
#include "moreau/engines/soft/touching.hpp"

namespace moreau::inline engines {

template <int D>
class SoftEngine final : public Engine<D> {
 public:
  // Throws EngineRefusal, before anything is changed, where the model or the bodies are not for this engine.
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override;
  EngineMemory memory() const override;

 private:
  struct PushSums {
    soft::ForceSums contacts;
    double wall_power = 0.0;
    std::vector<double> push;  // on pistons
    Matrix<D> moment{};        // sum of f_p l_q, for the cell
    PushSums& operator+=(const PushSums& o);
  };
  struct BodySums {
    double resultant = 0.0, mass = 0.0, fastest = 0.0, speeds = 0.0, kinetic = 0.0, potential = 0.0, dissipated_power = 0.0,
           wall_power = 0.0;
    bool finite = true;
    BodySums& operator+=(const BodySums& o);
  };

  void prepare(const Model<D>& model, State<D>& state);
  void welcome(const Model<D>& model, State<D>& state);
  void begin(const Model<D>& model, State<D>& state);
  void begin_jerk(const Model<D>& model, State<D>& state);
  void predict(const Model<D>& model, State<D>& state);
  void describe(const State<D>& state);
  void write_lines(const State<D>& state, std::size_t begin, std::size_t end);
  void find_centre(const State<D>& state);
  void follow_prescribed_change(State<D>& state);
  void search(const Model<D>& model, const State<D>& state);
  void detect(const Model<D>& model, State<D>& state);
  // Under small displacements (fixed_list.cpp): whether the table is a list that was begun; begins it; its contacts as found.
  bool has_list(const State<D>& state) const;
  void begin_list(const Model<D>& model, State<D>& state);
  void recall_list(const Model<D>& model, const State<D>& state);
  // Forces of the contacts found, into the table; `passed`: time since the springs were last extended, h or 0.
  PushSums push(const Model<D>& model, State<D>& state, double passed);
  void place_planes(const Model<D>& model, const State<D>& state);
  Vec<D> wall_lag(const Model<D>& model, const State<D>& state, std::size_t wall) const;
  void react(const Model<D>& model, std::size_t wall, const Vec<D>& force, const Vec<D>& surface, PushSums& sums) const;
  void push_wall(const Model<D>& model, State<D>& state, std::size_t i, const soft::PairForces<D>& in, const Vec<D>& spring,
                 double deepest, PushSums& sums) const;
  void add_surroundings(const Model<D>& model, const State<D>& state, std::size_t i, PushSums& sums) const;
  // New accelerations at t, and with them the corrected state; `correcting` false: the accelerations alone.
  BodySums accelerate(const Model<D>& model, State<D>& state, double time, bool correcting);
  void sum_pushes(std::size_t bodies);

  Neighbours<D> neighbours_;
  soft::Touching<D> touching_;
  soft::SoftApparatus<D> apparatus_;
  soft::BodyContacts of_bodies_;
  Surroundings<D> around_;
  std::vector<Vec<D>> old_spring_;  // what contacts remember from the step before, where their rows have changed
  std::vector<double> old_deepest_;
  std::vector<soft::BodyLine<D>> lines_;
  std::vector<double> inverse_mass_, lever_;  // 1/m, r/I
  std::vector<soft::BodyTraits> traits_;      // in the plane
  std::vector<soft::PushLine<D>> lags_;       // h/2 times accelerations (pair_forces.hpp); empty where springs need none
  std::vector<Vec<D>> image_shift_;           // of every candidate; empty without a periodic cell
  std::vector<Vec<D>> shift_, drift_;         // of every contact; same
  std::vector<soft::Plane<D>> planes_;        // by wall; those for which `is_plane_` holds
  std::vector<char> is_plane_;
  std::vector<soft::PushLine<D>> body_push_;  // what every body gets from its contacts
  std::vector<soft::PushLine<D>> push_;       // what every contact gives; empty where it was added up at once
  std::vector<soft::PackedLaw> laws_;
  std::int32_t one_material_ = -1;  // of all bodies; -1: they have several
  soft::SoftNeeds needs_;
  soft::Scheme scheme_;
  Vec<D> centre_{};                     // of mass; for a cell that deforms
  double farthest_ = HUGE_VAL;          // that a body can have moved since contacts were last searched for
  bool followed_ = false;               // the state is the one that the last step led to
  std::size_t free_ = 0, present_ = 0;  // bodies
  bool drives_ = false;                 // some body is driven
  std::uint64_t table_step_ = 0;        // of the state whose contact table the candidates know
  bool renewed_ = true;                 // the candidates are new, or the table is another
  bool checked_ = false;
  bool summed_ = false;  // impulses of the bodies are those of the contacts last pushed
  bool fixed_ = false;   // the step before was one of small displacements
  double checked_step_ = 0.0;
};

}  // namespace moreau::inline engines
