#include "moreau/solver/contact_domain.hpp"

#include "moreau/law/bounded_coulomb.hpp"
#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"
#include "moreau/solver/contact_operator.hpp"

namespace moreau::inline solver {

namespace {

Vec<2> coulomb(const DelassusBlock<2>& H, const Vec<2>& v, double friction) { return solve_coulomb_plane(v, H, friction); }
Vec<3> coulomb(const DelassusBlock<3>& H, const Vec<3>& v, double friction) { return solve_coulomb_space(v, H, friction); }

Vec<2> bounded(const DelassusBlock<2>& H, const Vec<2>& v, const TangentBound& bound) {
  const double coupling = H.c[0][1], normal = H.c[0][0], tangent = H.c[1][1];
  return solve_bounded(v, {1.0 / normal, {coupling}, {floored(tangent - coupling / normal * coupling, tangent)}}, bound);
}
Vec<3> bounded(const DelassusBlock<3>& H, const Vec<3>& v, const TangentBound& bound) {
  const DiagonalOperator turned = diagonal({H.c[0][0], H.c[0][1], H.c[0][2], H.c[1][1], H.c[2][2], H.c[1][2]});
  const double c = turned.cosine, s = turned.sine;
  const Vec<3> p =
      solve_bounded({{v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]}},
                    {1.0 / H.c[0][0], {turned.coupling[0], turned.coupling[1]}, {turned.schur[0], turned.schur[1]}}, bound);
  return {{p[0], c * p[1] - s * p[2], c * p[2] + s * p[1]}};
}

// Largest of the sums of the rows of H: at least its largest eigenvalue.
template <int D>
double largest_row(const DelassusBlock<D>& H) {
  double largest = 0.0;
  for (int k = 0; k < D; ++k) {
    double sum = 0.0;
    for (int l = 0; l < D; ++l) sum += std::abs(H.c[k][l]);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

template <int D>
Vec<D> law_impulse(const StepContact<D>& c, const Vec<D>& impulse, const Vec<D>& velocity, double carried) {
  if (c.is_couple()) return onto_domain(c, impulse - (1.0 / largest_row(c.own)) * velocity, carried);
  const Vec<D> free = velocity - c.own * impulse;
  if (c.bound.shear == 0.0 && c.bound.cap == HUGE_VAL) return coulomb(c.own, free, c.bound.friction);
  return bounded(c.own, free, c.bound);
}

template Vec<2> law_impulse(const StepContact<2>&, const Vec<2>&, const Vec<2>&, double);
template Vec<3> law_impulse(const StepContact<3>&, const Vec<3>&, const Vec<3>&, double);

}  // namespace moreau::inline solver
