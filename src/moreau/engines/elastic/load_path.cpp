#include "moreau/engines/elastic/load_path.hpp"

#include <limits>

namespace moreau::elastic {

LoadPath follow(const Equilibrium& equilibrium, const Rest& start, const Eigen::VectorXd& F0, const Eigen::VectorXd& F1,
                const LoadSteps& steps, const std::function<bool(const Point&)>& watch) {
  LoadPath path;
  const auto accept = [&](double load, Found found) {
    path.points.push_back({load, std::move(found)});
    return !watch || watch(path.points.back());
  };
  Found first = equilibrium.find(start, F0);
  if (!first.converged) {
    path.not_found_at = 0.0;
    return path;
  }
  if (!accept(0.0, std::move(first))) return path;
  const double sign = steps.to < 0.0 ? -1.0 : 1.0;
  double step = steps.step;
  while (sign * path.points.back().load < sign * steps.to) {
    const Point& last = path.points.back();
    const double left = sign * (steps.to - last.load);
    const double load = step >= left * (1.0 - 1e-12) ? steps.to : last.load + sign * step;
    const bool halves = 0.5 * sign * (load - last.load) >= steps.finest;  // in case that none is found
    Found next = equilibrium.find(last.found.rest, F0 + load * F1, nullptr, halves ? Search::brief : Search::thorough);
    if (next.converged) {
      if (path.not_found_at && sign * load >= sign * *path.not_found_at)  // by smaller steps it was found after all
        path.not_found_at.reset();
      if (!path.not_found_at) step = std::min(2.0 * step, steps.step);
      if (!accept(load, std::move(next))) return path;
      continue;
    }
    path.not_found_at = load;
    step = 0.5 * sign * (load - last.load);
    if (step < steps.finest) return path;
  }
  path.complete = true;
  return path;
}

namespace {

// The least s >= 0 where a s^2 + b s + c, with c >= 0, becomes negative.
double first_negative(double a, double b, double c) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (a == 0.0) return b < 0.0 ? c / -b : never;
  const double discriminant = b * b - 4.0 * a * c;
  if (discriminant < 0.0) return never;
  const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
  double least = never;
  for (const double root : {q / a, q != 0.0 ? c / q : never})
    if (root >= 0.0) {
      if (a > 0.0 && root >= -0.5 * b / a && discriminant > 0.0) continue;  // where it becomes positive again
      least = std::min(least, root);
    }
  return least;
}

}  // namespace

double elastic_limit(const Equilibrium& equilibrium, const Eigen::VectorXd& force, const Eigen::VectorXd& F1) {
  const Network& n = equilibrium.network();
  const int D = n.dimension();
  const Eigen::VectorXd U = n.G * equilibrium.elastic_response(F1);
  double limit = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < n.spring.size(); ++c) {
    const Eigen::Index row = D * static_cast<Eigen::Index>(c);
    const double mu = n.spring[c].friction, kt = n.spring[c].sideways();
    const double f = force[row], change = -n.spring[c].normal * U[row];
    limit = std::min(limit, first_negative(0.0, change, std::max(f, 0.0)));
    if (!(kt > 0.0)) continue;
    // mu^2 f_N^2 - |f_T|^2 along the line
    double a = mu * mu * change * change, b = 2.0 * mu * mu * f * change, room = mu * mu * f * f;
    for (int k = 1; k < D; ++k) {
      const double t = force[row + k], rate = -kt * U[row + k];
      a -= rate * rate, b -= 2.0 * t * rate, room -= t * t;
    }
    limit = std::min(limit, first_negative(a, b, std::max(room, 0.0)));
  }
  return limit;
}

}  // namespace moreau::elastic
