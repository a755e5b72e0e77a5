// The bodies that carry no force while others move: they give way as long as their cages have room (statics/cage.hpp). A cage is
// looked at again only when the bodies around it have moved far enough to have used its room up: moving by s each, they take
// 2 s from it at most.
#pragma once

#include <optional>
#include <vector>

#include "moreau/statics/cage.hpp"

namespace moreau::geometric {

template <int D>
class LooseBodies {
 public:
  LooseBodies(const Model<D>& model, double diameter) : model_(model), distance_(0.3 * diameter) {}

  // The cages of all free bodies that are not among the carrying ones. Those that are of the same bodies as before are not looked
  // at again.
  void gather(State<D>& state, const statics::Freedoms<D>& carrying);
  bool empty() const { return cages_.empty(); }

  // The carrying bodies have moved by at most this.
  void note_moved(double length) { moved_ += length; }

  // The cage with the least room among those that could jam within a further motion of this length, in the state as it is; none
  // if none could. Bodies of a cage that are among `carrying` have joined them. `all`: look at every cage.
  std::optional<statics::Cage<D>> tightest(State<D>& state, const statics::Freedoms<D>& carrying, double length,
                                           bool all = false);

  // The cage that would jam first if the carrying bodies moved along t: how far, and which.
  struct Jam {
    double distance = HUGE_VAL;
    const statics::Cage<D>* cage = nullptr;
  };
  Jam first_jam(State<D>& state, const statics::Freedoms<D>& carrying, const Eigen::VectorXd& t, double length);

 private:
  void renew_list(State<D>& state);
  void look_at(State<D>& state, std::size_t k);
  double room_left(std::size_t k) const { return cages_[k].room - 2.0 * (moved_ - looked_at_[k]); }

  const Model<D>& model_;
  double distance_, moved_ = 0.0, listed_at_ = 0.0;
  Neighbours<D> neighbours_;
  std::vector<statics::Pair> near_;
  std::vector<statics::Cage<D>> cages_;
  std::vector<double> looked_at_;  // `moved_` when each cage was widened
};

}  // namespace moreau::geometric
