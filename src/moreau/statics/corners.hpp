// Blocks that touch corner on corner, in space also edge on edge: bricks beside each other in stack bond, the four stones that
// come together in a dome. The normal of such a contact is only one of those along which the two are apart, and a force along it
// may hold what in truth passes by (contact/passage.hpp is the same for a step). Forces cannot tell; the motion can: a corner
// holds if the blocks would overlap where the motion leads that begins without it.
//
// So a bound is first worked out without such contacts; those that its motion would press together are added, until it presses
// none.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"
#include "moreau/statics/contact.hpp"
#include "moreau/statics/freedoms.hpp"

namespace moreau::statics {

template <int D>
struct BodyMotion {
  Vec<D> velocity{};
  Spin<D> spin{};
};

// Of every body; `motion` is that of freedoms with spins.
template <int D>
std::vector<BodyMotion<D>> motion_of_bodies(const State<D>& state, const Freedoms<D>& freedoms, const Eigen::VectorXd& motion);

template <int D>
class Corners {
 public:
  Corners(const Model<D>& model, const State<D>& state, std::vector<Contact<D>> contacts);

  // Contacts of a corner or edge with another, with fewer points than hold two blocks to each other.
  const std::vector<bool>& are() const { return are_; }
  int count() const;

  // Whether the blocks of a contact would overlap if all moved so.
  bool is_pressed(std::size_t contact, const std::vector<BodyMotion<D>>& motion) const;

  // The bound of `bound(without)`, contacts to be left out in, something with `found` and a motion of bodies by `motion(bound)`
  // (empty: none is known). `without` in the end: the corners that hold nothing.
  template <class Bound, class MotionOf>
  auto settle(std::vector<bool>& without, Bound&& bound, MotionOf&& motion) const {
    for (;;) {
      auto found = bound(without);
      const std::vector<BodyMotion<D>> moves = motion(found);
      bool more = false;
      for (std::size_t c = 0; c < without.size() && !moves.empty(); ++c)
        if (without[c] && is_pressed(c, moves)) without[c] = false, more = true;
      if (!more) return found;
    }
  }

 private:
  const Model<D>& model_;
  const State<D>& state_;
  std::vector<Contact<D>> contacts_;
  std::vector<bool> are_;
};

}  // namespace moreau::statics
