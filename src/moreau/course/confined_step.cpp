#include "moreau/course/confined_step.hpp"

#include <algorithm>

#include "moreau/diagnosis/cluster.hpp"
#include "moreau/diagnosis/confinement.hpp"

namespace moreau::inline course {
namespace {

constexpr int largest_cluster[4] = {0, 0, 400, 100};  // contacts, by dimension: keeps the programs under a second

}  // namespace

std::string confinement_sentence(const StepProblem& step, const ContactNames& names) {
  using namespace diagnosis;
  const int D = step.form.dimension, contacts = static_cast<int>(step.form.friction.size());
  if (contacts == 0) return {};
  int seed = 0;
  for (int a = 1; a < contacts; ++a)
    if (step.solved[D * a] > step.solved[D * seed]) seed = a;
  std::vector<bool> is_free;
  for (const std::int32_t b : step.body) {
    if (static_cast<std::size_t>(b) >= is_free.size()) is_free.resize(static_cast<std::size_t>(b) + 1, false);
    is_free[static_cast<std::size_t>(b)] = true;
  }
  const auto connects = [&](std::int32_t b) {
    return b >= 0 && static_cast<std::size_t>(b) < is_free.size() && is_free[static_cast<std::size_t>(b)];
  };
  const std::vector<int> chosen = cluster(step.bodies, connects, seed, largest_cluster[D]);
  const ConeProblem part = part_of({D, step.form.H, {}, step.form.friction, {}, {}}, chosen);
  // The power on impulses that balance is the same for all velocities of the bodies: those of the run keep the numbers small.
  const Eigen::VectorXd u = step.form.H.transpose() * step.velocity + step.form.w;
  Eigen::VectorXd free(D * static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) free.segment(D * static_cast<Eigen::Index>(k), D) = u.segment(D * chosen[k], D);
  const Wedge wedge = find_wedge(part, free);
  if (!wedge.exists) return {};
  std::vector<int> contacts_of_wedge;
  for (const int k : wedge.contacts) contacts_of_wedge.push_back(chosen[static_cast<std::size_t>(k)]);
  return "impulses at " + std::to_string(contacts_of_wedge.size()) + " contacts of " +
         bodies_of(names, contacts_of_wedge) +
         " balance at every body, lie in the friction cones, and the imposed motion works against them";
}

}  // namespace moreau::inline course
