// The contact problem of one step.
//
// Unknown: the velocities u of the bodies and the impulse P of every contact, with
//   u = u_free + A^-1 sum G^T P,      law(bias + G u, P) at every contact.
// How bodies and contacts are laid out is the Kind: Round<D> when all bodies are round (round.hpp), Rigid<D> for any shapes
// (rigid.hpp), Bounded<D> and Rolling<D> for laws beyond Coulomb's (general.hpp).
//
// Contacts are coloured so that no two contacts of a colour share a free body; within a colour the order of treatment does not
// matter, hence eight at a time, on any number of threads, the same bits. Bodies that do not move freely are not seen by the
// colouring: their contacts have b = none and their velocity enters the bias.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "moreau/base/lanes.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/solver/certificate.hpp"
#include "moreau/solver/general.hpp"
#include "moreau/solver/measured.hpp"
#include "moreau/solver/rigid.hpp"
#include "moreau/solver/round.hpp"
#include "moreau/solver/settings.hpp"
#include "moreau/solver/shared_motion.hpp"

namespace moreau {

template <class Kind>
class ContactProblem {
 public:
  static constexpr int D = Kind::dimension;
  using Body = typename Kind::Body;
  using Block = typename Kind::Block;
  using Contact = typename Kind::Contact;

  // Velocities without contacts: those of the free bodies plus `gained` (h g). `order` lists the bodies as they are laid in
  // memory, and their contacts are taken in that order. Both must stay as they are until the end of solve(). `poses` are those at
  // the midpoint (not needed for round bodies).
  void set_bodies(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const std::vector<std::int32_t>& order,
                  const Vec<D>& gained);

  // Colours the contacts and packs them. The contacts of body a are row[a] ... row[a + 1] - 1. bodies_of(i) gives the two free
  // bodies of contact i as a pair, the second negative for an obstacle whose motion does not depend on the impulse; contact(i)
  // gives the rest (called from several threads).
  template <class BodiesOf, class MakeContact>
  void set_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of, MakeContact&& contact);

  // The two halves of set_contacts, for those who pack contacts by themselves: where each contact goes, and one contact.
  template <class BodiesOf>
  void place_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of);
  void pack(std::size_t i, std::int32_t a, std::int32_t b, const Contact& contact) { pack_at(i, slot(a), slot(b), contact); }
  // The memory in which they work. Bodies hold the velocities at the beginning of the step from set_bodies() to solve(); rows are
  // free memory but during solve(), one for each slot and some numbers beyond the last.
  Body* bodies() { return bodies_.data(); }
  Block* blocks() { return blocks_.data(); }
  VelocityOf<D>* rows() { return snapshot_.data(); }
  const std::uint32_t* places() const { return place_.data(); }
  const std::uint32_t* slots() const { return slot_.data(); }
  // The velocity of body i becomes the mean of what it is and of that in the bodies given to set_bodies().
  void average_with_start(std::size_t i) {
    Body& body = bodies_[slot_[i]];
    const VelocityOf<D> start = Kind::free_velocity(*input_, i, {});
    for (int d = 0; d < velocity_dimension<D>; ++d) body.velocity[d] = 0.5 * (body.velocity[d] + start.c[d]);
  }
  std::int32_t none() const { return static_cast<std::int32_t>(body_count()); }

  // Motions in which contacts take part besides their bodies (none after set_contacts). The contacts were given the compliance
  // that goes with it. `sharings` are ordered by motion. At most most_shared_motions.
  void set_shared_motions(std::span<const SharedMotion> motions, std::span<const Sharing<D>> sharings);
  std::span<const double> changes_of_speed() const { return {change_, motions_.size()}; }

  // `external_velocity`: rms over free bodies of h |A^-1 F|, one of the two velocity scales.
  Certificate solve(const SolverSettings& settings, double external_velocity);

  Vec<D> solved_velocity(std::size_t i) const {
    Vec<D> v;
    for (int d = 0; d < D; ++d) v[d] = bodies_[slot_[i]].velocity[d];
    return v;
  }
  Spin<D> solved_spin(std::size_t i) const { return Kind::spin(bodies_[slot_[i]], *input_, i); }
  Vec<D> impulse(std::size_t contact) const;
  Spin<D> couple(std::size_t contact) const  // on the first body
      requires(Kind::rows > D) {
    return Kind::couple(blocks_[place_[contact] / lanes], place_[contact] % lanes);
  }

  std::size_t body_bytes() const {
    return bodies_.capacity() * sizeof(Body) + snapshot_.capacity() * sizeof(Velocity) + body_last_.capacity() * sizeof(LaneRow) +
           used_.capacity() * sizeof(std::uint64_t) + slot_.capacity() * sizeof(std::uint32_t);
  }
  std::size_t contact_bytes() const {
    return blocks_.capacity() * sizeof(Block) + place_.capacity() * sizeof(std::uint32_t) +
           impulse_last_.capacity() * sizeof(LaneRow);
  }

 private:
  static constexpr std::uint32_t max_colours = 64;  // one bit each in `used_`

  using Velocity = VelocityOf<D>;
  Velocity free_velocity(std::size_t slot) const;

  std::size_t body_count() const { return bodies_.size() - 1; }
  template <class BodiesOf>
  void colour_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of);
  std::int32_t slot(std::int32_t body) const {
    return static_cast<std::int32_t>(body < 0 ? body_count() : slot_[static_cast<std::size_t>(body)]);
  }
  void lay_out(std::span<const std::uint32_t> colour_sizes, const std::vector<std::uint32_t>& row);
  void pack_at(std::size_t i, std::int32_t slot_a, std::int32_t slot_b, const Contact& contact);
  void refresh();
  void renew_shared_motions();
  template <class Change>
  void change_shared_motions(Change&& change_of);
  void take_snapshot();
  void start_momentum();
  Measured sweep_on(double relaxation, double momentum, bool fully);
  void sweep(double relaxation);
  Measured measuring_sweep(double relaxation);
  Measured measure() const;
  template <class Other>
  double kinetic_distance(Other&& other) const;
  double change_since_snapshot() const;  // kinetic norm of u - snapshot
  double contact_momentum() const;       // kinetic norm of u - u_free

  const Bodies<D>* input_ = nullptr;
  const std::vector<std::int32_t>* order_ = nullptr;  // body of each slot
  std::vector<std::uint32_t> slot_;                   // slot of each body
  Vec<D> gained_{};
  std::vector<Body> bodies_;  // by slot; one more than there are bodies: the last one stands for `none`
  std::vector<Velocity> snapshot_;
  // What the sweep before the last one led to: impulses as in the blocks, first cache lines of the bodies.
  std::vector<LaneRow> impulse_last_, body_last_;
  std::vector<std::uint32_t> touched_;  // slots of the free bodies that have contacts
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> colour_end_;  // blocks of colour c: colour_end_[c - 1] ... colour_end_[c] - 1
  std::size_t overflow_begin_ = 0;         // blocks from here on hold one contact each and are swept in order, on one thread
  std::vector<std::uint32_t> place_;       // of contact i: block * lanes + lane; while colouring, its colour
  std::vector<std::uint64_t> used_;        // colours taken at a body
  std::vector<SharedMotion> motions_;
  std::vector<Sharing<D>> sharings_;  // directions in the frame in which the blocks keep impulse and bias
  double change_[most_shared_motions] = {}, change_snapshot_[most_shared_motions] = {}, change_last_[most_shared_motions] = {};
  std::size_t contacts_ = 0;
  double total_mass_ = 0.0;  // of the free bodies
};

// Greedy: each contact, in the order given, takes the lowest colour that neither of its bodies has. A body with more than 64
// contacts sends the surplus to the overflow, which is swept one contact at a time.
template <class Kind>
template <class BodiesOf>
void ContactProblem<Kind>::colour_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of) {
  used_.assign(bodies_.size(), 0);
  resize_tightly(place_, contacts_);
  std::uint32_t size[max_colours + 1] = {};
  for (std::size_t s = 0; s < order_->size(); ++s) {
    const std::size_t body = static_cast<std::size_t>((*order_)[s]);
    std::uint64_t& at_a = used_[s];
    for (std::size_t i = row[body]; i < row[body + 1]; ++i) {
      const std::int32_t b = bodies_of(i).second;
      std::uint64_t unused = 0;
      std::uint64_t& at_b = b < 0 ? unused : used_[static_cast<std::size_t>(slot(b))];
      const std::uint32_t colour = static_cast<std::uint32_t>(std::countr_one(at_a | at_b));
      if (colour < max_colours) {
        const std::uint64_t bit = std::uint64_t{1} << colour;
        at_a |= bit;
        at_b |= bit;
      }
      place_[i] = colour;
      ++size[colour];
    }
  }
  lay_out(size, row);
}

template <class Kind>
template <class BodiesOf>
void ContactProblem<Kind>::place_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of) {
  contacts_ = row.back();
  motions_.clear(), sharings_.clear();
  colour_contacts(row, bodies_of);
}

template <class Kind>
template <class BodiesOf, class MakeContact>
void ContactProblem<Kind>::set_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of, MakeContact&& contact) {
  place_contacts(row, bodies_of);
  for_chunks(order_->size(), 512, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t body = static_cast<std::size_t>((*order_)[s]);
      for (std::size_t i = row[body]; i < row[body + 1]; ++i) {
        const auto [a, b] = bodies_of(i);
        pack_at(i, slot(a), slot(b), contact(i));
      }
    }
  });
}

}  // namespace moreau
