// The solvers of a LocalProblem: one interface, one file each. A solver prints nothing and throws nothing; what it reached is in
// the certificate, measured on the impulses it returns.
#pragma once

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

#include "moreau/solver/local_certificate.hpp"

namespace moreau {

struct LocalSettings {
  double tolerance = 1e-8;  // stop when LocalCertificate::error <= tolerance; > 0, no unit
  double max_time = 60.0;   // [s] give up after it; looked at between iterations
  int max_iterations = 0;   // 0: the solver's own limit
  double relaxation = 1.0;  // omega in (0, 2) of the sweeps
  Eigen::VectorXd start{};  // impulses to begin from; empty: zero
};

struct LocalResult {
  std::string solver;           // who reached it; "auto" names the last of those it called
  Eigen::VectorXd impulse;      // r
  Eigen::VectorXd velocity;     // u = W r + q
  int iterations = 0;           // sweeps or steps, of all solvers called
  double time = 0.0;            // [s] of the clock on the wall
  double processor_time = 0.0;  // [s] of this process: what remains comparable on a busy machine
  bool converged = false;       // certificate.error <= tolerance
  LocalCertificate certificate;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  double processor_seconds() const { return static_cast<double>(std::clock() - processor_begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t processor_begin_ = std::clock();
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Fills velocity, certificate, converged and time from the impulse.
void conclude(const LocalProblem& problem, const LocalSettings& settings, const Stopwatch& watch, LocalResult& result);

struct NamedSolver {
  const char* name;
  const char* purpose;
  LocalResult (*solve)(const LocalProblem&, const LocalSettings&);
};
const std::vector<NamedSolver>& local_solvers();  // "auto" first

LocalResult solve_automatic(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_local_gauss_seidel(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_over_relaxed(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_conjugate_sweeps(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_admm(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_proximal_newton(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_smoothing_newton(const LocalProblem& problem, const LocalSettings& settings);
LocalResult solve_frictionless_program(const LocalProblem& problem, const LocalSettings& settings);

}  // namespace moreau
