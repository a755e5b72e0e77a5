#include "moreau/solver/local_certificate.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/law/residual.hpp"
#include "moreau/solver/contact_part.hpp"

namespace moreau {
namespace {

template <int D>
double natural_map_norm(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  double sum = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> r = contact_part<D>(impulse, a);
    Vec<D> shifted = contact_part<D>(velocity, a);
    shifted[0] += problem.friction[a] * tangent_norm(shifted);
    const Vec<D> f = r - project_on_cone(r - shifted, problem.friction[a]);
    sum += dot(f, f);
  }
  return std::sqrt(sum);
}

template <int D>
void examine(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, LocalCertificate& c) {
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> r = contact_part<D>(impulse, a), u = contact_part<D>(velocity, a);
    const DelassusBlock<D> block = problem.delassus.diagonal_block<D>(a);
    double trace = 0.0;
    for (int i = 0; i < D; ++i) trace += block.c[i][i];
    const double mu = problem.friction[a];
    const double residual = natural_residual(u, r, mu, trace > 0.0 ? trace : 1.0);
    if (c.residual_contact < 0 || residual > c.residual) c.residual = residual, c.residual_contact = a;
    c.velocity_scale = std::max({c.velocity_scale, norm(contact_part<D>(problem.free, a)), trace * norm(r)});
    const LawViolation violation = law_violation(u, r, mu);
    c.approach = std::max(c.approach, violation.approach);
    c.cone = std::max(c.cone, violation.cone);
    c.power = std::max(c.power, violation.power);
    ++(norm(r) == 0.0 ? c.open : tangent_norm(r) < mu * r[0] * (1.0 - 1e-9) ? c.stick : c.slide);
  }
}

}  // namespace

NaturalError natural_error(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  NaturalError e;
  e.absolute = problem.dimension() == 2 ? natural_map_norm<2>(problem, impulse, velocity)
                                        : natural_map_norm<3>(problem, impulse, velocity);
  const double free = problem.free.norm(), scale = std::max({free, impulse.norm(), velocity.norm()});
  e.relative = scale > 0.0 ? e.absolute / scale : 0.0;  // all zero: the solution r = u = 0 is exact
  e.over_free = free > 0.0 ? e.absolute / free : e.absolute > 0.0 ? HUGE_VAL : 0.0;
  return e;
}

LocalCertificate certify(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  LocalCertificate c;
  const NaturalError e = natural_error(problem, impulse, velocity);
  c.error = e.relative, c.error_over_free = e.over_free;
  if (problem.dimension() == 2)
    examine<2>(problem, impulse, velocity, c);
  else
    examine<3>(problem, impulse, velocity, c);
  return c;
}

}  // namespace moreau
