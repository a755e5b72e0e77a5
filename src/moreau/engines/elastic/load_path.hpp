// A load that grows from F0 to F0 + s F1 by increments, each an equilibrium (Combe 2001, chapter 5).
//
// Where an equilibrium is not found the increment is halved, down to the finest one, for which it is looked for longest. The path then ends with the last load for
// which there is an equilibrium, with all its forces. That none was found above does not say that there is none: only loads
// beyond the static bound (statics/load_factor.hpp) are known to have none.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "moreau/engines/elastic/equilibrium.hpp"

namespace moreau::elastic {

struct LoadSteps {
  double to = 1.0;       // s at the end
  double step = 0.05;    // increment of s
  double finest = 1e-3;  // and the smallest
};

struct Point {
  double load = 0.0;  // s
  Found found;
};

struct LoadPath {
  std::vector<Point> points;           // equilibria, the first at s = 0; empty: none was found there
  bool complete = false;               // the load reached its end
  std::optional<double> not_found_at;  // the least load above the last equilibrium for which none was found
};

// `watch` sees every equilibrium; false ends the path.
LoadPath follow(const Equilibrium& equilibrium, const Rest& start, const Eigen::VectorXd& F0, const Eigen::VectorXd& F1,
                const LoadSteps& steps, const std::function<bool(const Point&)>& watch = {});

// The load s >= 0 up to which nothing slips nor opens, from an equilibrium with these forces; infinite if nothing ever does.
double elastic_limit(const Equilibrium& equilibrium, const Eigen::VectorXd& force, const Eigen::VectorXd& F1);

}  // namespace moreau::elastic
