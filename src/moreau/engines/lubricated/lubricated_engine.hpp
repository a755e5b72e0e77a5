// Lubricated granular dynamics (Combe 2001, sec. 1.3; Ouaguenouni and Roux): rigid round bodies without inertia and without
// friction that touch through films of a viscous fluid only. Overlaps never occur, and forces balance at every instant. Films
// that carry get thinner and thinner, the others come to rest open: the packing tends to an isostatic equilibrium, the vertex of
// the linear program of statics/motion_program.hpp.
//
//   films    pairs that are near, with their thicknesses
//   flow     velocities and forces over the step (viscous_network.hpp), or over the part of it within which films stay known
//   move     bodies, pistons, cell and films
#pragma once

#include "moreau/engines/engine.hpp"
#include "moreau/engines/lubricated/films.hpp"

namespace moreau::lubricated {

template <int D>
class LubricatedEngine : public Engine<D> {
 public:
  // Where films are not known yet bodies that overlap are parted first.
  StepReport step(const Model<D>& model, State<D>& state) override;
  void forget() override { neighbours_.invalidate(); }

 private:
  Neighbours<D> neighbours_;
};

}  // namespace moreau::lubricated
