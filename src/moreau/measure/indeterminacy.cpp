#include "moreau/measure/indeterminacy.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <limits>

namespace moreau::measure {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

template <int D>
struct Program {
  ClpSimplex simplex;
  std::vector<int> normal_column;  // of every contact
  double scale = 1.0;              // forces in the program are divided by it
};

// Columns: f_N of every contact, then f_T where there is friction (2-D). Rows: balance of every free body, then the two sides of
// each cone.
template <int D>
void build(const Sample<D>& sample, Program<D>& program) {
  constexpr int S = spin_dimension<D>, each = D + S;
  const ContactRecords<D>& contacts = *sample.contacts;
  const int n = static_cast<int>(contacts.size());
  std::vector<int> rows, columns;
  std::vector<double> values, balance;
  std::vector<double> column_low(contacts.size(), 0.0), column_high(contacts.size(), COIN_DBL_MAX);
  std::vector<int> number(sample.bodies(), -1);
  int free = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) number[i] = free++;
  balance.assign(static_cast<std::size_t>(each * free), 0.0);
  const auto add = [&](std::size_t c, const Vec<D>& axis, int col, double now) {
    const auto on = [&](std::size_t body, const Vec<D>& centre, double sign) {
      const int first = each * number[body];
      const Spin<D> turn = (1.0 / sample.parameters->radius[body]) * moment(contacts.point[c] - centre, axis);
      for (int k = 0; k < each; ++k) {
        const double v = sign * (k < D ? axis[k] : turn[k - D]);
        if (std::abs(v) < 1e-12) continue;
        rows.push_back(first + k), columns.push_back(col), values.push_back(v);
        balance[static_cast<std::size_t>(first + k)] += v * now;
      }
    };
    on(sample.a(c), sample.middle[sample.a(c)], 1.0);
    if (!sample.at_obstacle(c)) on(sample.b(c), sample.middle_b(c), -1.0);
  };
  const double mean = mean_normal_force(sample);
  program.scale = mean > 0.0 ? mean : 1.0;
  program.normal_column.resize(contacts.size());
  std::vector<double> row_low, row_high;
  std::vector<std::pair<int, double>> cones;  // column of f_N, mu; the tangential columns follow in the same order
  for (int c = 0; c < n; ++c) {
    const std::size_t k = static_cast<std::size_t>(c);
    const double now = std::max(0.0, sample.normal_force(k)) / program.scale;
    program.normal_column[k] = c;
    add(k, contacts.normal[k], c, now);
    if constexpr (D == 2)
      if (sample.friction[k] > 0.0) {
        const Vec<D> tangent{{-contacts.normal[k][1], contacts.normal[k][0]}};
        const double most = sample.friction[k] * now, shear = dot(contacts.force[k], tangent) / program.scale;
        add(k, tangent, n + static_cast<int>(cones.size()), std::clamp(shear, -most, most));
        cones.emplace_back(c, sample.friction[k]);
        column_low.push_back(-COIN_DBL_MAX), column_high.push_back(COIN_DBL_MAX);
      }
  }
  row_low = balance, row_high = balance;
  for (std::size_t k = 0; k < cones.size(); ++k)
    for (const double side : {1.0, -1.0}) {  // mu f_N + side f_T >= 0
      const int row = static_cast<int>(row_low.size());
      rows.push_back(row), columns.push_back(cones[k].first), values.push_back(cones[k].second);
      rows.push_back(row), columns.push_back(n + static_cast<int>(k)), values.push_back(side);
      row_low.push_back(0.0), row_high.push_back(COIN_DBL_MAX);
    }
  CoinPackedMatrix matrix(false, rows.data(), columns.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
  matrix.setDimensions(static_cast<int>(row_low.size()), static_cast<int>(column_low.size()));
  const std::vector<double> cost(column_low.size(), 0.0);
  program.simplex.setLogLevel(0);
  program.simplex.loadProblem(matrix, column_low.data(), column_high.data(), cost.data(), row_low.data(), row_high.data());
  program.simplex.setPrimalTolerance(1e-9);
  program.simplex.setDualTolerance(1e-9);
}

}  // namespace

template <int D>
std::optional<std::vector<ForceRange>> indeterminacy(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  if (D == 3 && std::any_of(sample.friction.begin(), sample.friction.end(), [](double mu) { return mu > 0.0; })) return {};
  Program<D> program;
  build(sample, program);
  const auto extreme = [&](int col, double sense) {  // each program starts from the optimum of the one before
    program.simplex.setObjectiveCoefficient(col, sense);
    program.simplex.primal();
    program.simplex.setObjectiveCoefficient(col, 0.0);
    if (program.simplex.isProvenDualInfeasible()) return -sense * infinite;
    if (!program.simplex.isProvenOptimal()) return std::numeric_limits<double>::quiet_NaN();
    return program.simplex.getColSolution()[col] * program.scale;
  };
  std::vector<ForceRange> ranges;
  for (const std::size_t c : contacts) {
    const int col = program.normal_column[c];
    const double least = extreme(col, 1.0), most = extreme(col, -1.0);
    ranges.push_back({c, sample.normal_force(c), least, most});
  }
  return ranges;
}

template std::optional<std::vector<ForceRange>> indeterminacy(const Sample<2>&, const std::vector<std::size_t>&);
template std::optional<std::vector<ForceRange>> indeterminacy(const Sample<3>&, const std::vector<std::size_t>&);

}  // namespace moreau::measure
