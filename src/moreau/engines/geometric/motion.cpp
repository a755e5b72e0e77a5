#include "moreau/engines/geometric/motion.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/base/giving_up.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/take_over.hpp"
#include "moreau/engines/geometric/mechanism_path.hpp"
#include "moreau/engines/geometric/work.hpp"

namespace moreau::geometric {

namespace {

template <int D>
class Motion {
 public:
  Motion(const Model<D>& model, State<D>& state, Mechanism<D>& mechanism, const Load<D>& load, statics::ListFactor& factor,
         LooseBodies<D>& loose, Neighbours<D>& neighbours, double diameter, const Tolerances& tolerances)
      : model_(model),
        state_(state),
        mechanism_(mechanism),
        load_(load),
        factor_(factor),
        loose_(loose),
        neighbours_(neighbours),
        diameter_(diameter),
        tolerances_(tolerances),
        freedoms_(mechanism.list.freedoms),
        path_(model, state, mechanism, load, factor, diameter, tolerances.touch * diameter) {}

  Closed<D> follow(const Eigen::VectorXd& push) {
    if (mechanism_.lost.size() > 1) loose_.gather(state_, freedoms_);
    if (!path_.find_tangent(push)) return failed("the motion has no direction");
    double step = tolerances_.longest_step * diameter_, path = 0.0;
    while (path < tolerances_.longest_path * diameter_) {
      ++closed_.steps;
      give_up_if_asked();
      if (path_.uphill()) return failed("on its way the packing comes to a place where contacts would have to pull");
      const Next next = first_to_close(step);
      if (next.distance <= step) {
        if (land(next)) return closed_;
        step = std::min(step, 0.5 * next.distance);
        if (!(step > 1e-14 * diameter_)) return failed("two contacts close at once, and neither list holds");
      }
      const double taken = advance(step);
      if (!(taken > 0.0)) return failed("the path cannot be followed");
      if (model_.cell.deforms && !cell_holds(lattice_of(model_, state_), state_.bodies))
        return failed("the periodic cell became narrower than two of the largest bodies");
      path += taken;
      step = std::min(1.6 * taken, tolerances_.longest_step * diameter_);
    }
    return failed("nothing stops the motion");
  }

 private:
  struct Next {
    double distance = HUGE_VAL;  // along the path
    std::vector<Pair> pairs;
    bool joins = false;  // loose bodies join the list
  };

  Closed<D> failed(const char* why) {
    closed_.failure = why;
    return closed_;
  }

  bool carries(std::int32_t b) const {
    return is_wall(b) || !state_.bodies.is_free(static_cast<std::size_t>(b)) || freedoms_.takes_part(static_cast<std::size_t>(b));
  }
  bool in_list(const Pair& pair) const { return std::binary_search(sorted_.begin(), sorted_.end(), pair); }

  // The pairs of carrying bodies that are not in the list, and which gap or cage the tangent closes first.
  Next first_to_close(double step) {
    sorted_ = mechanism_.list.pairs;
    sorted_.erase(sorted_.begin() + mechanism_.row);
    std::sort(sorted_.begin(), sorted_.end());
    watched_.clear();
    Next next;
    for (const Contact<D>& c :
         statics::contacts_within(model_, state_, neighbours_, 4.0 * path_.fastest() * tolerances_.longest_step * diameter_)) {
      if (!carries(c.pair.a) || !carries(c.pair.b) || in_list(c.pair)) continue;
      watched_.push_back(c.pair);
      double rate = 0.0;
      statics::contact_row<D>(freedoms_, state_.bodies.parameters.radius, c, c.normal,
                              [&](int column, double value) { rate += value * path_.tangent()[column]; });
      if (!(rate < -1e-12)) continue;
      if (const double distance = std::max(0.0, c.gap) / -rate; distance < next.distance) next = {distance, {c.pair}, false};
    }
    const auto jam = loose_.first_jam(state_, freedoms_, path_.tangent(), path_.fastest() * std::min(step, next.distance));
    if (jam.distance < next.distance) next = {jam.distance, jam.cage->held_by, true};
    return next;
  }

  // Goes to where the contacts of `next` touch, if that is where the path leads and nothing closes before.
  bool land(Next next) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      State<D> trial = state_;
      IsostaticList<D> list = mechanism_.list;
      if (next.joins) {
        list.pairs.erase(list.pairs.begin() + mechanism_.row);
        list.pairs.insert(list.pairs.end(), next.pairs.begin(), next.pairs.end());
        list = list_of(model_, state_, std::move(list.pairs), load_);
        if (!list.square()) return false;
      } else {
        list.pairs[static_cast<std::size_t>(mechanism_.row)] = next.pairs[0];
      }
      displace(trial, freedoms_, next.distance * path_.tangent());
      // Loose bodies that join still have to come to where they are held.
      const double longest = std::max((next.joins ? 10.0 : 0.3) * next.distance, 1e-9 * diameter_);
      if (!close_gaps(model_, trial, list, factor_, tolerances_.touch * diameter_, longest)) return false;
      if (next.joins && joined_overlap(trial, list)) return false;  // nearer to it the cage will be held by others
      const double moved = farthest(state_, trial, list.freedoms);
      if (const std::optional<Next> earlier = overlap_in(trial, list, next, moved)) {
        loose_.note_moved(moved);  // and back
        next = *earlier;
        continue;
      }
      finish(std::move(trial), std::move(list), next);
      return true;
    }
    return false;
  }

  bool joined_overlap(const State<D>& trial, const IsostaticList<D>& list) {
    const auto joined = [&](std::int32_t b) {
      return !is_wall(b) && list.freedoms.takes_part(static_cast<std::size_t>(b)) &&
             !freedoms_.takes_part(static_cast<std::size_t>(b));
    };
    const auto holds = [&](std::int32_t b) {
      return is_wall(b) || !trial.bodies.is_free(static_cast<std::size_t>(b)) ||
             list.freedoms.takes_part(static_cast<std::size_t>(b));
    };
    for (const Contact<D>& c : statics::contacts_within(model_, trial, neighbours_, 0.0))
      if (c.gap < -tolerances_.overlap * diameter_ && (joined(c.pair.a) || joined(c.pair.b)) && holds(c.pair.a) &&
          holds(c.pair.b))
        return true;
    return false;
  }

  // A pair or cage that would be overfull in the trial: it closes before.
  std::optional<Next> overlap_in(State<D>& trial, const IsostaticList<D>& list, const Next& next, double moved) {
    const auto now = contacts_of(model_, state_, std::span<const Pair>(watched_));
    const auto then = contacts_of(model_, trial, std::span<const Pair>(watched_));
    double worst = -tolerances_.overlap * diameter_;
    std::optional<Next> earlier;
    for (std::size_t k = 0; k < then.size(); ++k) {
      if (std::find(next.pairs.begin(), next.pairs.end(), watched_[k]) != next.pairs.end() || !(then[k].gap < worst)) continue;
      worst = then[k].gap;
      const double before = std::max(0.0, now[k].gap);
      earlier = Next{next.distance * before / (before - then[k].gap), {watched_[k]}, false};
    }
    if (earlier) return earlier;
    loose_.note_moved(moved);
    const auto cage = loose_.tightest(trial, list.freedoms, 0.0);
    if (!cage || cage->room >= -tolerances_.overlap * diameter_) return {};
    return Next{0.9 * next.distance, cage->held_by, true};
  }

  void finish(State<D> trial, IsostaticList<D> list, const Next& next) {
    work_from_to(state_, trial);
    take_over(state_, std::move(trial));
    closed_.gained = next.pairs;
    mechanism_.list = std::move(list);
    if (next.joins) loose_.gather(state_, mechanism_.list.freedoms);
  }

  void work_from_to(const State<D>& from, const State<D>& to) {
    closed_.work += work_between(model_, freedoms_, load_, from, to);
  }

  // By which bodies and walls have moved at most.
  static double farthest(const State<D>& from, const State<D>& to, const statics::Freedoms<D>& freedoms) {
    double most = 0.0;
    for (const std::size_t i : freedoms.body)
      most = std::max(most, norm(to.bodies.state.position[i] - from.bodies.state.position[i]));
    for (const std::size_t p : freedoms.piston)
      most = std::max(most, std::abs(to.pistons[p].displacement - from.pistons[p].displacement));
    return most;
  }

  // A step of at most this length along the path; returns its length, 0 if even short ones fail.
  double advance(double step) {
    const Eigen::VectorXd row = path_.fastest_row();
    const State<D> start = state_;
    for (; step > 1e-13 * diameter_; step *= 0.5) {
      displace(state_, freedoms_, step * path_.tangent());
      const bool there = path_.correct(row, 0.3 * step);
      const double moved = farthest(start, state_, freedoms_);
      if (there && no_overlap(moved)) {
        work_from_to(start, state_);
        if (path_.find_tangent(row)) return step;
      }
      state_ = start;
      loose_.note_moved(moved);  // and back
    }
    return 0.0;
  }

  bool no_overlap(double moved) {
    for (const Contact<D>& c : contacts_of(model_, state_, std::span<const Pair>(watched_)))
      if (c.gap < -tolerances_.overlap * diameter_) return false;
    loose_.note_moved(moved);
    const auto cage = loose_.tightest(state_, freedoms_, 0.0);
    return !cage || cage->room >= -tolerances_.overlap * diameter_;
  }

  const Model<D>& model_;
  State<D>& state_;
  Mechanism<D>& mechanism_;
  const Load<D>& load_;
  statics::ListFactor& factor_;
  LooseBodies<D>& loose_;
  Neighbours<D>& neighbours_;
  const double diameter_;
  const Tolerances& tolerances_;
  const statics::Freedoms<D> freedoms_;
  MechanismPath<D> path_;
  std::vector<Pair> sorted_, watched_;
  Closed<D> closed_;
};

}  // namespace

template <int D>
Closed<D> follow(const Model<D>& model, State<D>& state, Mechanism<D>& mechanism, const Load<D>& load,
                 const Eigen::VectorXd& push, statics::ListFactor& factor, LooseBodies<D>& loose, Neighbours<D>& neighbours,
                 double diameter, const Tolerances& tolerances) {
  return Motion<D>(model, state, mechanism, load, factor, loose, neighbours, diameter, tolerances).follow(push);
}

#define MOREAU_INSTANTIATE(D)                                                                                  \
  template Closed<D> follow(const Model<D>&, State<D>&, Mechanism<D>&, const Load<D>&, const Eigen::VectorXd&, \
                            statics::ListFactor&, LooseBodies<D>&, Neighbours<D>&, double, const Tolerances&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::geometric
