// Which contacts a statistic is taken over: the carrying ones with their point in the region, all of them or those weaker or
// stronger than the mean normal force of all carrying contacts of the region (Combe 2001, eqs. 2.7 and 2.8).
#pragma once

#include "moreau/measure/region.hpp"

namespace moreau::measure {

enum class Strength { all, weak, strong };
inline constexpr const char* strength_name[] = {"all", "weak", "strong"};
inline constexpr Strength strengths[] = {Strength::all, Strength::weak, Strength::strong};

template <int D>
std::vector<std::size_t> select_contacts(const Sample<D>& sample, const Region<D>& region, Strength strength,
                                         double threshold = 1e-6) {
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  std::vector<std::size_t> inside;
  double sum = 0.0;
  for (std::size_t c = 0; c < carrying.size(); ++c)
    if (carrying[c] && region.contains(sample.contacts->point[c])) inside.push_back(c), sum += sample.normal_force(c);
  if (strength == Strength::all || inside.empty()) return inside;
  const double mean = sum / static_cast<double>(inside.size());
  std::vector<std::size_t> chosen;
  for (const std::size_t c : inside)
    if ((sample.normal_force(c) > mean) == (strength == Strength::strong)) chosen.push_back(c);
  return chosen;
}

// Those whose directions tell of the packing: without contacts with obstacles, unless these are wanted.
template <int D>
std::vector<std::size_t> select_directions(const Sample<D>& sample, const Region<D>& region, Strength strength, bool obstacles,
                                           double threshold = 1e-6) {
  std::vector<std::size_t> contacts = select_contacts(sample, region, strength, threshold);
  if (!obstacles) std::erase_if(contacts, [&](std::size_t c) { return sample.at_obstacle(c); });
  return contacts;
}

}  // namespace moreau::measure
