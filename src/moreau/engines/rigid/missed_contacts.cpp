// The predictive rule looks at pairs that are near or approach when the step begins. A blow within the step may throw others
// together: they would overlap at the next midpoint, q_m + h u_f, and be pushed apart with a speed that nothing justifies. Such
// pairs join the contacts of the step, which is solved once more from where it ended.
#include <algorithm>
#include <limits>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/engines/rigid/look_ahead.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

namespace {

// Velocities and spins of the free bodies at the end of the step, for as long as this lives.
template <int D>
class AtTheEnd {
 public:
  explicit AtTheEnd(const StepView<D>& view, State<D>& state) : bodies_(state.bodies.state) {
    velocity_ = bodies_.velocity, spin_ = bodies_.spin;
    for (std::size_t i = 0; i < velocity_.size(); ++i)
      if (state.bodies.is_free(i)) velocity_[i] = view.final_velocity(i), spin_[i] = view.work.problem.solved_spin(i);
    std::swap(bodies_.velocity, velocity_), std::swap(bodies_.spin, spin_);
  }
  ~AtTheEnd() { std::swap(bodies_.velocity, velocity_), std::swap(bodies_.spin, spin_); }
  AtTheEnd(const AtTheEnd&) = delete;
  AtTheEnd& operator=(const AtTheEnd&) = delete;

 private:
  BodyState<D>& bodies_;
  std::vector<Vec<D>> velocity_;
  std::vector<Spin<D>> spin_;
};

template <int D>
void exchange_contacts(Detector<D>& a, Detector<D>& b) {
  std::swap(a.found, b.found), std::swap(a.where, b.where), std::swap(a.point, b.point), std::swap(a.image, b.image),
      std::swap(a.row, b.row);
}

struct Extent {
  double smallest = std::numeric_limits<double>::infinity();  // radius
  double change = 0.0;                                        // of the speed of a surface over the step, at most
  Extent& operator+=(const Extent& o) {
    smallest = std::min(smallest, o.smallest), change = std::max(change, o.change);
    return *this;
  }
};

}  // namespace

template <int D>
bool include_missed(const Model<D>& model, State<D>& state, Workspace<D>& work, const LookAhead& ahead,
                    std::vector<Vec<D>>& begin) {
  if (model.rule != ContactRule::predictive || model.shocks == ShockRule::sequential) return false;
  const StepView<D> view{model, state, work};
  const Bodies<D>& bodies = state.bodies;
  const double h = work.instant.reach;  // to the next midpoint
  const Extent extent = work.over_ranks(reduce_chunks<Extent>(bodies.size(), 1024, [&](std::size_t first, std::size_t last) {
    Extent part;
    for (std::size_t i = first; i < last; ++i) {
      const double radius = bodies.parameters.radius[i];
      part.smallest = std::min(part.smallest, radius);
      if (!bodies.is_free(i)) continue;
      double change = norm(view.final_velocity(i) - bodies.state.velocity[i]);
      if (!bodies.is_round(i)) change += radius * norm(work.problem.solved_spin(i) - bodies.state.spin[i]);
      part.change = std::max(part.change, change);
    }
    return part;
  }));
  // A pair that was not looked at has a gap of more than 2 h times its speed of approach: to overlap by more than this at the
  // next midpoint, one of its bodies must have changed its speed by half of it over h.
  const double tolerated = tolerated_overlap * 2.0 * extent.smallest;
  if (!(2.0 * h * extent.change > tolerated)) return false;

  // By the detector of the step, which remembers what is near the bodies; its contacts are put aside meanwhile.
  Detector<D> closing;
  {
    const AtTheEnd<D> velocities(view, state);
    if (work.together)
      work.together->demand_reach({h, -tolerated}, work.apparatus.lattice,
                                  work.apparatus.gradient + work.apparatus.gradient_change());
    exchange_contacts(closing, work.detector);
    work.neighbours.update(bodies, view.midpoint(), work.around, h, ahead);
    work.detector.detect(bodies, view.midpoint(), work.poses, work.around, work.neighbours, {h, -tolerated, h, ahead.slack},
                         state.contacts);
  }
  exchange_contacts(closing, work.detector);
  const std::size_t known = work.detector.found.size();
  std::vector<Vec<D>> impulse(known);
  for (std::size_t i = 0; i < known; ++i) impulse[i] = work.problem.impulse(i);
  const std::vector<std::int32_t> from = work.detector.include(closing);
  if (work.over_ranks(Count{work.detector.found.size() - known}).value == 0) return false;
  begin.assign(from.size(), Vec<D>{});
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] >= 0) begin[i] = impulse[static_cast<std::size_t>(from[i])];
  return true;
}

template bool include_missed(const Model<2>&, State<2>&, Workspace<2>&, const LookAhead&, std::vector<Vec<2>>&);
template bool include_missed(const Model<3>&, State<3>&, Workspace<3>&, const LookAhead&, std::vector<Vec<3>>&);

}  // namespace moreau::inline engines
