#include "moreau/solver/error_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/solver/contact_domain.hpp"

namespace moreau::inline solver {

namespace {

using Numbers = std::vector<double>;

// Small singular values, which heavy bodies on light ones have, are met late.
constexpr double unequal_masses = 100.0;
constexpr int longer = 4;
constexpr double nearly = 1.0 - 1e-9;
constexpr double of_violation = 10.0;  // error of a body, at most, in units of how much its contacts violate their laws

double dot(const Numbers& x, const Numbers& y) {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  return reduce_chunks<Sum>(x.size(), 4096,
                            [&](std::size_t begin, std::size_t end) {
                              Sum sum;
                              for (std::size_t i = begin; i < end; ++i) sum.value += x[i] * y[i];
                              return sum;
                            })
      .value;
}

// f(i) for every i below n, on all threads.
template <class F>
void for_each(std::size_t n, std::size_t chunk, F&& f) {
  for_chunks(n, chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}
constexpr std::size_t number_chunk = 8192, contact_chunk = 512;

void add(Numbers& x, double factor, const Numbers& y) {
  for_each(x.size(), number_chunk, [&](std::size_t i) { x[i] += factor * y[i]; });
}

void divide(Numbers& x, double by) {
  for_each(x.size(), number_chunk, [&](std::size_t i) { x[i] /= by; });
}

// Least eigenvalue above `floor` of a symmetric tridiagonal matrix, by Sturm's sequences and bisection.
double least_eigenvalue(const Numbers& diagonal, const Numbers& beside, double floor, double largest) {
  const auto below = [&](double x) {  // number of eigenvalues below x
    int count = 0;
    double q = 1.0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const double coupling = i > 0 ? beside[i - 1] * beside[i - 1] : 0.0;
      q = diagonal[i] - x - (i > 0 ? coupling / (q != 0.0 ? q : 1e-300) : 0.0);
      count += q < 0.0 ? 1 : 0;
    }
    return count;
  };
  const int ignored = below(floor);
  double low = floor, high = largest;
  for (int k = 0; k < 40; ++k) {
    const double middle = std::sqrt(low * high);
    (below(middle) > ignored ? high : low) = middle;
  }
  return high;
}

template <int D>
class Estimator {
 public:
  Estimator(const StepSystem<D>& system, int steps) : s_(system), usual_(steps), steps_(steps), n_(system.contacts.size()) {
    double lightest = 0.0, heaviest = HUGE_VAL;  // inverse masses
    for (const StepBody<D>& body : s_.bodies)
      lightest = std::max(lightest, body.inverse_mass), heaviest = std::min(heaviest, body.inverse_mass);
    if (lightest > unequal_masses * heaviest) steps_ *= longer;
    while (carriers_ < n_ && !s_.contacts[carriers_].is_couple()) ++carriers_;
  }

  ErrorEstimate estimate() {
    look();
    s_.velocity_of_impulses(velocity_);
    const double power = power_of(velocity_, impulse_);
    ErrorEstimate e;
    find_statuses();
    double linear_square = s_.kinetic_square(momentum0_, dv0_);
    dv_ = dv0_;
    bool solved = false;
    if (active_ > 0) {
      craig();
      linear_square = kinetic_square_of(dv_) + square(rest_ / sigma_);
      if (rest_ > 0.1 * first_) contradictions(linear_square);
      solved = true;
    }
    e.sigma = sigma_;
    const double linear = std::sqrt(linear_square), b = std::sqrt(power);
    double kinetic = std::max(linear, b);
    if (solved) kinetic = std::min(kinetic, verified());
    if (solved && steps_ > usual_) kinetic = std::max(kinetic, second_linear());
    e.kinetic_square = kinetic * kinetic;
    worst_body(linear, e);
    return e;
  }

 private:
  static double square(double x) { return x * x; }

  // f(i) for every contact; those that carry couples before the couples.
  template <class F>
  void each_contact(F&& f) {
    for_each(carriers_, contact_chunk, f);
    for_each(n_ - carriers_, contact_chunk, [&](std::size_t i) { f(carriers_ + i); });
  }

  void look() {
    impulse_.resize(D * n_);
    for_each(n_, contact_chunk, [&](std::size_t i) {
      for (int k = 0; k < D; ++k) impulse_[D * i + k] = s_.contacts[i].impulse[k];
    });
  }

  // Powers of the contacts in powers_; returns their sum.
  double power_of(const Numbers& velocity, const Numbers& impulse) {
    powers_.resize(n_);
    each_contact([&](std::size_t i) {
      powers_[i] = law_power(s_.contacts[i], at(impulse, i), s_.local_velocity(i, velocity), carried_by(s_, i, impulse));
    });
    double sum = 0.0;
    for (const double power : powers_) sum += power;
    return sum;
  }
  static Vec<D> at(const Numbers& rows, std::size_t contact) {
    Vec<D> p;
    for (int k = 0; k < D; ++k) p[k] = rows[D * contact + k];
    return p;
  }

  // Active rows and the impulses that change at once. Couples come after the contacts that carry them.
  void find_statuses() {
    scale_.assign(D * n_, 0.0);
    residual_.assign(D * n_, 0.0);
    open_.assign(n_, 0);
    Numbers change(D * n_, 0.0), solved(D * n_, 0.0);
    each_contact([&](std::size_t i) {
      const StepContact<D>& c = s_.contacts[i];
      const double then = c.is_couple() ? carried_by(s_, i, solved) : 0.0;
      const Vec<D> star = law_impulse(c, c.impulse, s_.local_velocity(i, velocity_), then);
      for (int k = 0; k < D; ++k) solved[D * i + k] = star[k];
      const auto activate = [&](int k) { scale_[D * i + k] = 1.0 / std::sqrt(c.own.c[k][k]); };

      const double limit = c.pivoting * then;
      const bool closed = c.is_couple() ? std::abs(star[0]) < limit * nearly : star[0] > 0.0;
      if (closed)
        activate(0);
      else
        change[D * i] = (c.is_couple() ? std::copysign(limit, star[0]) : 0.0) - c.impulse[0];
      open_[i] = !c.is_couple() && !closed ? 1 : 0;

      const double tangent = tangent_length(star), radius = c.bound.at(c.is_couple() ? then : std::max(star[0], 0.0));
      const double now = c.bound.at(carried_by(s_, i, impulse_));  // of the disc, with the normal impulse as it is
      const bool sticks = tangent < radius * nearly;
      for (int k = 1; k < D; ++k) {
        if (sticks)
          activate(k);
        else
          change[D * i + k] = (tangent > 0.0 ? star[k] * (now / tangent) : 0.0) - c.impulse[k];
      }
    });
    active_ = static_cast<std::size_t>(std::count_if(scale_.begin(), scale_.end(), [](double scale) { return scale != 0.0; }));
    open_change_ = change;
    s_.momentum_of(change, momentum0_);
    s_.velocity_gained(momentum0_, dv0_);
    Numbers rows;
    s_.local_velocity(dv0_, rows);
    each_contact([&](std::size_t i) {
      const Vec<D> u = s_.local_velocity(i, velocity_);
      for (int k = 0; k < D; ++k) residual_[D * i + k] = -(u[k] + rows[D * i + k]) * scale_[D * i + k];
    });
  }

  // momentum and velocity of H_a D^-1/2 rows
  void lift(const Numbers& rows, Numbers& momentum, Numbers& velocity) {
    scaled_.resize(rows.size());
    for_each(rows.size(), number_chunk, [&](std::size_t i) { scaled_[i] = scale_[i] * rows[i]; });
    s_.momentum_of(scaled_, momentum);
    s_.velocity_gained(momentum, velocity);
  }
  void lower(const Numbers& velocity, Numbers& rows) {
    s_.local_velocity(velocity, rows);
    for_each(rows.size(), number_chunk, [&](std::size_t i) { rows[i] *= scale_[i]; });
  }

  // Conjugate gradients on A A^T z = b; dv = A^T z in z_. The coefficients make the tridiagonal matrix of Lanczos, whose least
  // eigenvalue is sigma^2.
  void craig() {
    Numbers g = residual_, q = g, momentum, velocity, rows, diagonal, beside;
    z_.assign(g.size(), 0.0);
    double gg = dot(g, g), last_t = 0.0, last_beta = 0.0;
    first_ = std::sqrt(gg);
    rest_ = first_;
    const double begin = gg;
    Numbers usual_dv, usual_z;
    double usual_gg = 0.0;
    for (int k = 0; k < steps_ && gg > 1e-4 * begin; ++k) {
      if (k == usual_) usual_dv = dv_, usual_z = z_, usual_gg = gg;
      lift(q, momentum, velocity);
      const double hh = s_.kinetic_square(momentum, velocity);
      if (!(hh > 1e-15 * dot(q, q))) break;
      const double t = gg / hh;
      diagonal.push_back(1.0 / t + (k > 0 ? last_beta / last_t : 0.0));
      add(dv_, t, velocity);
      add(z_, t, q);
      lower(velocity, rows);
      add(g, -t, rows);
      const double next = dot(g, g), beta = next / gg;
      beside.push_back(std::sqrt(beta) / t);
      for_each(q.size(), number_chunk, [&](std::size_t i) { q[i] = g[i] + beta * q[i]; });
      last_t = t, last_beta = beta, gg = next;
    }
    // Rows that contradict each other: what comes later grows without meaning.
    if (gg > 0.25 * usual_gg && usual_gg > 0.0) {
      dv_ = usual_dv, z_ = usual_z, gg = usual_gg;
      diagonal.resize(static_cast<std::size_t>(usual_)), beside.resize(static_cast<std::size_t>(usual_));
    }
    rest_ = std::sqrt(gg);
    if (!diagonal.empty()) {
      double largest = 0.0;
      for (std::size_t i = 0; i < diagonal.size(); ++i)
        largest = std::max(largest, diagonal[i] + (i > 0 ? beside[i - 1] : 0.0) + (i + 1 < diagonal.size() ? beside[i] : 0.0));
      sigma_ = std::sqrt(least_eigenvalue(diagonal, beside, 1e-14 * largest, largest));
    }
  }

  double kinetic_square_of(const Numbers& velocity) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < s_.bodies.size(); ++i) sum += body_square(i, velocity);
    for (std::size_t m = 0; m < s_.motions.size(); ++m)
      if (s_.motions[m].inverse_mass > 0.0)
        sum += square(velocity[StepSystem<D>::freedoms * s_.bodies.size() + m]) / s_.motions[m].inverse_mass;
    return sum;
  }
  double body_square(std::size_t i, const Numbers& velocity) const {
    constexpr int freedoms = StepSystem<D>::freedoms;
    const StepBody<D>& body = s_.bodies[i];
    const double* v = velocity.data() + freedoms * i;
    double sum = 0.0;
    for (int d = 0; d < D; ++d) sum += v[d] * v[d] / body.inverse_mass;
    if constexpr (D == 2) return sum + v[2] * v[2] / body.inverse_inertia[0][0];
    const auto& m = body.inverse_inertia;  // w . I w by cofactors
    const double xx = m[1][1] * m[2][2] - m[1][2] * m[1][2], yy = m[0][0] * m[2][2] - m[0][2] * m[0][2],
                 zz = m[0][0] * m[1][1] - m[0][1] * m[0][1], xy = m[0][2] * m[1][2] - m[0][1] * m[2][2],
                 xz = m[0][1] * m[1][2] - m[0][2] * m[1][1], yz = m[0][1] * m[0][2] - m[0][0] * m[1][2];
    const double determinant = m[0][0] * xx + m[0][1] * xy + m[0][2] * xz;
    const double* w = v + D;
    return sum + (xx * w[0] * w[0] + yy * w[1] * w[1] + zz * w[2] * w[2] +
                  2.0 * (xy * w[0] * w[1] + xz * w[0] * w[2] + yz * w[1] * w[2])) /
                     determinant;
  }

  // LSQR on the same rows (Paige and Saunders 1982); replaces the linear part where it is smaller.
  void contradictions(double& linear_square) {
    Numbers u = residual_, v_momentum, v, w, x(dv0_.size(), 0.0), rows, next_momentum, next;
    const double beta1 = first_;
    divide(u, beta1);
    lift(u, v_momentum, v);
    double alpha = std::sqrt(s_.kinetic_square(v_momentum, v));
    if (!(alpha > 0.0)) return;
    const double alpha1 = alpha;
    divide(v, alpha), divide(v_momentum, alpha);
    w = v;
    double phi = beta1, rho_bar = alpha, normal = 0.0;
    Numbers diagonal, beside;  // of B^T B
    double last_alpha = alpha;
    for (int k = 0; k < steps_; ++k) {
      lower(v, rows);
      for_each(u.size(), number_chunk, [&](std::size_t i) { u[i] = rows[i] - alpha * u[i]; });
      const double beta = std::sqrt(dot(u, u));
      if (beta > 1e-14 * beta1) divide(u, beta);
      lift(u, next_momentum, next);
      for_each(v.size(), number_chunk, [&](std::size_t i) { next[i] -= beta * v[i], next_momentum[i] -= beta * v_momentum[i]; });
      diagonal.push_back(last_alpha * last_alpha + beta * beta);
      alpha = std::sqrt(std::max(0.0, s_.kinetic_square(next_momentum, next)));
      beside.push_back(alpha * beta);
      if (alpha > 0.0) divide(next, alpha), divide(next_momentum, alpha);
      const double rho = std::sqrt(rho_bar * rho_bar + beta * beta), cosine = rho_bar / rho, sine = beta / rho;
      add(x, cosine * phi / rho, w);
      for_each(w.size(), number_chunk, [&](std::size_t i) { w[i] = next[i] - sine * alpha / rho * w[i]; });
      rho_bar = -cosine * alpha, phi *= sine;
      v.swap(next), v_momentum.swap(next_momentum);
      last_alpha = alpha;
      normal = std::abs(phi * alpha * cosine);
      if (normal < 1e-13 * beta1 * alpha1 || beta < 1e-13 * alpha1) break;
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
      largest = std::max(largest, diagonal[i] + (i > 0 ? beside[i - 1] : 0.0) + (i + 1 < diagonal.size() ? beside[i] : 0.0));
    const double sigma = std::sqrt(least_eigenvalue(diagonal, beside, 1e-14 * largest, largest));
    if (!(normal < 0.3 * sigma * std::abs(phi))) return;
    Numbers other = dv0_;
    add(other, 1.0, x);
    const double squared = kinetic_square_of(other) + square(normal / (sigma * sigma));
    if (squared < linear_square) linear_square = squared, dv_ = other;
  }

  double verified() {
    Numbers corrected = impulse_, momentum, gained, velocity;
    each_contact([&](std::size_t i) {
      for (int k = 0; k < D; ++k) {
        if (open_[i] != 0) corrected[D * i + k] += open_change_[D * i + k];
        corrected[D * i + k] += scale_[D * i + k] * z_[D * i + k];
      }
      const Vec<D> p = onto_domain(s_.contacts[i], at(corrected, i), carried_by(s_, i, corrected));
      for (int k = 0; k < D; ++k) corrected[D * i + k] = p[k];
    });
    s_.momentum_of(corrected, momentum);
    s_.velocity_gained(momentum, gained);
    s_.free_velocity(velocity);
    add(velocity, 1.0, gained);
    Numbers difference = velocity;
    add(difference, -1.0, velocity_);
    const Numbers powers = powers_;
    const double power = power_of(velocity, corrected);
    powers_ = powers;
    corrected_ = corrected, moved_ = difference;
    return std::sqrt(kinetic_square_of(difference)) + std::sqrt(power);
  }

  // The linear part of the corrected impulses, whose statuses are better, and how far they are from here.
  double second_linear() const {
    StepSystem<D> there = s_;
    for (std::size_t i = 0; i < n_; ++i) there.contacts[i].impulse = at(corrected_, i);
    Estimator second(there, usual_);
    second.look();
    there.velocity_of_impulses(second.velocity_);
    second.find_statuses();
    second.dv_ = second.dv0_;
    if (second.active_ > 0) second.craig();
    Numbers whole = second.dv_;
    add(whole, 1.0, moved_);
    return std::sqrt(kinetic_square_of(whole) + (second.active_ > 0 ? square(second.rest_ / second.sigma_) : 0.0));
  }

  // Power over impulse is a velocity: how much the contact violates its law. Under a heavy load the power is large where the
  // violation is not.
  void worst_body(double linear, ErrorEstimate& e) const {
    Numbers power(s_.bodies.size(), 0.0), violation(power);
    for (std::size_t i = 0; i < n_; ++i) {
      const StepContact<D>& c = s_.contacts[i];
      double length = norm(at(impulse_, i));
      // Of a couple, or where there is shear strength, the power need not vanish with the impulse.
      if (c.is_couple() || c.bound.shear > 0.0)
        length = std::max({length, c.bound.at(carried_by(s_, i, impulse_)), c.pivoting * carried_by(s_, i, impulse_)});
      const double violated = powers_[i] > 0.0 ? powers_[i] / length : 0.0;
      for (const std::int32_t b : {s_.contacts[i].a, s_.contacts[i].b}) {
        if (b < 0) continue;
        power[static_cast<std::size_t>(b)] += powers_[i];
        violation[static_cast<std::size_t>(b)] = std::max(violation[static_cast<std::size_t>(b)], violated);
      }
    }
    const double known = std::sqrt(kinetic_square_of(dv_)), tail = known > 0.0 ? linear / known : 1.0;
    for (std::size_t i = 0; i < power.size(); ++i) {
      const double inverse = s_.bodies[i].inverse_mass;
      const double linear_part = tail * std::sqrt(body_square(i, dv_) * inverse), by_power = std::sqrt(power[i] * inverse);
      const double error = std::max(linear_part, std::min(by_power, of_violation * violation[i]));
      e.caution = std::max({e.caution, linear_part, by_power});
      if (error > e.body) e.body = error, e.worst_body = static_cast<std::int32_t>(i);
    }
  }

  const StepSystem<D>& s_;
  int usual_, steps_;
  std::size_t n_, carriers_ = 0;  // contacts; those before the couples
  std::size_t active_ = 0;        // rows
  Numbers corrected_, moved_, impulse_, velocity_, powers_, scale_, residual_, open_change_, momentum0_, dv0_, dv_, z_, scaled_;
  std::vector<char> open_;
  double first_ = 0.0, rest_ = 0.0, sigma_ = 1.0;
};

}  // namespace

template <int D>
ErrorEstimate estimate_error(const StepSystem<D>& part, int steps) {
  return Estimator<D>(part, steps).estimate();
}

template ErrorEstimate estimate_error(const StepSystem<2>&, int);
template ErrorEstimate estimate_error(const StepSystem<3>&, int);

}  // namespace moreau::inline solver
