#include "moreau/measure/stress/wall_forces.hpp"

namespace moreau::measure {

template <int D>
std::vector<WallForce<D>> wall_forces(const Sample<D>& sample) {
  const std::size_t walls = sample.walls.size();
  std::vector<WallForce<D>> rows(walls + 2);
  for (std::size_t w = 0; w < walls; ++w) rows[w].name = sample.walls[w].name;
  rows[walls].name = "fixed bodies", rows[walls + 1].name = "driven bodies";
  for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
    if (!sample.at_obstacle(c)) continue;
    const std::int32_t b = sample.contacts->b[c];
    WallForce<D>& row = is_wall(b) ? rows[static_cast<std::size_t>(wall_index(b))]
                                   : rows[walls + (sample.parameters->kind[sample.b(c)] == BodyKind::driven ? 1 : 0)];
    ++row.contacts;
    row.force -= sample.contacts->force[c];
    row.normal += sample.normal_force(c);
    row.tangential -= sample.tangential_force(c);
    row.vertical = row.force[D - 1];
  }
  // A row stands for every sample or for none: bodies that touch nothing carry zero.
  bool present[2] = {false, false};
  for (std::size_t i = 0; i < sample.bodies(); ++i) {
    present[0] |= sample.parameters->kind[i] == BodyKind::fixed;
    present[1] |= sample.parameters->kind[i] == BodyKind::driven;
  }
  for (std::size_t k = 2; k-- > 0;)
    if (!present[k]) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(walls + k));
  return rows;
}

template <int D>
Vec<D> weight(const Sample<D>& sample) {
  double mass = 0.0;
  for (std::size_t i = 0; i < sample.bodies(); ++i) mass += sample.is_free(i) ? sample.parameters->mass[i] : 0.0;
  return mass * sample.gravity;
}

template std::vector<WallForce<2>> wall_forces(const Sample<2>&);
template std::vector<WallForce<3>> wall_forces(const Sample<3>&);
template Vec<2> weight(const Sample<2>&);
template Vec<3> weight(const Sample<3>&);

}  // namespace moreau::measure
