#include "moreau/solver/shaped.hpp"

#include "moreau/solver/mass_splitting.hpp"
#include "moreau/solver/shaped_packing.hpp"

namespace moreau::inline solver {

template <int D>
void Shaped<D>::pack(Pack& pack, int lane, const Mobility<D>& a, const Mobility<D>& b, const GeneralContact<D>& c) {
  put_shaped(pack, lane, a, b, c);
}
template <int D>
Vec<D> Shaped<D>::impulse(const Pack& pack, std::size_t l) {
  return impulse_of_shaped(pack, l);
}

template <>
void Shaped<2>::split(ShapedPack<2>& pack, int l, const Mobility<2>& a, const Mobility<2>& b, Occurrences k) {
  Vec<2> tangent[1] = {{{-pack.normal[1][l], pack.normal[0][l]}}};
  add_to_operator(pack, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
}
template <>
void Shaped<3>::split(ShapedPack<3>& pack, int l, const Mobility<3>& a, const Mobility<3>& b, Occurrences k) {
  Vec<3> n, tangent[2];
  for (int d = 0; d < 3; ++d) n[d] = pack.normal[d][l], tangent[0][d] = pack.tangent[d][l];
  tangent[1] = cross(n, tangent[0]);
  add_to_operator(pack, l, with_inverse_mass_times(k.a - 1, a), with_inverse_mass_times(k.b - 1, b), tangent);
  store_vector(pack.tangent, l, tangent[0]);
}

template <int D>
Vec<D> Shaped<D>::in_frame(const Pack& pack, std::size_t l, const Vec<D>& v) {
  return in_frame_of_shaped(pack, l, v);
}

template <int D>
ContactRow<D> Shaped<D>::row(const Pack& pack, std::size_t l) {
  ContactRow<D> row;
  for (int d = 0; d < D; ++d) {
    row.frame[0][d] = pack.normal[d][l], row.arm_a[d] = pack.arm_a[d][l], row.arm_b[d] = pack.arm_b[d][l];
    row.bias[d] = pack.bias[d][l], row.impulse[d] = pack.impulse[d][l];
    if constexpr (D == 3) row.frame[1][d] = pack.tangent[d][l];
  }
  if constexpr (D == 2)
    row.frame[1] = {{-row.frame[0][1], row.frame[0][0]}};
  else
    row.frame[2] = cross(row.frame[0], row.frame[1]);
  row.bound.friction = pack.friction[l];
  return row;
}

template struct Shaped<2>;
template struct Shaped<3>;

}  // namespace moreau::inline solver
