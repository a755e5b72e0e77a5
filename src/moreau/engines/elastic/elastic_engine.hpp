// The elasto-plastic statics of a list of contacts as an engine: a step takes the load of the model from the time when it begins
// to the time when it ends, by as many increments as it needs (load_path.hpp). Time is only the parameter of the load.
//
// The list is that of the state in which the engine began, and so are its normals (small displacements): they stay in the contact
// table, with the forces and, of contacts that have opened, how far (ContactTable::apart). Nothing else is remembered.
#pragma once

#include "moreau/engines/engine.hpp"

namespace moreau::elastic {

// Why the engine cannot take a model and its bodies; empty if it can.
template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies);

template <int D>
class ElasticEngine : public Engine<D> {
 public:
  // A step is not converged when no equilibrium was found for the load of its end; the state is then the last equilibrium.
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override {}
};

}  // namespace moreau::elastic
