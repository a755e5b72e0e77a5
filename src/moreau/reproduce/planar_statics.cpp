#include "moreau/reproduce/planar_statics.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <cmath>
#include <numbers>

#include "moreau/engines/simulation.hpp"

namespace moreau::reproduce {

PlanarStatics planar_statics(const Scene<2>& scene) {
  Simulation<2> simulation(scene.model, scene.bodies);
  simulation.mutable_model().gravity = {};
  simulation.step();  // finds the contacts, moves nothing
  const ContactRecords<2> found = simulation.contact_records();
  const Bodies<2>& bodies = simulation.state().bodies;
  PlanarStatics s;
  std::vector<int> number(bodies.size(), -1);
  int free = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i)) number[i] = free++;
  s.inertia.resize(3 * free), s.load.resize(3 * free);
  const Vec<2> gained = scene.model.time_step * scene.model.gravity;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (number[i] < 0) continue;
    const double m = bodies.parameters.mass[i];
    s.inertia.segment<3>(3 * number[i]) << m, m, bodies.principal_inertia(i)[0];
    s.load.segment<3>(3 * number[i]) << m * gained[0], m * gained[1], 0.0;
    s.weight += m * norm(gained);
  }
  s.G = Eigen::MatrixXd::Zero(2 * static_cast<int>(found.size()), 3 * free);
  for (std::size_t c = 0; c < found.size(); ++c) {
    const Vec<2> axes[2] = {found.normal[c], {{-found.normal[c][1], found.normal[c][0]}}};
    const std::size_t first = static_cast<std::size_t>(found.a[c]);
    std::int32_t other_material = 0;
    for (int k = 0; k < 2; ++k) {
      const int row = 2 * static_cast<int>(c) + k;
      const auto act = [&](std::size_t body, double sign) {
        if (number[body] < 0) return;
        const double turn = moment(found.point[c] - bodies.state.position[body], axes[k])[0];
        s.G.row(row).segment<3>(3 * number[body]) << sign * axes[k][0], sign * axes[k][1], sign * turn;
      };
      act(first, 1.0);
      if (is_wall(found.b[c])) {
        other_material = scene.model.walls[static_cast<std::size_t>(wall_index(found.b[c]))].material;
      } else {
        act(static_cast<std::size_t>(found.b[c]), -1.0);
        other_material = bodies.parameters.material[static_cast<std::size_t>(found.b[c])];
      }
    }
    s.friction.push_back(scene.model.law(bodies.parameters.material[first], other_material).friction);
  }
  s.point = found.point, s.normal = found.normal, s.a = found.a, s.b = found.b;
  return s;
}

DenseProblem PlanarStatics::problem() const {
  DenseProblem p;
  const Eigen::VectorXd mobility = inertia.cwiseInverse();
  p.delassus = G * mobility.asDiagonal() * G.transpose();
  p.free = G * mobility.cwiseProduct(load);
  p.friction = friction;
  return p;
}

double PlanarStatics::unrest(const Eigen::VectorXd& force) const {
  const Eigen::VectorXd gain = inertia.cwiseInverse().cwiseProduct(load);
  const Eigen::VectorXd velocity = gain + inertia.cwiseInverse().cwiseProduct(G.transpose() * force);
  return velocity.cwiseAbs().maxCoeff() / gain.cwiseAbs().maxCoeff();
}

std::vector<Vec<2>> admissible_set(const PlanarStatics& statics, int contact, int directions) {
  const int n = statics.contacts(), columns = 2 * n, balance = static_cast<int>(statics.load.size());
  std::vector<int> row, column;
  std::vector<double> value, low, high, column_low, column_high(static_cast<std::size_t>(columns), COIN_DBL_MAX);
  for (int j = 0; j < columns; ++j) {
    column_low.push_back(j % 2 == 0 ? 0.0 : -COIN_DBL_MAX);
    for (int i = 0; i < balance; ++i)
      if (statics.G(j, i) != 0.0) row.push_back(i), column.push_back(j), value.push_back(statics.G(j, i));
  }
  for (int i = 0; i < balance; ++i) low.push_back(-statics.load[i] / statics.weight), high.push_back(low.back());
  for (int c = 0; c < n; ++c)
    for (const double side : {1.0, -1.0}) {  // mu f_N + side f_T >= 0
      const int at = static_cast<int>(low.size());
      row.insert(row.end(), {at, at}), column.insert(column.end(), {2 * c, 2 * c + 1});
      value.insert(value.end(), {statics.friction[static_cast<std::size_t>(c)], side});
      low.push_back(0.0), high.push_back(COIN_DBL_MAX);
    }
  CoinPackedMatrix matrix(false, row.data(), column.data(), value.data(), static_cast<CoinBigIndex>(value.size()));
  matrix.setDimensions(static_cast<int>(low.size()), columns);
  const std::vector<double> cost(static_cast<std::size_t>(columns), 0.0);
  ClpSimplex program;
  program.setLogLevel(0);
  program.loadProblem(matrix, column_low.data(), column_high.data(), cost.data(), low.data(), high.data());
  program.setPrimalTolerance(1e-9), program.setDualTolerance(1e-9);
  std::vector<Vec<2>> vertices;
  for (int k = 0; k < directions; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / directions;
    program.setObjectiveCoefficient(2 * contact, -std::cos(angle));
    program.setObjectiveCoefficient(2 * contact + 1, -std::sin(angle));
    program.primal();
    if (!program.isProvenOptimal()) return {};
    const double* f = program.getColSolution();
    const Vec<2> v{{f[2 * contact] * statics.weight, f[2 * contact + 1] * statics.weight}};
    if (vertices.empty() || norm(v - vertices.back()) > 1e-9 * statics.weight) vertices.push_back(v);
  }
  return vertices;
}

}  // namespace moreau::reproduce
