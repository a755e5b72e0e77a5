// The geometric quasi-static method (Combe 2001, chapter 3): rigid round bodies without friction under a load that changes, as a
// sequence of equilibria. There is no time and no mass; a list of contacts holds for a range of loads, without any motion, then
// one contact opens and the packing moves, along a path that geometry alone decides, to the next equilibrium.
//
// State in, events out. The state before and after is an exact equilibrium: its contact table is the isostatic list with its
// forces. Nothing else is remembered, so that a path cut into pieces is the same path.
#pragma once

#include <functional>
#include <vector>

#include "moreau/engines/geometric/event.hpp"
#include "moreau/engines/geometric/motion.hpp"

namespace moreau::geometric {

struct Settings {
  Tolerances tolerances;
  int most_list_changes = 10000;  // in one event
  int most_idle = 20;             // events at one and the same load
  double traction = 1e-11;        // forces above minus this, in mean forces, do not pull
};

// From load `from` (parameter 0) to load `to` (parameter 1). `each` is called after every event with the state as it is then; it
// may return false to stop there. Returns the number of events with motion; the last event has a failure if the path could not
// be followed to its end, and the state is then that of the last equilibrium.
template <int D>
class QuasiStatic {
 public:
  explicit QuasiStatic(const Model<D>& model, Settings settings = {}) : model_(model), settings_(settings) {}

  // Why the table of a state is not an equilibrium of the method under this load; empty if it is.
  std::string refusal(const State<D>& state, const Load<D>& load) const;

  // Brings a state that is no equilibrium of the method to one under this load, by the linear programs of statics, as an event
  // without a contact that opened. If they find none the event has a failure, and the state stays as it was.
  Event settle(State<D>& state, const Load<D>& load);

  // The next event on the segment of loads, from parameter `at` on.
  Event next(State<D>& state, const Load<D>& from, const Load<D>& to, double at);

  using Each = std::function<bool(const Event&, const State<D>&)>;
  Event follow(State<D>& state, const Load<D>& from, const Load<D>& to, const Each& each = {});

 private:
  std::string misplaced(const State<D>& state, const IsostaticList<D>& list) const;
  bool rearrange(State<D>& state, IsostaticList<D>& list, statics::ListFactor& factor, const Load<D>& load, const Load<D>& change,
                 int opened, Event& event);
  bool go_on_by_programs(State<D>& state, IsostaticList<D>& list, const Load<D>& load, Event& event);
  bool go_back_and_on(const State<D>& held, State<D>& state, IsostaticList<D>& list, const Load<D>& from, const Load<D>& to,
                      Event& event);
  void note(Event& event, const std::vector<Pair>& before, const State<D>& old, const State<D>& now, const IsostaticList<D>& list,
            const Load<D>& load, const Eigen::VectorXd& force) const;

  const Model<D>& model_;
  Settings settings_;
};

}  // namespace moreau::geometric
