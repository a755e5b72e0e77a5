// Degrees of hyperstaticity and hypostaticity of the force-carrying structure (statics/rank.hpp).
#pragma once

#include "moreau/measure/packing/sample.hpp"
#include "moreau/statics/rank.hpp"

namespace moreau::measure {

enum class ContactForces {
  normal,    // frictionless: one force per contact
  mobile,    // with friction: all components where the contact sticks, the normal one where it slides (the tangent is then known)
  complete,  // all components everywhere
};

// The contacts that carry and whose bodies are no rattlers, and these bodies.
struct Structure {
  std::vector<std::size_t> contacts, bodies;
};
template <int D>
Structure force_carrying_structure(const Sample<D>& sample, double threshold = 1e-6);

// What may move: these bodies, and the pistons and the cell of the sample that yield. And a contact, as statics sees it.
template <int D>
statics::Freedoms<D> freedoms_of(const Sample<D>& sample, const std::vector<std::size_t>& bodies, bool spins);
template <int D>
statics::Contact<D> statics_contact(const Sample<D>& sample, std::size_t contact);

// The contact operator of the structure. Spins are left out when no force turns a body (round bodies without friction).
template <int D>
statics::SparseRows contact_operator(const Sample<D>& sample, const Structure& structure, ContactForces forces);

struct Rigidity : statics::Degrees {
  std::size_t bodies = 0, contacts = 0;  // of the structure
};
template <int D>
Rigidity rigidity(const Sample<D>& sample, const Structure& structure, ContactForces forces);

}  // namespace moreau::measure
