#include "moreau/law/coulomb_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "law/random_contact.hpp"
#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"

namespace moreau {
namespace {

// A contact seen in the frame whose tangents are eigenvectors of the Schur complement.
struct FramedContact {
  double angle = 0.0;  // from the given tangents to those of the frame
  Vec<3> v{};
  double inverse_normal = 0.0, coupling[2] = {}, schur[2] = {};
};

FramedContact framed(const Vec<3>& v, const DelassusBlock<3>& H) {
  FramedContact f;
  const double normal = H.c[0][0], k1 = H.c[0][1], k2 = H.c[0][2];
  const double s11 = H.c[1][1] - k1 / normal * k1, s22 = H.c[2][2] - k2 / normal * k2, s12 = H.c[1][2] - k1 / normal * k2;
  f.angle = 0.5 * std::atan2(2.0 * s12, s11 - s22);
  const double c = std::cos(f.angle), s = std::sin(f.angle);
  f.v = {{v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]}};
  f.inverse_normal = 1.0 / normal;
  f.coupling[0] = c * k1 + s * k2, f.coupling[1] = c * k2 - s * k1;
  f.schur[0] = 0.5 * (s11 + s22) + std::hypot(0.5 * (s11 - s22), s12);
  f.schur[1] = 0.5 * (s11 + s22) - std::hypot(0.5 * (s11 - s22), s12);
  return f;
}

TEST(CoulombFrame, eight_contacts_in_space_have_the_solutions_of_each_alone) {
  RandomStream random(41);
  for (int n = 0; n < 20000; ++n) {
    OneContact<3> contact[lanes];
    FramedContact f[lanes];
    Vec<3, Lanes> v{};
    FrameOperator<3> H{};
    Lanes friction{};
    for (int l = 0; l < lanes; ++l) {
      contact[l] = random_contact<3>(random);
      if (l == 3) contact[l].friction = 0.0;
      f[l] = framed(contact[l].v, contact[l].H);
      for (int d = 0; d < 3; ++d) v[d][l] = f[l].v[d];
      H.inverse_normal[l] = f[l].inverse_normal, friction[l] = contact[l].friction;
      for (int i = 0; i < 2; ++i) H.coupling[i][l] = f[l].coupling[i], H.schur[i][l] = f[l].schur[i];
    }
    Vec<3, Lanes> present{};  // any start leads to the same solution: none, a wild one, or the solution itself
    if (n % 3 == 1)
      for (int l = 0; l < lanes; ++l) present[1][l] = random.uniform(-1, 1), present[2][l] = random.uniform(-1, 1);
    if (n % 3 == 2) present = coulomb_frame(v, H, friction, present);
    const Vec<3, Lanes> p = coulomb_frame(v, H, friction, present);
    for (int l = 0; l < lanes; ++l) {
      const double c = std::cos(f[l].angle), s = std::sin(f[l].angle);
      const Vec<3> back{{p[0][l], c * p[1][l] - s * p[2][l], s * p[1][l] + c * p[2][l]}};
      const Vec<3> alone = solve_coulomb_space(contact[l].v, contact[l].H, contact[l].friction);
      ASSERT_LE(norm(back - alone), contact[l].conditioned(alone, 1e-12)) << n << " lane " << l;
    }
  }
}

TEST(CoulombFrame, eight_contacts_in_the_plane_have_the_solutions_of_each_alone) {
  RandomStream random(42);
  for (int n = 0; n < 50000; ++n) {
    OneContact<2> contact[lanes];
    Vec<2, Lanes> v{};
    FrameOperator<2> H{};
    Lanes friction{};
    for (int l = 0; l < lanes; ++l) {
      contact[l] = random_contact<2>(random);
      if (l == 5) contact[l].friction = 0.0;
      const DelassusBlock<2>& h = contact[l].H;
      v[0][l] = contact[l].v[0], v[1][l] = contact[l].v[1];
      H.inverse_normal[l] = 1.0 / h.c[0][0], H.coupling[0][l] = h.c[0][1];
      H.schur[0][l] = h.c[1][1] - h.c[0][1] / h.c[0][0] * h.c[0][1];
      friction[l] = contact[l].friction;
    }
    const Vec<2, Lanes> p = coulomb_frame(v, H, friction, {});
    for (int l = 0; l < lanes; ++l) {
      const Vec<2> alone = solve_coulomb_plane(contact[l].v, contact[l].H, contact[l].friction);
      ASSERT_LE(std::hypot(p[0][l] - alone[0], p[1][l] - alone[1]), contact[l].conditioned(alone, 1e-12)) << n << " lane " << l;
    }
  }
}

// In single precision the law holds to what that can tell. Many columns: operators of bodies in ordinary contact.
TEST(CoulombFrame, sixteen_contacts_in_single_precision_satisfy_the_law_to_single_precision) {
  RandomStream random(44);
  constexpr int many = lanes_of<float>;
  int sliding = 0;
  for (int n = 0; n < 5000; ++n) {
    OneContact<3> contact[many];
    Vec<3, SingleLanes> v{};
    FrameOperator<3, float> H{};
    SingleLanes friction{};
    for (int l = 0; l < many; ++l) {
      contact[l] = random_contact<3>(random, 8);
      contact[l].friction = random.uniform(0, 1);
      const FramedContact f = framed(contact[l].v, contact[l].H);
      // From here on the contact is the one that single precision sees, in its frame.
      DelassusBlock<3> seen{};
      H.inverse_normal[l] = static_cast<float>(f.inverse_normal), friction[l] = static_cast<float>(contact[l].friction);
      for (int d = 0; d < 3; ++d) v[d][l] = static_cast<float>(f.v[d]), contact[l].v[d] = v[d][l];
      const double normal = 1.0 / H.inverse_normal[l];
      seen.c[0][0] = normal;
      for (int i = 0; i < 2; ++i) {
        H.coupling[i][l] = static_cast<float>(f.coupling[i]), H.schur[i][l] = static_cast<float>(f.schur[i]);
        seen.c[0][i + 1] = seen.c[i + 1][0] = H.coupling[i][l];
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
          seen.c[i + 1][j + 1] =
              seen.c[0][i + 1] / normal * seen.c[0][j + 1] + (i == j ? static_cast<double>(H.schur[i][l]) : 0.0);
      contact[l].H = seen, contact[l].friction = friction[l];
    }
    const Vec<3, SingleLanes> p = coulomb_frame(v, H, friction, {});
    for (int l = 0; l < many; ++l) {
      const Vec<3> solved{{p[0][l], p[1][l], p[2][l]}};
      ASSERT_LE(contact[l].relative_error(solved), 2e-6) << n << " lane " << l;
      sliding += solved[0] > 0.0 && norm(contact[l].v + contact[l].H * solved) > 1e-3;
    }
  }
  EXPECT_GT(sliding, 10000);
}

TEST(CoulombFrame, operator_is_the_matrix_it_was_made_from) {
  RandomStream random(43);
  for (int n = 0; n < 1000; ++n) {
    const auto contact = random_contact<3>(random);
    const FramedContact f = framed(contact.v, contact.H);
    FrameOperator<3> H{};
    H.inverse_normal += f.inverse_normal;
    for (int i = 0; i < 2; ++i) H.coupling[i] += f.coupling[i], H.schur[i] += f.schur[i];
    const double c = std::cos(f.angle), s = std::sin(f.angle);
    const Vec<3> p{{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}};
    Vec<3, Lanes> lanes_p{};
    for (int d = 0; d < 3; ++d) lanes_p[d] += p[d];
    const Vec<3, Lanes> u = H * lanes_p;
    const Vec<3> expected = contact.H * Vec<3>{{p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]}};
    const Vec<3> back{{u[0][0], c * u[1][0] - s * u[2][0], s * u[1][0] + c * u[2][0]}};
    ASSERT_LE(norm(back - expected), 1e-12 * (norm(expected) + 1.0)) << n;
  }
}

}  // namespace
}  // namespace moreau
