// Contact problems that have no solution, each with its proof.
//
// Squeezed: normal impulses d >= 0 that balance at every body while the given velocities work against them (Farkas): no velocity
// of the bodies keeps all contacts open, whatever the friction. Wedged: a ball that weighs, between a floor and an overhanging wall that comes
// at the interior angle beta, friction above tan(beta / 2) (Alart 2015, closed form; in space the motion across the plane of the
// two normals would have to gain energy from friction, so that nothing is added by it).
#pragma once

#include <string>
#include <vector>

#include "moreau/base/random.hpp"
#include "oracle/ball_system.hpp"

namespace moreau::oracle {

struct Infeasible {
  std::string kind;
  DenseProblem problem;
  Eigen::MatrixXd balance;  // H
  Eigen::VectorXd squeeze;  // d, all components; empty where the proof is the closed form of the wedge
};

template <int D>
Infeasible infeasible_of(const std::string& kind, const BallSystem<D>& system, const std::vector<double>& normal) {
  Infeasible all{kind, system.problem(), system.H(), {}};
  if (normal.empty()) return all;
  all.squeeze = Eigen::VectorXd::Zero(all.problem.free.size());
  for (std::size_t c = 0; c < normal.size(); ++c) all.squeeze[D * static_cast<int>(c)] = normal[c];
  return all;
}

template <int D>
Eigen::Matrix<double, D, 1> random_direction(RandomStream& random) {
  Eigen::Matrix<double, D, 1> n;
  do {
    for (int k = 0; k < D; ++k) n[k] = random.uniform(-1, 1);
  } while (n.norm() > 1.0 || n.norm() < 0.1);
  return n.normalized();
}

template <int D>
Eigen::Matrix<double, D, 1> random_velocity(RandomStream& random, double size) {
  Eigen::Matrix<double, D, 1> v;
  for (int k = 0; k < D; ++k) v[k] = random.uniform(-size, size);
  return v;
}

inline double random_friction(RandomStream& random, int n) { return n % 3 == 0 ? 0.0 : random.uniform(0.05, 1.5); }

// A ball between parallel walls, of which at least the sum of the speeds is positive.
template <int D>
Infeasible closing_walls(RandomStream& random, int n) {
  BallSystem<D> s;
  const auto normal = random_direction<D>(random);
  const int ball = s.add_ball(std::pow(10.0, random.uniform(-3, 3)), std::pow(10.0, random.uniform(-2, 0)),
                              random_velocity<D>(random, n % 4 == 0 ? 0.0 : 1.0));
  const double first = random.uniform(-0.5, 1.0), mu = random_friction(random, n);
  s.add_contact(ball, normal, mu, -1, first, random.uniform(0, 6));
  s.add_contact(ball, -normal, mu, -1, random.uniform(0.05, 1.0) - first, random.uniform(0, 6));
  return infeasible_of("closing walls", s, {0.5, 0.5});
}

// A ball in a closed wedge: D + 1 walls whose normals balance, some coming, some going, together coming.
template <int D>
Infeasible closing_wedge(RandomStream& random, int n) {
  for (;;) {
    Eigen::Matrix<double, D, D> normals;
    for (int k = 0; k < D; ++k) normals.col(k) = random_direction<D>(random);
    Eigen::Matrix<double, D, 1> weight;
    for (int k = 0; k < D; ++k) weight[k] = random.uniform(0.2, 1.0);
    const Eigen::Matrix<double, D, 1> rest = -normals * weight;
    if (rest.norm() < 0.1) continue;
    std::vector<double> d(weight.begin(), weight.end());
    d.push_back(rest.norm());
    double sum = 0.0, power = 0.0;
    for (const double x : d) sum += x;
    for (double& x : d) x /= sum;
    std::vector<double> speed;
    for (int k = 0; k <= D; ++k) speed.push_back(random.uniform(-1, 1)), power += speed[k] * d[k];
    const double coming = random.uniform(0.02, 0.5);
    for (double& v : speed) v += coming - power;
    BallSystem<D> s;
    const int ball = s.add_ball(std::pow(10.0, random.uniform(-2, 2)), 0.5, random_velocity<D>(random, 1.0));
    const double mu = random_friction(random, n);
    for (int k = 0; k < D; ++k) s.add_contact(ball, normals.col(k), mu, -1, speed[k], random.uniform(0, 6));
    s.add_contact(ball, rest.normalized(), mu, -1, speed[D], random.uniform(0, 6));
    return infeasible_of("closing wedge", s, d);
  }
}

// A ball on a floor, wedged under a wall that overhangs and comes; friction above the critical one.
template <int D>
Infeasible frictional_wedge(RandomStream& random, int) {
  const double beta = random.uniform(0.3, 1.55), mu = std::tan(beta / 2) * random.uniform(1.02, 3.0);
  Eigen::Matrix<double, D, 1> floor = Eigen::Matrix<double, D, 1>::Zero(), wall = floor, falls = floor;
  floor[D - 1] = 1.0, wall[0] = -std::sin(beta), wall[D - 1] = -std::cos(beta), falls[D - 1] = -random.uniform(0.1, 1.0);
  BallSystem<D> s;
  const int ball = s.add_ball(std::pow(10.0, random.uniform(-1, 1)), 0.5, falls);
  s.add_contact(ball, floor, mu, -1, 0.0, random.uniform(0, 6));
  s.add_contact(ball, wall, mu, -1, random.uniform(0.1, 1.0), random.uniform(0, 6));
  return infeasible_of("frictional wedge", s, {});
}

// Balls on a lattice, `across` columns of `high`, between a floor and a lid that close; neighbours in all directions touch.
template <int D>
Infeasible squeezed_packing(RandomStream& random, int n) {
  const int across = 1 + n % (D == 2 ? 4 : 2), high = 1 + n % 5, deep = D == 2 ? 1 : across;
  BallSystem<D> s;
  const double mu = random_friction(random, n), floor_speed = random.uniform(-0.3, 0.3);
  const auto number = [&](int i, int j, int k) { return (k * across + i) * high + j; };
  for (int k = 0; k < deep; ++k)
    for (int i = 0; i < across; ++i)
      for (int j = 0; j < high; ++j) s.add_ball(std::pow(10.0, random.uniform(-1, 1)), 0.5, random_velocity<D>(random, 0.3));
  const auto axis = [](int k) { return Eigen::Matrix<double, D, 1>(Eigen::Matrix<double, D, D>::Identity().col(k)); };
  std::vector<double> d;
  const auto touch = [&](int ball, const Eigen::Matrix<double, D, 1>& normal, int other, double speed, double share) {
    s.add_contact(ball, normal, mu, other, speed, random.uniform(0, 6)), d.push_back(share);
  };
  double total = across * deep * (high + 1);
  for (int k = 0; k < deep; ++k)
    for (int i = 0; i < across; ++i) {
      touch(number(i, 0, k), axis(D - 1), -1, floor_speed, 1.0 / total);
      for (int j = 0; j + 1 < high; ++j) touch(number(i, j + 1, k), axis(D - 1), number(i, j, k), 0.0, 1.0 / total);
      touch(number(i, high - 1, k), -axis(D - 1), -1, 0.5 - floor_speed, 1.0 / total);
      for (int j = 0; j < high && i + 1 < across; ++j) touch(number(i + 1, j, k), axis(0), number(i, j, k), 0.0, 0.0);
      for (int j = 0; j < high && k + 1 < deep; ++j) touch(number(i, j, k + 1), axis(1), number(i, j, k), 0.0, 0.0);
    }
  return infeasible_of("squeezed packing", s, d);
}

inline std::vector<Infeasible> infeasible_problems() {
  std::vector<Infeasible> all;
  RandomStream random(1603);
  for (int n = 0; n < 200; ++n) all.push_back(closing_walls<2>(random, n)), all.push_back(closing_walls<3>(random, n));
  for (int n = 0; n < 150; ++n) all.push_back(closing_wedge<2>(random, n)), all.push_back(closing_wedge<3>(random, n));
  for (int n = 0; n < 100; ++n) all.push_back(frictional_wedge<2>(random, n)), all.push_back(frictional_wedge<3>(random, n));
  for (int n = 0; n < 80; ++n) all.push_back(squeezed_packing<2>(random, n)), all.push_back(squeezed_packing<3>(random, n));
  return all;
}

}  // namespace moreau::oracle
