#include "moreau/measure/motion/mixing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "moreau/base/whole.hpp"
#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau::measure {

namespace {

template <int D>
using GridIndex = std::array<std::int64_t, D>;

// In a periodic cell, folded into it.
template <int D>
class Places {
 public:
  explicit Places(const Sample<D>& sample) : sample_(sample), is_periodic_(sample.lattice.any()) {
    if (is_periodic_) cell_ = compact(sample.lattice);
  }
  Vec<D> operator[](std::size_t body) const {
    const Vec<D>& x = sample_.state->position[body];
    return is_periodic_ ? cell_.folded(x) : x;
  }

 private:
  const Sample<D>& sample_;
  Lattice<D> cell_;
  bool is_periodic_;
};

template <int D>
GridIndex<D> index_of(const Vec<D>& x, double cell) {
  GridIndex<D> index;
  for (int d = 0; d < D; ++d) index[static_cast<std::size_t>(d)] = whole(x[d] / cell);
  return index;
}

template <int D>
struct Sums {
  std::size_t bodies = 0;
  double mass = 0.0, volume = 0.0, energy = 0.0;  // energy: sum m |v|^2
  Vec<D> momentum{};
  void add(double m, double v, const Vec<D>& velocity) {
    ++bodies, mass += m, volume += v, energy += m * dot(velocity, velocity);
    momentum += m * velocity;
  }
  GridCell<D> cell(const Vec<D>& centre, double of_cell) const {
    GridCell<D> c;
    c.centre = centre, c.volume = of_cell, c.bodies = bodies;
    c.solid_fraction = volume / of_cell;
    c.velocity = (1.0 / mass) * momentum;
    c.temperature = std::max(0.0, energy / mass - dot(c.velocity, c.velocity)) / D;
    return c;
  }
};

}  // namespace

template <int D>
Species<D> species_of(const Sample<D>& sample) {
  Species<D> species;
  std::set<std::int32_t> materials;
  double least = HUGE_VAL, most = 0.0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    materials.insert(sample.parameters->material[i]);
    least = std::min(least, sample.parameters->radius[i]), most = std::max(most, sample.parameters->radius[i]);
  }
  species.of_body.assign(sample.bodies(), -1);
  const bool by_size = materials.size() < 2 && most > least * (1.0 + 1e-9);
  if (by_size) {
    species.name = {"small", "large"};
  } else {
    for (const std::int32_t m : materials)
      species.name.push_back(static_cast<std::size_t>(m) < sample.materials.size() ? sample.materials[static_cast<std::size_t>(m)]
                                                                                   : "material " + std::to_string(m));
  }
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    species.of_body[i] =
        by_size ? (sample.parameters->radius[i] > 0.5 * (least + most) ? 1 : 0)
                : static_cast<std::int32_t>(std::distance(materials.begin(), materials.find(sample.parameters->material[i])));
  }
  return species;
}

template <int D>
std::vector<Mixing<D>> mixing(const Sample<D>& sample, const Species<D>& species, const Region<D>& region, double cell) {
  const std::size_t kinds = species.name.size();
  const Places<D> places(sample);
  std::map<GridIndex<D>, std::vector<std::size_t>> cells;  // bodies of each species
  std::vector<Vec<D>> sum(kinds);
  std::vector<std::size_t> count(kinds, 0);
  Vec<D> all{}, squares{};
  std::size_t bodies = 0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    const Vec<D> x = places[i];
    if (!region.contains(x)) continue;
    const std::size_t s = static_cast<std::size_t>(species.of_body[i]);
    auto& counts = cells[index_of(x, cell)];
    counts.resize(kinds, 0);
    ++counts[s], ++count[s], ++bodies;
    sum[s] += x, all += x;
    for (int d = 0; d < D; ++d) squares[d] += x[d] * x[d];
  }
  std::vector<Mixing<D>> result(kinds);
  const double N = static_cast<double>(bodies), K = static_cast<double>(cells.size());
  for (std::size_t s = 0; s < kinds; ++s) {
    Mixing<D>& m = result[s];
    m.bodies = count[s], m.cells = cells.size();
    if (bodies < 2) continue;
    m.share = static_cast<double>(count[s]) / N;
    for (const auto& [index, counts] : cells) {
      std::size_t inside = 0;
      for (const std::size_t n : counts) inside += n;
      const double n = static_cast<double>(inside), p = static_cast<double>(counts[s]) / n;
      m.variance += n * (p - m.share) * (p - m.share) / N;
    }
    m.apart = m.share * (1.0 - m.share);
    m.random = m.apart * (K - 1.0) / (N - 1.0);
    m.lacey = m.apart > m.random ? (m.apart - m.variance) / (m.apart - m.random) : NAN;
    m.intensity = m.apart > 0.0 ? std::sqrt(m.variance / m.apart) : NAN;
    for (int d = 0; d < D && count[s] > 0; ++d) {
      const double mean = all[d] / N, spread = std::sqrt(std::max(0.0, squares[d] / N - mean * mean));
      m.offset[d] = spread > 0.0 ? (sum[s][d] / static_cast<double>(count[s]) - mean) / spread : 0.0;
    }
  }
  return result;
}

template <int D>
std::vector<GridCell<D>> grid_means(const Sample<D>& sample, double cell) {
  const Places<D> places(sample);
  std::map<GridIndex<D>, Sums<D>> sums;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i))
      sums[index_of(places[i], cell)].add(sample.parameters->mass[i], sample.volume[i], sample.state->velocity[i]);
  std::vector<GridCell<D>> cells;
  for (const auto& [index, sum] : sums) {
    Vec<D> centre;
    double volume = 1.0;
    for (int d = 0; d < D; ++d)
      centre[d] = (static_cast<double>(index[static_cast<std::size_t>(d)]) + 0.5) * cell, volume *= cell;
    cells.push_back(sum.cell(centre, volume));
  }
  return cells;
}

std::vector<GridCell<3>> axial_means(const Sample<3>& sample, const Vec<3>& axis, double cell) {
  const Places<3> places(sample);
  std::map<std::array<std::int64_t, 2>, Sums<3>> sums;
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    if (!sample.is_free(i)) continue;
    const Vec<3> x = places[i];
    const double dx = x[0] - axis[0], dy = x[1] - axis[1], r = std::sqrt(dx * dx + dy * dy);
    const double c = r > 0.0 ? dx / r : 1.0, s = r > 0.0 ? dy / r : 0.0;
    const Vec<3>& v = sample.state->velocity[i];
    const Vec<3> turned{{c * v[0] + s * v[1], c * v[1] - s * v[0], v[2]}};
    sums[{whole(r / cell), whole(x[2] / cell)}].add(sample.parameters->mass[i], sample.volume[i], turned);
  }
  std::vector<GridCell<3>> cells;
  for (const auto& [index, sum] : sums) {
    const double inner = static_cast<double>(index[0]) * cell, outer = inner + cell;
    cells.push_back(sum.cell({{0.5 * (inner + outer), 0.0, (static_cast<double>(index[1]) + 0.5) * cell}},
                             std::numbers::pi * (outer * outer - inner * inner) * cell));
  }
  return cells;
}

template <int D>
std::vector<std::vector<double>> species_coordination(const Sample<D>& sample, const Species<D>& species, double threshold) {
  const std::size_t kinds = species.name.size();
  std::vector<std::vector<double>> z(kinds, std::vector<double>(kinds + 1, 0.0));
  std::vector<double> count(kinds, 0.0);
  for (const std::int32_t s : species.of_body)
    if (s >= 0) count[static_cast<std::size_t>(s)] += 1.0;
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  for (std::size_t c = 0; c < carrying.size(); ++c) {
    if (!carrying[c]) continue;
    const std::size_t a = static_cast<std::size_t>(species.of_body[sample.a(c)]);
    if (sample.at_obstacle(c)) {
      z[a][kinds] += 1.0;
      continue;
    }
    const std::size_t b = static_cast<std::size_t>(species.of_body[sample.b(c)]);
    z[a][b] += 1.0, z[b][a] += 1.0;  // within a species: once for each of the two
  }
  for (std::size_t s = 0; s < kinds; ++s)
    for (double& value : z[s]) value = count[s] > 0.0 ? value / count[s] : 0.0;
  return z;
}

#define MOREAU_INSTANTIATE(D)                                                                               \
  template Species<D> species_of<D>(const Sample<D>&);                                                      \
  template std::vector<Mixing<D>> mixing<D>(const Sample<D>&, const Species<D>&, const Region<D>&, double); \
  template std::vector<GridCell<D>> grid_means<D>(const Sample<D>&, double);                                \
  template std::vector<std::vector<double>> species_coordination<D>(const Sample<D>&, const Species<D>&, double);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::measure
