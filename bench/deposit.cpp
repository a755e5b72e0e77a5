// Deposition of polydisperse balls in a box, and slow tilt of the settled bed: the physical work that other codes are compared
// on.
//
// Units: mean diameter 1, density 6/pi, g = 9.81, friction 0.5, no restitution. The start file has a line '# N L' (box L x L,
// open top) and a line 'x y z r vx vy vz' per ball. Written: state.txt ('x y z r vx vy vz wx wy wz ax ay az', a = change of
// velocity in the last step / h) and contacts.txt ('i j fnx fny fnz ftx fty ftz', force on i, j = -1 for a wall); with --tilt
// also state_6.txt and state_8.txt. Prints one JSON object; times are of the time loop only.
#include <fmt/format.h>
#include <fmt/os.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "moreau/engines/simulation.hpp"

using namespace moreau;

namespace {

constexpr double gravity = 9.81, density = 6.0 / std::numbers::pi;

Bodies<3> read_start(const std::string& file, double& length) {
  std::ifstream in(file);
  std::string hash;
  std::size_t count = 0;
  if (!(in >> hash >> count >> length) || hash != "#") throw std::runtime_error(file + ": expected a first line '# N L'");
  Bodies<3> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    double x, y, z, r, vx, vy, vz;
    if (!(in >> x >> y >> z >> r >> vx >> vy >> vz))
      throw std::runtime_error(fmt::format("{}: {} balls announced, {} found", file, count, i));
    NewBody<3> ball = homogeneous_ball<3>({{x, y, z}}, r, density);
    ball.velocity = {{vx, vy, vz}};
    bodies.append(ball);
  }
  return bodies;
}

Model<3> box(double length) {
  Model<3> model;
  model.gravity = {{0.0, 0.0, -gravity}};
  model.materials = {{"grain", density}};
  model.pair_laws = {{0.5, 0.0, 0.0}};
  const auto plane = [&](Vec<3> point, Vec<3> normal) {
    Wall<3> wall;
    wall.geometry.point = point;
    wall.geometry.direction = normal;
    model.walls.push_back(wall);
  };
  plane({}, {{0, 0, 1}});
  plane({}, {{1, 0, 0}}), plane({{length, 0, 0}}, {{-1, 0, 0}});
  plane({}, {{0, 1, 0}}), plane({{0, length, 0}}, {{0, -1, 0}});
  return model;
}

void write_state(const std::string& file, const Simulation<3>& s, double length, const std::vector<Vec<3>>& before) {
  auto out = fmt::output_file(file);
  const Bodies<3>& b = s.state().bodies;
  out.print("# {} {:.17g}\n", b.size(), length);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec<3>&x = b.state.position[i], &v = b.state.velocity[i], &w = b.state.spin[i];
    const Vec<3> a = (1.0 / s.model().time_step) * (v - before[i]);
    out.print("{:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g} {:.12g}\n", x[0],
              x[1], x[2], b.parameters.radius[i], v[0], v[1], v[2], w[0], w[1], w[2], a[0], a[1], a[2]);
  }
}

void write_contacts(const std::string& file, const Simulation<3>& s) {
  auto out = fmt::output_file(file);
  const ContactRecords<3> c = s.contact_records();
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec<3> normal = dot(c.force[i], c.normal[i]) * c.normal[i], tangent = c.force[i] - normal;
    out.print("{} {} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g}\n", c.a[i], is_wall(c.b[i]) ? -1 : c.b[i], normal[0], normal[1],
              normal[2], tangent[0], tangent[1], tangent[2]);
  }
}

struct Clocks {
  double wall = 0.0, cpu = 0.0;
  std::chrono::steady_clock::time_point w = std::chrono::steady_clock::now();
  std::clock_t c = std::clock();
  void start() { w = std::chrono::steady_clock::now(), c = std::clock(); }
  void stop() {
    wall += std::chrono::duration<double>(std::chrono::steady_clock::now() - w).count();
    cpu += static_cast<double>(std::clock() - c) / CLOCKS_PER_SEC;
  }
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"deposition and tilt of a bed of balls"};
  std::string start, out = ".", rule = "predictive";
  double step = 4e-3, duration = 5.0;
  int threads = 1;
  bool tilt = false;
  SolverSettings solver;
  app.add_option("START", start)->required();
  app.add_option("--out", out);
  app.add_option("--step", step);
  app.add_option("--duration", duration);
  app.add_option("--rule", rule)->check(CLI::IsMember({"midpoint", "predictive"}));
  app.add_option("--tolerance", solver.tolerance);
  app.add_option("--unbalanced", solver.unbalanced_tolerance);
  app.add_option("--max-sweeps", solver.max_sweeps);
  app.add_flag("--mixed,!--double", solver.mixed_precision, "sweeps in single precision until near the solution");
  app.add_option("--threads", threads);
  app.add_flag("--tilt", tilt);
  CLI11_PARSE(app, argc, argv);

  oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena arena(threads);
  double length = 0.0;
  Bodies<3> bodies = read_start(start, length);
  Model<3> model = box(length);
  model.time_step = step;
  model.rule = rule == "midpoint" ? ContactRule::midpoint : ContactRule::predictive;
  model.solver = solver;
  Simulation<3> simulation(model, std::move(bodies));

  nlohmann::ordered_json result;
  std::vector<Vec<3>> before;
  StepReport report;
  // Runs until `end`, turning gravity by theta(t) degrees in the x-z plane; returns times, sweeps, unconverged steps.
  const auto run = [&](double duration_of_part, auto&& theta) {
    Clocks clocks;
    std::uint64_t steps = static_cast<std::uint64_t>(std::llround(duration_of_part / step)), sweeps = 0, unconverged = 0;
    double residual = 0.0;
    clocks.start();
    arena.execute([&] {
      for (std::uint64_t i = 0; i < steps; ++i) {
        const double angle = theta((static_cast<double>(i) + 0.5) * step) * std::numbers::pi / 180.0;
        simulation.mutable_model().gravity = {{gravity * std::sin(angle), 0.0, -gravity * std::cos(angle)}};
        if (i + 1 == steps) before = simulation.state().bodies.state.velocity;
        report = simulation.step();
        sweeps += static_cast<std::uint64_t>(report.certificate.sweeps);
        unconverged += report.certificate.converged ? 0 : 1;
        residual = std::max(residual, report.certificate.relative_residual());
      }
    });
    clocks.stop();
    return nlohmann::ordered_json{{"wall_s", clocks.wall},
                                  {"cpu_s", clocks.cpu},
                                  {"steps", steps},
                                  {"mean_sweeps", static_cast<double>(sweeps) / static_cast<double>(steps)},
                                  {"unconverged", unconverged},
                                  {"worst_residual", residual}};
  };

  result["deposit"] = run(duration, [](double) { return 0.0; });
  write_state(out + "/state.txt", simulation, length, before);
  write_contacts(out + "/contacts.txt", simulation);
  if (tilt) {
    result["tilt_to_6"] = run(6.0, [](double t) { return std::min(5.0 * t, 15.0); });
    write_state(out + "/state_6.txt", simulation, length, before);
    result["hold_to_8"] = run(2.0, [](double) { return 15.0; });
    write_state(out + "/state_8.txt", simulation, length, before);
  }
  result["state_hash"] = state_hash(simulation.state());
  fmt::print("{}\n", result.dump(2));
}
