#include "moreau/statics/rank.hpp"

#include <Eigen/SPQRSupport>

#include "moreau/solver/given/blas_threads.hpp"

namespace moreau::statics {

int rank_of(const Sparse& matrix, double tolerance) {
  if (matrix.rows() == 0 || matrix.cols() == 0) return 0;
  one_blas_thread();
  Eigen::SPQR<Sparse> qr;
  qr.setPivotThreshold(tolerance);
  qr.compute(matrix);
  return static_cast<int>(qr.rank());
}

Degrees degrees_of(const SparseRows& G) { return {static_cast<int>(G.rows()), static_cast<int>(G.cols()), rank_of(Sparse(G))}; }

// The range of G is spanned by the first columns of Q; the others span what is orthogonal to it.
Eigen::MatrixXd self_stresses(const SparseRows& G, double tolerance) {
  const Eigen::Index n = G.rows();
  if (n == 0 || G.cols() == 0) return Eigen::MatrixXd::Identity(n, n);
  one_blas_thread();
  Eigen::SPQR<Sparse> qr;
  qr.setPivotThreshold(tolerance);
  qr.compute(Sparse(G));
  const Eigen::Index h = n - qr.rank();
  Eigen::MatrixXd last = Eigen::MatrixXd::Zero(n, h);
  for (Eigen::Index k = 0; k < h; ++k) last(qr.rank() + k, k) = 1.0;
  return qr.matrixQ() * last;
}

}  // namespace moreau::statics
