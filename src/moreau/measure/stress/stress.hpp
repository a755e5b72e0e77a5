// Mean stress of a region, compression positive (Love 1927, Weber 1966; Combe 2001, eq. 2.6):
//
//   sigma = 1/V sum over contacts  f (x) l        f on a by b, l from the centre of b to the centre of a (from the contact point,
//   at
//                                                 an obstacle)
//
// For any rigid bodies the branch l is the broken line centre b - contact point - centre a, and a region receives the share of
// each of its two arms that lies inside. So the stresses of the cells of a partition, weighted by volume, add up to that of the
// whole.
#pragma once

#include "moreau/measure/region.hpp"
#include "moreau/measure/stress/tensor.hpp"

namespace moreau::measure {

template <int D>
struct Stress {
  Tensor<D> contact = Tensor<D>::Zero();  // force per unit area (2-D: per unit length)
  Tensor<D> kinetic = Tensor<D>::Zero();  // 1/V sum m (v - v_mean) (x) (v - v_mean) over the free bodies with their centre inside
  double volume = 0.0;
  std::size_t contacts = 0, bodies = 0;  // that contribute

  double pressure() const { return contact.trace() / D; }
};

template <int D>
Stress<D> stress(const Sample<D>& sample, const Region<D>& region);

// The same mean stress from outside: contact forces of the obstacles and weights, by the theorem of virtual power,
//   V sigma = - sum over obstacle contacts  f (x) x_c  -  sum over free bodies  m g (x) x.
// Equal to stress(whole sample) when every body is in balance.
template <int D>
Tensor<D> stress_from_boundary(const Sample<D>& sample, double volume);

// Internal moment of one free body, - sum f (x) (x_c - x), and of all of them at once; divided by a volume, its stress.
template <int D>
std::vector<Tensor<D>> internal_moments(const Sample<D>& sample);

}  // namespace moreau::measure
