#include "moreau/solver/local_certificate.hpp"

#include <algorithm>
#include <cmath>

#include "moreau/law/residual.hpp"
#include "moreau/solver/block_cone.hpp"
#include "moreau/solver/contact_part.hpp"

namespace moreau {
namespace {

template <int D>
double natural_map_norm(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  double sum = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> f = natural_map(contact_part<D>(impulse, a), contact_part<D>(velocity, a), problem.friction[a]);
    sum += dot(f, f);
  }
  return std::sqrt(sum);
}

// Of one contact, |r - P_K(r - (u + mu |u_T| n))|^2 with the functions of the law: shared with no solver.
template <int D>
double natural_square(const Vec<D>& r, const Vec<D>& u, double mu) {
  Vec<D> shifted = u;
  shifted[0] += mu * tangent_norm(u);
  const Vec<D> f = r - project_on_cone(r - shifted, mu);
  return dot(f, f);
}

double ratio(double above, double below) { return below > 0.0 ? above / below : above > 0.0 ? HUGE_VAL : 0.0; }

template <int D>
void examine(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity, LocalCertificate& c) {
  double natural = 0.0;
  for (int a = 0; a < problem.contacts(); ++a) {
    const Vec<D> r = contact_part<D>(impulse, a), u = contact_part<D>(velocity, a);
    const DelassusBlock<D> block = problem.delassus.diagonal_block<D>(a);
    double trace = 0.0;
    for (int i = 0; i < D; ++i) trace += block.c[i][i];
    const double mu = problem.friction[a];
    const double residual = natural_residual(u, r, mu, trace > 0.0 ? trace : 1.0);
    if (c.residual_contact < 0 || residual > c.residual) c.residual = residual, c.residual_contact = a;
    c.velocity_scale = std::max({c.velocity_scale, norm(contact_part<D>(problem.free, a)), trace * norm(r)});
    natural += natural_square(r, u, mu);
    const LawViolation violation = law_violation(u, r, mu);
    c.approach = std::max(c.approach, violation.approach);
    c.cone = std::max(c.cone, violation.cone);
    c.power = std::max(c.power, violation.power);
    ++(norm(r) == 0.0 ? c.open : tangent_norm(r) < mu * r[0] * (1.0 - 1e-9) ? c.stick : c.slide);
  }
  const double free = problem.free.norm();
  c.error = ratio(std::sqrt(natural), std::max({free, impulse.norm(), velocity.norm()}));
  c.error_over_free = ratio(std::sqrt(natural), free);
}

}  // namespace

NaturalError natural_error(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  NaturalError e;
  e.absolute = problem.dimension() == 2 ? natural_map_norm<2>(problem, impulse, velocity)
                                        : natural_map_norm<3>(problem, impulse, velocity);
  const double free = problem.free.norm(),
               scale = problem.scale > 0.0 ? problem.scale : std::max({free, impulse.norm(), velocity.norm()});
  e.relative = scale > 0.0 ? e.absolute / scale : 0.0;  // all zero: the solution r = u = 0 is exact
  e.over_free = free > 0.0 ? e.absolute / free : e.absolute > 0.0 ? HUGE_VAL : 0.0;
  return e;
}

LocalCertificate certify(const LocalProblem& problem, const Eigen::VectorXd& impulse, const Eigen::VectorXd& velocity) {
  LocalCertificate c;
  if (problem.dimension() == 2)
    examine<2>(problem, impulse, velocity, c);
  else
    examine<3>(problem, impulse, velocity, c);
  return c;
}

}  // namespace moreau
