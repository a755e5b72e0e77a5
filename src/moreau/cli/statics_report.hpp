// What `moreau statics` finds out.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "moreau/statics/isostatic_list.hpp"
#include "moreau/statics/load_factor.hpp"
#include "moreau/statics/rank.hpp"

namespace moreau {

template <int D>
struct StaticsReport {
  std::string refusal;                        // empty, or why there is nothing to say
  std::vector<statics::Contact<D>> contacts;  // those that carry
  std::size_t bodies = 0, loose = 0;          // free bodies that carry, and others
  bool friction = false;
  statics::Degrees normal;                   // counting normal forces only
  std::optional<statics::Degrees> complete;  // counting all components, where there is friction
  double mean_force = 0.0, imbalance = 0.0;  // of the forces as they are; the second over the first
  Eigen::VectorXd force;                     // normal forces as they are
  bool isostatic = false;                    // round, no friction, as many contacts as freedoms, and all push
  Eigen::VectorXd exact, change;             // forces of the isostatic list, and what a unit of load adds
  Eigen::MatrixXd self_stresses;             // of the normal forces
  // For a load: units of it that may be added or taken away before a contact opens or no forces balance.
  bool loaded = false;
  std::size_t touching = 0;  // contacts of a static bound: all that touch, whether they carry or not; 0: no such bound
  int passed = 0;            // of these, corners of blocks that hold nothing: the motion at the bound passes them
  bool cones = true;         // their laws are Coulomb's, nothing beyond
  std::optional<double> least, most;
  std::string bound;  // why `most` or `least` are not there, in words
  statics::Pair opens_below, opens_above;
  // Velocity of every body when `most` is passed, up to a factor; of a static bound one of those that no contact opposes if slip
  // opens contacts as the cones have it. Empty if there is none.
  std::vector<Vec<D>> failure;
};

// `unit` may be null.
template <int D>
StaticsReport<D> examine(const Model<D>& model, const State<D>& state, const statics::Load<D>& load, const statics::Load<D>* unit,
                         double threshold);

template <int D>
nlohmann::ordered_json json_of(const StaticsReport<D>& report);
template <int D>
void print(const StaticsReport<D>& report);
// "bodies 3 and 7", "body 3 and wall 0".
std::string text_of(const statics::Pair& pair);
template <int D>
std::string csv_of(const StaticsReport<D>& report);

}  // namespace moreau
