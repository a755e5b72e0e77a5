// Motions with one degree of freedom in which many contacts take part: a piston pressed by its servo, the deformation of a
// periodic cell.
//
// A contact i that shares motion m feels  U_i = ... + c_im s_m,  and the motion gains  s_m = free_m + sum_i c_im . P_i / M_m,
// where s is the change of its speed over the step. During a sweep s stays as it is, so that contacts of one motion do not wait
// for each other; after it s is summed anew. Jacobi's method for a light motion with many contacts would
// diverge: each contact therefore counts the motion as if its mass were split among all that share it,
//   H_i + sum_m |c_im| sum_j |c_jm| / M_m,
// which is at least the true operator. What the iteration converges to is not changed by it: only the steps are shorter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/lanes.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/solver/shared_pack.hpp"
#include "moreau/solver/sharing.hpp"

namespace moreau::inline solver {

template <int D>
class SharedMotions {
 public:
  void clear() { motions_.clear(), sharings_.clear(), packs_.clear(); }
  bool empty() const { return motions_.empty(); }

  // `sharings` ordered by motion, their contacts given by their places (contact_kind.hpp), their directions in the frame in which
  // the packs keep impulse and bias. The biases in the packs are those of no change.
  void set(std::span<const SharedMotion> motions, std::vector<Sharing<D>> sharings) {
    motions_.assign(motions.begin(), motions.end());
    sharings_ = std::move(sharings);
    gather_shared_packs<D>(sharings_, packs_);
    std::fill(std::begin(change_), std::end(change_), 0.0);
  }

  // Changes of speed from the impulses.
  template <class Iterate>
  void renew(Iterate& iterate) {
    if (motions_.empty()) return;
    Gained gained = sum_chunks<Gained>(packs_.size(), chunk, [&](std::size_t begin, std::size_t end, Gained& sum) {
      GainedTerms<D> terms(sum.of);
      for (const SharedPack<D>& shared : std::span(packs_).subspan(begin, end - begin))
        at(iterate, shared, [&](const auto& pack, std::size_t lane) { terms.add(shared, pack.impulse, lane); });
    });
    change(iterate, [&](std::size_t m) {
      if (iterate.partners) gained.of[m] = iterate.partners->sum(gained.of[m]);
      return motions_[m].free_change + motions_[m].inverse_mass * (iterate.units.impulse() * gained.of[m].value());
    });
  }

  // s <- s + extrapolation (s - s_last), s_last <- s.
  template <class Iterate>
  void extrapolate(Iterate& iterate, double extrapolation) {
    change(iterate, [&](std::size_t m) {
      const double last = std::exchange(change_last_[m], change_[m]);
      return change_[m] + extrapolation * (change_[m] - last);
    });
  }
  // An iterate is left for another, which takes its biases, and come back to: its biases are those of then until renew().
  void leave() { std::copy(std::begin(change_), std::end(change_), std::begin(change_left_)); }
  void come_back() { std::copy(std::begin(change_left_), std::end(change_left_), std::begin(change_)); }

  void start_extrapolation() { std::copy(std::begin(change_), std::end(change_), std::begin(change_last_)); }

  void take_snapshot() { std::copy(std::begin(change_), std::end(change_), std::begin(change_snapshot_)); }
  double kinetic_square_since_snapshot() const {
    double sum = 0.0;
    for (std::size_t m = 0; m < motions_.size(); ++m)
      if (motions_[m].inverse_mass > 0.0) {
        const double change = change_[m] - change_snapshot_[m];
        sum += change * change / motions_[m].inverse_mass;
      }
    return sum;
  }

  // They were found elsewhere.
  void assume(std::span<const double> changes) { std::copy(changes.begin(), changes.end(), change_); }

  std::span<const double> changes_of_speed() const { return {change_, motions_.size()}; }
  std::span<const SharedMotion> motions() const { return motions_; }
  std::span<const Sharing<D>> sharings() const { return sharings_; }  // contacts by their places

 private:
  static constexpr std::size_t chunk = 512;  // packs

  struct Gained {
    ExactSum<double, 3> of[most_shared_motions];
    Gained& operator+=(const Gained& o) {
      for (int m = 0; m < most_shared_motions; ++m) of[m] += o.of[m];
      return *this;
    }
  };

  // f(pack, first of its lanes that are meant)
  template <class Iterate, class F>
  static void at(Iterate& iterate, const SharedPack<D>& shared, F&& f) {
    iterate.packs.at(shared.place, [&](auto, auto& pack, std::size_t lane) { f(pack, lane); });
  }

  // Gives each motion the change of speed change_of(motion), and lets its contacts feel it: a contact that takes part in several
  // motions feels one after the other.
  template <class Iterate, class Change>
  void change(Iterate& iterate, Change&& change_of) {
    double step[most_shared_motions];
    for (std::size_t m = 0; m < motions_.size(); ++m) {
      const double changed = change_of(m);
      step[m] = (changed - change_[m]) / iterate.units.velocity;
      change_[m] = changed;
    }
    for_chunks(packs_.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (const SharedPack<D>& shared : std::span(packs_).subspan(begin, end - begin))
        at(iterate, shared, [&](auto& pack, std::size_t lane) { feel(shared, step[shared.motion], pack.bias, lane); });
    });
  }

  std::vector<SharedMotion> motions_;
  std::vector<Sharing<D>> sharings_;
  std::vector<SharedPack<D>> packs_;
  double change_[most_shared_motions] = {}, change_snapshot_[most_shared_motions] = {}, change_last_[most_shared_motions] = {},
         change_left_[most_shared_motions] = {};
};

}  // namespace moreau::inline solver
