// Packings for the tests: discs or balls of random diameters in [1/2, 1] between pairs of walls that press with the stress 1,
// from a square lattice to a jammed state by the finisher; and one body among fixed ones.
#pragma once

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/statics/finish.hpp"

namespace moreau::statics {

template <int D>
struct Packing {
  Model<D> model;
  State<D> state;
  Finish finished;

  Packing() {
    model.time_step = 1.0;
    model.materials = {{"grain", 1.0}};
    model.pair_laws = {PairLaw{}};
  }
  Load<D> load() const { return load_at(model, state, 0.0); }
  // Stress of the last pair of walls changed by q.
  Load<D> with_deviator(double q) const {
    Load<D> l = load();
    l.piston.back() += q;
    return l;
  }
};

// side^D bodies between D pairs of walls.
template <int D>
Packing<D> pressed_packing(int side, std::uint64_t seed, bool finished = true) {
  Packing<D> p;
  RandomStream random(seed);
  const double half = 0.5 * side + 0.02;
  for (int d = 0; d < D; ++d) {
    Piston<D> piston;
    piston.name = std::string(1, "xyz"[d]);
    piston.control = PistonControl::stress, piston.mass = 1.0;
    piston.target.mean = 1.0;
    for (const double sign : {1.0, -1.0}) {
      Vec<D> normal{}, point{};
      normal[d] = sign, point[d] = -sign * half;
      piston.walls.push_back({static_cast<std::int32_t>(p.model.walls.size()), normal});
      p.model.walls.push_back({piston.name + (sign > 0.0 ? "-" : "+"), {WallShape::plane, point, normal, 0.0}, 0, -1});
    }
    for (int e = 0; e < D; ++e)
      if (e != d) piston.between.push_back({2 * e, 2 * e + 1});
    p.model.pistons.push_back(piston);
  }
  p.state.pistons.resize(D);
  int total = 1;
  for (int d = 0; d < D; ++d) total *= side;
  for (int k = 0; k < total; ++k) {
    const double radius = 0.25 + 0.25 * random.uniform();
    Vec<D> x;
    for (int d = 0, rest = k; d < D; ++d, rest /= side)
      x[d] = rest % side + 0.5 - 0.5 * side + (1.0 - 2.0 * radius) * 0.49 * (2.0 * random.uniform() - 1.0);
    p.state.bodies.append(homogeneous_ball<D>(x, radius, 1.0));
  }
  if (finished) p.finished = finish(p.model, p.state, p.load());
  return p;
}

// One free disc of diameter 1 at `x` among fixed ones of diameter 1.
inline Packing<2> disc_among(const std::vector<Vec<2>>& fixed, const Vec<2>& x) {
  Packing<2> p;
  for (const Vec<2>& y : fixed) {
    NewBody<2> b = homogeneous_ball<2>(y, 0.5, 1.0);
    b.kind = BodyKind::fixed;
    p.state.bodies.append(b);
  }
  p.state.bodies.append(homogeneous_ball<2>(x, 0.5, 1.0));
  return p;
}

}  // namespace moreau::statics
