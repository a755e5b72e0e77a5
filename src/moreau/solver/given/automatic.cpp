// The default: cheap solvers first.
//
//   no contact approaches freely    r = 0
//   no friction anywhere            the quadratic program
//   otherwise                       a few sweeps with conjugate directions over all contacts; then part by part (sets of contacts
//                                   that do not feel one another), each until its share of the error is small enough: sweeps as
//                                   long as they are expected to end soon, then alternating directions, which find the statuses
//                                   of the contacts, proximal Newton, which makes them exact, and the continuation, in turn
// All decisions rest on counts and errors, none on the clock: the same problem gives the same bits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "moreau/solver/given/admm.hpp"
#include "moreau/solver/given/conjugate_sweeps.hpp"
#include "moreau/solver/given/local_parts.hpp"
#include "moreau/solver/given/proximal_newton.hpp"
#include "moreau/solver/given/smoothing_newton.hpp"

namespace moreau::inline solver {
namespace {

constexpr int first_sweeps = 16;    // over all contacts, before the parts are told apart
constexpr int patience = 400;       // sweeps: as long as the alternating directions would take
constexpr int first_burst = 500;    // iterations of the alternating directions before Newton tries; then twice as many ...
constexpr int first_steps = 100;    // Newton steps between two looks at its progress; then twice as many ...
constexpr int first_path = 300;     // steps of the continuation, tried once ...
constexpr int path_contacts = 100;  // ... on parts of at most so many contacts: it is the dearest of all

bool approaches(const LocalProblem& problem) {
  for (int a = 0; a < problem.contacts(); ++a)
    if (problem.free[problem.dimension() * a] < 0.0) return true;
  return false;
}

// Sweeps and steps of all solvers together, of which so many may be made.
struct Allowance {
  int left;

  explicit Allowance(int most) : left(most > 0 ? most : std::numeric_limits<int>::max()) {}
  int of(int wanted) const { return std::min(wanted, left); }
  bool over() const { return left <= 0; }
};

// As conjugate_sweeps, at most so many.
bool sweep_on(const LocalProblem& problem, LocalSettings settings, int most, int slowest, const Stopwatch& watch, Allowance& allowance,
              Eigen::VectorXd& impulse, int& iterations) {
  if (allowance.over()) return false;
  settings.max_iterations = allowance.of(most);
  int sweeps = 0;
  const bool reached = conjugate_sweeps(problem, settings, slowest, watch, impulse, sweeps);
  iterations += sweeps, allowance.left -= sweeps;
  return reached;
}

// Keeps the better of what it has and what it is offered.
struct Best {
  LocalResult& result;
  Allowance& allowance;
  double error;

  void offer(const char* solver, const Eigen::VectorXd& impulse, double offered, int iterations) {
    result.iterations += iterations, allowance.left -= iterations;
    if (!(offered < error)) return;
    error = offered, result.impulse = impulse, result.solver = solver;
  }
};

// Newton from `impulse`, as long as each `steps` halve the error.
void attempt(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, int steps,
             Eigen::VectorXd impulse, Best& best) {
  NewtonSettings newton;
  newton.tolerance = settings.tolerance;
  double before = HUGE_VAL;
  while (!best.allowance.over()) {
    newton.max_steps = best.allowance.of(steps);
    const NewtonOutcome outcome = newton_steps(problem, newton, watch, impulse);
    best.offer("newton", impulse, outcome.error, outcome.steps);
    if (best.error <= settings.tolerance || watch.over() || outcome.error > 0.5 * before) return;
    before = outcome.error, newton.alpha = outcome.alpha;
  }
}

// The continuation from its own beginning.
void follow(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Best& best) {
  LocalSettings path = settings;
  path.max_iterations = best.allowance.of(first_path);
  Eigen::VectorXd impulse = Eigen::VectorXd::Zero(problem.free.size());
  const int steps = smoothing_path(problem, path, watch, impulse);
  best.offer("smoothing", impulse, natural_error(problem, impulse, problem.velocity(impulse)).relative, steps);
}

// Alternating directions, Newton and the continuation in turn, each for longer every time; the first from where the others got if
// that is nearer.
void accurate(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Allowance& allowance,
              LocalResult& result) {
  Best best{result, allowance, natural_error(problem, result.impulse, problem.velocity(result.impulse)).relative};
  const auto over = [&] { return best.error <= settings.tolerance || watch.over() || allowance.over(); };
  Admm admm(problem);
  admm.start(Eigen::VectorXd::Zero(problem.free.size()));
  bool looked = false;
  for (int round = 1; !over() && !result.squeeze; round = std::min(2 * round, 1 << 20)) {
    const int before = admm.iterations();
    admm.run(allowance.of(round * first_burst), settings.tolerance, watch);
    best.offer("admm", admm.best(), admm.error(), admm.iterations() - before);
    if (!over()) attempt(problem, settings, watch, round * first_steps, admm.best(), best);
    if (round == 1 && problem.contacts() <= path_contacts && !over()) follow(problem, settings, watch, best);
    if (!over() && best.error < 0.3 * admm.error()) admm.start(result.impulse);
    if (best.error > settings.tolerance && !watch.over() && !looked &&  // a look is no sweep
        (impulses_grow(problem, result.impulse) || impulses_grow(problem, admm.last())))
      looked = true, result.squeeze = find_squeeze(problem, watch);
  }
}

double scale_of(const LocalProblem& problem, const LocalResult& result) {
  return std::max({problem.free.norm(), result.impulse.norm(), problem.velocity(result.impulse).norm()});
}

// Part by part. Errors add up in squares: a part with a share s of the contacts may have a share s of the square of the whole.
class Parts {
 public:
  Parts(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, Allowance& allowance, LocalResult& result)
      : problem_(problem),
        settings_(settings),
        watch_(watch),
        allowance_(allowance),
        result_(result),
        contacts_(parts_of(problem.delassus)),
        given_(given_velocity(problem)) {
    if (contacts_.size() > 1) std::ranges::stable_sort(contacts_, {}, [](const auto& part) { return part.size(); });
  }

  // The scale of the whole is known only in the end; if it turns out smaller than thought, once more.
  void solve() {
    if (contacts_.size() == 1) {
      solve_part(problem_, contacts_.front(), true);
      return;
    }
    for (double caution = 0.9; caution > 0.01 && !watch_.over() && !allowance_.over(); caution *= 0.5) {
      scale_ = caution * scale_of(problem_, result_);
      const int before = result_.iterations;
      std::vector<int> slow;
      for (std::size_t k = 0; k < contacts_.size(); ++k)
        if (!solve_part(problem_of(k), contacts_[k], false)) slow.push_back(static_cast<int>(k));
      std::size_t hard = 0;
      for (const int k : slow) hard += contacts_[k].size();
      if (2 * hard > static_cast<std::size_t>(problem_.contacts())) return accurate(problem_, settings_, watch_, allowance_, result_);
      for (const int k : slow) {
        solve_part(problem_of(k), contacts_[k], true);  // small ones first: a hard one may take all the time
        if (result_.squeeze) return;
      }
      if (natural_error(problem_, result_.impulse, problem_.velocity(result_.impulse)).relative <= settings_.tolerance) return;
      if (result_.iterations == before) return;
    }
  }

 private:
  LocalProblem problem_of(std::size_t k) const {
    LocalProblem part = part_of(problem_, contacts_[k]);
    part.given = given_;
    part.scale = scale_ * std::sqrt(static_cast<double>(contacts_[k].size()) / problem_.contacts());
    return part;
  }

  // A squeeze of a part in the numbers of the whole.
  Squeeze whole(const Squeeze& part, const std::vector<int>& contacts) const {
    Squeeze all{Eigen::VectorXd::Zero(problem_.contacts()), part.power, {}};
    for (const int k : part.contacts) all.contacts.push_back(contacts[k]), all.normal[contacts[k]] = part.normal[k];
    return all;
  }

  // By sweeps; to the end if they do not suffice and `fully`. True if the part is solved.
  bool solve_part(const LocalProblem& part, const std::vector<int>& contacts, bool fully) {
    LocalResult found;
    found.solver = "nncg";
    found.impulse = gather(result_.impulse, contacts, problem_.dimension());
    bool solved = true;
    if (!approaches(part))
      found.impulse.setZero();
    else if (contacts_.size() == 1 || !fully)
      solved = sweep_on(part, settings_, std::numeric_limits<int>::max(), patience, watch_, allowance_, found.impulse, found.iterations);
    if (fully && (contacts_.size() > 1 || !solved)) accurate(part, settings_, watch_, allowance_, found);
    if (found.squeeze) result_.squeeze = whole(*found.squeeze, contacts);
    scatter(found.impulse, contacts, problem_.dimension(), result_.impulse);
    if (found.iterations > most_) most_ = found.iterations, result_.solver = found.solver;
    result_.iterations += found.iterations;
    return solved;
  }

  const LocalProblem& problem_;
  const LocalSettings& settings_;
  const Stopwatch& watch_;
  Allowance& allowance_;
  LocalResult& result_;
  std::vector<std::vector<int>> contacts_;
  const double given_;
  double scale_ = 0.0;
  int most_ = 0;  // iterations of the part that needed most: its solver is named
};

void reach(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result) {
  Allowance allowance(settings.max_iterations);
  if (!sweep_on(problem, settings, first_sweeps, 0, watch, allowance, result.impulse, result.iterations))
    Parts(problem, settings, watch, allowance, result).solve();
}

}  // namespace

LocalResult solve_automatic(const LocalProblem& problem, const LocalSettings& settings) {
  const Stopwatch watch(settings.max_time, settings.max_cpu);
  LocalResult result;
  result.impulse = settings.start.size() ? settings.start : Eigen::VectorXd::Zero(problem.free.size());
  if (!approaches(problem)) {
    result.solver = "none needed";
    result.impulse.setZero();
  } else if (std::ranges::all_of(problem.friction, [](double mu) { return mu == 0.0; })) {
    return solve_frictionless_program(problem, settings);
  } else {
    result.solver = "nncg";
    reach(problem, settings, watch, result);
  }
  conclude(problem, settings, watch, result);
  return result;
}

}  // namespace moreau::inline solver
