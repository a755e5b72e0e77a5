#include "moreau/engines/lubricated/viscous_network.hpp"

#include <Eigen/UmfPackSupport>

#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::lubricated {

namespace {

using statics::Sparse;
using statics::SparseRows;

constexpr int most_iterations = 60;
constexpr double balance_tolerance = 1e-12, film_tolerance = 1e-10;  // of the largest force, of the thickness
constexpr double nearest = 0.1;                                      // an iteration leaves at least this part of every thickness
constexpr double thinnest = 1e-200;                                  // of a length: where numbers end
constexpr double digits = 1e-16;                                     // of a length
constexpr double least_guess = 1e-13;                                // of the largest force: what is less is rounding

double largest(const Eigen::VectorXd& v) { return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0; }

class Newton {
 public:
  Newton(const ViscousNetwork& network, double time, const Eigen::VectorXd& guess)
      : network_(network),
        time_(time),
        films_(static_cast<int>(network.film.size())),
        freedoms_(static_cast<int>(network.F.size())) {
    const double noise = least_guess * std::max(largest(network.F), largest(guess));
    f_ = guess.unaryExpr([noise](double f) { return f > noise ? f : 0.0; });
    v_ = Eigen::VectorXd::Zero(freedoms_);
    rate_.resize(films_), h_.resize(films_);
    for (int l = 0; l < films_; ++l) {
      rate_[l] = film(l).rate(time);
      h_[l] = film(l).thickness / film(l).thinning(rate_[l] * f_[l]);
    }
    pushes_.assign(static_cast<std::size_t>(films_), true);
    scale_ = std::max(largest(network.F), largest(f_));
  }

  Flow run() {
    Flow flow;
    for (flow.iterations = 0; flow.iterations < most_iterations; ++flow.iterations) {
      look();
      if (there()) {
        flow.found = true;
        break;
      }
      if (!advance()) break;
    }
    flow.velocity = v_, flow.force = f_;
    flow.thickness.resize(films_);
    for (int l = 0; l < films_; ++l) {  // of films that push from the force: relative digits that the motion does not have
      const double thinned = film(l).thickness / film(l).thinning(rate_[l] * f_[l]);
      flow.thickness[l] = std::max(f_[l] > 0.0 ? thinned : std::max(opened_[l], film(l).thickness), thinnest * network_.length);
    }
    flow.imbalance = scale_ > 0.0 ? largest(balance_) / scale_ : 0.0;
    return flow;
  }

 private:
  const Film& film(int l) const { return network_.film[static_cast<std::size_t>(l)]; }
  bool pushes(int l) const { return pushes_[static_cast<std::size_t>(l)]; }

  void look() {
    balance_ = network_.G.transpose() * f_ + network_.F - network_.drag.cwiseProduct(v_);
    opened_.resize(films_);
    const Eigen::VectorXd U = network_.G * v_ + network_.prescribed;
    for (int l = 0; l < films_; ++l) opened_[l] = film(l).thickness + time_ * U[l];
    scale_ = std::max(largest(network_.F), largest(f_));
  }

  bool there() const {
    if (!(largest(balance_) <= balance_tolerance * scale_)) return false;
    for (int l = 0; l < films_; ++l) {
      const double slack = film_tolerance * film(l).thickness + digits * network_.length;
      if (std::abs(h_[l] - opened_[l]) > slack) return false;
      if (pushes(l) && std::abs(h_[l] - film(l).thickness / film(l).thinning(rate_[l] * f_[l])) > slack) return false;
      if (!pushes(l) && opened_[l] < film(l).thickness - slack) return false;
    }
    return true;
  }

  // Rows of films that push: G dv + compliance df = what is missing / t; of the others df = -f.
  bool advance() {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(2 * network_.G.nonZeros() + films_ + freedoms_));
    Eigen::VectorXd right(films_ + freedoms_);
    Eigen::VectorXd compliance(films_);
    for (int l = 0; l < films_; ++l)
      compliance[l] = h_[l] * rate_[l] * film(l).thinning_slope(rate_[l] * f_[l]) / (film(l).thinning(rate_[l] * f_[l]) * time_);
    // Of lists with too many contacts the operator would be singular: the largest force may always close a digit.
    const double floor = scale_ > 0.0 ? digits * network_.length / (time_ * scale_) : 0.0;
    for (int l = 0; l < films_; ++l) {
      if (pushes(l)) {
        for (SparseRows::InnerIterator e(network_.G, l); e; ++e)
          entries.emplace_back(l, static_cast<int>(e.col()) + films_, e.value());
        entries.emplace_back(l, l, std::max(compliance[l], floor));
        right[l] = (film(l).thickness / film(l).thinning(rate_[l] * f_[l]) - opened_[l]) / time_;
      } else {
        entries.emplace_back(l, l, 1.0);
        right[l] = -f_[l];
      }
      for (SparseRows::InnerIterator e(network_.G, l); e; ++e)
        entries.emplace_back(static_cast<int>(e.col()) + films_, l, e.value());
    }
    for (int j = 0; j < freedoms_; ++j) entries.emplace_back(films_ + j, films_ + j, -network_.drag[j]);
    right.tail(freedoms_) = -balance_;
    Sparse A(films_ + freedoms_, films_ + freedoms_);
    A.setFromTriplets(entries.begin(), entries.end());
    const Eigen::UmfPackLU<Sparse> lu(A);
    if (lu.info() != Eigen::Success) return false;
    Eigen::VectorXd step = lu.solve(right);
    step += lu.solve(Eigen::VectorXd(right - A * step));  // compliances differ by many powers of ten
    if (!step.allFinite()) return false;
    take(step);
    return true;
  }

  // As much of the step as leaves every thickness positive. A force that would pull ends: the film opens.
  void take(const Eigen::VectorXd& step) {
    const Eigen::VectorXd df = step.head(films_), dv = step.tail(freedoms_);
    const Eigen::VectorXd change = network_.G * dv;
    double part = 1.0;
    Eigen::VectorXd dh(films_);
    for (int l = 0; l < films_; ++l) {
      dh[l] = opened_[l] - h_[l] + time_ * change[l];
      if (h_[l] + dh[l] < nearest * h_[l] - 10.0 * digits * network_.length)
        part = std::min(part, (1.0 - nearest) * h_[l] / -dh[l]);
    }
    v_ += part * dv;
    for (int l = 0; l < films_; ++l) {
      h_[l] = std::max(h_[l] + part * dh[l], nearest * h_[l]);
      const bool approaches = h_[l] < film(l).thickness;
      f_[l] += part * df[l];
      if (f_[l] <= 0.0) f_[l] = approaches ? film(l).thinned_to(h_[l]) / rate_[l] : 0.0;
      pushes_[static_cast<std::size_t>(l)] = f_[l] > 0.0 || approaches;
    }
  }

  const ViscousNetwork& network_;
  const double time_;
  const int films_, freedoms_;
  Eigen::VectorXd f_, v_, h_;  // iterates; h apart from v until a whole step is taken
  Eigen::VectorXd rate_;
  Eigen::VectorXd balance_, opened_;
  std::vector<bool> pushes_;
  double scale_ = 0.0;
};

}  // namespace

Flow flow_over(const ViscousNetwork& network, double time, const Eigen::VectorXd& guess) {
  one_blas_thread();
  return Newton(network, time, guess).run();
}

}  // namespace moreau::lubricated
