// Where round bodies, walls and cell of a state stand to one another, and how a displacement of the freedoms moves them.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "moreau/contact/neighbours.hpp"
#include "moreau/statics/contact.hpp"
#include "moreau/statics/freedoms.hpp"

namespace moreau::statics {

// The contacts of these pairs of round bodies as the bodies are now.
template <int D>
std::vector<Contact<D>> contacts_of(const Model<D>& model, const State<D>& state, std::span<const Pair> pairs);

// All pairs of round bodies that are at most `distance` apart, in the order of the contact table.
template <int D>
std::vector<Contact<D>> contacts_within(const Model<D>& model, const State<D>& state, Neighbours<D>& neighbours, double distance);

// Bodies, pistons and cell are displaced by u; all bodies of a deforming cell follow it.
template <int D>
void displace(State<D>& state, const Freedoms<D>& freedoms, const Eigen::VectorXd& u);

// The contacts of a table that are there, whatever the shapes.
template <int D>
std::vector<Contact<D>> contacts_of_table(const Model<D>& model, const State<D>& state);

}  // namespace moreau::statics
