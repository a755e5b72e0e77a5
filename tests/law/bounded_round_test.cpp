// The bounded law between round bodies in closed form: eight random contacts at a time against the graph of the law.
#include "moreau/law/bounded_round.hpp"

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"
#include "moreau/law/tangent_bound.hpp"

namespace moreau {
namespace {

template <int D>
Vec<D> random_vector(RandomStream& random) {
  Vec<D> v;
  for (int d = 0; d < D; ++d) v[d] = random.uniform(-1, 1);
  return v;
}

template <int D>
void on_the_graph() {
  RandomStream random(5);
  int open = 0, stick = 0, cone = 0, capped = 0, pulled = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Vec<D, Lanes> n{}, u{}, p{};
    Lanes inverse_normal{}, inverse_tangent{};
    RoundBound<Lanes> bound{};
    for (int l = 0; l < lanes; ++l) {
      const Vec<D> normal = normalized(random_vector<D>(random)), velocity = random_vector<D>(random),
                   impulse = random_vector<D>(random);
      for (int d = 0; d < D; ++d) n[d][l] = normal[d], u[d][l] = velocity[d], p[d][l] = impulse[d];
      inverse_normal[l] = random.uniform(0.2, 2), inverse_tangent[l] = inverse_normal[l] * random.uniform(0.2, 1);
      bound.friction[l] = random.uniform(0, 1);
      bound.shear[l] = l % 2 ? random.uniform(0, 0.5) : 0.0;
      bound.cap[l] = l % 3 ? random.uniform(0, 1) : HUGE_VAL;
      bound.tension[l] = l % 4 ? random.uniform(0, 0.5) : 0.0;
    }
    const Vec<D, Lanes> solved = bounded_round(n, u, p, inverse_normal, inverse_tangent, bound, 1.0);
    for (int l = 0; l < lanes; ++l) {
      Vec<D> normal, velocity, change, force;
      for (int d = 0; d < D; ++d)
        normal[d] = n[d][l], velocity[d] = u[d][l], force[d] = solved[d][l], change[d] = solved[d][l] - p[d][l];
      const double h_n = 1.0 / inverse_normal[l], h_t = 1.0 / inverse_tangent[l], change_n = dot(change, normal);
      const Vec<D> w = velocity + h_t * change + ((h_n - h_t) * change_n) * normal;
      // Along the normal and along two axes across it; in the plane the second is not there.
      const double w_n = dot(w, normal), f_n = dot(force, normal) + bound.tension[l];
      const Vec<D> w_t = w - w_n * normal, f_t = force - dot(force, normal) * normal;
      const Vec<D> e = normalized(norm(f_t) > 1e-12 ? f_t : w_t);
      Vec<3> flat_w{{w_n, dot(w_t, e), norm(w_t - dot(w_t, e) * e)}}, flat_f{{f_n, dot(f_t, e), 0.0}};
      const TangentBound law{bound.friction[l], bound.shear[l], bound.cap[l]};
      EXPECT_LE(bounded_violation<3>(flat_w, flat_f, law, h_t), 1e-12) << trial << ' ' << l;
      open += f_n == 0.0, pulled += f_n > 0.0 && f_n < bound.tension[l], stick += norm(w) < 1e-12;
      capped += norm(f_t) > law.cap * (1 - 1e-12), cone += f_n > 0 && norm(w_t) > 1e-12 && norm(f_t) < law.cap * (1 - 1e-12);
    }
  }
  for (const int seen : {open, stick, cone, capped, pulled}) EXPECT_GT(seen, 100);
}
TEST(BoundedRound, solves_the_law_of_discs) { on_the_graph<2>(); }
TEST(BoundedRound, solves_the_law_of_balls) { on_the_graph<3>(); }

// Without strength and cap it is Coulomb's law, and relaxed beyond the solution it stays in the domain.
TEST(BoundedRound, over_relaxed_impulses_stay_in_the_domain) {
  RandomStream random(6);
  for (int trial = 0; trial < 2000; ++trial) {
    Vec<3, Lanes> n{}, u{}, p{};
    const Lanes one = Lanes{} + 1.0;
    for (int l = 0; l < lanes; ++l) {
      const Vec<3> normal = normalized(random_vector<3>(random));
      for (int d = 0; d < 3; ++d) n[d][l] = normal[d], u[d][l] = random.uniform(-1, 1), p[d][l] = random.uniform(-1, 1);
    }
    const Vec<3, Lanes> solved = bounded_round(n, u, p, one, 0.3 * one, {0.4 * one, 0.1 * one, 0.5 * one, 0.2 * one}, 1.7);
    for (int l = 0; l < lanes; ++l) {
      Vec<3> normal, force;
      for (int d = 0; d < 3; ++d) normal[d] = n[d][l], force[d] = solved[d][l];
      const double carried = dot(force, normal) + 0.2;
      EXPECT_GE(carried, -1e-15);
      EXPECT_LE(norm(force - dot(force, normal) * normal), std::min(0.1 + 0.4 * carried, 0.5) * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace moreau
