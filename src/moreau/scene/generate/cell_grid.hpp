// Balls found by place: hashed cells on one level per power of two of the diameter, so that each ball is in one cell of about its
// own size. Cost of a search: a few cells per level where the balls sought are not smaller; where they are, as many cells as
// cover the ball, at most all the balls of the level.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "moreau/base/whole.hpp"
#include "moreau/geometry/vec.hpp"

namespace moreau::inline scene {

template <int D>
class CellGrid {
 public:
  struct Ball {
    Vec<D> centre;
    double radius;
    std::int32_t body;
  };

  void insert(const Ball& ball) {
    const int exponent = std::ilogb(2.0 * ball.radius) + 1;
    Level& level = levels_[exponent];
    level.cell = std::ldexp(1.0, exponent);  // diameter in [cell/2, cell)
    level.balls.push_back(ball);
    level.next.push_back(none);
    if (level.balls.size() > level.head.size())
      level.rehash();
    else
      level.link(level.balls.size() - 1);
  }

  // Calls `visit(ball)` for the balls that may be nearer than `radius` to `centre`, and some others, until one call returns true.
  template <class Visit>
  bool any_near(const Vec<D>& centre, double radius, const Visit& visit) const {
    for (const auto& [exponent, level] : levels_)
      if (level.any_near(centre, radius + 0.5 * level.cell, visit)) return true;
    return false;
  }

 private:
  static constexpr std::int32_t none = -1;
  using Cell = std::array<std::int64_t, D>;

  struct Level {
    double cell = 0.0;
    std::vector<Ball> balls;
    std::vector<std::int32_t> next;  // chain of the balls in one bucket
    std::vector<std::int32_t> head;  // buckets, a power of two; several cells may share one

    // Coordinates are clamped: balls too far to number their cells share one, found all the same.
    std::int64_t index(double x) const { return whole(x / cell); }

    std::size_t bucket(const Cell& c) const {
      std::uint64_t h = 0;
      for (int i = 0; i < D; ++i) h = (h ^ static_cast<std::uint64_t>(c[static_cast<std::size_t>(i)])) * 0x9e3779b97f4a7c15ULL;
      return static_cast<std::size_t>((h ^ (h >> 32)) & (head.size() - 1));
    }

    void link(std::size_t i) {
      Cell c;
      for (int k = 0; k < D; ++k) c[static_cast<std::size_t>(k)] = index(balls[i].centre[k]);
      std::int32_t& first = head[bucket(c)];
      next[i] = first;
      first = static_cast<std::int32_t>(i);
    }

    void rehash() {
      head.assign(std::max<std::size_t>(16, 2 * head.size()), none);
      for (std::size_t i = 0; i < balls.size(); ++i) link(i);
    }

    template <class Visit>
    bool any_near(const Vec<D>& centre, double reach, const Visit& visit) const {
      Cell low, high;
      double cells = 1.0;
      for (int k = 0; k < D; ++k) {
        const auto u = static_cast<std::size_t>(k);
        low[u] = index(centre[k] - reach);
        high[u] = index(centre[k] + reach);
        cells *= static_cast<double>(high[u]) - static_cast<double>(low[u]) + 1.0;
      }
      if (cells > static_cast<double>(balls.size())) {
        for (const Ball& ball : balls)
          if (visit(ball)) return true;
        return false;
      }
      for (Cell c = low;;) {
        for (std::int32_t i = head[bucket(c)]; i != none; i = next[static_cast<std::size_t>(i)])
          if (visit(balls[static_cast<std::size_t>(i)])) return true;
        std::size_t k = 0;
        while (k < D && c[k] == high[k]) c[k] = low[k], ++k;
        if (k == D) return false;
        ++c[k];
      }
    }
  };

  std::map<int, Level> levels_;
};

}  // namespace moreau::inline scene
