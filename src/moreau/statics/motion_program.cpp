#include "moreau/statics/motion_program.hpp"

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>

#include "moreau/base/giving_up.hpp"

namespace moreau::statics {

namespace {

// Ends a program of CLP, through which no exception passes, where its step is given up.
class GivingUpWatcher : public ClpEventHandler {
 public:
  int event(Event) override {
    constexpr int goes_on = -1, stopped_by_event = 5;
    if (++calls_ % 16 != 0) return goes_on;
    try {
      give_up_if_asked();
    } catch (const GivenUp&) {
      return stopped_by_event;
    }
    return goes_on;
  }
  ClpEventHandler* clone() const override { return new GivingUpWatcher(*this); }

 private:
  int calls_ = 0;
};

}  // namespace

Motion MotionProgram::solve(const SparseRows& G, const Eigen::VectorXd& gap, const Eigen::VectorXd& F,
                            const Eigen::VectorXd& reach, std::span<const Pair> pairs) {
  const int rows = static_cast<int>(G.rows()), columns = static_cast<int>(G.cols());
  SparseRows compressed = G;
  compressed.makeCompressed();
  CoinPackedMatrix matrix(false, columns, rows, static_cast<CoinBigIndex>(compressed.nonZeros()), compressed.valuePtr(),
                          compressed.innerIndexPtr(), compressed.outerIndexPtr(), nullptr);
  const Eigen::VectorXd low = -reach, cost = -F, row_low = -gap, row_high = Eigen::VectorXd::Constant(rows, COIN_DBL_MAX);
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix, low.data(), reach.data(), cost.data(), row_low.data(), row_high.data());
  simplex.setPrimalTolerance(1e-11);
  simplex.setDualTolerance(1e-11);
  if (static_cast<int>(column_status_.size()) == columns) {
    for (int j = 0; j < columns; ++j) simplex.setColumnStatus(j, static_cast<ClpSimplex::Status>(column_status_[j]));
    for (int i = 0; i < rows; ++i) {
      const auto known = row_status_.find(pairs[static_cast<std::size_t>(i)]);
      simplex.setRowStatus(i, known == row_status_.end() ? ClpSimplex::basic : static_cast<ClpSimplex::Status>(known->second));
    }
  }
  const GivingUpWatcher handler;
  simplex.passInEventHandler(&handler);
  simplex.dual();
  give_up_if_asked();
  if (!simplex.isProvenOptimal()) simplex.allSlackBasis(), simplex.primal();
  give_up_if_asked();
  Motion motion;
  motion.pivots = simplex.numberIterations();
  motion.found = simplex.isProvenOptimal();
  if (!motion.found) return motion;
  motion.displacement = Eigen::Map<const Eigen::VectorXd>(simplex.primalColumnSolution(), columns);
  motion.force = Eigen::Map<const Eigen::VectorXd>(simplex.dualRowSolution(), rows).cwiseMax(0.0);
  motion.gain = F.dot(motion.displacement);
  column_status_.resize(static_cast<std::size_t>(columns));
  for (int j = 0; j < columns; ++j) column_status_[j] = static_cast<unsigned char>(simplex.getColumnStatus(j));
  row_status_.clear();
  for (int i = 0; i < rows; ++i)
    row_status_[pairs[static_cast<std::size_t>(i)]] = static_cast<unsigned char>(simplex.getRowStatus(i));
  return motion;
}

}  // namespace moreau::statics
