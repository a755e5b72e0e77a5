// External loads: what gravity, pistons and cell ask for, and the force F that this is on every freedom.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "moreau/statics/freedoms.hpp"

namespace moreau::statics {

// Linear in its numbers, so that a load path is a segment between two loads.
template <int D>
struct Load {
  Vec<D> gravity{};            // acceleration of every body
  std::vector<double> piston;  // force or stress of every piston of the model; of a prescribed one: nothing
  Matrix<D> cell{};            // stress asked of each component of the cell
  std::vector<Vec<D>> force;   // on every body besides; may be empty
  friend Load operator+(Load a, const Load& b) { return combined(1.0, std::move(a), 1.0, b); }
  friend Load operator-(Load a, const Load& b) { return combined(1.0, std::move(a), -1.0, b); }
  friend Load operator*(double s, Load a) { return combined(s, std::move(a), 0.0, {}); }

 private:
  static Load combined(double s, Load a, double t, const Load& b) {
    a.gravity = s * a.gravity + t * b.gravity;
    a.cell = s * a.cell + t * b.cell;
    a.piston.resize(std::max(a.piston.size(), b.piston.size()), 0.0);
    for (double& p : a.piston) p *= s;
    for (std::size_t k = 0; k < b.piston.size(); ++k) a.piston[k] += t * b.piston[k];
    a.force.resize(std::max(a.force.size(), b.force.size()), Vec<D>{});
    for (Vec<D>& f : a.force) f *= s;
    for (std::size_t k = 0; k < b.force.size(); ++k) a.force[k] += t * b.force[k];
    return a;
  }
};

// What the model asks for at a time of the run.
template <int D>
Load<D> load_at(const Model<D>& model, const State<D>& state, double time);

// F. Stresses act on the faces as large as they are now; a pair of walls counts twice, as its freedom moves both.
template <int D>
Eigen::VectorXd force_of(const Model<D>& model, const State<D>& state, const Freedoms<D>& freedoms, const Load<D>& load);

}  // namespace moreau::statics
