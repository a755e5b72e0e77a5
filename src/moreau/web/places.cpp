#include "moreau/web/places.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace moreau::web {

namespace {

constexpr double cell_sizes = 32.0, steps = 65536.0;
constexpr std::size_t most_cells = 65536;

// Whole numbers kept as doubles: a body may be farther away than any integer reaches.
struct Key {
  double k[3];
  bool operator==(const Key& o) const { return k[0] == o.k[0] && k[1] == o.k[1] && k[2] == o.k[2]; }
};
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0;
    for (const double x : key.k) {
      std::uint64_t bits;
      std::memcpy(&bits, &x, sizeof bits);
      h = (h ^ bits) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 32;
    }
    return static_cast<std::size_t>(h);
  }
};

bool try_side(const std::vector<Vec<3>>& positions, double side, Places& result) {
  result = {side, {}, {}};
  result.places.reserve(4 * positions.size());
  std::unordered_map<Key, std::uint16_t, KeyHash> cells;
  for (const Vec<3>& x : positions) {
    Key key;
    double at[3];  // in cells; what no double can count is put to the origin
    for (int d = 0; d < 3; ++d) {
      at[d] = std::isfinite(x[d] / side) ? x[d] / side : 0.0;
      key.k[d] = std::floor(at[d]) + 0.0;  // + 0: no negative zero
    }
    auto found = cells.find(key);
    if (found == cells.end()) {
      if (cells.size() == most_cells) return false;
      found = cells.emplace(key, static_cast<std::uint16_t>(cells.size())).first;
      for (const double k : key.k) result.corner.push_back(k * side);
    }
    result.places.push_back(found->second);
    for (int d = 0; d < 3; ++d) {
      const double inside = (at[d] - key.k[d]) * steps;
      result.places.push_back(static_cast<std::uint16_t>(std::clamp(inside, 0.0, steps - 1.0)));
    }
  }
  return true;
}

}  // namespace

Places places_of(const std::vector<Vec<3>>& positions, double size) {
  double side = std::isfinite(size) && size > 0.0 ? cell_sizes * size : 1.0;
  Places result;
  while (!try_side(positions, side, result)) side *= 2.0;
  return result;
}

void add_places(Parcel& parcel, const std::string& name, const Places& places) {
  parcel.add(name, places.places, 4);
  parcel.add(name + "_cells", places.corner, 3);
  parcel.add(name + "_side", std::vector<double>{places.side});
}

}  // namespace moreau::web
