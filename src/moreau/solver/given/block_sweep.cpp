#include "moreau/solver/given/block_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/law/coulomb_plane.hpp"
#include "moreau/solver/contact_part.hpp"
#include "moreau/solver/given/block_contact.hpp"
#include "moreau/solver/given/local_certificate.hpp"

namespace moreau::inline solver {

double SweepMeasure::error(const LocalProblem& problem, double given) const {
  const double scale = problem.scale > 0.0 ? problem.scale : std::sqrt(std::max({free, impulse, velocity}));
  const double relative = scale > 0.0 ? std::sqrt(natural) / scale : 0.0;
  return given > 0.0 ? std::max(relative, moved / (velocity_tolerances * given)) : relative;
}

namespace {

// Diagonal blocks that are not positive definite (cut digits, a contact that moves nothing) are mended before use: the fixed
// point of the sweep does not depend on the block, only its speed does.
template <int D>
DelassusBlock<D> mended(DelassusBlock<D> H, double largest) {
  const double floor = std::max(1e-12 * largest, std::numeric_limits<double>::min());
  for (int i = 0; i < D; ++i) H.c[i][i] = std::max(H.c[i][i], floor);
  for (int i = 1; i < D; ++i) {
    const double bound = (1.0 - 1e-12) * std::sqrt(H.c[0][0] * H.c[i][i]);
    H.c[0][i] = H.c[i][0] = std::clamp(H.c[0][i], -bound, bound);
  }
  return H;
}

inline Vec<2> solve_one(const Vec<2>& v, const Vec<2>&, const DelassusBlock<2>& H, double friction) {
  return solve_coulomb_plane(v, H, friction);
}
inline Vec<3> solve_one(const Vec<3>& v, const Vec<3>& before, const SpaceContact& contact, double friction) {
  return contact.solve(v, before, friction);
}

}  // namespace

struct BlockSweep::Laws {
  std::vector<DelassusBlock<2>> plane;
  std::vector<DelassusBlock<3>> space;
  std::vector<SpaceContact> condensed;
};

BlockSweep::BlockSweep(const LocalProblem& problem)
    : problem_(problem), given_(given_velocity(problem)), laws_(std::make_unique<Laws>()) {
  const BlockMatrix& W = problem.delassus;
  const int d = problem.dimension();
  double largest = 0.0;
  for (int a = 0; a < problem.contacts(); ++a)
    for (int i = 0; i < d; ++i) largest = std::max(largest, W.block(W.diagonal[a])[(d + 1) * i]);
  if (d == 2) laws_->plane.reserve(problem.contacts());
  if (d == 3) laws_->space.reserve(problem.contacts()), laws_->condensed.reserve(problem.contacts());
  for (int a = 0; a < problem.contacts(); ++a) {
    if (d == 2) {
      laws_->plane.push_back(mended(W.diagonal_block<2>(a), largest));
    } else {
      laws_->space.push_back(mended(W.diagonal_block<3>(a), largest));
      laws_->condensed.emplace_back(laws_->space.back());
    }
  }
}

BlockSweep::~BlockSweep() = default;
BlockSweep::BlockSweep(BlockSweep&&) noexcept = default;

namespace {

// Contact a under the velocity u, which includes its own impulse.
template <int D, class Condensed>
Vec<D> corrected(const Vec<D>& before, const Vec<D>& u, const DelassusBlock<D>& block, const Condensed& condensed, double mu,
                 double relaxation) {
  const Vec<D> exact = solve_one(u - block * before, before, condensed, mu);
  if (relaxation == 1.0) return exact;
  const Vec<D> relaxed = before + relaxation * (exact - before);
  return relaxation > 1.0 ? onto_cone(relaxed, mu) : relaxed;
}

template <int D, class Condensed>
SweepMeasure sweep(const LocalProblem& problem, const std::vector<DelassusBlock<D>>& block,
                   const std::vector<Condensed>& condensed, Eigen::VectorXd& impulse, double relaxation) {
  SweepMeasure measure;
  double moved = 0.0;
  measure.free = problem.free.squaredNorm();
  for (int a = 0; a < problem.contacts(); ++a) {
    const double mu = problem.friction[a];
    const Vec<D> before = contact_part<D>(impulse, a);
    const Vec<D> u = problem.delassus.row_times<D>(a, impulse.data(), problem.free.data());
    const Vec<D> natural = natural_map(before, u, mu);
    const Vec<D> after = corrected(before, u, block[a], condensed[a], mu, relaxation), difference = after - before;
    measure.natural += dot(natural, natural);
    measure.impulse += dot(before, before);
    measure.velocity += dot(u, u);
    const double square = dot(difference, difference);
    measure.change += square;
    double trace = 0.0;
    for (int i = 0; i < D; ++i) trace += block[a].c[i][i];
    moved = std::max(moved, trace * trace * square);
    set_contact_part<D>(impulse, a, after);
  }
  measure.moved = std::sqrt(moved);
  return measure;
}

template <int D, class Condensed>
Vec<D> relax_one(const LocalProblem& problem, const std::vector<DelassusBlock<D>>& block, const std::vector<Condensed>& condensed,
                 Eigen::VectorXd& impulse, int a, double relaxation) {
  const Vec<D> before = contact_part<D>(impulse, a);
  const Vec<D> u = problem.delassus.row_times<D>(a, impulse.data(), problem.free.data());
  const Vec<D> after = corrected(before, u, block[a], condensed[a], problem.friction[a], relaxation);
  set_contact_part<D>(impulse, a, after);
  return after - before;
}

}  // namespace

SweepMeasure BlockSweep::forward(Eigen::VectorXd& impulse, double relaxation) const {
  if (problem_.dimension() == 2) return sweep<2>(problem_, laws_->plane, laws_->plane, impulse, relaxation);
  return sweep<3>(problem_, laws_->space, laws_->condensed, impulse, relaxation);
}

template <>
Vec<2> BlockSweep::relax<2>(Eigen::VectorXd& impulse, int contact, double relaxation) const {
  return relax_one<2>(problem_, laws_->plane, laws_->plane, impulse, contact, relaxation);
}
template <>
Vec<3> BlockSweep::relax<3>(Eigen::VectorXd& impulse, int contact, double relaxation) const {
  return relax_one<3>(problem_, laws_->space, laws_->condensed, impulse, contact, relaxation);
}

}  // namespace moreau::inline solver
