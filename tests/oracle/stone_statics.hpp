// Can these stones stand? A linear program over forces at the ends of their joints: equilibrium of every stone, no traction,
// friction within Coulomb's cone (the safe theorem of limit analysis). In the plane; knows nothing of dynamics.
#pragma once

#include <ClpSimplex.hpp>
#include <cmath>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::oracle {

struct JointPoint {
  int a, b;       // stones; b < 0 is the ground
  Vec<2> point;   // where the force acts
  Vec<2> normal;  // towards a
};

struct Stone {
  double weight;
  Vec<2> centre;
};

inline bool can_stand(const std::vector<Stone>& stones, const std::vector<JointPoint>& joints, double friction) {
  // Unknowns: for each point two forces >= 0 along the edges of the friction cone.
  const int columns = 2 * static_cast<int>(joints.size()), rows = 3 * static_cast<int>(stones.size());
  ClpSimplex program;
  program.setLogLevel(0);
  program.resize(rows, 0);
  for (int i = 0; i < static_cast<int>(stones.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const double load = k == 1 ? stones[static_cast<std::size_t>(i)].weight : 0.0;
      program.setRowBounds(3 * i + k, load, load);
    }
  for (int c = 0; c < columns; ++c) {
    const JointPoint& joint = joints[static_cast<std::size_t>(c / 2)];
    const Vec<2> tangent{{-joint.normal[1], joint.normal[0]}};
    const Vec<2> edge = joint.normal + (c % 2 ? -friction : friction) * tangent;
    int index[6];
    double value[6];
    int count = 0;
    const auto push = [&](int stone, double sign) {
      const Vec<2> force = sign * edge;
      const Vec<2> arm = joint.point - stones[static_cast<std::size_t>(stone)].centre;
      for (int k = 0; k < 3; ++k) {
        index[count] = 3 * stone + k;
        value[count++] = k < 2 ? force[k] : moment(arm, force)[0];
      }
    };
    push(joint.a, 1.0);
    if (joint.b >= 0) push(joint.b, -1.0);
    program.addColumn(count, index, value, 0.0, COIN_DBL_MAX, 1.0);
  }
  program.setPrimalTolerance(1e-9);
  program.primal();
  return program.status() == 0;
}

}  // namespace moreau::oracle
