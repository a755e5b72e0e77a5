// Neighbour search: which pairs of bodies, and which bodies and walls, are near enough to touch soon.
//
// Bodies are sorted into cells, one level of them per doubling of reach, so that the cost is O(N) for any ratio of sizes and any
// extent of space that physics knows (a million cells). Every body carries a margin: the list stays valid until some body has
// moved farther than its margin. Fast bodies get a larger margin, so that one flying grain does not force a rebuild at every
// step. Which contacts are found does not depend on when the list was built: a candidate list that is valid holds every contact,
// and contacts are listed by body numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/periodic_points.hpp"
#include "moreau/contact/surroundings.hpp"

namespace moreau::inline contact {

class PairLists;
template <int D>
struct ReachingPoints;
template <int D>
class SortedCells;

// How far two bodies with these velocities may be from touching and still be wanted: gap <= look_ahead_time * approach speed +
// distance (time is zero for the midpoint rule, positive for the predictive rule).
struct LookAhead {
  double time = 0.0;
  double distance = 0.0;
  // Blocks that pass each other within a step are told from those that meet (passage.hpp); 0: they are not.
  double step = 0.0;   // [time]
  double slack = 0.0;  // [length] overlap that is none
};

template <int D>
class Neighbours {
 public:
  // Makes the candidate lists valid for these positions; returns whether they had to be rebuilt.
  // `time_step` sets the time ahead that the margins of fast bodies provide for: 20 steps, fewer where most bodies are fast.
  // `farthest`: no body has moved farther since the last call; where that is known, most calls need not look at the bodies.
  bool update(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around, double time_step,
              LookAhead ahead, double farthest = HUGE_VAL);

  // Rows of bodies that are not wanted stay empty; none given: all are. The list must be rebuilt when this changes.
  void only(std::span<const std::uint8_t> wanted) { wanted_ = wanted; }

  // Forces a rebuild at the next update (bodies were added or moved by hand).
  void invalidate() { valid_ = false; }

  // Candidates of free body a: partner[row[a]] ... partner[row[a + 1] - 1], increasing. Walls are negative (~wall) and come
  // first; another free body appears only in the row of the lower number.
  std::vector<std::uint32_t> row;
  std::vector<std::int32_t> partner;
  std::vector<Image> image;  // of each partner, 0 for walls; empty without a periodic cell

  std::size_t bytes() const;

 private:
  bool walls_are_near(const Surroundings<D>& around, LookAhead ahead) const;
  // How far every body may move on before the list is stale, 0 unless `measured`; negative: it is.
  double margin_left(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around, LookAhead ahead,
                     bool measured) const;
  // `fewest`: steps that margins provide for at least.
  void choose_margins(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                      double time_step, LookAhead ahead, double fewest);
  void find_walls(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around, LookAhead ahead,
                  PairLists& found) const;
  std::vector<SortedCells<D>> sort_into_cells(const Bodies<D>& bodies, const ReachingPoints<D>& points) const;
  void find_bodies(const Bodies<D>& bodies, const ReachingPoints<D>& points, PairLists& found) const;

  bool valid_ = false;
  double margin_left_ = 0.0;  // when bodies were last looked at, less what they may have moved since
  // Of every body: where it was, relative to the first, and what it may do before the list is stale. In single precision; what is
  // lost by it is taken off the margin.
  struct Built {
    float position[D];
    float margin;         // distance it may move
    float allowed_speed;  // speed up to which the look-ahead was provided for
  };
  std::vector<Built> built_;
  Vec<D> reference_{};
  std::vector<Vec<D>> built_wall_shift_;
  std::vector<double> wall_margin_, wall_allowed_speed_;
  LookAhead built_for_;
  Lattice<D> built_lattice_;
  Vec<D> built_centre_{};
  double farthest_reach_ = 0.0;
  PeriodicPoints<D> points_;  // bodies and their copies; empty without a periodic cell

  std::span<const std::uint8_t> wanted_;
  bool wants(std::size_t a) const { return wanted_.empty() || wanted_[a] != 0; }
  std::vector<double> reach_;  // radius + margin + look-ahead: bodies farther apart than the sum of these cannot meet
};

}  // namespace moreau::inline contact
