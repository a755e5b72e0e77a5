// Elastic moduli of lattices of equal grains against closed forms (energy of uniform strain).
#include <gtest/gtest.h>

#include "moreau/engines/elastic/equilibrium.hpp"

namespace moreau::elastic {

namespace {

constexpr double kn = 3.0, kt = 1.1, pressed = 0.5;

// A periodic box of grains of diameter 1; every pair at distance 1 touches and pushes with the same force.
template <int D>
struct Lattice {
  std::vector<Vec<D>> position;
  Vec<D> box;
  statics::Freedoms<D> freedoms;
  Network network;
  double volume = 1.0;

  Lattice(std::vector<Vec<D>> x, const Vec<D>& size) : position(std::move(x)), box(size) {
    freedoms.spins = true;
    for (int d = 0; d < D; ++d) volume *= box[d];
    for (std::size_t i = 0; i < position.size(); ++i) {
      freedoms.place.push_back(static_cast<int>(i));
      freedoms.body.push_back(i);
    }
    for (int p = 0; p < D; ++p)
      for (int q = p; q < D; ++q) freedoms.gradient.push_back({p, q});
    std::vector<statics::Contact<D>> contacts;
    for (std::size_t a = 0; a < position.size(); ++a)
      for (std::size_t b = a + 1; b < position.size(); ++b) {
        Vec<D> branch = position[a] - position[b];
        for (int d = 0; d < D; ++d) branch[d] -= box[d] * std::round(branch[d] / box[d]);
        if (std::abs(norm(branch) - 1.0) > 1e-9) continue;
        statics::Contact<D> c;
        c.pair = {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), 0, 0};
        c.normal = (1.0 / norm(branch)) * branch, c.branch = branch;
        c.arm_a = -0.5 * c.normal, c.arm_b = 0.5 * c.normal;
        contacts.push_back(c);
      }
    network.spring.assign(contacts.size(), {kn, kt, 10.0});
    network.G = statics::contact_matrix<D>(freedoms, std::vector<double>(position.size(), 0.5), contacts,
                                           std::vector<bool>(contacts.size(), true));
    network.force = Eigen::VectorXd::Zero(network.G.rows());
    for (Eigen::Index c = 0; c < network.G.rows(); c += D) network.force[c] = pressed;
  }

  // Velocity gradient that answers to a small stress added to that of the pushing contacts, per unit of it. Stress: pressure
  // positive; gradient: extension positive.
  Eigen::VectorXd gradient(const std::vector<double>& stress, double size = 0.1) const {
    const Eigen::VectorXd balanced = -(network.G.transpose() * network.force);
    Eigen::VectorXd F = balanced;
    const Eigen::Index first = freedoms.column_of_gradient(0);
    for (std::size_t k = 0; k < stress.size(); ++k) F[first + static_cast<Eigen::Index>(k)] -= volume * size * stress[k];
    Settings settings;
    settings.tolerance = 1e-15;
    settings.most_newton = 8;  // rounding ends it: the answer of the last step counts
    settings.most_nguyen = 4;
    settings.farthest = 10.0;  // the answer is linear, and may be large
    const Found found = Equilibrium(network, settings).find(at_reference(network), F);
    EXPECT_LT(found.imbalance, 1e-14);
    EXPECT_EQ(found.contacts.sliding + found.contacts.open, 0u);
    return found.rest.displacement.tail(F.size() - first) / size;
  }
};

Lattice<2> triangular(int n) {
  const double tall = std::sqrt(3.0);
  std::vector<Vec<2>> x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      x.push_back({{static_cast<double>(i), tall * j}});
      x.push_back({{i + 0.5, tall * (j + 0.5)}});
    }
  return {x, {{static_cast<double>(n), tall * n}}};
}

Lattice<3> cubic(int n, bool face_centred) {
  const double edge = face_centred ? std::sqrt(2.0) : 1.0;
  std::vector<Vec<3>> x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const auto put = [&](double u, double v, double w) { x.push_back({{edge * (i + u), edge * (j + v), edge * (k + w)}}); };
        put(0, 0, 0);
        if (face_centred) put(0.5, 0.5, 0), put(0.5, 0, 0.5), put(0, 0.5, 0.5);
      }
  return {x, {{edge * n, edge * n, edge * n}}};
}

// xx, xy, xz, yy, yz, zz
const std::vector<double> pressure_3{1, 0, 0, 1, 0, 1}, shear_3{0, 1, 0, 0, 0, 0}, along_3{1, 0, 0, 0, 0, 0};

}  // namespace

TEST(Moduli, triangular_lattice) {
  const Lattice<2> lattice = triangular(4);
  ASSERT_EQ(lattice.network.spring.size(), 3 * lattice.position.size());
  const double K = std::sqrt(3.0) * kn / 2.0, G = std::sqrt(3.0) * (kn + kt) / 4.0;
  const Eigen::VectorXd squeezed = lattice.gradient({1, 0, 1}), sheared = lattice.gradient({0, 1, 0}),
                        pushed = lattice.gradient({0, 0, 1});
  EXPECT_NEAR(-1.0 / (squeezed[0] + squeezed[2]) / K, 1.0, 1e-12);
  EXPECT_NEAR(squeezed[0] / squeezed[2], 1.0, 1e-12);
  EXPECT_NEAR(-1.0 / sheared[1] / G, 1.0, 1e-12);
  // Young's modulus and Poisson's ratio say the same of a push along y: the lattice is isotropic.
  EXPECT_NEAR(-1.0 / pushed[2] / (2.0 * std::sqrt(3.0) * kn * (kn + kt) / (3.0 * kn + kt)), 1.0, 1e-12);
  EXPECT_NEAR(-pushed[0] / pushed[2], (kn - kt) / (3.0 * kn + kt), 1e-12);
}

TEST(Moduli, simple_cubic_lattice) {
  const Lattice<3> lattice = cubic(3, false);
  ASSERT_EQ(lattice.network.spring.size(), 3 * lattice.position.size());
  const Eigen::VectorXd pushed = lattice.gradient(along_3), sheared = lattice.gradient(shear_3);
  EXPECT_NEAR(-1.0 / pushed[0] / kn, 1.0, 1e-12);  // C11 = k_n / d, C12 = 0
  EXPECT_NEAR(pushed[3], 0.0, 1e-12);
  EXPECT_NEAR(-1.0 / sheared[1] / (0.5 * kt), 1.0, 1e-12);  // C44 = k_t / 2 d
}

TEST(Moduli, face_centred_cubic_lattice) {
  const Lattice<3> lattice = cubic(2, true);
  ASSERT_EQ(lattice.network.spring.size(), 6 * lattice.position.size());
  // d C11 = sqrt 2 (k_n + k_t), d C12 = (k_n - k_t)/sqrt 2, d C44 = (k_n + k_t)/sqrt 2
  const double C11 = std::sqrt(2.0) * (kn + kt), C12 = std::sqrt(0.5) * (kn - kt), C44 = std::sqrt(0.5) * (kn + kt);
  const Eigen::VectorXd squeezed = lattice.gradient(pressure_3), pushed = lattice.gradient(along_3),
                        sheared = lattice.gradient(shear_3);
  EXPECT_NEAR(-1.0 / squeezed[0] / (C11 + 2.0 * C12), 1.0, 1e-12);
  EXPECT_NEAR(-1.0 / pushed[0] / ((C11 - C12) * (C11 + 2.0 * C12) / (C11 + C12)), 1.0, 1e-12);
  EXPECT_NEAR(-pushed[5] / pushed[0], C12 / (C11 + C12), 1e-12);
  EXPECT_NEAR(-1.0 / sheared[1] / C44, 1.0, 1e-12);
}

}  // namespace moreau::elastic
