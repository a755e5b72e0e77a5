#include "moreau/measure/rigidity/rigidity.hpp"

#include "moreau/measure/contacts/coordination.hpp"

namespace moreau::measure {

template <int D>
Structure force_carrying_structure(const Sample<D>& sample, double threshold) {
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  const std::vector<bool> rattles = rattlers(sample, carrying, least_contacts(sample));
  Structure structure;
  for (std::size_t c = 0; c < carrying.size(); ++c)
    if (carrying[c] && !rattles[sample.a(c)] && (sample.at_obstacle(c) || !rattles[sample.b(c)])) structure.contacts.push_back(c);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i) && !rattles[i]) structure.bodies.push_back(i);
  return structure;
}

template <int D>
statics::Freedoms<D> freedoms_of(const Sample<D>& sample, const std::vector<std::size_t>& bodies, bool spins) {
  statics::Freedoms<D> f;
  f.place.assign(sample.bodies(), -1);
  f.body = bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k) f.place[bodies[k]] = static_cast<int>(k);
  f.spins = spins;
  f.wall_piston.assign(sample.walls.size(), -1);
  f.wall_direction.assign(sample.walls.size(), Vec<D>{});
  for (std::size_t p = 0; p < sample.yielding.size(); ++p) {
    f.piston.push_back(p);
    for (const PistonWall<D>& part : sample.yielding[p].walls) {
      f.wall_piston[static_cast<std::size_t>(part.wall)] = static_cast<int>(p);
      f.wall_direction[static_cast<std::size_t>(part.wall)] = part.direction;
    }
  }
  f.gradient = sample.cell_freedoms;
  return f;
}

template <int D>
statics::Contact<D> statics_contact(const Sample<D>& sample, std::size_t c) {
  const ContactRecords<D>& contacts = *sample.contacts;
  statics::Contact<D> contact;
  contact.pair = {contacts.a[c], contacts.b[c], 0, 0};
  contact.gap = contacts.gap[c], contact.normal = contacts.normal[c];
  contact.arm_a = contacts.point[c] - sample.middle[sample.a(c)];
  if (!is_wall(contacts.b[c])) {
    contact.branch = sample.middle[sample.a(c)] - sample.middle_b(c);
    contact.arm_b = contacts.point[c] - sample.middle_b(c);
  }
  return contact;
}

template <int D>
statics::SparseRows contact_operator(const Sample<D>& sample, const Structure& structure, ContactForces forces) {
  std::vector<statics::Contact<D>> contacts;
  std::vector<bool> tangents;
  for (const std::size_t c : structure.contacts) {
    contacts.push_back(statics_contact(sample, c));
    tangents.push_back(forces == ContactForces::complete ||
                       (forces == ContactForces::mobile && sample.contacts->status[c] == ContactStatus::stick));
  }
  statics::Freedoms<D> freedoms = freedoms_of(sample, structure.bodies, false);
  freedoms.spins = statics::some_force_turns<D>(freedoms, sample.parameters->radius, contacts, tangents);
  return statics::contact_matrix<D>(freedoms, sample.parameters->radius, contacts, tangents);
}

template <int D>
Rigidity rigidity(const Sample<D>& sample, const Structure& structure, ContactForces forces) {
  return {statics::degrees_of(contact_operator(sample, structure, forces)), structure.bodies.size(), structure.contacts.size()};
}

template Structure force_carrying_structure(const Sample<2>&, double);
template Structure force_carrying_structure(const Sample<3>&, double);
template statics::SparseRows contact_operator(const Sample<2>&, const Structure&, ContactForces);
template statics::SparseRows contact_operator(const Sample<3>&, const Structure&, ContactForces);
template statics::Freedoms<2> freedoms_of(const Sample<2>&, const std::vector<std::size_t>&, bool);
template statics::Contact<2> statics_contact(const Sample<2>&, std::size_t);
template Rigidity rigidity(const Sample<2>&, const Structure&, ContactForces);
template statics::Freedoms<3> freedoms_of(const Sample<3>&, const std::vector<std::size_t>&, bool);
template statics::Contact<3> statics_contact(const Sample<3>&, std::size_t);
template Rigidity rigidity(const Sample<3>&, const Structure&, ContactForces);

}  // namespace moreau::measure
