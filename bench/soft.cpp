// Rate of the soft engine: balls fall into a box and come to rest, then steps of the bed at rest are timed.
//   bench_soft INIT STIFFNESS SETTLING STEPS ROUNDS [STATE]
// INIT: "# N L", then "x y z r vx vy vz" per ball; SETTLING: time; STATE: where the bed at rest is written, in the format of INIT.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <numbers>

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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    fmt::print(stderr, "usage: bench_soft INIT STIFFNESS SETTLING STEPS ROUNDS [STATE]\n");
    return 2;
  }
  const int threads = std::getenv("THREADS") ? std::atoi(std::getenv("THREADS")) : 1;
  const oneapi::tbb::global_control allow(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena arena(threads);
  std::ifstream in(argv[1]);
  const double stiffness = std::atof(argv[2]), settling = std::atof(argv[3]);
  const int steps = std::atoi(argv[4]), rounds = std::atoi(argv[5]);
  std::string hash;
  std::size_t count = 0;
  double side = 0.0;
  in >> hash >> count >> side;
  std::getline(in, hash);
  Model<3> model;
  State<3> state;
  constexpr double density = 6.0 / std::numbers::pi;
  double smallest = HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    double x, y, z, r, vx, vy, vz;
    in >> x >> y >> z >> r >> vx >> vy >> vz;
    NewBody<3> ball = homogeneous_ball<3>({{x, y, z}}, r, density);
    ball.velocity = {{vx, vy, vz}};
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
  model.gravity = {{0.0, 0.0, -9.81}};
  model.time_step = std::numbers::pi * std::sqrt(0.5 * smallest / stiffness) / 20.0;
  const auto wall = [&](Vec<3> point, Vec<3> normal) {
    model.walls.push_back({"wall", {WallShape::plane, point, normal, 0.0}, 0});
  };
  wall({}, {{1, 0, 0}}), wall({{side, 0, 0}}, {{-1, 0, 0}}), wall({}, {{0, 1, 0}}), wall({{0, side, 0}}, {{0, -1, 0}}), wall({}, {{0, 0, 1}});
  if (const double most = moreau::soft::critical_step(model, state.bodies).step; model.time_step > most) model.time_step = 0.9 * most;

  arena.execute([&] {
    SoftEngine<3> engine;
    StepReport report;
    while (state.time < settling) report = engine.step(model, state);
    if (argc > 6) {
      std::ofstream out(argv[6]);
      out << fmt::format("# {} {:.17g} {:.17g}\n", count, side, model.time_step);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec<3>&x = state.bodies.state.position[i], &v = state.bodies.state.velocity[i];
        out << fmt::format("{:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g} {:.17g}\n", x[0], x[1], x[2], state.bodies.parameters.radius[i], v[0], v[1], v[2]);
      }
    }
    for (int round = 0; round < rounds; ++round) {
      const double before = cpu_seconds();
      Timings timings;
      std::size_t contacts = 0;
      for (int n = 0; n < steps; ++n) report = engine.step(model, state), timings += report.timings, contacts += report.contacts;
      const double seconds = cpu_seconds() - before, wall_seconds = timings.total();
      const double per = 1e9 / static_cast<double>(contacts);
      fmt::print("balls {} contacts {} step {:.4g} unbalanced {:.2e}: {:.2f} M contact-steps/s (cpu), {:.2f} M ball-steps/s; ns per contact: "
                 "predict {:.1f} search {:.1f} detect {:.1f} push {:.1f} update {:.1f} total {:.1f}\n",
                 count, report.contacts, model.time_step, report.unbalanced_force, static_cast<double>(contacts) / seconds * 1e-6,
                 static_cast<double>(count) * steps / seconds * 1e-6, timings.predict * per, timings.search * per, timings.detect * per,
                 timings.solve * per, timings.update * per, wall_seconds * per);
    }
    fmt::print("hash {}\n", state_hash(state));
  });
}
