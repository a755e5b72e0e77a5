// The contact problem of one step.
//
// Unknown: the velocities u of the bodies and the impulse P of every contact, with
//   u = u_free + A^-1 sum G^T P,      law(bias + G u, P) at every contact.
// Contacts are of several kinds (contact_kind.hpp), each with a layout and an arithmetic of its own; they push the same bodies
// (solver_body.hpp).
//
// Contacts are coloured so that no two contacts of a colour share a free body; within a colour the order of treatment does not
// matter, hence eight of a kind at a time, on any number of threads, the same bits. Bodies that do not move freely are not seen
// by the colouring: their contacts have b = none and their velocity enters the bias. What is left of a free body with more than
// 64 contacts goes to the overflow, packs of eight contacts that may share bodies (mass_splitting.hpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "moreau/base/lanes.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/solver/accelerator.hpp"
#include "moreau/solver/colouring.hpp"
#include "moreau/solver/iterate.hpp"
#include "moreau/solver/shared_motion.hpp"

namespace moreau::inline solver {

// Rows of a length known here: copied in registers, not by a call.
template <std::size_t n>
inline void copy_row(const double* from, double* to) {
  std::memcpy(to, from, n * sizeof(double));
}

template <int D>
class ContactProblem {
 public:
  using Body = SolverBody<D>;

  // Velocities without contacts: those of the free bodies plus `gained` (h g). `order` lists the bodies as they are laid in
  // memory, and their contacts are taken in that order. All of them must stay as they are until it is solved. `poses` are
  // those at the midpoint; may be empty where all bodies are round. `kept`: share of the velocity that an impulse brings which a
  // drag leaves (dynamics/drag.hpp); `gained` is without that.
  void set_bodies(const Bodies<D>& bodies, std::span<const Pose<D>> poses, const std::vector<std::int32_t>& order,
                  const Vec<D>& gained, double kept = 1.0);

  // Three parts, all called from several threads or working on several: where each contact goes, one contact, and what remains to
  // be done when all are packed: the local operators of the overflow.
  //
  // Where each contact goes: contacts are coloured and laid out. The contacts of body a are row[a] ... row[a + 1] - 1.
  // bodies_of(i) gives the two free bodies of contact i as a pair, the second negative for an obstacle whose motion does not
  // depend on the impulse; kind_of(i) its kind; colour_of(i) the colour that it had, or Colouring::not_yet; name_of(i) a number
  // that tells it from others, of contacts without a colour.
  template <class BodiesOf, class KindOf, class ColourOf, class NameOf>
  void place_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of, KindOf&& kind_of, ColourOf&& colour_of,
                      NameOf&& name_of);
  const std::vector<std::uint8_t>& colours() const { return colouring_.colour; }  // of the contacts
  void pack(std::size_t i, std::int32_t a, std::int32_t b, GeneralContact<D> contact);
  // A contact that is packed begins from this impulse; those beyond Coulomb's law keep theirs.
  void begin_from(std::size_t i, const Vec<D>& impulse);
  void split_masses();
  // The memory in which they work. Bodies hold the velocities at the beginning of the step from set_bodies() until it is
  // solved; rows are free memory, one for each slot and some numbers beyond the last, which solvers use too.
  Body* bodies() { return iterate_.bodies.data(); }
  RoundPack<D>* round_packs() { return iterate_.packs.template get<Round<D>>().list.data(); }
  VelocityOf<D>* rows() { return rows_.data(); }
  const std::uint32_t* places() const { return place_.data(); }
  const std::uint32_t* slots() const { return slot_.data(); }
  // The velocity of body i becomes the mean of what it is, with `more`, and of that in the bodies given to set_bodies().
  void average_with_start(std::size_t i, const Vec<D>& more) {
    Body& body = iterate_.bodies[slot_[i]];
    const VelocityOf<D> start = velocity_without_contacts(i, more);
    for (int d = 0; d < velocity_dimension<D>; ++d) body.velocity[d] = 0.5 * (body.velocity[d] + start.c[d]);
  }
  std::int32_t none() const { return static_cast<std::int32_t>(body_count()); }

  // Motions in which contacts take part besides their bodies (none after set_contacts). The contacts were given the compliance
  // that goes with it. `sharings` are ordered by motion. At most most_shared_motions.
  void set_shared_motions(std::span<const SharedMotion> motions, std::span<const Sharing<D>> sharings);
  std::span<const double> changes_of_speed() const { return motions_.changes_of_speed(); }

  // Ranks that have other contacts of the same problem; null: none.
  void join(Partners<D>* partners) { iterate_.partners = partners; }

  Vec<D> solved_velocity(std::size_t i) const {
    Vec<D> v;
    for (int d = 0; d < D; ++d) v[d] = iterate_.bodies[slot_[i]].velocity[d];
    return v;
  }
  Spin<D> solved_spin(std::size_t i) const {
    const double length = length_scale(*input_, i);
    Spin<D> spin;
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = iterate_.bodies[slot_[i]].velocity[D + d] / length;
    return spin;
  }
  Vec<D> normal(std::size_t contact) const;   // towards the first body
  Vec<D> impulse(std::size_t contact) const;  // on the first body
  Spin<D> couple(std::size_t contact) const;  // on the first body; zero unless the contact resists rolling

  // For solvers: what they sweep, in which order its contacts lie, and norms and sums that all ranks agree on.
  Iterate<D, double>& iterate() { return iterate_; }
  const Iterate<D, double>& iterate() const { return iterate_; }
  SharedMotions<D>& motions() { return motions_; }
  Colouring& colouring() { return colouring_; }
  const Colouring& colouring() const { return colouring_; }
  std::span<const std::uint32_t> contact_places() const { return place_; }
  std::size_t contacts() const { return all_contacts_; }  // with those of other ranks
  VelocityOf<D> free_velocity(std::size_t slot) const;    // without contacts
  std::int32_t name_of(std::int32_t slot) const;          // of the body, -1 for none
  Partners<D>* partners() const { return iterate_.partners; }
  bool counts(std::size_t slot) const { return !partners() || partners()->counts(slot); }
  bool keeps(std::size_t slot) const { return !partners() || partners()->keeps(slot); }
  // Of how many parts, on as many ranks, the masses of the iterate are one.
  double parts(std::size_t slot) const { return partners() ? partners()->parts(slot) : 1.0; }
  template <class T>
  T over_ranks(const T& mine) const {
    return partners() ? partners()->sum(mine) : mine;
  }

  // The problem in plain numbers, its impulses those of now; and impulses brought back from there, from which velocities are to
  // be computed.
  StepSystem<D> system() const;
  StepSystem<D> system(std::span<const std::uint32_t> contacts) const;  // of some, without shared motions
  SystemPart<D> system_part() const;                    // that of this rank
  void take(std::span<const StepContact<D>> contacts);  // all of them here, then the couples that have changed
  void take(std::span<const std::uint32_t> numbers, std::span<const StepContact<D>> contacts);  // the same of some
  std::vector<std::uint32_t> contacts_of_structures() const;  // structures.hpp

  // A problem that was made elsewhere has this many contacts; what was set here is forgotten, until set_bodies(). And the whole
  // of it, brought here.
  void be_elsewhere(std::size_t contacts) { contacts_ = all_contacts_ = contacts, motions_.clear(); }
  void take_over(ProblemThere<D>&& problem);

  std::size_t body_bytes() const {
    return iterate_.body_bytes() + rows_.capacity() * sizeof(Velocity) +
           (colouring_.used().capacity() * sizeof(std::uint64_t) + slot_.capacity() * sizeof(std::uint32_t));
  }
  std::size_t contact_bytes() const {
    return iterate_.contact_bytes() + place_.capacity() * sizeof(std::uint32_t) + colouring_.colour.capacity();
  }

 private:
  static constexpr std::uint32_t max_colours = Colouring::most;

  using Velocity = VelocityOf<D>;
  Velocity velocity_without_contacts(std::size_t body, const Vec<D>& gained) const;
  Mobility<D> mobility(std::int32_t slot) const;
  void take_parts();
  void set_turnings();

  std::size_t body_count() const { return iterate_.body_count(); }
  // How many contacts of each kind have each colour; the last are those of the overflow. Or where the next of them goes.
  struct ColourSizes {
    std::uint32_t of[contact_kinds][max_colours + 1] = {};
  };
  static constexpr std::size_t layout_chunk = 2048;  // bodies
  std::int32_t slot(std::int32_t body) const {
    return static_cast<std::int32_t>(body < 0 ? body_count() : slot_[static_cast<std::size_t>(body)]);
  }
  void lay_out(const std::vector<std::uint32_t>& row);
  SystemRow<D> system_row(std::size_t contact) const;
  std::vector<Sharing<D>> sharings_in_frames() const;  // contacts by their numbers here

  const Bodies<D>* input_ = nullptr;
  const std::vector<std::int32_t>* order_ = nullptr;  // body of each slot
  std::vector<std::uint32_t> slot_;                   // slot of each body
  Vec<D> gained_{};
  double kept_ = 1.0;
  std::span<const Pose<D>> poses_;
  Iterate<D, double> iterate_;
  std::vector<Velocity> rows_;
  std::vector<Velocity> free_there_;  // of a problem that was taken over
  std::vector<std::int32_t> order_there_;
  std::vector<std::uint32_t> place_;  // of contact i (contact_kind.hpp); before lay_out() its kind only
  Colouring colouring_;
  SharedMotions<D> motions_;
  std::size_t contacts_ = 0, all_contacts_ = 0;  // here; with those of other ranks
};

template <int D>
template <class BodiesOf, class KindOf, class ColourOf, class NameOf>
void ContactProblem<D>::place_contacts(const std::vector<std::uint32_t>& row, BodiesOf&& bodies_of, KindOf&& kind_of,
                                       ColourOf&& colour_of, NameOf&& name_of) {
  contacts_ = row.back();
  all_contacts_ = over_ranks(Count{contacts_}).value;
  motions_.clear();
  resize_tightly(place_, contacts_), resize_tightly(colouring_.colour, contacts_);
  for_chunks(contacts_, 4 * layout_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) place_[i] = place_of(kind_of(i), 0), colouring_.colour[i] = colour_of(i);
  });
  const auto contact = [&](std::size_t i) {
    const auto [a, b] = bodies_of(i);
    return Colouring::Contact{static_cast<std::uint32_t>(slot(a)), static_cast<std::uint32_t>(slot(b)),
                              colouring_.colour[i] < max_colours ? 0 : name_of(i)};
  };
  if (partners())
    partners()->colour(colouring_, contacts_, contact, slot_);
  else
    colouring_.complete(iterate_.bodies.size(), contacts_, contact);
  lay_out(row);
  take_parts();
  set_turnings();
}

}  // namespace moreau::inline solver
