// Bodies and contacts of a problem with laws beyond Coulomb's (docs/laws.md), for bodies of any shape: a bound on the tangent
// with shear strength and cap, tension, an ellipse instead of a circle of friction, and, where `rolls`, couples against rolling.
//
// The layout is that of rigid.hpp with two differences. Tangents carry the ellipse: t_1 and t_2, along and across its direction,
// are multiplied by what the coefficients of friction there are over their geometric mean. In the components P_i' = P_i / s_i,
// w_i' = s_i w_i so defined the law is isotropic, and power stays what it is; the frame that makes S diagonal is found after
// that. And couples follow as further rows: impulses M / R in the laboratory frame, R the reduced radius (law/rolling.hpp).
#pragma once

#include "moreau/law/step_law.hpp"
#include "moreau/solver/rigid.hpp"

namespace moreau {

template <int D, bool rolls>
struct GeneralBody : RigidBody<D> {};

template <int D, bool rolls>
struct alignas(64) GeneralBlock {  // eight contacts of one colour; unused lanes have a = b = none and are zero
  static constexpr int rows = rolls ? D + spin_dimension<D> : D;
  double normal[D][lanes];
  double tangent[D - 1][D][lanes];
  double arm_a[D][lanes], arm_b[D][lanes];
  double impulse[rows][lanes];  // normal first, in the frame; couples over R
  double bias[rows][lanes];
  double inverse_normal[lanes];   // 1 / H_NN
  double coupling[D - 1][lanes];  // H_NT
  double schur[D - 1][lanes];     // eigenvalues of S
  double friction[lanes], shear[lanes], cap[lanes], tension[lanes];
  double rolling[lanes], pivoting[lanes], radius[lanes];
  double inverse_turning[lanes];  // 1 / R^2 (largest of I_a^-1 + I_b^-1)
  std::int32_t a[lanes], b[lanes];
};

template <int D>
struct GeneralContact : RigidContact<D> {
  StepLaw law;
  Vec<3> direction{};  // of the ellipse of friction (space only)
  double rolling = 0.0, pivoting = 0.0;
  double radius = 0.0;  // reduced radius
  Spin<D> couple{};     // starting value, on the first body, laboratory frame
  Spin<D> spin_bias{};  // minus the spin of an obstacle
};

template <int D, bool rolls_>
struct General {
  static constexpr int dimension = D;
  static constexpr bool rolls = rolls_;
  static constexpr int rows = rolls ? D + spin_dimension<D> : D;
  using Real = double;
  using Body = GeneralBody<D, rolls>;
  using Block = GeneralBlock<D, rolls>;
  using Contact = GeneralContact<D>;

  // `poses` may be empty when all bodies are round.
  static Body moving_body(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>> poses);
  static VelocityOf<D> free_velocity(const Bodies<D>& bodies, std::size_t i, const Vec<D>& gained) {
    return Rigid<D>::free_velocity(bodies, i, gained);
  }
  static Spin<D> spin(const Body& body, const Bodies<D>& bodies, std::size_t i) { return Rigid<D>::spin(body, bodies, i); }
  static double kinetic_square(const Body& body, const VelocityOf<D>& d) { return Rigid<D>::kinetic_square(body, d); }
  static void pack(Block& block, int lane, const Body& a, const Body& b, const Contact& contact);
  static void split(Block& block, int lane, const Body& a, const Body& b, Occurrences k);
  static void make_neutral(Block& block);
  static Vec<D> in_frame(const Block& block, std::size_t lane, const Vec<D>& velocity);
  static Vec<D> impulse(const Block& block, std::size_t lane);
  static Spin<D> couple(const Block& block, std::size_t lane);
};

template <int D>
using Bounded = General<D, false>;
template <int D>
using Rolling = General<D, true>;

}  // namespace moreau
