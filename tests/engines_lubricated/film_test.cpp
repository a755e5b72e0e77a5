// Single films and chains of them against closed forms (Combe 2001, eq. 1.14 integrated).
#include <gtest/gtest.h>

#include <cmath>

#include "moreau/dynamics/state.hpp"
#include "moreau/engines/lubricated/lubricated_engine.hpp"
#include "statics/packing.hpp"

namespace moreau::lubricated {

namespace {

using statics::Packing;

// A disc of weight 1 above a fixed one.
Packing<2> disc_on_disc(double gap, FilmLaw law) {
  Packing<2> p = statics::disc_among({Vec<2>{{0.0, 0.0}}}, Vec<2>{{0.0, 1.0 + gap}});
  p.model.gravity = Vec<2>{{0.0, -1.0 / p.state.bodies.parameters.mass[1]}};
  p.model.lubricated.law = law;
  return p;
}

template <int D>
std::vector<StepReport> run(Packing<D>& p, double step, int steps) {
  p.model.time_step = step;
  LubricatedEngine<D> engine;
  std::vector<StepReport> reports;
  for (int k = 0; k < steps; ++k) {
    reports.push_back(engine.step(p.model, p.state));
    EXPECT_TRUE(reports.back().certificate.converged) << reports.back().reason;
    for (const double h : p.state.contacts.apart) EXPECT_GT(h, 0.0);
  }
  return reports;
}

// n discs in a row between two pistons that push with the force 1; gaps as given, walls included.
Packing<2> chain(const std::vector<double>& radius, const std::vector<double>& gap) {
  Packing<2> p;
  double x = gap[0];
  for (std::size_t i = 0; i < radius.size(); ++i) {
    x += radius[i];
    p.state.bodies.append(homogeneous_ball<2>(Vec<2>{{x, 0.0}}, radius[i], 1.0));
    x += radius[i] + gap[i + 1];
  }
  p.model.walls.push_back({"left", {WallShape::plane, Vec<2>{{0.0, 0.0}}, Vec<2>{{1.0, 0.0}}, 0.0}, 0, -1});
  p.model.walls.push_back({"right", {WallShape::plane, Vec<2>{{x, 0.0}}, Vec<2>{{-1.0, 0.0}}, 0.0}, 0, -1});
  Piston<2> piston;
  piston.name = "right", piston.control = PistonControl::force, piston.mass = 1.0, piston.target.mean = 1.0;
  piston.walls.push_back({1, Vec<2>{{-1.0, 0.0}}});
  p.model.pistons.push_back(piston);
  p.state.pistons.resize(1);
  return p;
}

}  // namespace

TEST(Film, between_cylinders_thins_as_the_inverse_square_of_time_whatever_the_step) {
  const double h0 = 0.05, B = film_of({1.0, FilmLaw::cylinders, 0.0}, 0.25, h0).resistance;
  EXPECT_NEAR(B, 3.0 * std::sqrt(2.0) * M_PI * std::pow(0.25, 1.5), 1e-14);
  for (const double step : {0.1, 10.0, 1e4}) {
    Packing<2> p = disc_on_disc(h0, FilmLaw::cylinders);
    run(p, step, 5);
    const double t = 5.0 * step, exact = h0 / std::pow(1.0 + std::sqrt(h0) * t / (2.0 * B), 2);
    EXPECT_NEAR(p.state.contacts.apart[0] / exact, 1.0, 1e-6) << step;
    EXPECT_NEAR(p.state.bodies.state.position[1][1], 1.0 + exact, 1e-12);
  }
}

TEST(Film, between_spheres_thins_exponentially_with_an_error_of_second_order) {
  const double h0 = 0.05, B = film_of({1.0, FilmLaw::spheres, 0.0}, 0.25, h0).resistance;
  EXPECT_NEAR(B, 6.0 * M_PI / 16.0, 1e-14);
  const auto error = [&](int steps) {
    Packing<2> p = disc_on_disc(h0, FilmLaw::spheres);
    run(p, 2.0 / steps, steps);
    return std::abs(p.state.contacts.apart[0] / (h0 * std::exp(-2.0 / B)) - 1.0);
  };
  EXPECT_LT(error(2000), 1e-6);
  EXPECT_NEAR(std::log2(error(50) / error(100)), 2.0, 0.05);
}

TEST(Film, of_a_disc_that_is_pulled_away_neither_pulls_nor_closes) {
  Packing<2> p = disc_on_disc(0.01, FilmLaw::cylinders);
  p.model.gravity = -p.model.gravity;
  p.model.damping = 1e3;  // it would fly away
  const auto reports = run(p, 0.01, 3);
  EXPECT_GT(p.state.contacts.apart[0], 0.01);
  EXPECT_EQ(norm(p.state.contacts.impulse[0]), 0.0);
  EXPECT_EQ(reports.back().open, 1u);
}

TEST(Film, all_films_of_a_chain_thin_as_if_each_were_alone) {
  for (const FilmLaw law : {FilmLaw::cylinders, FilmLaw::spheres}) {
    const std::vector<double> radius{0.5, 0.3, 0.7}, gap{0.02, 0.01, 0.05, 0.001};
    Packing<2> p = chain(radius, gap);
    p.model.lubricated.law = law;
    run(p, law == FilmLaw::cylinders ? 0.1 : 0.001, 1000);
    const double t = law == FilmLaw::cylinders ? 100.0 : 1.0;
    const auto exact = [&](double h0, double reduced) {
      const double B = film_of({1.0, law, 0.0}, reduced, h0).resistance;
      return law == FilmLaw::cylinders ? h0 / std::pow(1.0 + std::sqrt(h0) * t / (2.0 * B), 2) : h0 * std::exp(-t / B);
    };
    const auto between = [](double a, double b) { return a * b / (a + b); };
    const ContactTable<2>& table = p.state.contacts;
    ASSERT_EQ(table.size(), 4u);
    for (std::size_t l = 0; l < 4; ++l) {
      const std::size_t a = static_cast<std::size_t>(table.a[l]);
      const double h0 = table.b[l] == ~0 ? gap[0] : table.b[l] == ~1 ? gap[3] : gap[a + 1];
      const double reduced = is_wall(table.b[l]) ? radius[a] : between(radius[a], radius[a + 1]);
      EXPECT_NEAR(table.apart[l] / exact(h0, reduced), 1.0, 1e-6);
      EXPECT_NEAR(norm(table.impulse[l]) / p.model.time_step, 1.0, 1e-9);
    }
  }
}

// Combe 2001, fig. 3.2.
TEST(Film, a_disc_on_two_discs_comes_to_rest_with_the_forces_of_statics) {
  const double beta = 0.7, weight = 1.0;
  Packing<2> p =
      statics::disc_among({Vec<2>{{-std::cos(beta), 0.0}}, Vec<2>{{std::cos(beta), 0.0}}}, Vec<2>{{0.01, std::sin(beta) + 0.03}});
  p.model.gravity = Vec<2>{{0.2, -weight}} * (1.0 / p.state.bodies.parameters.mass[2]);
  run(p, 1e3, 40);
  const ContactTable<2>& table = p.state.contacts;
  ASSERT_EQ(table.size(), 2u);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_LT(table.apart[l], 1e-6);
    const double sign = table.normal[l][0] < 0.0 ? 1.0 : -1.0;
    EXPECT_NEAR(norm(table.impulse[l]) / p.model.time_step, weight / (2.0 * std::sin(beta)) + sign * 0.2 / (2.0 * std::cos(beta)),
                1e-5);
  }
}

TEST(Film, work_of_the_load_is_what_films_dissipate) {
  Packing<2> p = chain({0.5, 0.3, 0.7}, {0.02, 0.01, 0.05, 0.001});
  for (const StepReport& r : run(p, 0.5, 20)) EXPECT_LT(std::abs(r.energy.error()), 1e-12);
  EXPECT_GT(p.state.energy.dissipated, 0.0);
}

TEST(Film, a_piston_of_given_velocity_presses_films_that_never_close) {
  Packing<2> p = chain({0.5, 0.3}, {0.02, 0.01, 0.03});
  p.model.pistons[0].control = PistonControl::velocity, p.model.pistons[0].target.mean = 0.01;
  p.model.time_step = 0.1;
  LubricatedEngine<2> engine;
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(engine.step(p.model, p.state).certificate.converged) << k;
  double room = 0.0;
  for (const double h : p.state.contacts.apart) room += h;
  EXPECT_NEAR(room, 0.06 - 5.0 * 0.01, 1e-9);
  EXPECT_NEAR(p.state.energy.wall_work, p.state.energy.dissipated, 1e-9 * p.state.energy.dissipated);
}

}  // namespace moreau::lubricated
