// Bodies and contacts of a problem with bodies of any shape: contact points anywhere on them, full local operators.
//
// With arms c_a, c_b from the centres to the contact, G u = v_a + spin_a x c_a - v_b - spin_b x c_b, and an impulse P on a
// changes
//   v_a by P/m_a,   spin_a by I_a^-1 (c_a x P);       v_b by -P/m_b,   spin_b by -I_b^-1 (c_b x P).
// H = G A^-1 G^T is full. It is kept in a frame of its own: normal first, tangents along the eigenvectors of the Schur complement
// S = H_TT - H_TN H_NT / H_NN, so that five numbers hold it and the one-contact problem starts from diagonal form
// (law/coulomb_frame.hpp). Impulse and bias are stored in that frame.
#pragma once

#include <cstdint>
#include <span>

#include "moreau/base/lanes.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/geometry/pose.hpp"
#include "moreau/solver/occurrences.hpp"
#include "moreau/solver/step_system.hpp"
#include "moreau/solver/velocity.hpp"

namespace moreau {

template <int D>
struct RigidBody;

template <>
struct alignas(64) RigidBody<2> {  // one cache line
  double velocity[3];              // of the centre, then spin
  double inverse_mass;
  double inverse_inertia[1];
};
template <>
struct alignas(64) RigidBody<3> {  // two cache lines; only the first is written by a sweep
  double velocity[6];              // of the centre, then spin
  double inverse_mass;
  double unused;
  double inverse_inertia[6];  // xx, yy, zz, xy, xz, yz in the laboratory frame at the midpoint
};

// First tangent of the frames in space; the second is normal x tangent. In the plane the tangent is the normal turned left.
template <int D>
struct TangentLanes {};
template <>
struct TangentLanes<3> {
  double tangent[3][lanes];
};

template <int D>
struct alignas(64) RigidBlock : TangentLanes<D> {  // eight contacts of one colour; unused lanes have a = b = none and are zero
  double normal[D][lanes];
  double arm_a[D][lanes], arm_b[D][lanes];
  double impulse[D][lanes];       // normal first
  double bias[D][lanes];          // normal first
  double inverse_normal[lanes];   // 1 / H_NN
  double coupling[D - 1][lanes];  // H_NT
  double schur[D - 1][lanes];     // eigenvalues of S
  double friction[lanes];
  std::int32_t a[lanes], b[lanes];
};

template <int D>
struct RigidContact {
  Vec<D> normal{};   // towards the first body
  Vec<D> arm_a{};    // from the centre of the first body to the contact
  Vec<D> arm_b{};    // same for the second (unused for an obstacle)
  Vec<D> impulse{};  // starting value, on the first body, laboratory frame
  Vec<D> bias{};     // as in RoundContact
  double friction = 0.0;
  double compliance = 0.0;  // as in RoundContact
};

template <int D>
struct Rigid {
  static constexpr int dimension = D, rows = D;  // rows: unknowns of a contact
  using Real = double;
  using Body = RigidBody<D>;
  using Block = RigidBlock<D>;
  using Contact = RigidContact<D>;

  // `poses`: of all bodies at the midpoint.
  static Body moving_body(const Bodies<D>& bodies, std::size_t i, std::span<const Pose<D>> poses);
  static VelocityOf<D> free_velocity(const Bodies<D>& bodies, std::size_t i, const Vec<D>& gained) {
    VelocityOf<D> v;
    for (int d = 0; d < D; ++d) v.c[d] = bodies.state.velocity[i][d] + gained[d];
    for (int d = 0; d < spin_dimension<D>; ++d) v.c[D + d] = bodies.state.spin[i][d];
    return v;
  }
  static Spin<D> spin(const Body& body, const Bodies<D>&, std::size_t) {
    Spin<D> spin;
    for (int d = 0; d < spin_dimension<D>; ++d) spin[d] = body.velocity[D + d];
    return spin;
  }
  static double kinetic_square(const Body& body, const VelocityOf<D>& difference);
  static void pack(Block& block, int lane, const Body& a, const Body& b, const Contact& contact);
  static void split(Block& block, int lane, const Body& a, const Body& b, Occurrences k);  // as in Round
  static void make_neutral(Block& block);
  static Vec<D> in_frame(const Block& block, std::size_t lane, const Vec<D>& v);  // in that of the contact
  static Vec<D> impulse(const Block& block, std::size_t lane);
  // For the error estimate and the finishing solver.
  static ContactRow<D> row(const Block& block, std::size_t lane);
  static StepBody<D> step_body(const Body& body, const VelocityOf<D>& free);
  static void set_impulse(Block& block, std::size_t lane, const StepContact<D>& contact) {
    for (int k = 0; k < D; ++k) block.impulse[k][lane] = contact.impulse[k];
  }
};

}  // namespace moreau
