#include "moreau/engines/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "moreau/diagnosis/cone_program.hpp"
#include "moreau/engines/rigid/step_problem.hpp"
#include "moreau/solver/given/local_solver.hpp"
#include "moreau/statics/corners.hpp"
#include "moreau/statics/placement.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::size_t most_contacts = 20000;  // that are given to other solvers, ...
constexpr double longest = 10.0;              // [s] ... each for so long
constexpr double accuracy = 1e-8;             // that is asked of them
constexpr const char* others[] = {"auto", "newton", "admm", "smoothing"};

template <int D>
EquilibriumReport<D> one_step(const Model<D>& model, const State<D>& state, double tolerance, StepInspector<D> inspector,
                              State<D>& after) {
  Simulation<D> simulation(model, state);
  simulation.inspect(std::move(inspector));
  EquilibriumReport<D> report;
  report.step = simulation.step();
  const Bodies<D>& bodies = simulation.state().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies.is_free(i))
      report.max_speed =
          std::max({report.max_speed, norm(bodies.state.velocity[i]), bodies.parameters.radius[i] * norm(bodies.state.spin[i])});
  report.velocity_scale = model.time_step * norm(model.gravity);
  if (report.velocity_scale == 0.0) report.velocity_scale = report.step.certificate.velocity_scale;
  report.possible = report.step.certificate.converged && report.max_speed <= tolerance * report.velocity_scale;
  report.forces = simulation.contact_records();
  after = simulation.state();
  return report;
}

// Largest speed of a free body, rims included, when the impulses are those.
template <int D>
double largest_speed(const StepProblem& p, const ReducedProblem& reduced, const Eigen::VectorXd& impulse,
                     const Bodies<D>& bodies) {
  constexpr int S = spin_dimension<D>, each = D + S;
  const Eigen::VectorXd v = reduced.rest(impulse).global_velocity;
  double largest = 0.0;
  for (std::size_t k = 0; k < p.body.size(); ++k) {
    const Eigen::Index first = each * static_cast<Eigen::Index>(k);
    const double radius = bodies.parameters.radius[static_cast<std::size_t>(p.body[k])];
    largest = std::max({largest, v.segment<D>(first).norm(), radius * v.segment<S>(first + D).norm()});
  }
  return largest;
}

// On the first body of each contact, in the laboratory: the rows of H that belong to its velocity.
template <int D>
std::vector<Vec<D>> in_laboratory(const StepProblem& p, const Eigen::VectorXd& impulse, std::size_t bodies) {
  constexpr int each = D + spin_dimension<D>;
  std::vector<int> part(bodies, -1);
  for (std::size_t k = 0; k < p.body.size(); ++k) part[static_cast<std::size_t>(p.body[k])] = static_cast<int>(k);
  std::vector<Vec<D>> vectors(p.bodies.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const int first = each * part[static_cast<std::size_t>(p.bodies[i][0])];
    for (int k = 0; k < D; ++k) {
      const int column = static_cast<int>(D * i) + k;
      for (Eigen::SparseMatrix<double>::InnerIterator e(p.form.H, column); e; ++e)
        if (e.row() >= first && e.row() < first + D) vectors[i][static_cast<int>(e.row()) - first] += e.value() * impulse[column];
    }
  }
  return vectors;
}

// Impulses within their cones that balance what is brought, H r + f = 0, of the least sum of normal ones: a linear program in the
// plane, a conic one in space. Contacts of `without` carry nothing.
diagnosis::Optimum balancing(const GlobalProblem& form, double seconds, const std::vector<bool>& without = {}) {
  diagnosis::ConeProblem cones;
  cones.support.assign(form.friction.size(), diagnosis::Support::cone);
  for (std::size_t c = 0; c < without.size(); ++c)
    if (without[c]) cones.support[c] = diagnosis::Support::none;
  const double scale = form.f.cwiseAbs().maxCoeff();
  cones.dimension = form.dimension, cones.balance = form.H, cones.right = -form.f / scale, cones.friction = form.friction;
  Eigen::VectorXd normal = Eigen::VectorXd::Zero(form.H.cols());
  for (Eigen::Index k = 0; k < normal.size(); k += form.dimension) normal[k] = 1.0;
  diagnosis::Optimum optimum = diagnosis::ConeProgram(cones, Stopwatch(seconds)).minimise(normal);
  if (optimum.impulse.size() > 0) optimum.impulse *= scale;
  return optimum;
}

enum class Held { truly, by_passed_corners, unknown };

// Whether no forces balance without the corners of blocks that the motion passes which begins then.
template <int D>
Held how_held(const statics::Corners<D>& corners, const State<D>& after, const StepProblem& problem) {
  if (corners.count() == 0 || !(problem.form.f.cwiseAbs().maxCoeff() > 0.0)) return Held::truly;
  constexpr int S = spin_dimension<D>, each = D + S;
  const auto motion = [&](const diagnosis::Optimum& found) {
    std::vector<statics::BodyMotion<D>> moves;
    if (found.found != diagnosis::Found::nothing || found.motion.size() == 0) return moves;
    moves.resize(after.bodies.size());
    for (std::size_t k = 0; k < problem.body.size(); ++k) {
      statics::BodyMotion<D>& m = moves[static_cast<std::size_t>(problem.body[k])];
      for (int d = 0; d < D; ++d) m.velocity[d] = found.motion[each * static_cast<Eigen::Index>(k) + d];
      for (int s = 0; s < S; ++s) m.spin[s] = found.motion[each * static_cast<Eigen::Index>(k) + D + s];
    }
    return moves;
  };
  std::vector<bool> without = corners.are();
  const diagnosis::Optimum found = corners.settle(
      without, [&](const std::vector<bool>& left_out) { return balancing(problem.form, 3.0 * longest, left_out); }, motion);
  if (found.found == diagnosis::Found::optimum) return Held::truly;
  return found.found == diagnosis::Found::nothing && found.motion.size() > 0 ? Held::by_passed_corners : Held::unknown;
}

}  // namespace

template <int D>
EquilibriumReport<D> test_equilibrium(Model<D> model, State<D> state, double tolerance) {
  double smallest = HUGE_VAL;
  for (double r : state.bodies.parameters.radius) smallest = std::min(smallest, r);
  model.rule = ContactRule::midpoint;
  model.contact_distance = std::max(model.contact_distance, 1e-6 * smallest);
  model.sources.clear();
  model.solver.tolerance = std::min(model.solver.tolerance, 0.1 * tolerance);
  model.solver.unbalanced_tolerance = std::min(model.solver.unbalanced_tolerance, 0.1 * tolerance);
  model.solver.max_sweeps = std::max(model.solver.max_sweeps, 100000);
  state.sources.clear();
  for (auto& v : state.bodies.state.velocity) v = {};
  for (auto& s : state.bodies.state.spin) s = {};

  const std::string obstacle = no_step_problem(model);
  StepProblem problem;
  State<D> after;
  EquilibriumReport<D> first = one_step<D>(
      model, state, tolerance,
      [&](const StepView<D>& view, const Certificate&) {
        if (obstacle.empty()) problem = step_problem(view);
      },
      after);
  if (after.contacts.size() == 0) return first;
  const auto corners = [&] { return statics::Corners<D>(model, after, statics::contacts_of_table(model, after)); };
  if (!obstacle.empty())
    first.unjudged = obstacle;
  else if (after.contacts.size() > most_contacts)
    first.unjudged = fmt::format("{} contacts, more than {}", after.contacts.size(), most_contacts);
  else if (problem.bodies.size() != after.contacts.size())
    first.unjudged = "contacts that the step did not solve together";
  if (!first.unjudged.empty()) {
    if (first.possible && corners().count() == 0) first.unjudged.clear();
    return first;
  }
  const auto judged = [&](EquilibriumReport<D> report) {
    const Held held = how_held(corners(), after, problem);
    report.passes = held == Held::by_passed_corners;
    report.possible = !report.passes;
    if (held == Held::unknown) report.unjudged = fmt::format("the program of forces gave no answer within {:g} s", 3.0 * longest);
    return report;
  };
  if (first.possible) return judged(first);
  const auto reduced = reduce(problem.form);
  if (!reduced) {
    first.unjudged = "bodies whose masses cannot be inverted";
    return first;
  }
  const auto confirmed = [&](const Eigen::VectorXd& impulse, const std::string& solver) -> std::optional<EquilibriumReport<D>> {
    if (!(largest_speed(problem, *reduced, impulse, state.bodies) <= tolerance * first.velocity_scale)) return {};
    State<D> begun = state;
    begun.contacts = after.contacts;
    begun.impulse_time_step = model.time_step;
    const std::vector<Vec<D>> impulses = in_laboratory<D>(problem, impulse, state.bodies.size());
    for (std::size_t i = 0; i < impulses.size(); ++i) begun.contacts.impulse[i] = impulses[i];
    State<D> end;
    EquilibriumReport<D> report = one_step<D>(model, begun, tolerance, {}, end);
    report.solver = solver;
    if (!report.possible) return {};
    return report;
  };
  for (const NamedSolver& solver : local_solvers()) {
    if (std::ranges::find(others, std::string_view(solver.name)) == std::end(others)) continue;
    LocalSettings settings;
    settings.tolerance = accuracy, settings.max_time = longest;
    const LocalResult result = solver.solve(reduced->local, settings);
    if (auto report = confirmed(result.impulse, result.solver)) return judged(*report);
  }
  // Solutions that move may be all that solvers find near the limit of friction.
  const diagnosis::Optimum balanced = balancing(problem.form, longest);
  if (balanced.impulse.size() == problem.form.H.cols())
    if (auto report = confirmed(balanced.impulse, "program of forces")) return judged(*report);
  return first;
}

template EquilibriumReport<2> test_equilibrium(Model<2>, State<2>, double);
template EquilibriumReport<3> test_equilibrium(Model<3>, State<3>, double);

}  // namespace moreau::inline engines
