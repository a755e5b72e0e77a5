#include "moreau/solver/given/local_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/residual.hpp"
#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"

namespace moreau::inline solver {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon(), roundings = 4.0;

double trace_of(const BlockMatrix& W, int contact) {
  const double* block = W.block(W.diagonal[contact]);
  double trace = 0.0;
  for (int i = 0; i < W.dimension; ++i) trace += block[(W.dimension + 1) * i];
  return trace;
}

template <int D>
double largest_square(const Eigen::VectorXd& v) {
  double largest = 0.0;
  for (int a = 0; a < v.size() / D; ++a) largest = std::max(largest, dot(contact_part<D>(v, a), contact_part<D>(v, a)));
  return largest;
}

// While solving: |F|^2 summed, and the largest violation.
template <int D>
void measure(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, double given,
             double& squares, double& worst) {
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> r = contact_part<D>(impulse, a), u = contact_part<D>(velocity, a);
    const double length = std::sqrt(dot(r, r)), mu = problem.friction[a];
    if (length == 0.0 && u[0] >= 0.0) continue;
    Vec<D> shifted = u;
    shifted[0] += mu * tangent_length(u);
    const Vec<D> f = r - onto_cone(Vec<D>(r - shifted), mu);
    squares += dot(f, f);
    const double w = compliance(problem, a);
    const Vec<D> g = r - onto_cone(Vec<D>(r - (1.0 / w) * shifted), mu);
    const double along = std::abs(dot(shifted, r)) / std::max(length, given / w);
    const double violation = std::max({w * std::sqrt(dot(g, g)), -u[0], along}) + roundings * eps * w * length;
    if (!(violation <= worst)) worst = violation;  // NaN stays
  }
}

double ratio(double above, double below) { return below > 0.0 ? above / below : above > 0.0 ? HUGE_VAL : above; }

// Of one contact, |r - P_K(r - (u + mu |u_T| n))|^2 with the functions of the law: shared with no solver.
template <int D>
double natural_square(const Vec<D>& r, const Vec<D>& u, double mu) {
  Vec<D> shifted = u;
  shifted[0] += mu * tangent_norm(u);
  const Vec<D> f = r - project_on_cone(r - shifted, mu);
  return dot(f, f);
}

// |W| |r| of one contact, the largest component.
double sum_of_sizes(const BlockMatrix& W, int contact, const Eigen::VectorXd& impulse) {
  const int D = W.dimension;
  double sum[3] = {};
  for (int place = W.start[contact]; place < W.start[contact + 1]; ++place)
    for (int i = 0; i < D; ++i)
      for (int k = 0; k < D; ++k) sum[i] += std::abs(W.block(place)[D * i + k] * impulse[D * W.column[place] + k]);
  return std::max({sum[0], sum[1], sum[2]});
}

template <int D>
void examine(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, LocalCertificate& c) {
  double natural = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> r = contact_part<D>(impulse, a), u = contact_part<D>(velocity, a);
    const double mu = problem.friction[a], w = compliance(problem, a);
    natural += natural_square(r, u, mu);
    const double residual = natural_residual(u, r, mu, w);
    const LawViolation law = law_violation(u, r, mu);
    const double along = law.power > 0.0 ? law.power / std::max(norm(r), c.given / w) : 0.0;
    const double rounding =
        roundings * eps * (sum_of_sizes(problem.delassus, a, impulse) + norm(contact_part<D>(problem.free, a)));
    c.residual = std::max(c.residual, residual);
    c.approach = std::max(c.approach, law.approach);
    c.cone = std::max(c.cone, law.cone);
    c.power = std::max(c.power, law.power);
    c.power_velocity = std::max(c.power_velocity, along);
    c.rounding = std::max(c.rounding, rounding);
    const double violation = std::max({residual, law.approach, w * law.cone, along}) + rounding;
    if (c.violation_contact < 0 || !(violation <= c.violation)) c.violation = violation, c.violation_contact = a;
    ++(norm(r) == 0.0 ? c.open : tangent_norm(r) < mu * r[0] * (1.0 - 1e-9) ? c.stick : c.slide);
  }
  const double free = problem.free.norm();
  c.error = ratio(std::sqrt(natural), std::max({free, impulse.norm(), velocity.norm()}));
  c.error_over_free = ratio(std::sqrt(natural), free);
}

}  // namespace

double given_velocity(const LocalProblem& problem) {
  if (problem.given > 0.0) return problem.given;
  return std::sqrt(problem.dimension() == 2 ? largest_square<2>(problem.free) : largest_square<3>(problem.free));
}

double largest_compliance(const LocalProblem& problem) {
  double largest = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) largest = std::max(largest, trace_of(problem.delassus, a));
  return largest > 0.0 ? largest : 1.0;
}

double compliance(const LocalProblem& problem, int contact) {
  const double trace = trace_of(problem.delassus, contact);
  return trace > 0.0 ? trace : largest_compliance(problem);
}

NaturalError natural_error(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  NaturalError e;
  const double given = given_velocity(problem);
  double squares = 0.0, worst = 0.0;
  if (problem.dimension() == 2)
    measure<2>(problem, impulse, velocity, given, squares, worst);
  else
    measure<3>(problem, impulse, velocity, given, squares, worst);
  e.absolute = std::sqrt(squares);
  const double scale = problem.scale > 0.0 ? problem.scale : std::max({problem.free.norm(), impulse.norm(), velocity.norm()});
  e.relative = scale > 0.0 ? e.absolute / scale : 0.0;  // all zero: the solution r = u = 0 is exact
  const double violation = ratio(worst, velocity_tolerances * given);
  if (!(violation <= e.relative)) e.relative = violation;
  return e;
}

LocalCertificate certify(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  LocalCertificate c;
  c.given = given_velocity(problem);
  if (problem.dimension() == 2)
    examine<2>(problem, impulse, velocity, c);
  else
    examine<3>(problem, impulse, velocity, c);
  return c;
}

}  // namespace moreau::inline solver
