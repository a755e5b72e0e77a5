// Rate of the soft engine: discs or balls fall into a box, then steps are timed.
//   bench_soft INIT STIFFNESS SETTLING STEPS ROUNDS [STATE]
// INIT: "# N L D", then "x y z r vx vy vz" per body (D = 2: discs, y is not read and z is up); SETTLING: time; STATE: where the
// bed is written then, in the format of INIT with the time step. Environment: THREADS (1), INTEGRATOR (verlet, as LAMMPS; gear),
// RESIDUAL: steps are made until the force residual is below it, and their CPU time is printed.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <numbers>
#include <string_view>

#include "moreau/engines/elastic/elastic_engine.hpp"
#include "moreau/engines/soft/critical_step.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

using namespace moreau;

namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double from_environment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atof(text) : otherwise;
}

template <int D>
Vec<D> vector_of(double x, double y, double up) {
  if constexpr (D == 2)
    return (void)y, Vec<2>{{x, up}};
  else
    return {{x, y, up}};
}

template <int D>
void bench(std::istream& in, std::size_t count, double side, int argc, char** argv) {
  const double stiffness = std::atof(argv[2]), settling = std::atof(argv[3]);
  const int steps = std::atoi(argv[4]), rounds = std::atoi(argv[5]);
  Model<D> model;
  State<D> state;
  constexpr double density = D == 2 ? 4.0 / std::numbers::pi : 6.0 / std::numbers::pi;  // mass 1 for a diameter of 1
  double smallest = HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    double x, y, z, r, vx, vy, vz;
    in >> x >> y >> z >> r >> vx >> vy >> vz;
    NewBody<D> ball = homogeneous_ball<D>(vector_of<D>(x, y, z), r, density);
    ball.velocity = vector_of<D>(vx, vy, vz);
    state.bodies.append(ball);
    smallest = std::min(smallest, ball.mass);
  }
  PairLaw law;
  law.friction = 0.5;
  SoftLaw soft;
  soft.stiffness = stiffness, soft.tangential_stiffness = 2.0 / 7.0 * stiffness;
  soft.damping_ratio = 0.9, soft.tangential_damping_ratio = 0.4;
  model.materials = {{"grain", density}};
  model.pair_laws = {law}, model.soft_laws = {soft};
  model.gravity = vector_of<D>(0.0, 0.0, -9.81);
  const char* integrator = std::getenv("INTEGRATOR");
  model.soft.integrator = integrator != nullptr && std::string_view(integrator) == "gear" ? Integrator::gear : Integrator::verlet;
  model.time_step = std::numbers::pi * std::sqrt(0.5 * smallest / stiffness) / 20.0;
  const auto wall = [&](Vec<D> point, Vec<D> normal) {
    model.walls.push_back({"wall", {WallShape::plane, point, normal, 0.0}, 0});
  };
  wall({}, vector_of<D>(1, 0, 0)), wall(vector_of<D>(side, 0, 0), vector_of<D>(-1, 0, 0)), wall({}, vector_of<D>(0, 0, 1));
  if constexpr (D == 3) wall({}, {{0, 1, 0}}), wall({{0, side, 0}}, {{0, -1, 0}});
  if (const double most = moreau::soft::critical_step(model, state.bodies).step; model.time_step > most)
    model.time_step = 0.9 * most;

  SoftEngine<D> engine;
  StepReport report;
  while (state.time < settling) report = engine.step(model, state);
  if (argc > 6) {
    std::ofstream out(argv[6]);
    out << fmt::format("# {} {:.17g} {} {:.17g}\n", count, side, D, model.time_step);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec<D>&x = state.bodies.state.position[i], &v = state.bodies.state.velocity[i];
      out << fmt::format("{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", x[0], D == 2 ? 0.0 : x[1], x[D - 1],
                         state.bodies.parameters.radius[i], v[0], D == 2 ? 0.0 : v[1], v[D - 1]);
    }
  }
  if (const double residual = from_environment("RESIDUAL", 0.0); residual > 0.0) {
    const double by_softness = std::max(residual, from_environment("ELASTIC_BELOW", 0.0)), before = cpu_seconds();
    int n = 0;
    do report = engine.step(model, state);
    while (++n < steps && report.unbalanced_force > by_softness);
    double left = report.unbalanced_force, force = 0.0;
    for (const Vec<D>& impulse : state.contacts.impulse) force += norm(impulse) / model.time_step;
    if (by_softness > residual) {
      elastic::ElasticEngine<D> ending;
      report = ending.step(model, state);
      left = report.certificate.converged ? report.certificate.unbalanced : HUGE_VAL;
      if (!report.certificate.converged) fmt::print(stderr, "no equilibrium: {}\n", report.reason);
    }
    fmt::print("residual {:.3e} after {} steps, {:.3f} s (cpu), mean force {:.6g}\n", left, n, cpu_seconds() - before,
               force / static_cast<double>(state.contacts.size()));
    return;
  }
  for (int round = 0; round < rounds; ++round) {
    const double before = cpu_seconds();
    Timings timings;
    std::size_t contacts = 0;
    for (int n = 0; n < steps; ++n) report = engine.step(model, state), timings += report.timings, contacts += report.contacts;
    const double seconds = cpu_seconds() - before, wall_seconds = timings.total();
    const double per = 1e9 / static_cast<double>(contacts);
    fmt::print(
        "bodies {} contacts {} step {:.4g} unbalanced {:.2e}: {:.2f} M contact-steps/s (cpu), {:.2f} M body-steps/s; ns per "
        "contact: predict {:.1f} search {:.1f} detect {:.1f} push {:.1f} update {:.1f} total {:.1f}\n",
        count, report.contacts, model.time_step, report.unbalanced_force, static_cast<double>(contacts) / seconds * 1e-6,
        static_cast<double>(count) * steps / seconds * 1e-6, timings.predict * per, timings.search * per, timings.detect * per,
        timings.solve * per, timings.update * per, wall_seconds * per);
  }
  fmt::print("hash {}\n", state_hash(state));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: bench_soft INIT STIFFNESS SETTLING STEPS ROUNDS [STATE]\n");
    return 2;
  }
  const int threads = static_cast<int>(from_environment("THREADS", 1.0));
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena arena(threads);
  std::ifstream in(argv[1]);
  std::string hash;
  std::size_t count = 0;
  double side = 0.0;
  int dimension = 3;
  in >> hash >> count >> side >> dimension;
  std::getline(in, hash);
  arena.execute([&] { dimension == 2 ? bench<2>(in, count, side, argc, argv) : bench<3>(in, count, side, argc, argv); });
}
