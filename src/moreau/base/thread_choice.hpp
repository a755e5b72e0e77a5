// How many threads the next step takes, from how long steps took with one number and another. Bits do not depend on it.
//
// It begins with one thread, and now and then compares the number in use with the next larger or smaller one, steps taken in
// turns so that both meet the same machine and the same work. The other is taken if it was faster by more than `margin`. Where it
// was not, the next comparison comes twice as late: what comparing costs becomes small, and a machine that becomes busy is still
// noticed.
#pragma once

#include <algorithm>

namespace moreau::inline base {

class ThreadChoice {
 public:
  // For the next step; at most `most`.
  int next(int most) {
    if (threads_ > most) threads_ = most, other_ = 0;
    if (other_ > most) other_ = 0;
    if (other_ == 0 && most > 1 && --until_comparison_ <= 0) begin_comparison(most);
    return used_ = other_ > 0 && turn_ % 2 == 0 ? other_ : threads_;
  }
  // How long it took, for how much work (in any unit, the same in all steps).
  void took(double seconds, double work) {
    if (other_ == 0 || work <= 0.0 || seconds <= 0.0) return;
    const double cost = seconds / work;
    double& least = used_ == other_ ? least_of_other_ : least_;
    least = turn_ < 2 ? cost : std::min(least, cost);  // the first of each
    ++turn_;
    if (turn_ == 2 * turns || (turn_ % 2 == 0 && least_of_other_ > hopeless * least_)) end_comparison();
  }

  int threads() const { return threads_; }  // in use when nothing is compared

 private:
  static constexpr int turns = 4;  // steps with each of the two; the fastest counts
  static constexpr double margin = 0.05, hopeless = 1.5;
  static constexpr int soonest = 4, latest = 400;  // steps between comparisons

  void begin_comparison(int most) {
    up_ = threads_ == 1 || (up_ && threads_ < most);
    other_ = up_ ? std::min(most, 2 * threads_) : (threads_ + 1) / 2;
    turn_ = 0;
  }
  void end_comparison() {
    if (least_of_other_ < (1.0 - margin) * least_) {
      threads_ = other_, interval_ = soonest;  // and on in the same direction
    } else {
      up_ = !up_;
      interval_ = std::min(latest, 2 * interval_);
    }
    other_ = 0, until_comparison_ = interval_;
  }

  int threads_ = 1, other_ = 0, used_ = 1;  // other: 0 when nothing is compared
  int turn_ = 0, interval_ = soonest, until_comparison_ = 1;
  bool up_ = true;
  double least_ = 0.0, least_of_other_ = 0.0;
};

}  // namespace moreau::inline base
