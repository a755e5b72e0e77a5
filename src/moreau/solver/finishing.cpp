#include "moreau/solver/finishing.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>

#include "moreau/solver/block_lu.hpp"
#include "moreau/solver/contact_domain.hpp"

namespace moreau::inline solver {

namespace {

constexpr double first_stiffness = 1e2, stiffest = 1e12;  // rho, in masses that contacts feel
constexpr double unknown = 1e5;       // residual, in units of the goal, above which nothing is known of the statuses
constexpr double surely_known = 1e7;  // where the end is reached already
constexpr int most_failures = 4;      // points that were not found, or were where one was already
constexpr int point_steps = 15;       // Newton steps for one point
constexpr int bold_steps = 6;         // of them that go the whole way, up or down ...
constexpr double lost = 1e3;          // ... unless the residual has grown by this
constexpr double rounding = 1e-15;
constexpr double few_roundings = 3.0, many_roundings = 100.0;  // of H P, that are wanted as residual, and that are enough
// What rounding errors of H P may leave, in units of the goal: more of it would be the sign of impulses that grow without bound.
constexpr double most_allowed = 1e4;
constexpr double moderate_growth = 100.0;  // of impulses that did not reach the goal and are taken all the same
constexpr double stuck_stiffness = 1e9;

template <int D>
double residual_under(const StepSystem<D>& system, const std::vector<double>& velocity) {
  double largest = 0.0;
  for (std::size_t i = 0; i < system.contacts.size(); ++i) {
    const StepContact<D>& c = system.contacts[i];
    const double carried = c.is_couple() ? std::max(0.0, system.contacts[static_cast<std::size_t>(c.carrier)].impulse[0]) : 0.0;
    largest = std::max(largest, law_residual(c, c.impulse, system.local_velocity(i, velocity), carried));
  }
  return largest;
}

}  // namespace

template <int D>
class Finisher<D>::Newton {
 public:
  static constexpr int freedoms = velocity_dimension<D>;

  Newton(StepSystem<D>& system, double most_work) : system_(system), body_freedoms_(freedoms * system.bodies.size()) {
    find_masses();
    find_pattern(most_work);
    begin();
    const std::size_t n = system_.contacts.size();
    mass_of_contact_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      double trace = 0.0;
      for (int k = 0; k < D; ++k) trace += system_.contacts[i].own.c[k][k];
      mass_of_contact_[i] = D / trace;
    }
  }

  double work() const { return lu_->work(); }

  // From the impulses of the system.
  void begin() {
    impulse_.resize(D * system_.contacts.size());
    for (std::size_t i = 0; i < system_.contacts.size(); ++i)
      for (int k = 0; k < D; ++k) impulse_[D * i + k] = system_.contacts[i].impulse[k];
    base();
  }

  // The next proximal point; false if Newton's method did not find it. Steps are counted in `steps`.
  //
  // The first steps go the whole way: where contacts close and open one after the other the residual grows before it vanishes.
  // If that leads nowhere, the search goes on from the best velocity met, step by step downwards.
  bool point(double stiffness, int& steps, int most) {
    stiffness_ = stiffness;
    std::fill(gain_.begin(), gain_.end(), 0.0);
    double merit = residual(gain_, force_, push_);
    const double first = merit, zero = rounding * first;
    double best = merit;
    best_gain_ = gain_;
    bool back = false;
    int stuck = 0;
    for (int k = 0; k < point_steps && merit > zero && steps < most; ++k) {
      const bool bold = k < bold_steps && merit <= lost * first;
      if (!bold && best < merit && !back) gain_ = best_gain_, merit = residual(gain_, force_, push_), back = true;
      ++steps;
      if (!step()) return false;
      double least = HUGE_VAL;
      const double shortest = bold ? 0.9 : 0.01;
      for (double t = 1.0; t > shortest; t *= 0.4) {
        trial_.resize(gain_.size());
        for (std::size_t i = 0; i < trial_.size(); ++i) trial_[i] = gain_[i] + t * change_[i];
        const double m = residual(trial_, trial_force_, trial_push_);
        if (m < least) {
          least = m, lower_.swap(trial_), force_.swap(trial_force_), push_.swap(trial_push_);
        }
        if (least < (1.0 - 0.1 * t) * merit) break;
      }
      if (!std::isfinite(least)) return false;
      stuck = least > 0.95 * merit && !bold ? stuck + 1 : 0;
      gain_.swap(lower_), merit = least;
      if (merit < best) best = merit, best_gain_ = gain_;
      if (merit < 1e-6 * first || stuck == 3) break;
    }
    if (best < merit) gain_ = best_gain_, merit = residual(gain_, force_, push_);
    go();
    return merit <= zero || merit < 1e-3 * first;
  }

  // Begins from what the impulses would be if every contact stuck, pulling too: one linear problem. For what stands it is the
  // solution, or near it.
  bool stick(int& steps) {
    stiffness_ = stuck_stiffness;
    std::fill(impulse_.begin(), impulse_.end(), 0.0);
    base();
    // F at v_free, targets replaced by their argument.
    std::vector<double> pull(impulse_.size());
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
      const Vec<D> z = way(i, gain_);
      for (int k = 0; k < D; ++k) pull[D * i + k] = resists(system_.contacts[i], k) ? -z[k] : 0.0;
    }
    system_.momentum_of(pull, force_);
    ++steps;
    if (!step(true)) return false;
    gain_ = change_;
    find_push(gain_, push_);
    go();
    return true;
  }

  void put() {
    for (std::size_t i = 0; i < system_.contacts.size(); ++i)
      for (int k = 0; k < D; ++k) system_.contacts[i].impulse[k] = impulse_[D * i + k];
  }
  double law_error() const { return residual_under(system_, velocity_); }

 private:
  void find_masses() {
    mass_.resize(system_.bodies.size());
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      const StepBody<D>& body = system_.bodies[i];
      mass_[i].linear = 1.0 / body.inverse_mass;
      if constexpr (D == 2) {
        mass_[i].turning[0][0] = 1.0 / body.inverse_inertia[0][0];
      } else {
        const auto& m = body.inverse_inertia;
        const double xx = m[1][1] * m[2][2] - m[1][2] * m[1][2], yy = m[0][0] * m[2][2] - m[0][2] * m[0][2],
                     zz = m[0][0] * m[1][1] - m[0][1] * m[0][1], xy = m[0][2] * m[1][2] - m[0][1] * m[2][2],
                     xz = m[0][1] * m[1][2] - m[0][2] * m[1][1], yz = m[0][1] * m[0][2] - m[0][0] * m[1][2];
        const double inverse = 1.0 / (m[0][0] * xx + m[0][1] * xy + m[0][2] * xz);
        const double full[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) mass_[i].turning[r][c] = inverse * full[r][c];
      }
    }
  }

  void find_pattern(double most_work) {
    const std::size_t n = system_.bodies.size();
    std::vector<std::vector<int>> row(n);
    for (std::size_t i = 0; i < n; ++i) row[i].push_back(static_cast<int>(i));
    for (const StepContact<D>& c : system_.contacts)
      if (c.b >= 0) row[static_cast<std::size_t>(c.a)].push_back(c.b), row[static_cast<std::size_t>(c.b)].push_back(c.a);
    start_.assign(1, 0);
    column_.clear();
    for (std::vector<int>& r : row) {
      std::sort(r.begin(), r.end());
      r.erase(std::unique(r.begin(), r.end()), r.end());
      column_.insert(column_.end(), r.begin(), r.end());
      start_.push_back(static_cast<int>(column_.size()));
    }
    lu_ = std::make_unique<BlockLu<freedoms>>(start_, column_, most_work);
    value_.resize(column_.size() * freedoms * freedoms);
    none_.assign(n, 0);
  }
  std::size_t place(std::int32_t row, std::int32_t column) const {
    const auto begin = column_.begin() + start_[static_cast<std::size_t>(row)],
               end = column_.begin() + start_[static_cast<std::size_t>(row) + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, column) - column_.begin()) * freedoms * freedoms;
  }

  // The impulses of now are those from which the next point is sought, and velocities are counted from theirs.
  void base() {
    system_.velocity_of_impulses(velocity_);
    gain_.assign(velocity_.size(), 0.0);
    local_.resize(impulse_.size());
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
      const Vec<D> u = system_.local_velocity(i, velocity_);
      for (int k = 0; k < D; ++k) local_[D * i + k] = u[k];
    }
  }
  void go() {
    for (std::size_t i = 0; i < impulse_.size(); ++i) impulse_[i] += push_[i];
    put();
    base();
  }

  // F and what the targets are more than the impulses, where velocities are those of the impulses and `gain`; returns the kinetic
  // norm of F. In differences, so that rounding errors are small beside what is still wrong, not beside what is large: under a
  // heavy body the impulses are, and rho times a rounding error of the velocities would be.
  double residual(const std::vector<double>& gain, std::vector<double>& force, std::vector<double>& push) const {
    find_push(gain, push);
    system_.momentum_of(push, force);
    std::vector<double> gained;
    system_.velocity_gained(force, gained);
    double sum = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) gained[i] = gain[i] - gained[i];
    momentum_for(gained, force);
    for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * gained[i];
    return std::sqrt(std::max(0.0, sum));
  }
  // Those of couples after those of the contacts that carry them.
  void find_push(const std::vector<double>& gain, std::vector<double>& push) const {
    push.resize(impulse_.size());
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
      const StepContact<D>& c = system_.contacts[i];
      const std::size_t carrier = D * static_cast<std::size_t>(c.is_couple() ? c.carrier : 0);
      const Vec<D> dz = way(i, gain), z = impulse_of(i) + dz;
      const Vec<D> t = onto_domain(c, z, c.is_couple() ? std::max(0.0, impulse_[carrier] + push[carrier]) : 0.0);
      for (int k = 0; k < D; ++k) push[D * i + k] = t[k] == z[k] ? dz[k] : t[k] - impulse_[D * i + k];
    }
  }
  Vec<D> impulse_of(std::size_t i) const {
    Vec<D> p;
    for (int k = 0; k < D; ++k) p[k] = impulse_[D * i + k];
    return p;
  }
  // -rho U, by which the argument of the target differs from the impulse.
  Vec<D> way(std::size_t i, const std::vector<double>& gain) const {
    const Vec<D> u = system_.relative_velocity(i, gain);
    Vec<D> z;
    for (int k = 0; k < D; ++k) z[k] = -stiffness_ * mass_of_contact_[i] * (local_[D * i + k] + u[k]);
    return z;
  }
  Vec<D> argument(std::size_t i) const { return impulse_of(i) + way(i, gain_); }
  // M velocity.
  void momentum_for(const std::vector<double>& velocity, std::vector<double>& momentum) const {
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      const double* v = velocity.data() + freedoms * i;
      double* p = momentum.data() + freedoms * i;
      for (int d = 0; d < D; ++d) p[d] = mass_[i].linear * v[d];
      for (int r = 0; r < spin_dimension<D>; ++r) {
        p[D + r] = 0.0;
        for (int c = 0; c < spin_dimension<D>; ++c) p[D + r] += mass_[i].turning[r][c] * v[D + c];
      }
    }
    for (std::size_t m = 0; m < system_.motions.size(); ++m)
      momentum[body_freedoms_ + m] = velocity[body_freedoms_ + m] / system_.motions[m].inverse_mass;
  }

  // change_ = -K^-1 F, statuses those of the targets, or all sticking. Freedoms of shared motions border the matrix.
  bool step(bool all_stick = false) {
    std::fill(value_.begin(), value_.end(), 0.0);
    for (std::size_t i = 0; i < mass_.size(); ++i) {
      double* block = value_.data() + place(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i));
      for (int d = 0; d < D; ++d) block[freedoms * d + d] = mass_[i].linear;
      for (int r = 0; r < spin_dimension<D>; ++r)
        for (int c = 0; c < spin_dimension<D>; ++c) block[freedoms * (D + r) + D + c] = mass_[i].turning[r][c];
    }
    const std::size_t motions = system_.motions.size();
    std::vector<Eigen::VectorXd> border(motions, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(body_freedoms_))),
        foot(motions, Eigen::VectorXd::Zero(static_cast<Eigen::Index>(body_freedoms_)));
    Eigen::MatrixXd corner = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(motions), static_cast<Eigen::Index>(motions));
    for (std::size_t m = 0; m < motions; ++m)
      corner(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(m)) = 1.0 / system_.motions[m].inverse_mass;
    std::vector<std::vector<std::pair<std::int32_t, Vec<D>>>> shared;
    if (motions > 0) {
      shared.resize(system_.contacts.size());
      for (const Sharing<D>& s : system_.sharings) shared[s.contact].push_back({s.motion, s.direction});
    }
    for (std::size_t i = 0; i < system_.contacts.size(); ++i) {
      const StepContact<D>& c = system_.contacts[i];
      const std::size_t carrier = c.is_couple() ? static_cast<std::size_t>(c.carrier) : i;
      const StepContact<D>& by = system_.contacts[carrier];
      DomainSlope<D> slope;
      if (all_stick)
        slope = stuck_slope(c);
      else if (!slope_onto_domain(c, argument(i), c.is_couple() ? std::max(0.0, argument(carrier)[0]) : 0.0, slope))
        continue;
      const double rho = stiffness_ * mass_of_contact_[i], rho_by = stiffness_ * mass_of_contact_[carrier];
      double right_a[D][freedoms], right_b[D][freedoms];
      for (int k = 0; k < D; ++k)
        for (int d = 0; d < freedoms; ++d) {
          double a = 0.0, b = 0.0;
          for (int l = 0; l < D; ++l) a += slope.own[k][l] * c.on_a[l][d], b += slope.own[k][l] * c.on_b[l][d];
          right_a[k][d] = rho * a + rho_by * slope.carried[k] * by.on_a[0][d];
          right_b[k][d] = rho * b + rho_by * slope.carried[k] * by.on_b[0][d];
        }
      const auto add = [&](double* block, const double(&left)[D][freedoms], const double(&right)[D][freedoms]) {
        for (int r = 0; r < freedoms; ++r)
          for (int q = 0; q < freedoms; ++q) {
            double sum = 0.0;
            for (int k = 0; k < D; ++k) sum += left[k][r] * right[k][q];
            block[freedoms * r + q] += sum;
          }
      };
      add(value_.data() + place(c.a, c.a), c.on_a, right_a);
      if (c.b >= 0) {
        add(value_.data() + place(c.a, c.b), c.on_a, right_b);
        add(value_.data() + place(c.b, c.a), c.on_b, right_a);
        add(value_.data() + place(c.b, c.b), c.on_b, right_b);
      }
      if (motions == 0) continue;
      // A couple feels a motion through what is carried alone.
      for (const auto& [m, direction] : shared[carrier]) {
        for (int k = 0; k < D; ++k) {
          double pushed = rho_by * slope.carried[k] * direction[0];  // row k of rho slope times the direction
          if (!c.is_couple())
            for (int l = 0; l < D; ++l) pushed += rho * slope.own[k][l] * direction[l];
          for (int d = 0; d < freedoms; ++d) {
            border[static_cast<std::size_t>(m)][freedoms * c.a + d] += c.on_a[k][d] * pushed;
            if (c.b >= 0) border[static_cast<std::size_t>(m)][freedoms * c.b + d] += c.on_b[k][d] * pushed;
            if (c.is_couple()) continue;
            foot[static_cast<std::size_t>(m)][freedoms * c.a + d] += direction[k] * right_a[k][d];
            if (c.b >= 0) foot[static_cast<std::size_t>(m)][freedoms * c.b + d] += direction[k] * right_b[k][d];
          }
          for (const auto& [other, along] : shared[i]) corner(other, m) += along[k] * pushed;
        }
      }
    }
    if (!lu_->factorise(value_, none_)) return false;
    Eigen::VectorXd right(static_cast<Eigen::Index>(body_freedoms_));
    for (std::size_t i = 0; i < body_freedoms_; ++i) right[static_cast<Eigen::Index>(i)] = -force_[i];
    Eigen::VectorXd solved = lu_->solve(right);
    change_.resize(force_.size());
    if (motions > 0) {
      std::vector<Eigen::VectorXd> column(motions);
      Eigen::VectorXd rest(static_cast<Eigen::Index>(motions));
      Eigen::MatrixXd schur = corner;
      for (std::size_t m = 0; m < motions; ++m) {
        column[m] = lu_->solve(border[m]);
        const Eigen::Index mi = static_cast<Eigen::Index>(m);
        rest[mi] = -force_[body_freedoms_ + m] - foot[m].dot(solved);
        for (std::size_t o = 0; o < motions; ++o) schur(static_cast<Eigen::Index>(o), mi) -= foot[o].dot(column[m]);
      }
      const Eigen::VectorXd s = schur.partialPivLu().solve(rest);
      for (std::size_t m = 0; m < motions; ++m) {
        solved -= s[static_cast<Eigen::Index>(m)] * column[m];
        change_[body_freedoms_ + m] = s[static_cast<Eigen::Index>(m)];
      }
    }
    if (!solved.allFinite()) return false;
    for (std::size_t i = 0; i < body_freedoms_; ++i) change_[i] = solved[static_cast<Eigen::Index>(i)];
    return true;
  }

  struct Mass {
    double linear;
    double turning[spin_dimension<D>][spin_dimension<D>];
  };
  StepSystem<D>& system_;
  std::size_t body_freedoms_;
  std::vector<Mass> mass_;
  std::vector<double> mass_of_contact_, impulse_, velocity_, local_, gain_, push_, force_, change_;
  std::vector<double> best_gain_, lower_, trial_, trial_force_, trial_push_;
  std::vector<int> start_, column_;
  std::vector<double> value_;
  std::vector<char> none_;
  std::unique_ptr<BlockLu<freedoms>> lu_;
  double stiffness_ = 0.0;
};

template <int D>
double largest_residual(const StepSystem<D>& system) {
  std::vector<double> velocity;
  system.velocity_of_impulses(velocity);
  return residual_under(system, velocity);
}

template <int D>
Finisher<D>::Finisher(StepSystem<D>& system, double most_work)
    : system_(system), newton_(std::make_unique<Newton>(system, most_work)) {}
template <int D>
Finisher<D>::~Finisher() = default;

template <int D>
double Finisher<D>::work() const {
  return newton_->work();
}

template <int D>
Finished Finisher<D>::finish(const FinishingGoal& goal) {
  Finished finished;
  std::vector<Vec<D>> best(system_.contacts.size());
  const auto keep = [&] {
    for (std::size_t i = 0; i < best.size(); ++i) best[i] = system_.contacts[i].impulse;
  };
  finished.residual = newton_->law_error();
  const double first = finished.residual;
  keep();
  const std::vector<Vec<D>> given = best;
  const auto largest_of = [&](const std::vector<Vec<D>>& impulses) {
    double most = 0.0;
    for (std::size_t i = 0; i < impulses.size(); ++i) most = std::max(most, system_.contacts[i].own.normal() * impulses[i][0]);
    return most;
  };
  if (finished.residual > unknown * goal.residual) {
    const bool found = newton_->stick(finished.factorisations);
    const double error = found ? newton_->law_error() : HUGE_VAL;
    if (error < finished.residual)
      finished.residual = error, keep();
    else
      for (std::size_t i = 0; i < best.size(); ++i) system_.contacts[i].impulse = best[i];
    newton_->begin();
  }
  // The nearer the end, the surer the statuses.
  double stiffness = std::clamp(surely_known * goal.residual / finished.residual, first_stiffness, surely_known);
  double growth = 1e3, last_found = 0.0, enough = goal.residual, wanted = enough;
  int failures = 0;
  bool gains = true;  // the last point has brought something
  while (finished.residual > wanted && (finished.residual > enough || gains) && finished.factorisations < goal.factorisations &&
         failures < most_failures) {
    const int before = finished.factorisations;
    const bool found = newton_->point(stiffness, finished.factorisations, goal.factorisations);
    const double error = newton_->law_error();
    gains = error < 0.5 * finished.residual;
    if (error < finished.residual) finished.residual = error, keep();
    const double left = rounding * largest_of(best), most = most_allowed * goal.residual;
    wanted = std::clamp(few_roundings * left, goal.residual, most);
    enough = std::clamp(many_roundings * left, goal.residual, most);
    // Found without a step, and no better: what is left is rounding beside what the point is made of. The next will be no other.
    if (finished.factorisations == before && !gains) ++failures;
    if (found) {  // easily: statuses stay as they are, and the next may be much stiffer
      last_found = stiffness;
      const int steps = finished.factorisations - before;
      stiffness = std::min(stiffest, std::min(growth, steps <= 1 ? 1e3 : steps <= 3 ? 30.0 : 10.0) * stiffness);
    } else {  // back to the best, and on in smaller steps
      for (std::size_t i = 0; i < best.size(); ++i) system_.contacts[i].impulse = best[i];
      newton_->begin();
      growth = failures == 0 ? 10.0 : 3.0, ++failures;
      stiffness = last_found > 0.0 ? growth * last_found : 0.01 * stiffness;
    }
  }
  finished.reached = finished.residual <= enough;
  const bool better =
      finished.reached || (finished.residual <= 0.5 * first && largest_of(best) <= moderate_growth * largest_of(given));
  if (!better) finished.residual = first;
  for (std::size_t i = 0; i < best.size(); ++i) system_.contacts[i].impulse = better ? best[i] : given[i];
  return finished;
}

template class Finisher<2>;
template class Finisher<3>;
template double largest_residual(const StepSystem<2>&);
template double largest_residual(const StepSystem<3>&);

}  // namespace moreau::inline solver
