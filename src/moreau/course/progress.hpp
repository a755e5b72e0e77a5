// How much of the way of a course is done.
#pragma once

#include <optional>
#include <vector>

#include "moreau/dynamics/state.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau {

// By time where the end is known, a phase without a limit counting as much as the mean of the others.
template <int D>
class ProgressMeter {
 public:
  ProgressMeter(const Scene<D>& scene, const State<D>& state, std::optional<double> until);
  double fraction(const State<D>& state) const;  // since the meter was made, 0 to 1

 private:
  double done(const State<D>& state) const;
  std::optional<double> until_;
  std::vector<double> weight_;
  std::vector<bool> limited_;
  double total_ = 0.0, begin_ = 0.0, begin_time_ = 0.0;
};

}  // namespace moreau
