#include "moreau/scene/masonry/bond.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace moreau::inline scene {
namespace {

constexpr double least_piece = 0.25;  // of a brick
constexpr double rounding = 1e-9;     // of a brick: lengths that agree to this are equal

struct Interval {
  double left, right;
};

bool interrupts(const Opening& o, std::int64_t course) { return course >= o.sill && course < o.sill + o.courses; }

bool has_lintel(const Bond& bond, const Opening& o, std::int64_t course) {
  return course == o.sill + o.courses && course < bond.courses;
}

Interval lintel_of(const Opening& o) { return {o.at - o.bearing, o.at + o.width + o.bearing}; }

// What is left of the course beside openings and lintels.
std::vector<Interval> free_stretches(const Bond& bond, std::int64_t course) {
  std::vector<Interval> taken;
  for (const auto& o : bond.openings) {
    if (interrupts(o, course)) taken.push_back({o.at, o.at + o.width});
    if (has_lintel(bond, o, course)) taken.push_back({lintel_of(o).left - bond.joint, lintel_of(o).right + bond.joint});
  }
  std::sort(taken.begin(), taken.end(), [](const Interval& a, const Interval& b) { return a.left < b.left; });
  std::vector<Interval> free;
  double from = 0.0;
  const double least = rounding * bond.brick_length;
  for (const auto& t : taken) {
    if (t.left - from > least) free.push_back({from, t.left});
    from = std::max(from, t.right);
  }
  if (bond.length - from > least) free.push_back({from, bond.length});
  return free;
}

// The bricks of the pattern along a course without ends, by their place in the period.
struct Pattern {
  std::vector<double> lengths;
  std::vector<bool> headers;
  double period = 0.0, shift = 0.0;  // one brick begins at the shift
};

Pattern pattern_of(const Bond& bond, std::int64_t course) {
  if (bond.flemish) {
    const double period = bond.brick_length + bond.header_length + 2.0 * bond.joint;
    return {{bond.brick_length, bond.header_length}, {false, true}, period, course % 2 == 0 ? 0.0 : -0.5 * period};
  }
  const double brick = bond.length_in(course), pitch = brick + bond.joint;
  // English bond: headers are moved by half of one, so that their joints stand a quarter of a stretcher from those below.
  const bool shifted = bond.header_every == 2 ? bond.is_header_course(course) : course % 2 != 0;
  return {{brick}, {bond.is_header_course(course)}, pitch, shifted ? -0.5 * pitch : 0.0};
}

// Bricks of one stretch: cut where the pattern has its joints, pieces too short joined to a neighbour.
void fill(const Bond& bond, std::int64_t course, const Interval& stretch, std::vector<BrickPlace>& bricks) {
  const Pattern pattern = pattern_of(bond, course);
  std::vector<BrickPlace> pieces;
  bool full = false;
  for (double k = std::floor((stretch.left - pattern.shift) / pattern.period); !full; ++k) {
    double left = pattern.shift + k * pattern.period;
    for (std::size_t n = 0; n < pattern.lengths.size() && !full; left += pattern.lengths[n++] + bond.joint) {
      const double brick = pattern.lengths[n], right = left + brick;
      if (left >= stretch.right) {
        full = true;
        break;
      }
      if (right <= stretch.left + rounding * brick) continue;
      pieces.push_back({course, std::max(left, stretch.left), std::min(right, stretch.right), false, pattern.headers[n]});
      full = right >= stretch.right;
    }
  }
  if (pieces.empty()) return;
  pieces.front().left = stretch.left;  // also where a joint of the pattern meets the end
  pieces.back().right = stretch.right;
  const auto too_short = [&](const BrickPlace& p) {
    return p.right - p.left <
           (least_piece - rounding) * (p.is_header && bond.flemish ? bond.header_length : bond.length_in(course));
  };
  if (pieces.size() > 1 && too_short(pieces.front())) {
    pieces[1].left = pieces.front().left;
    pieces.erase(pieces.begin());
  }
  if (pieces.size() > 1 && too_short(pieces.back())) {
    pieces[pieces.size() - 2].right = pieces.back().right;
    pieces.pop_back();
  }
  bricks.insert(bricks.end(), pieces.begin(), pieces.end());
}

}  // namespace

std::vector<BrickPlace> running_bond(const Bond& bond) {
  std::vector<BrickPlace> bricks;
  for (std::int64_t course = 0; course < bond.courses; ++course) {
    const std::size_t first = bricks.size();
    for (const auto& stretch : free_stretches(bond, course)) fill(bond, course, stretch, bricks);
    for (const auto& o : bond.openings)
      if (has_lintel(bond, o, course)) bricks.push_back({course, lintel_of(o).left, lintel_of(o).right, true, true});
    std::sort(bricks.begin() + static_cast<std::ptrdiff_t>(first), bricks.end(),
              [](const BrickPlace& a, const BrickPlace& b) { return a.left < b.left; });
  }
  return bricks;
}

std::string opening_fault(const Bond& bond, std::size_t which) {
  const Opening& o = bond.openings[which];
  const double least = rounding * bond.brick_length;
  if (o.at < -least || o.at + o.width > bond.length + least)
    return fmt::format("goes from {} to {}; accepted: within the wall, from 0 to {}", o.at, o.at + o.width, bond.length);
  if (o.courses > bond.courses - o.sill)
    return fmt::format("goes up to course {}; accepted: at most the {} of the wall", o.sill + o.courses, bond.courses);
  const bool lintel = o.sill + o.courses < bond.courses;
  if (lintel && (lintel_of(o).left < -least || lintel_of(o).right > bond.length + least))
    return fmt::format("has a lintel from {} to {}; accepted: within the wall, from 0 to {}", lintel_of(o).left,
                       lintel_of(o).right, bond.length);
  // Everything an opening takes from courses, lintels included, must keep clear of what the others take.
  const auto meets = [&](const Interval& a, const Interval& b) { return a.left < b.right - least && b.left < a.right - least; };
  for (std::size_t j = 0; j < which; ++j) {
    const Opening& p = bond.openings[j];
    const Interval hole_o{o.at, o.at + o.width}, hole_p{p.at, p.at + p.width};
    const Interval beam_o{lintel_of(o).left - bond.joint, lintel_of(o).right + bond.joint};
    const Interval beam_p{lintel_of(p).left - bond.joint, lintel_of(p).right + bond.joint};
    const std::int64_t top_o = o.sill + o.courses, top_p = p.sill + p.courses;
    const bool together = o.sill < top_p && p.sill < top_o;
    const bool lintel_p = top_p < bond.courses;
    if ((together && meets(hole_o, hole_p)) || (lintel && interrupts(p, top_o) && meets(beam_o, hole_p)) ||
        (lintel_p && interrupts(o, top_p) && meets(beam_p, hole_o)) ||
        (lintel && lintel_p && top_o == top_p && meets(beam_o, beam_p)))
      return fmt::format("meets opening {} or its lintel; accepted: openings apart", j + 1);
  }
  return {};
}

}  // namespace moreau::inline scene
