#include "moreau/measure/motion/flow.hpp"

namespace moreau::measure {

template <int D>
Crossing crossings(const Sample<D>& before, const Sample<D>& after, const Vec<D>& point, const Vec<D>& normal) {
  Crossing c;
  for (std::size_t i = 0; i < before.bodies(); ++i) {
    if (!before.is_free(i)) continue;
    const double was = dot(before.state->position[i] - point, normal), is = dot(after.state->position[i] - point, normal);
    const double mass = after.parameters->mass[i];
    if (was < 0.0 && is >= 0.0) ++c.forward, c.mass_forward += mass;
    if (was >= 0.0 && is < 0.0) ++c.backward, c.mass_backward += mass;
  }
  // Bodies that came in between began where they were born.
  for (std::size_t i = before.bodies(); i < after.bodies(); ++i) {
    const double was = dot(after.parameters->origin[i] - point, normal), is = dot(after.state->position[i] - point, normal);
    const double mass = after.parameters->mass[i];
    if (was < 0.0 && is >= 0.0) ++c.forward, c.mass_forward += mass;
    if (was >= 0.0 && is < 0.0) ++c.backward, c.mass_backward += mass;
  }
  return c;
}

template <int D>
std::vector<Exit> exits(const Sample<D>& before, const Sample<D>& after) {
  std::vector<Exit> list;
  for (std::size_t i = 0; i < after.bodies(); ++i) {
    if (after.is_present(i) || (i < before.bodies() && !before.is_present(i))) continue;
    Exit exit;
    exit.body = i;
    for (std::size_t s = after.sinks.size(); s-- > 0;)
      if (after.sinks[s].contains(after.state->position[i])) exit.sink = static_cast<std::int64_t>(s);
    const double from = std::max(before.time, after.parameters->birth[i]);
    exit.residence = 0.5 * (from + after.time) - after.parameters->birth[i];
    list.push_back(exit);
  }
  return list;
}

template <int D>
std::vector<WallDrive<D>> wall_drives(const Sample<D>& sample) {
  const std::size_t walls = sample.walls.size();
  std::vector<WallDrive<D>> rows(walls + sample.motions.size());
  std::vector<Vec<D>> centre(rows.size());
  std::vector<bool> met(rows.size(), false);
  for (std::size_t w = 0; w < walls; ++w) {
    rows[w].name = sample.walls[w].name;
    met[w] = true;
    const std::int32_t m = sample.walls[w].surface >= 0 ? sample.walls[w].surface : sample.walls[w].motion;
    if (m >= 0) centre[w] = sample.motions[static_cast<std::size_t>(m)].centre;
  }
  for (std::size_t m = 0; m < sample.motions.size(); ++m) {
    rows[walls + m].name = "bodies of motion " + sample.motions[m].name;
    centre[walls + m] = sample.motions[m].centre;
  }
  const ContactRecords<D>& c = *sample.contacts;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (!sample.at_obstacle(k)) continue;
    const std::int32_t motion = is_wall(c.b[k]) ? -1 : sample.parameters->motion[sample.b(k)];
    if (!is_wall(c.b[k]) && motion < 0) continue;  // fixed
    const std::size_t row =
        is_wall(c.b[k]) ? static_cast<std::size_t>(wall_index(c.b[k])) : walls + static_cast<std::size_t>(motion);
    const std::size_t a = sample.a(k);
    // Velocity of the obstacle at the contact: that of the body there less the relative one.
    const Vec<D> of_body = sample.state->velocity[a] + cross(sample.state->spin[a], c.point[k] - sample.middle[a]);
    rows[row].force -= c.force[k];
    rows[row].torque -= moment(c.point[k] - centre[row], c.force[k]) + sample.couple(k);
    rows[row].power += dot(c.force[k], of_body - c.relative_velocity[k]);
    if (!c.couple.empty()) rows[row].power += dot(c.couple[k], sample.state->spin[a] - c.relative_spin[k]);
    met[row] = true;
  }
  std::vector<WallDrive<D>> found;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (met[r]) found.push_back(rows[r]);
  return found;
}

#define MOREAU_INSTANTIATE(D)                                                                       \
  template Crossing crossings<D>(const Sample<D>&, const Sample<D>&, const Vec<D>&, const Vec<D>&); \
  template std::vector<Exit> exits<D>(const Sample<D>&, const Sample<D>&);                          \
  template std::vector<WallDrive<D>> wall_drives<D>(const Sample<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::measure
