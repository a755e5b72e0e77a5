#include "moreau/engines/geometric/motion.hpp"

#include <algorithm>
#include <cmath>

namespace moreau::geometric {

namespace {

using statics::SparseRows;

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
        freedoms_(mechanism.list.freedoms) {
    extent_ = diameter;
    for (int p = 0; p < D; ++p)
      for (int q = 0; q < D; ++q) extent_ = std::max(extent_, std::abs(state.cell.vectors.row[p][q]));
  }

  Closed<D> follow(const Eigen::VectorXd& push) {
    if (mechanism_.lost.size() > 1) loose_.gather(state_, freedoms_);
    if (!find_tangent(push)) return failed("the motion has no direction");
    double step = tolerances_.longest_step * diameter_, path = 0.0;
    while (path < tolerances_.longest_path * diameter_) {
      ++closed_.steps;
      if (uphill_) return failed("on its way the packing comes to a place where contacts would have to pull");
      const Next next = first_to_close(step);
      if (next.distance <= step) {
        if (land(next)) return closed_;
        step = std::min(step, 0.5 * next.distance);
        if (!(step > 1e-14 * diameter_)) return failed("two contacts close at once, and neither list holds");
      }
      const double taken = advance(step);
      if (!(taken > 0.0)) return failed("the path cannot be followed");
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

  double size_of(const Eigen::VectorXd& u) const {
    double most = 0.0;
    const int lengths = freedoms_.column_of_gradient(0);
    for (int j = 0; j < u.size(); ++j) most = std::max(most, std::abs(u[j]) * (j < lengths ? 1.0 : extent_));
    return most;
  }
  // Of a body, if all freedoms move at most by 1: its components, what the cell adds.
  double fastest() const { return std::sqrt(static_cast<double>(D)) * (freedoms_.gradient.empty() ? 1.0 : 1.0 + D); }

  SparseRows matrix_with(const Eigen::VectorXd& row) const {
    SparseRows G = matrix_of(model_, state_, mechanism_.list);
    // Rows are compressed: rebuild with the one row exchanged.
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(G.nonZeros()) + 8);
    for (int i = 0; i < G.rows(); ++i) {
      if (i == mechanism_.row) continue;
      for (SparseRows::InnerIterator e(G, i); e; ++e) entries.emplace_back(i, static_cast<int>(e.col()), e.value());
    }
    for (int j = 0; j < row.size(); ++j)
      if (row[j] != 0.0) entries.emplace_back(mechanism_.row, j, row[j]);
    SparseRows A(G.rows(), G.cols());
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  // G t = 0 on the list, row . t > 0; the fastest freedom moves with 1.
  bool find_tangent(const Eigen::VectorXd& row) {
    factor_.set(matrix_with(row / row.cwiseAbs().maxCoeff()), {mechanism_.row});
    Eigen::VectorXd right = Eigen::VectorXd::Zero(freedoms_.size());
    right[mechanism_.row] = 1.0;
    if (!factor_.solve(right, tangent_)) return false;
    tangent_ /= size_of(tangent_);
    const Eigen::VectorXd F = force_of(model_, state_, freedoms_, load_);
    uphill_ = F.dot(tangent_) < -1e-9 * F.cwiseAbs().maxCoeff();
    return tangent_.allFinite();
  }

  bool carries(std::int32_t b) const {
    return is_wall(b) || !state_.bodies.is_free(static_cast<std::size_t>(b)) || freedoms_.place[static_cast<std::size_t>(b)] >= 0;
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
         statics::contacts_within(model_, state_, neighbours_, 4.0 * fastest() * tolerances_.longest_step * diameter_)) {
      if (!carries(c.pair.a) || !carries(c.pair.b) || in_list(c.pair)) continue;
      watched_.push_back(c.pair);
      double rate = 0.0;
      statics::contact_row<D>(freedoms_, state_.bodies.parameters.radius, c, c.normal,
                              [&](int column, double value) { rate += value * tangent_[column]; });
      if (!(rate < -1e-12)) continue;
      if (const double distance = std::max(0.0, c.gap) / -rate; distance < next.distance) next = {distance, {c.pair}, false};
    }
    const auto jam = loose_.first_jam(state_, freedoms_, tangent_, fastest() * std::min(step, next.distance));
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
      displace(trial, freedoms_, next.distance * tangent_);
      // Loose bodies that join still have to come to where they are held.
      const double longest = std::max((next.joins ? 10.0 : 0.3) * next.distance, 1e-9 * diameter_);
      if (!close_gaps(model_, trial, list, factor_, tolerances_.touch * diameter_, longest, {mechanism_.row})) return false;
      if (next.joins && joined_overlap(trial, list)) return false;  // nearer to it the cage will be held by others
      if (const std::optional<Next> earlier = overlap_in(trial, list, next)) {
        loose_.note_moved(fastest() * next.distance);  // and back
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
      return !is_wall(b) && list.freedoms.place[static_cast<std::size_t>(b)] >= 0 &&
             freedoms_.place[static_cast<std::size_t>(b)] < 0;
    };
    const auto holds = [&](std::int32_t b) {
      return is_wall(b) || !trial.bodies.is_free(static_cast<std::size_t>(b)) ||
             list.freedoms.place[static_cast<std::size_t>(b)] >= 0;
    };
    for (const Contact<D>& c : statics::contacts_within(model_, trial, neighbours_, 0.0))
      if (c.gap < -tolerances_.overlap * diameter_ && (joined(c.pair.a) || joined(c.pair.b)) && holds(c.pair.a) &&
          holds(c.pair.b))
        return true;
    return false;
  }

  // A pair or cage that would be overfull in the trial: it closes before.
  std::optional<Next> overlap_in(State<D>& trial, const IsostaticList<D>& list, const Next& next) {
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
    loose_.note_moved(fastest() * next.distance);
    const auto cage = loose_.tightest(trial, list.freedoms, 0.0);
    if (!cage || cage->room >= -tolerances_.overlap * diameter_) return {};
    return Next{0.9 * next.distance, cage->held_by, true};
  }

  void finish(State<D> trial, IsostaticList<D> list, const Next& next) {
    work_from_to(state_, trial);
    state_ = std::move(trial);
    closed_.gained = next.pairs;
    mechanism_.list = std::move(list);
    if (next.joins) loose_.gather(state_, mechanism_.list.freedoms);
  }

  void work_from_to(const State<D>& from, const State<D>& to) {
    const Eigen::VectorXd F = force_of(model_, from, freedoms_, load_);
    for (std::size_t k = 0; k < freedoms_.body.size(); ++k) {
      const Vec<D> u = to.bodies.state.position[freedoms_.body[k]] - from.bodies.state.position[freedoms_.body[k]];
      for (int d = 0; d < D; ++d) closed_.work += F[D * static_cast<int>(k) + d] * u[d];
    }
    for (std::size_t k = 0; k < freedoms_.piston.size(); ++k)
      closed_.work += F[freedoms_.column_of_piston(static_cast<int>(k))] *
                      (to.pistons[freedoms_.piston[k]].displacement - from.pistons[freedoms_.piston[k]].displacement);
    if (freedoms_.gradient.empty()) return;
    const Matrix<D> strain = (to.cell.vectors + -1.0 * from.cell.vectors) * inverse(from.cell.vectors);
    for (std::size_t k = 0; k < freedoms_.gradient.size(); ++k)
      closed_.work += F[freedoms_.column_of_gradient(static_cast<int>(k))] *
                      strain.row[freedoms_.gradient[k].first][freedoms_.gradient[k].second];
  }

  // A step of at most this length along the path; returns its length, 0 if even short ones fail.
  double advance(double step) {
    int fastest_freedom = 0;
    const int lengths = freedoms_.column_of_gradient(0);
    for (int j = 1; j < tangent_.size(); ++j) {
      const auto speed = [&](int i) { return std::abs(tangent_[i]) * (i < lengths ? 1.0 : extent_); };
      if (speed(j) > speed(fastest_freedom)) fastest_freedom = j;
    }
    Eigen::VectorXd row = Eigen::VectorXd::Zero(freedoms_.size());
    row[fastest_freedom] = tangent_[fastest_freedom] > 0.0 ? 1.0 : -1.0;
    const State<D> start = state_;
    for (; step > 1e-13 * diameter_; step *= 0.5) {
      displace(state_, freedoms_, step * tangent_);
      if (correct(row, 0.3 * step) && no_overlap(step)) {
        work_from_to(start, state_);
        if (find_tangent(row)) return step;
      }
      state_ = start;
      loose_.note_moved(fastest() * step);  // and back
    }
    return 0.0;
  }

  bool correct(const Eigen::VectorXd& row, double longest) {
    for (int k = 0; k < 12; ++k) {
      Eigen::VectorXd gap = Eigen::VectorXd::Zero(freedoms_.size()), u;
      const auto contacts = contacts_of(model_, state_, std::span<const Pair>(mechanism_.list.pairs));
      for (std::size_t l = 0; l < contacts.size(); ++l)
        if (static_cast<int>(l) != mechanism_.row) gap[static_cast<Eigen::Index>(l)] = contacts[l].gap;
      if (gap.cwiseAbs().maxCoeff() <= tolerances_.touch * diameter_) return true;
      factor_.set(matrix_with(row), {mechanism_.row});
      if (!factor_.solve(-gap, u) || !(size_of(u) <= longest)) return false;
      displace(state_, freedoms_, u);
    }
    return false;
  }

  bool no_overlap(double step) {
    for (const Contact<D>& c : contacts_of(model_, state_, std::span<const Pair>(watched_)))
      if (c.gap < -tolerances_.overlap * diameter_) return false;
    loose_.note_moved(fastest() * step);
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
  double extent_ = 1.0;
  bool uphill_ = false;  // the load works against the motion
  Eigen::VectorXd tangent_;
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
