// Bodies with more contacts than there are colours: what is left over is relaxed eight at a time with split masses
// (solver/mass_splitting.hpp). Against closed forms, laws of conservation, and on several threads.
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <Eigen/Dense>

#include "moreau/base/random.hpp"
#include "physics/block_sample.hpp"

namespace moreau {
namespace {

using namespace sample;

// Directions spread evenly: on the circle, and on the sphere along a spiral.
template <int D>
Vec<D> direction(int i, int count) {
  if constexpr (D == 2) {
    const double angle = 2.0 * M_PI * (i + 0.3) / count;
    return {{std::cos(angle), std::sin(angle)}};
  } else {
    const double z = 1.0 - 2.0 * (i + 0.5) / count, angle = M_PI * (3.0 - std::sqrt(5.0)) * i, r = std::sqrt(1.0 - z * z);
    return {{r * std::cos(angle), r * std::sin(angle), z}};
  }
}

constexpr double big_radius = 1.0;

// A ball of mass `mass`, number 0, and `count` small ones of mass 1 that all strike it at the same time, coming from everywhere
// with random velocities; behind each of them `layers` - 1 others.
template <int D>
Sample<D> struck_from_everywhere(int count, double mass, PairLaw law, int layers = 1) {
  Sample<D> s(1e-10, law, {});
  s.model.rule = ContactRule::midpoint;
  RandomStream random(11);
  const auto any = [&](auto v, double size) {
    for (double& x : v.c) x = random.uniform(-size, size);
    return v;
  };
  s.ball({}, big_radius, any(Vec<D>{}, 0.2), any(Spin<D>{}, 0.2), mass);
  const double radius = D == 2 ? 2.0 / count : 0.8 / std::sqrt(count);  // they do not touch one another
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < layers; ++k) {
      const Vec<D> n = direction<D>(i, count);
      const double speed = (k + 1) * random.uniform(1.0, 2.0);
      s.ball((big_radius + (2 * k + 1) * radius - (k + 1) * 1e-9) * n, radius, any(Vec<D>{}, 0.3) - speed * n,
             any(Spin<D>{}, 0.3));
    }
  return s;
}

// The four layouts of a problem, and the two ways to pack round bodies.
enum class Layout { round, round_one_by_one, rigid, bounded };
constexpr Layout layouts[] = {Layout::round, Layout::round_one_by_one, Layout::rigid, Layout::bounded};

template <int D>
Sample<D> laid_out(Layout layout, int count, double mass, double friction) {
  PairLaw law{friction, 0.0, 0.0};
  if (layout == Layout::round_one_by_one) law.static_friction = friction, law.static_speed = 1.0;
  if (layout == Layout::bounded) law.friction_cap = 1e30;
  Sample<D> s = struck_from_everywhere<D>(count, mass, law);
  Vec<D> sides;
  for (double& side : sides.c) side = 1.0;
  if (layout == Layout::rigid) add_box<D>(s, sides, at<D>(50, 0));  // far away
  return s;
}

template <int D>
Eigen::Matrix<double, velocity_dimension<D>, 1> generalized(const Vec<D>& linear, const Spin<D>& angular) {
  Eigen::Matrix<double, velocity_dimension<D>, 1> x;
  for (int d = 0; d < D; ++d) x[d] = linear[d];
  for (int d = 0; d < spin_dimension<D>; ++d) x[D + d] = angular[d];
  return x;
}

// With u = v - s x (r n) the velocity of a small ball at the contact and K P its change, K = 1/m along n, and 7/2m (3/m in the
// plane) across it, a contact that stays closed and sticks has P = K^-1 (V + S x (R n) - u); one without friction the normal part
// of it. The balance of the big ball, M (V - V_0) = -sum P and I (S - S_0) = -sum R n x P, is then linear in V and S.
template <int D>
void expect_closed_form(Layout layout, int count, double mass, bool sticks) {
  SCOPED_TRACE(testing::Message() << D << "-D, layout " << static_cast<int>(layout) << ", mass " << mass << ", sticks "
                                  << sticks);
  const Sample<D> s = laid_out<D>(layout, count, mass, sticks ? 20.0 : 0.0);
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.certificate.converged) << report.certificate.sweeps;
  const auto contacts = simulation.contact_records();
  ASSERT_EQ(contacts.size(), static_cast<std::size_t>(count));

  constexpr int N = velocity_dimension<D>;
  using Row = Eigen::Matrix<double, N, 1>;
  const BodyState<D>&before = s.bodies.state, &after = simulation.state().bodies.state;
  Eigen::Matrix<double, N, N> matrix = Eigen::Matrix<double, N, N>::Zero();
  for (int d = 0; d < N; ++d) matrix(d, d) = d < D ? mass : s.bodies.parameters.inertia[0];
  Row right = matrix * generalized<D>(before.velocity[0], before.spin[0]);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool first = contacts.a[c] == 0;
    const std::size_t i = static_cast<std::size_t>(first ? contacts.b[c] : contacts.a[c]);
    const Vec<D> n = (first ? -1.0 : 1.0) * contacts.normal[c];
    const Vec<D> u = before.velocity[i] - cross(s.bodies.parameters.radius[i] * before.spin[i], n);
    for (int k = 0; k < D; ++k) {
      Vec<D> e{};
      e[k] = 1.0;
      // Row k of K^-1, seen by the big ball: e . (V + S x R n) = row . (V, S).
      const Vec<D> along = n[k] * n;
      const Vec<D> weight = along + (sticks ? 1.0 / tangent_factor<D> : 0.0) * (e - along);
      const Row seen = generalized<D>(weight, big_radius * moment(n, weight)),
                pushed = generalized<D>(e, big_radius * moment(n, e));
      matrix += pushed * seen.transpose();
      right += pushed * dot(weight, u);
    }
  }
  const Row expected = matrix.ldlt().solve(right), found = generalized<D>(after.velocity[0], after.spin[0]);
  for (int d = 0; d < N; ++d) EXPECT_NEAR(found[d], expected[d], 1e-8) << d;
  for (std::size_t c = 0; c < contacts.size(); ++c) EXPECT_GT(norm(contacts.force[c]), 0.0);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11 * simulation.state().energy.initial);
}

TEST(Crowd, ball_struck_by_many_takes_the_velocity_of_the_linear_balance) {
  for (const Layout layout : layouts)
    for (const bool sticks : {false, true})
      for (const double mass : {1.0, 300.0}) {
        expect_closed_form<2>(layout, 150, mass, sticks);
        expect_closed_form<3>(layout, 200, mass, sticks);
      }
  for (const bool sticks : {false, true}) {  // so many that most sweeps are made in single precision
    expect_closed_form<2>(Layout::round, 1200, 300.0, sticks);
    expect_closed_form<3>(Layout::round, 1200, 300.0, sticks);
  }
}

template <int D>
struct Momenta {
  Vec<D> linear{};
  Spin<D> angular{};
};
template <int D>
Momenta<D> momenta(const Bodies<D>& bodies) {
  Momenta<D> m;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double mass = bodies.parameters.mass[i];
    m.linear += mass * bodies.state.velocity[i];
    m.angular +=
        moment(bodies.state.position[i], mass * bodies.state.velocity[i]) + bodies.parameters.inertia[i] * bodies.state.spin[i];
  }
  return m;
}

// Where neither sliding nor rolling is possible, all go on as one rigid body: its angular velocity w and that of the origin V
// follow from the two momenta.
template <int D>
void expect_one_rigid_body() {
  PairLaw law{1e3, 0.0, 0.0};
  law.rolling = law.pivoting = 1e4;
  Sample<D> s = struck_from_everywhere<D>(D == 2 ? 100 : 150, 1.0, law);
  s.model.solver = {.tolerance = 1e-10, .unbalanced_tolerance = 1e-7, .max_sweeps = 20000};
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.certificate.converged) << report.certificate.sweeps;
  const Momenta<D> m = momenta<D>(s.bodies);
  constexpr int N = velocity_dimension<D>;
  Eigen::Matrix<double, N, N> matrix = Eigen::Matrix<double, N, N>::Zero();
  for (int k = 0; k < N; ++k) {  // momenta of a unit motion
    Bodies<D> moving = s.bodies;
    for (std::size_t i = 0; i < moving.size(); ++i) {
      Vec<D> v{};
      Spin<D> w{};
      k < D ? v[k] = 1.0 : w[k - D] = 1.0;
      moving.state.velocity[i] = v + cross(w, moving.state.position[i]), moving.state.spin[i] = w;
    }
    const Momenta<D> unit = momenta<D>(moving);
    matrix.col(k) = generalized<D>(unit.linear, unit.angular);
  }
  const Eigen::Matrix<double, N, 1> motion = matrix.ldlt().solve(generalized<D>(m.linear, m.angular));
  const BodyState<D>& after = simulation.state().bodies.state;
  Vec<D> v;
  Spin<D> w;
  for (int d = 0; d < N; ++d) (d < D ? v[d] : w[d - D]) = motion[d];
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    EXPECT_LE(norm(after.velocity[i] - v - cross(w, after.position[i])), 1e-6) << i;
    EXPECT_LE(norm(after.spin[i] - w), 1e-5) << i;
  }
}
TEST(Crowd, what_can_neither_slide_nor_roll_goes_on_as_one_rigid_body) {
  expect_one_rigid_body<2>();
  expect_one_rigid_body<3>();
}

// Sliding, sticking and opening contacts, each judged by itself, whatever the solver says; nothing comes from outside.
template <int D>
void expect_laws_and_conservation(double mass) {
  constexpr double friction = 0.03;
  Sample<D> s = struck_from_everywhere<D>(D == 2 ? 200 : 300, mass, {friction, 0.0, 0.0}, 2);
  for (std::size_t i = 1; i < s.bodies.size(); ++i)
    if (i % 8 == 1 || i % 8 == 2) s.bodies.state.velocity[i] = -1.0 * s.bodies.state.velocity[i];  // some leave
  const Momenta<D> before = momenta<D>(s.bodies);
  auto simulation = s.start();
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.certificate.converged) << report.certificate.sweeps;
  const auto contacts = simulation.contact_records();
  const Bodies<D>& bodies = simulation.state().bodies;
  int stick = 0, slide = 0, open = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec<D> n = contacts.normal[c], u = contact_velocity<D>(bodies, bodies.state, contacts.a[c], contacts.b[c], n);
    const Vec<D> p = s.model.time_step * contacts.force[c];
    const double p_n = dot(p, n), u_n = dot(u, n);
    const Vec<D> p_t = p - p_n * n, u_t = u - u_n * n;
    EXPECT_GE(p_n, 0.0);
    EXPECT_GE(u_n, -1e-8);
    EXPECT_NEAR(p_n * u_n, 0.0, 1e-8);
    EXPECT_LE(norm(p_t), friction * p_n + 1e-10);
    EXPECT_NEAR(dot(p_t, u_t), -friction * p_n * norm(u_t), 1e-8);
    ++(p_n < 1e-8 ? open : norm(u_t) < 1e-7 ? stick : slide);
  }
  EXPECT_GT(std::min({stick, slide, open}), 20) << stick << ' ' << slide << ' ' << open;
  const Momenta<D> after = momenta<D>(bodies);
  EXPECT_LE(norm(after.linear - before.linear), 1e-9);    // of some 1e3 exchanged, in thousands of sweeps
  EXPECT_LE(norm(after.angular - before.angular), 1e-6);  // positions have moved by some 1e-10
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-11 * simulation.state().energy.initial);
}
TEST(Crowd, every_contact_obeys_its_law_and_momenta_are_conserved) {
  for (const double mass : {0.5, 50.0}) {
    expect_laws_and_conservation<2>(mass);
    expect_laws_and_conservation<3>(mass);
  }
}

//   ==============  upper plate      Each layer of balls carries what is above it, at its centre of gravity.
//    o o o o o o o
//   ==============  lower plate
//    o o o o o o o
//   --------------
template <int D>
void expect_weights(double density, double friction) {
  SCOPED_TRACE(testing::Message() << D << "-D, density " << density << ", friction " << friction);
  const int across = D == 2 ? 100 : 11;
  Sample<D> s(1e-3, {friction, 0.0, 0.0});
  s.model.solver = {.tolerance = 1e-10, .unbalanced_tolerance = 1e-9, .max_sweeps = 100000};
  s.floor();
  const double radius = 0.5 + 1e-12, thickness = 0.5;
  const auto layer = [&](double height) {
    for (int i = 0; i < across; ++i)
      for (int j = 0; j < (D == 2 ? 1 : across); ++j) {
        Vec<D> x = at<D>(1.2 * i, height);
        if (D == 3) x[1] = 1.2 * j;
        s.ball(x, radius);
      }
  };
  const auto plate = [&](double height) {
    Vec<D> sides = at<D>(1.2 * across, thickness), x = at<D>(0.6 * (across - 1) + 0.05, height);
    if (D == 3) sides[1] = sides[0], x[1] = x[0] - 0.1;
    return add_box<D>(s, sides, x, {}, density);
  };
  layer(0.5);
  const std::size_t lower = plate(1.0 + 0.5 * thickness);
  layer(1.5 + thickness);
  const std::size_t upper = plate(2.0 + 1.5 * thickness);
  auto simulation = s.start();
  for (int n = 0; n < 3; ++n) {
    const StepReport report = simulation.step();
    EXPECT_TRUE(report.certificate.converged) << report.certificate.sweeps;
  }
  const double of_plate = s.bodies.parameters.mass[upper] * g, of_layer = g * (D == 2 ? across : across * across);
  double on_upper = 0.0, on_lower = 0.0, on_floor = 0.0;
  Spin<D> turning{};  // of the forces on the upper plate about its centre
  const auto contacts = simulation.contact_records();
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec<D> force = contacts.force[c];
    if (is_wall(contacts.b[c])) {
      on_floor += force[D - 1];
      continue;
    }
    const std::size_t a = static_cast<std::size_t>(contacts.a[c]), b = static_cast<std::size_t>(contacts.b[c]);
    const double sign = a == upper || a == lower ? 1.0 : -1.0;
    const std::size_t of = a == upper || a == lower ? a : b;
    (of == upper ? on_upper : on_lower) += sign * force[D - 1];
    if (of == upper) turning += moment(contacts.point[c] - simulation.state().bodies.state.position[upper], sign * force);
  }
  const double all = 2 * of_plate + 2 * of_layer;
  EXPECT_NEAR(on_upper, of_plate, 1e-7 * all);
  EXPECT_NEAR(on_lower, of_plate, 1e-7 * all);  // what it carries pushes it down, what is below carries it and that
  EXPECT_NEAR(on_floor, all, 1e-7 * all);
  EXPECT_LE(norm(turning), 1e-6 * all * across);
  EXPECT_NEAR(simulation.state().energy.error(), 0.0, 1e-10 * all);
}
TEST(Crowd, plates_on_many_balls_are_carried) {
  for (const double density : {0.01, 1.0, 50.0}) {
    expect_weights<2>(density, 0.0);
    expect_weights<3>(density, 0.3);
  }
}

// Several chunks of blocks in a colour, and several dozens of blocks in the overflow.
TEST(Crowd, same_bits_on_any_number_of_threads) {
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism, 4);
  for (const double rolling : {0.0, 0.1}) {
    std::string reference;
    for (const int threads : {1, 2, 3}) {
      oneapi::tbb::task_arena arena(threads);
      const std::string hash = arena.execute([&] {
        PairLaw law{0.3, 0.2, 0.0};
        law.rolling = rolling;
        Sample<3> s = struck_from_everywhere<3>(1500, 2.0, law, 2);
        s.model.solver = {.max_sweeps = 40};
        auto simulation = s.start();
        for (int n = 0; n < 3; ++n) simulation.step();
        return state_hash(simulation.state());
      });
      if (threads == 1) reference = hash;
      EXPECT_EQ(hash, reference) << threads << " threads, rolling friction " << rolling;
    }
  }
}

}  // namespace
}  // namespace moreau
