// The network of a packing: the contacts of its table that carry, with the forces they carry, and what may close besides.
#pragma once

#include <optional>
#include <span>

#include "moreau/engines/elastic/network.hpp"
#include "moreau/statics/load.hpp"

namespace moreau::elastic {

struct Material {
  double normal = 0.0;             // stiffness [force / length]
  double ratio = 0.5;              // of tangential to normal stiffness
  std::optional<double> friction;  // between bodies, instead of that of the model
  Flow flow = Flow::coulomb;
  double near = 0.0;        // pairs of round bodies no further apart may close besides [length]
  double threshold = 1e-6;  // contacts carry above this times the mean normal force
};

template <int D>
struct Structure {
  std::vector<statics::Contact<D>> contacts;
  statics::Freedoms<D> freedoms;
  Network network;
  std::size_t carrying = 0;  // contacts, the first ones of the list

  std::vector<double> friction() const;  // of every contact

  // Components of force that equilibrium leaves free, less the freedoms of what still carries (Combe 2001, eq. 5.5): a contact
  // that carries counts with its normal force, and with its tangential one if it has friction and does not slide.
  int hyperstatic(const Eigen::VectorXd& force) const;
};

// `load`: bodies that it acts on take part even where they touch nothing.
template <int D>
Structure<D> structure_of(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, const Material& material);

}  // namespace moreau::elastic
