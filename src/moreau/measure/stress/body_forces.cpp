#include "moreau/measure/stress/body_forces.hpp"

#include "moreau/bodies/body_names.hpp"

namespace moreau::measure {

template <int D>
std::vector<BodyForce<D>> body_forces(const Sample<D>& sample) {
  std::vector<BodyForce<D>> rows;
  std::vector<bool> in_group;
  for (const NameOfBodies& group : names_of_bodies(sample.named)) {
    BodyForce<D> row;
    row.name = group.name;
    double mass = 0.0;
    in_group.assign(sample.bodies(), false);
    for (const NamedBodies& stretch : group.stretches)
      for (std::size_t i = stretch.first; i < stretch.first + stretch.count && i < sample.bodies(); ++i) {
        in_group[i] = true;
        row.position += sample.parameters->mass[i] * sample.middle[i], mass += sample.parameters->mass[i];
      }
    if (mass > 0.0) row.position *= 1.0 / mass;
    for (std::size_t c = 0; c < sample.contacts->size(); ++c) {
      const bool wall = is_wall(sample.contacts->b[c]);
      const bool first = in_group[sample.a(c)], second = !wall && in_group[sample.b(c)];
      if (first == second) continue;
      // The image of b that touches is one cell away from the centre it is compared with.
      const Vec<D> force = first ? sample.contacts->force[c] : -sample.contacts->force[c];
      const Vec<D> point = first ? sample.contacts->point[c] : sample.contacts->point[c] - sample.shift(c);
      ++row.contacts;
      row.force += force;
      row.moment += moment(point - row.position, force) + (first ? sample.couple(c) : -sample.couple(c));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

template std::vector<BodyForce<2>> body_forces(const Sample<2>&);
template std::vector<BodyForce<3>> body_forces(const Sample<3>&);

}  // namespace moreau::measure
