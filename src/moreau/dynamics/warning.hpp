// What a run should say of itself although it goes on: values beyond those for which results can be trusted. Data only; the
// places where they are found add to them, whoever talks to the user says each once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace moreau::inline dynamics {

enum class WarningKind : std::uint8_t {
  penetration,    // value: of the breadth of the smaller body: its diameter, of a block its least thickness
  travel,         // value: path of its fastest point in a step, over half its breadth
  energy,         // value: energy created by contacts; beside: what the residuals of the solver explain of it
  time_limit,     // value: duration of a phase that ended by it although its conditions did not hold
  shocks,         // value: sequential shocks in a step that did not come to an end
  friction,       // value: coefficient
  frames,         // value: interval between frames; beside: duration
  gap,            // value: component of gravity out of the open side, over gravity
  survey,         // value: deepest overlap of stones read from a file; beside: how far one of them was moved at most
  mesh,           // value: triangles of a mesh that were left out, or volume of convex parts that its body does not have
  ignored,        // value: how many keys of the scene nothing reads; beside: 0 of springs, 1 of shocks, 2 of both
  stacking,       // value: free falls through a diameter, over the time in which a source brings a layer
  nothing_below,  // value: free bodies of a scene in which nothing stops a fall
  squeezed,       // value: overlap of contacts that yield, of the breadth of the smaller body
  bounce,         // value: restitution of what is to bounce under the predictive rule
  outside,        // value: free bodies that start outside a closed mesh; beside: free bodies in all
  wedged,         // value: 1; of a step whose impulses grow without bound
  record,         // value: step; beside: mean distance of the points of a record of accelerations
  angle,          // value: angle beyond a full turn
};
inline constexpr int warning_kinds = 19;

// From here on it is said.
inline constexpr double penetration_warned = 0.02;  // of the breadth
inline constexpr double travel_warned = 1.0;        // half breadths in a step
inline constexpr double friction_warned = 2.0;

struct Warning {
  WarningKind kind = WarningKind::penetration;
  double value = 0.0;       // the worst
  double beside = 0.0;      // what it stands beside, for kinds that have such
  std::string where;        // bodies and places of the worst value; names of what is meant
  std::uint64_t step = 0;   // when it came first; 0: before the run began
  double time = 0.0;        // same
  std::uint64_t count = 1;  // steps, or entries of the scene, of which it is true
};

// At most one of each kind, in the order in which they came.
class Warnings {
 public:
  // Adds a case; the worst value keeps its place. What was foreseen (step 0) gives way to what has come in a step, so that a
  // count is either of entries of the scene or of steps. Returns whether it is the first of its kind.
  bool add(const Warning& warning);
  const std::vector<Warning>& all() const { return all_; }
  const Warning* find(WarningKind kind) const;
  bool any() const { return !all_.empty(); }

 private:
  std::vector<Warning> all_;
};

// "penetration", "travel", ...
const char* name_of(WarningKind kind);
std::optional<WarningKind> warning_kind_of(std::string_view name);

// The values, what they mean and what to do.
std::string sentence_of(const Warning& warning);

}  // namespace moreau::inline dynamics
