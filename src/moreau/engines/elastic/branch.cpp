#include "moreau/engines/elastic/branch.hpp"

#include <limits>

namespace moreau::elastic {

namespace {

// Piece of the law of a contact in which it is: its force is linear there.
enum class Piece : std::uint8_t { stick, forwards, backwards, open };

// A piece ends where a n + b t of the trial force, positive inside, becomes zero.
struct Side {
  double a = 0.0, b = 0.0;
  Piece beyond = Piece::stick;
  double of(double n, double t) const { return a * n + b * t; }
};

// What bounds the pieces of a contact.
class Sides {
 public:
  Sides(const Spring& spring, Flow flow) {
    const double kt = spring.sideways();
    rough_ = kt > 0.0;
    mu_ = rough_ ? spring.friction : 0.0;
    if (flow == Flow::associated && rough_) dilation_ = mu_ * spring.normal / kt;
  }
  bool rough() const { return rough_; }

  Piece piece_at(double n, double t) const {
    if (n < 0.0 && n + dilation_ * std::abs(t) <= 0.0) return Piece::open;
    if (!rough_ || std::abs(t) <= mu_ * n) return Piece::stick;
    return t > 0.0 ? Piece::forwards : Piece::backwards;
  }

  // Of a piece, at a trial force on its border or inside.
  int of(Piece piece, double t, Side (&side)[2]) const {
    switch (piece) {
      case Piece::stick:
        if (!rough_) return side[0] = {1.0, 0.0, Piece::open}, 1;
        side[0] = {mu_, -1.0, Piece::forwards}, side[1] = {mu_, 1.0, Piece::backwards};
        return 2;
      case Piece::forwards:
        side[0] = {-mu_, 1.0, Piece::stick}, side[1] = {1.0, dilation_, Piece::open};
        return 2;
      case Piece::backwards:
        side[0] = {-mu_, -1.0, Piece::stick}, side[1] = {1.0, -dilation_, Piece::open};
        return 2;
      case Piece::open:
        if (!rough_) return side[0] = {-1.0, 0.0, Piece::stick}, 1;
        if (dilation_ == 0.0) return side[0] = {-1.0, 0.0, t >= 0.0 ? Piece::forwards : Piece::backwards}, 1;
        side[0] = {-1.0, -dilation_, Piece::forwards}, side[1] = {-1.0, dilation_, Piece::backwards};
        return 2;
    }
    return 0;
  }

 private:
  double mu_ = 0.0, dilation_ = 0.0;
  bool rough_ = false;
};

struct Corner {
  double after = std::numeric_limits<double>::infinity();  // of the parameter
  std::size_t contact = 0;
  Side side;
};

class Walk {
 public:
  Walk(TangentFactor& factor, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd& F)
      : n_(factor.network()),
        held_(factor.held()),
        slip_(slip),
        start_(u),
        u_(u),
        factor_(factor),
        factorised_before_(factor.factorisations()) {
    draw_apart();
    const Eigen::VectorXd start = -(n_.G.transpose() * answer(n_, slip_, u_).force);
    F0_ = start, change_ = F - start;
    const Eigen::VectorXd trial = trial_forces();
    std::vector<TangentFactor::Block> blocks;
    for (std::size_t c = 0; c < n_.spring.size(); ++c) {
      sides_.emplace_back(n_.spring[c], n_.flow);
      const Eigen::Index r = 2 * static_cast<Eigen::Index>(c);
      piece_.push_back(sides_[c].piece_at(trial[r], trial[r + 1]));
      blocks.push_back(tangent_of(c));
    }
    sound_ = factor_.compute(std::move(blocks));
    if (sound_) aim();
  }

  BranchEnd go(const BranchLimits& limits) {
    BranchEnd end;
    end.displacement = u_;
    using Why = BranchEnd::Why;
    const auto stop = [&](Why why) {
      end.why = why, end.factorisations = factor_.factorisations() - factorised_before_;
      return end;
    };
    while (sound_) {
      const Corner corner = next_corner();
      const double left = sign_ > 0.0 ? 1.0 - s_ : HUGE_VAL;
      if (left <= corner.after) {
        u_ += left * pace_;
        end.load = 1.0, end.displacement = u_;
        return stop(Why::reached);
      }
      if (!std::isfinite(corner.after)) return stop(Why::turned_back);
      u_ += sign_ * corner.after * pace_, trial_ += sign_ * corner.after * trial_pace_, s_ += sign_ * corner.after;
      if (s_ > end.load) end.load = s_, end.displacement = u_;
      if (s_ < -limits.deepest) return stop(Why::turned_back);
      if (u_.cwiseAbs().maxCoeff() > limits.farthest) return stop(Why::far_away);
      if (++end.corners > limits.corners) return stop(Why::too_many_corners);
      pass(corner);
    }
    return stop(Why::singular);
  }

 private:
  Eigen::VectorXd trial_forces() const {
    Eigen::VectorXd trial = -(n_.G * u_) - slip_;
    for (std::size_t c = 0; c < n_.spring.size(); ++c) {
      const Eigen::Index r = 2 * static_cast<Eigen::Index>(c);
      trial[r] *= n_.spring[c].normal, trial[r + 1] *= n_.spring[c].sideways();
    }
    return trial + n_.force;
  }

  // Contacts that slid in the increment before begin on the border of their cone, all at once, where it is open which of them
  // stick next. They are put inside, each by another trace; the branch then decides one after the other.
  void draw_apart() {
    constexpr double trace = 1e-7, golden = 0.6180339887498949;
    const Eigen::VectorXd trial = trial_forces();
    for (std::size_t c = 0; c < n_.spring.size(); ++c) {
      const Eigen::Index r = 2 * static_cast<Eigen::Index>(c);
      const double kt = n_.spring[c].sideways(), bound = n_.spring[c].friction * trial[r], t = trial[r + 1];
      if (!(kt > 0.0) || !(bound > 0.0) || std::abs(std::abs(t) - bound) > 2.0 * trace * bound) continue;
      const double part = golden * static_cast<double>(c + 1), share = 1.0 + part - std::floor(part);
      slip_[r + 1] += (t - std::copysign(bound * (1.0 - trace * share), t)) / kt;
    }
  }

  // df/dd in the piece: any trial force inside it will do.
  TangentFactor::Block tangent_of(std::size_t c) const {
    const Spring& s = n_.spring[c];
    const double beyond = 2.0 * s.friction;
    std::array<double, 2> inside{1.0, 0.0};
    if (piece_[c] == Piece::forwards) inside[1] = beyond;
    if (piece_[c] == Piece::backwards) inside[1] = -beyond;
    if (piece_[c] == Piece::open) inside[0] = -1.0;
    const Reply<2> r = reply<2>(s, n_.flow, inside);
    TangentFactor::Block block;
    block << r.tangent[0][0], r.tangent[0][1], r.tangent[1][0], r.tangent[1][1];
    return block;
  }

  // How displacement and trial forces change with s in the pieces as they are. What rounding has left out of balance is put right
  // now and then.
  void aim() {
    constexpr int now_and_then = 8;
    if (factor_.factorisations() != factorised_) {
      factorised_ = factor_.factorisations(), base_ = factor_.unchanged(change_);
      aimed_ = 0;
    }
    if (aimed_++ % now_and_then == 0) {
      const Eigen::VectorXd left = n_.G.transpose() * answer(n_, slip_, u_).force + F0_ + s_ * change_ - held_ * (u_ - start_);
      u_ += factor_.solve(left);
      trial_ = trial_forces();
    }
    pace_ = factor_.changed(base_);
    trial_pace_ = -(n_.G * pace_);
    for (std::size_t c = 0; c < n_.spring.size(); ++c) {
      const Eigen::Index r = 2 * static_cast<Eigen::Index>(c);
      trial_pace_[r] *= n_.spring[c].normal, trial_pace_[r + 1] *= n_.spring[c].sideways();
    }
    sound_ = sound_ && pace_.allFinite();
  }

  Corner next_corner() const {
    Corner first;
    Side side[2];
    for (std::size_t c = 0; c < n_.spring.size(); ++c) {
      const Eigen::Index r = 2 * static_cast<Eigen::Index>(c);
      const int count = sides_[c].of(piece_[c], trial_[r + 1], side);
      for (int k = 0; k < count; ++k) {
        const double fall = -sign_ * side[k].of(trial_pace_[r], trial_pace_[r + 1]);
        if (!(fall > 0.0)) continue;
        const double after = std::max(side[k].of(trial_[r], trial_[r + 1]), 0.0) / fall;
        if (after < first.after) first = {after, c, side[k]};
      }
    }
    return first;
  }

  void pass(const Corner& corner) {
    piece_[corner.contact] = corner.side.beyond;
    sound_ = factor_.change(corner.contact, tangent_of(corner.contact));
    if (!sound_) return;
    aim();
    const Eigen::Index r = 2 * static_cast<Eigen::Index>(corner.contact);
    sign_ = corner.side.of(trial_pace_[r], trial_pace_[r + 1]) < 0.0 ? 1.0 : -1.0;
  }

  const Network& n_;
  const Sparse&
      held_;  // springs to the ground, as weak as can be: what carries nothing stays where it is, and corners stay apart
  Eigen::VectorXd slip_, start_, u_, F0_, change_, pace_, trial_, trial_pace_;
  Eigen::VectorXd base_;  // du/ds in the pieces as they were factorised
  std::vector<Sides> sides_;
  std::vector<Piece> piece_;
  TangentFactor& factor_;
  int factorised_before_, factorised_ = 0, aimed_ = 0;
  double s_ = 0.0, sign_ = 1.0;
  bool sound_ = true;
};

}  // namespace

BranchEnd follow_branch(TangentFactor& factor, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd& F,
                        const BranchLimits& limits) {
  return Walk(factor, slip, u, F).go(limits);
}

}  // namespace moreau::elastic
