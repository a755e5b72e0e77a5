// One contact of a given matrix, solved again and again with the same diagonal block H: what depends on H alone is kept. The same
// solutions as solve_coulomb_space (law/coulomb_space.hpp, where the branches are explained and the bracket is proven), but the
// sliding root is sought from that of the impulse before, which in a sweep is nearly right: two or three evaluations, not eight.
// Tested in tests/solver/block_contact_test.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "moreau/law/coulomb_space.hpp"
#include "moreau/solver/block_cone.hpp"

namespace moreau::inline solver {

class SpaceContact {
 public:
  explicit SpaceContact(const DelassusBlock<3>& H) {
    const SpaceBlock block(H);
    c_ = block.c, s_ = block.s;
    normal_ = block.normal, inverse_normal_ = 1.0 / block.normal;
    k_[0] = c_ * block.coupling[0] + s_ * block.coupling[1], k_[1] = c_ * block.coupling[1] - s_ * block.coupling[0];
    k_length_ = length_of(k_[0], k_[1]);
    for (int i = 0; i < 2; ++i) eigenvalue_[i] = block.eigenvalue[i], inverse_eigenvalue_[i] = 1.0 / block.eigenvalue[i];
  }

  // v: velocity if the impulse were zero; `before`: the impulse so far, where the search begins.
  Vec<3> solve(const Vec<3>& v, const Vec<3>& before, double friction) const {
    if (v[0] >= 0.0) return {};
    if (friction == 0.0) return {{-v[0] * inverse_normal_, 0.0, 0.0}};
    Slide slide{*this, v[0], friction, {}};
    const double t1 = c_ * v[1] + s_ * v[2], t2 = c_ * v[2] - s_ * v[1];
    slide.g[0] = t1 - k_[0] * inverse_normal_ * v[0], slide.g[1] = t2 - k_[1] * inverse_normal_ * v[0];
    const double p[2] = {-slide.g[0] * inverse_eigenvalue_[0], -slide.g[1] * inverse_eigenvalue_[1]};
    const double normal = -(v[0] + k_[0] * p[0] + k_[1] * p[1]) * inverse_normal_, limit = friction * normal;
    if (limit >= 0.0 && p[0] * p[0] + p[1] * p[1] <= limit * limit) return turned(normal, p);
    const double present[2] = {c_ * before[1] + s_ * before[2], c_ * before[2] - s_ * before[1]};
    const Point end = slide.root(present);
    return turned(end.length / friction, end.tangent);
  }

 private:
  struct Point {
    double tangent[2], length, excess, slope;
  };

  // P_T(x) = -x g_i / (x l_i + s (1 - x)), x in (0, 1]; f(x) = |P_T| - mu P_N.
  struct Slide {
    const SpaceContact& contact;
    double free_normal, friction;
    double g[2];

    Point at(double x) const {
      Point p;
      double rate[2];
      const double smallest = contact.eigenvalue_[1];
      for (int i = 0; i < 2; ++i) {
        const double inverse = 1.0 / (x * contact.eigenvalue_[i] + smallest * (1.0 - x));
        p.tangent[i] = -x * g[i] * inverse;
        rate[i] = -g[i] * smallest * (inverse * inverse);
      }
      p.length = length_of(p.tangent[0], p.tangent[1]);
      const double factor = friction * contact.inverse_normal_;
      p.excess = p.length + factor * (free_normal + contact.k_[0] * p.tangent[0] + contact.k_[1] * p.tangent[1]);
      const double rise = p.tangent[0] * rate[0] + p.tangent[1] * rate[1];
      p.slope = (p.length > 0.0 ? rise / p.length : 0.0) + factor * (contact.k_[0] * rate[0] + contact.k_[1] * rate[1]);
      return p;
    }

    // Newton inside a bracket; ends when a step is below 1e-9 of x, the error being of the order of its square.
    Point root(const double (&present)[2]) const {
      const double smallest = contact.eigenvalue_[1];
      double low =
          smallest * (friction * -free_normal) / (length_of(g[0], g[1]) * (contact.normal_ + friction * contact.k_length_));
      double high = 1.0, moved = 1.0, above = 0.0, below = 0.0;
      for (int i = 0; i < 2; ++i) {  // the x that belongs to the present impulse, in the mean of least squares
        const double a = -g[i] - (contact.eigenvalue_[i] - smallest) * present[i];
        above += a * present[i], below += a * a;
      }
      const double guess = below > 0.0 ? smallest * above / below : 1.0;
      double x = guess > low && guess < 1.0 ? guess : 1.0;
      Point p = at(x);
      (p.excess <= 0.0 ? low : high) = x;
      for (int step = 0; step < 400 && p.excess != 0.0; ++step) {
        double next = x - p.excess / p.slope;
        const bool good = next > low && next < high && std::abs(next - x) <= 0.5 * moved;
        if (!good) next = std::sqrt(low * high);
        if (next == x || !(next > low && next < high)) break;  // no number between the ends of the bracket
        moved = std::abs(next - x);
        x = next;
        p = at(x);
        if (moved <= (good ? 1e-9 : 4.4e-16) * x) break;
        (p.excess < 0.0 ? low : high) = x;
      }
      return p;
    }
  };

  Vec<3> turned(double normal, const double (&p)[2]) const { return {{normal, c_ * p[0] - s_ * p[1], s_ * p[0] + c_ * p[1]}}; }

  double normal_, inverse_normal_, k_[2], k_length_;      // H_NN, and H_NT in the eigenframe of the Schur complement
  double c_, s_, eigenvalue_[2], inverse_eigenvalue_[2];  // that frame, and the eigenvalues, the larger first
};

}  // namespace moreau::inline solver
