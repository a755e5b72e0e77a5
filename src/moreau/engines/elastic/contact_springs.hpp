// Between the contact table of a state and the network of springs that the elastic engine makes of it.
#pragma once

#include "moreau/engines/elastic/network_of.hpp"

namespace moreau::elastic {

// The table becomes the list of the contacts that carry, and of pairs that are near if the model asks for them; each remembers
// how far it is open.
template <int D>
void begin_list(const Model<D>& model, State<D>& state, const statics::Load<D>& load);

// The network of a table that was begun. Stiffnesses are those of the soft laws.
template <int D>
Structure<D> structure_of_list(const Model<D>& model, const State<D>& state, const statics::Load<D>& load);

// What a load is on every freedom when the bodies are where `state` has them and the contacts push with `force`: stresses act on
// faces and cell as large as they are there, and forces between bodies on the distances l that they have there, while G has those
// of the beginning of the step, l0: with it the balance of a stress, sum f l = V sigma, is sum f l0 = V sigma - sum f (l - l0).
template <int D>
Eigen::VectorXd force_there(const Model<D>& model, const State<D>& state, const Structure<D>& structure,
                            const statics::Load<D>& load, const Eigen::VectorXd& force);

// The equilibrium that was found becomes the state: places, orientations, forces, gaps and openings; nothing moves.
template <int D>
void settle(const Model<D>& model, State<D>& state, const Structure<D>& structure, const Rest& rest, const Answer& contacts);

// Energy of the springs under these forces.
double energy_of(const Network& network, const Eigen::VectorXd& force);

}  // namespace moreau::elastic
