#include "moreau/statics/cage.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <numeric>

namespace moreau::statics {

namespace {

constexpr int most_programs = 30;

struct Widening {
  bool found = false;
  std::vector<double> move;  // D per body, then the room
  std::vector<double> share;
};

// Variables: displacements, then the room; rows: gap + n . (u_a - u_b) >= room.
template <int D>
Widening solve(const Cage<D>& cage, const std::vector<int>& place, const std::vector<Contact<D>>& around, double reach) {
  const int columns = D * static_cast<int>(cage.bodies.size()) + 1, rows = static_cast<int>(around.size());
  std::vector<int> row, column;
  std::vector<double> value, low(static_cast<std::size_t>(columns), -reach), high(static_cast<std::size_t>(columns), reach),
      cost(static_cast<std::size_t>(columns), 0.0), row_low(static_cast<std::size_t>(rows)),
      row_high(static_cast<std::size_t>(rows), COIN_DBL_MAX);
  low.back() = -COIN_DBL_MAX, cost.back() = -1.0;
  const auto put = [&](int r, int c, double v) { row.push_back(r), column.push_back(c), value.push_back(v); };
  for (int r = 0; r < rows; ++r) {
    const Contact<D>& c = around[static_cast<std::size_t>(r)];
    row_low[static_cast<std::size_t>(r)] = -c.gap;
    put(r, columns - 1, -1.0);
    const auto act = [&](std::int32_t body, double sign) {
      if (const int k = place[static_cast<std::size_t>(body)]; k >= 0)
        for (int d = 0; d < D; ++d) put(r, D * k + d, sign * c.normal[d]);
    };
    act(c.pair.a, 1.0);
    if (!is_wall(c.pair.b)) act(c.pair.b, -1.0);
  }
  CoinPackedMatrix matrix(false, row.data(), column.data(), value.data(), static_cast<CoinBigIndex>(value.size()));
  matrix.setDimensions(rows, columns);
  static thread_local ClpSimplex simplex;  // it takes as long to make one as to solve so small a program
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix, low.data(), high.data(), cost.data(), row_low.data(), row_high.data());
  simplex.setPrimalTolerance(1e-11), simplex.setDualTolerance(1e-11);
  simplex.dual();
  Widening w;
  w.found = simplex.isProvenOptimal();
  if (!w.found) return w;
  w.move.assign(simplex.primalColumnSolution(), simplex.primalColumnSolution() + columns);
  w.share.assign(simplex.dualRowSolution(), simplex.dualRowSolution() + rows);
  return w;
}

}  // namespace

template <int D>
void widen(const Model<D>& model, State<D>& state, std::span<const Pair> near, double distance, Cage<D>& cage) {
  std::vector<int> place(state.bodies.size(), -1);
  for (std::size_t k = 0; k < cage.bodies.size(); ++k) place[cage.bodies[k]] = static_cast<int>(k);
  std::vector<Pair> pairs;
  for (const Pair& p : near)
    if (place[static_cast<std::size_t>(p.a)] >= 0 || (!is_wall(p.b) && place[static_cast<std::size_t>(p.b)] >= 0))
      pairs.push_back(p);
  const double limit = distance / 3.0;
  double moved = 0.0;
  cage.room = -HUGE_VAL;
  for (int k = 0; k < most_programs; ++k) {
    const std::vector<Contact<D>> around = contacts_of(model, state, pairs);
    double least = limit;
    for (const Contact<D>& c : around) least = std::min(least, c.gap);
    if (k > 0 && least <= cage.room + 1e-14) break;  // no more to gain
    cage.room = least;
    // Beyond the limit there may be neighbours that were not given.
    const double reach = std::min(limit - moved, 0.1 * distance);
    cage.bounded = least < limit && reach > 1e-3 * distance;
    cage.held_by.clear(), cage.share.clear();
    if (!cage.bounded) break;
    const Widening w = solve(cage, place, around, reach);
    if (!w.found) break;
    for (std::size_t r = 0; r < around.size(); ++r)
      if (w.share[r] > 1e-9) cage.held_by.push_back(around[r].pair), cage.share.push_back(w.share[r]);
    double longest = 0.0;
    for (std::size_t b = 0; b < cage.bodies.size(); ++b)
      for (int d = 0; d < D; ++d) {
        const double u = w.move[D * b + static_cast<std::size_t>(d)];
        state.bodies.state.position[cage.bodies[b]][d] += u;
        longest = std::max(longest, std::abs(u));
      }
    moved += longest;
  }
}

template <int D>
std::vector<Cage<D>> cages_of(const State<D>& state, const Freedoms<D>& carrying, std::span<const Contact<D>> near) {
  const auto loose = [&](std::int32_t b) {
    return !is_wall(b) && state.bodies.is_free(static_cast<std::size_t>(b)) && !carrying.takes_part(static_cast<std::size_t>(b));
  };
  std::vector<std::size_t> root(state.bodies.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (const Contact<D>& c : near)
    if (loose(c.pair.a) && loose(c.pair.b)) {
      const std::size_t a = find(static_cast<std::size_t>(c.pair.a)), b = find(static_cast<std::size_t>(c.pair.b));
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<Cage<D>> cages;
  std::vector<int> number(state.bodies.size(), -1);
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    if (!loose(static_cast<std::int32_t>(i))) continue;
    const std::size_t r = find(i);
    if (number[r] < 0) number[r] = static_cast<int>(cages.size()), cages.emplace_back();
    cages[static_cast<std::size_t>(number[r])].bodies.push_back(i);
  }
  return cages;
}

#define MOREAU_INSTANTIATE(D)                                                               \
  template void widen(const Model<D>&, State<D>&, std::span<const Pair>, double, Cage<D>&); \
  template std::vector<Cage<D>> cages_of(const State<D>&, const Freedoms<D>&, std::span<const Contact<D>>);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::statics
