#include "moreau/measure/contacts/coordination.hpp"

#include <set>

namespace moreau::measure {

template <int D>
std::vector<bool> rattlers(const Sample<D>& sample, const std::vector<bool>& carrying, int least) {
  std::vector<int> count(sample.bodies(), 0);
  std::vector<std::vector<std::size_t>> of(sample.bodies());  // carrying contacts of every free body
  for (std::size_t c = 0; c < carrying.size(); ++c) {
    if (!carrying[c]) continue;
    of[sample.a(c)].push_back(c), ++count[sample.a(c)];
    if (!sample.at_obstacle(c)) of[sample.b(c)].push_back(c), ++count[sample.b(c)];
  }
  std::vector<bool> rattles(sample.bodies(), false), gone(carrying.size(), false);
  std::vector<std::size_t> next;
  const auto judge = [&](std::size_t i) {
    if (sample.is_free(i) && !rattles[i] && count[i] < least) rattles[i] = true, next.push_back(i);
  };
  for (std::size_t i = 0; i < sample.bodies(); ++i) judge(i);
  while (!next.empty()) {
    const std::size_t i = next.back();
    next.pop_back();
    for (const std::size_t c : of[i]) {
      if (gone[c]) continue;
      gone[c] = true;
      for (const std::size_t k : {sample.a(c), sample.at_obstacle(c) ? i : sample.b(c)})
        if (k != i) --count[k], judge(k);
    }
  }
  return rattles;
}

template <int D>
int least_contacts(const Sample<D>& sample) {
  const double mean = mean_normal_force(sample);
  bool friction = false;
  for (std::size_t c = 0; c < sample.contacts->size() && !friction; ++c)
    friction = norm(sample.tangential_force(c)) > 1e-9 * mean;
  double mass = 0.0, free = 0.0;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) mass += sample.parameters->mass[i], ++free;
  const bool weight = mass * norm(sample.gravity) > 1e-6 * mean * free;
  return (friction ? 2 : D + 1) - (weight ? 1 : 0);
}

template <int D>
Coordination coordination(const Sample<D>& sample, const Region<D>& region, double threshold, std::optional<int> least) {
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  const std::vector<bool> rattles = rattlers(sample, carrying, least ? *least : least_contacts(sample));
  const auto counts = [&](std::size_t i) { return sample.is_free(i) && region.contains(sample.state->position[i]); };
  Coordination z;
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (counts(i)) ++z.bodies, z.rattlers += rattles[i] ? 1 : 0;
  std::size_t ends = 0, backbone_ends = 0, pair_ends = 0;
  std::set<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t c = 0; c < carrying.size(); ++c) {
    if (!carrying[c]) continue;
    const bool obstacle = sample.at_obstacle(c);
    if (region.contains(sample.contacts->point[c])) ++z.contacts, z.obstacle_contacts += obstacle ? 1 : 0;
    const bool backbone = !rattles[sample.a(c)] && (obstacle || !rattles[sample.b(c)]);
    const bool first = pairs.emplace(sample.contacts->a[c], sample.contacts->b[c]).second;
    const auto end = [&](std::size_t i) {
      if (counts(i)) ++ends, backbone_ends += backbone ? 1 : 0, pair_ends += first ? 1 : 0;
    };
    end(sample.a(c));
    if (!obstacle) end(sample.b(c));
  }
  if (z.bodies > 0) z.mean = static_cast<double>(ends) / static_cast<double>(z.bodies);
  if (z.bodies > 0) z.neighbours = static_cast<double>(pair_ends) / static_cast<double>(z.bodies);
  if (z.bodies > z.rattlers) z.without_rattlers = static_cast<double>(backbone_ends) / static_cast<double>(z.bodies - z.rattlers);
  return z;
}

template std::vector<bool> rattlers(const Sample<2>&, const std::vector<bool>&, int);
template std::vector<bool> rattlers(const Sample<3>&, const std::vector<bool>&, int);
template int least_contacts(const Sample<2>&);
template int least_contacts(const Sample<3>&);
template Coordination coordination(const Sample<2>&, const Region<2>&, double, std::optional<int>);
template Coordination coordination(const Sample<3>&, const Region<3>&, double, std::optional<int>);

}  // namespace moreau::measure
