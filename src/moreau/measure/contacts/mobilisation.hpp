// How much of the available friction is used: m = |f_T| / (mu f_N), 0 to 1, at the carrying contacts that have friction.
#pragma once

#include "moreau/measure/contacts/contact_selection.hpp"

namespace moreau::measure {

struct Mobilisation {
  std::size_t contacts = 0;
  double mean = 0.0;            // of m
  std::size_t sliding = 0;      // m >= 1 - 1e-6
  double force_weighted = 0.0;  // sum |f_T| / sum mu f_N
};

template <int D>
std::vector<double> mobilisations(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  std::vector<double> m;
  for (const std::size_t c : contacts)
    if (sample.friction[c] > 0.0) m.push_back(norm(sample.tangential_force(c)) / (sample.friction[c] * sample.normal_force(c)));
  return m;
}

template <int D>
Mobilisation mobilisation(const Sample<D>& sample, const std::vector<std::size_t>& contacts) {
  Mobilisation result;
  double tangential = 0.0, available = 0.0, sum = 0.0;
  for (const double m : mobilisations(sample, contacts)) sum += m, ++result.contacts, result.sliding += m >= 1.0 - 1e-6 ? 1 : 0;
  for (const std::size_t c : contacts)
    if (sample.friction[c] > 0.0)
      tangential += norm(sample.tangential_force(c)), available += sample.friction[c] * sample.normal_force(c);
  if (result.contacts > 0)
    result.mean = sum / static_cast<double>(result.contacts), result.force_weighted = tangential / available;
  return result;
}

}  // namespace moreau::measure
