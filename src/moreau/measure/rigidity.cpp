#include "moreau/measure/rigidity.hpp"

#include <Eigen/SPQRSupport>

#include "moreau/measure/coordination.hpp"

namespace moreau::measure {

template <int D>
Structure force_carrying_structure(const Sample<D>& sample, double threshold) {
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  const std::vector<bool> rattles = rattlers(sample, carrying, least_contacts(sample));
  Structure structure;
  for (std::size_t c = 0; c < carrying.size(); ++c)
    if (carrying[c] && !rattles[sample.a(c)] && (sample.at_obstacle(c) || !rattles[sample.b(c)])) structure.contacts.push_back(c);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i) && !rattles[i]) structure.bodies.push_back(i);
  return structure;
}

namespace {

// Unit vectors along which the forces of a contact are unknown.
template <int D>
std::vector<Vec<D>> directions(const Vec<D>& n, bool tangents) {
  std::vector<Vec<D>> axes{n};
  if (!tangents) return axes;
  if constexpr (D == 2) {
    axes.push_back({{-n[1], n[0]}});
  } else {
    Vec<3> other{};
    other[std::abs(n[0]) < 0.6 ? 0 : 1] = 1.0;
    axes.push_back(normalized(cross(n, other)));
    axes.push_back(cross(n, axes[1]));
  }
  return axes;
}

}  // namespace

template <int D>
Eigen::SparseMatrix<double> contact_operator(const Sample<D>& sample, const Structure& structure, ContactForces forces) {
  constexpr int S = spin_dimension<D>;
  const ContactRecords<D>& contacts = *sample.contacts;
  std::vector<int> number(sample.bodies(), -1);
  for (std::size_t k = 0; k < structure.bodies.size(); ++k) number[structure.bodies[k]] = static_cast<int>(k);
  const auto tangents = [&](std::size_t c) {
    return forces == ContactForces::complete || (forces == ContactForces::mobile && contacts.status[c] == ContactStatus::stick);
  };
  const auto lever = [&](int side, std::size_t c, const Vec<D>& axis) {  // per unit radius
    const Vec<D> centre = side == 0 ? sample.middle[sample.a(c)] : sample.middle_b(c);
    const std::size_t body = side == 0 ? sample.a(c) : sample.b(c);
    return (1.0 / sample.parameters->radius[body]) * moment(contacts.point[c] - centre, axis);
  };
  bool spins = false;
  for (const std::size_t c : structure.contacts)
    for (const Vec<D>& axis : directions(contacts.normal[c], tangents(c)))
      for (int side = 0; side < (is_wall(contacts.b[c]) ? 1 : 2); ++side) {
        const std::size_t body = side == 0 ? sample.a(c) : sample.b(c);
        spins = spins || (number[body] >= 0 && norm(lever(side, c, axis)) > 1e-9);
      }
  const int each = D + (spins ? S : 0), bodies = static_cast<int>(structure.bodies.size());
  std::vector<Eigen::Triplet<double>> entries;
  int row = 0;
  for (const std::size_t c : structure.contacts)
    for (const Vec<D>& axis : directions(contacts.normal[c], tangents(c))) {
      const auto add_body = [&](int side, double sign) {
        const std::size_t body = side == 0 ? sample.a(c) : sample.b(c);
        if (number[body] < 0) return;
        for (int d = 0; d < D; ++d) entries.emplace_back(row, each * number[body] + d, sign * axis[d]);
        const Spin<D> turn = lever(side, c, axis);
        for (int s = 0; spins && s < S; ++s) entries.emplace_back(row, each * number[body] + D + s, sign * turn[s]);
      };
      add_body(0, 1.0);
      if (!is_wall(contacts.b[c])) add_body(1, -1.0);
      int column = each * bodies;
      for (const Piston<D>& piston : sample.yielding) {
        for (const PistonWall<D>& part : piston.walls)
          if (contacts.b[c] == ~part.wall) entries.emplace_back(row, column, -dot(axis, part.direction));
        ++column;
      }
      for (const auto& [p, q] : sample.cell_freedoms) {
        if (!is_wall(contacts.b[c]))
          entries.emplace_back(row, column, axis[p] * (sample.middle[sample.a(c)] - sample.middle_b(c))[q]);
        ++column;
      }
      ++row;
    }
  Eigen::SparseMatrix<double> G(row, each * bodies + static_cast<int>(sample.yielding.size() + sample.cell_freedoms.size()));
  G.setFromTriplets(entries.begin(), entries.end());
  return G;
}

int rank_of(const Eigen::SparseMatrix<double>& matrix, double tolerance) {
  if (matrix.rows() == 0 || matrix.cols() == 0) return 0;
  Eigen::SPQR<Eigen::SparseMatrix<double>> qr;
  qr.setPivotThreshold(tolerance);  // columns of R shorter than this are zero; the entries of G are of order 1
  qr.compute(matrix);
  return static_cast<int>(qr.rank());
}

template <int D>
Rigidity rigidity(const Sample<D>& sample, const Structure& structure, ContactForces forces) {
  const Eigen::SparseMatrix<double> G = contact_operator(sample, structure, forces);
  return {structure.bodies.size(), structure.contacts.size(), static_cast<int>(G.rows()), static_cast<int>(G.cols()), rank_of(G)};
}

template Structure force_carrying_structure(const Sample<2>&, double);
template Structure force_carrying_structure(const Sample<3>&, double);
template Eigen::SparseMatrix<double> contact_operator(const Sample<2>&, const Structure&, ContactForces);
template Eigen::SparseMatrix<double> contact_operator(const Sample<3>&, const Structure&, ContactForces);
template Rigidity rigidity(const Sample<2>&, const Structure&, ContactForces);
template Rigidity rigidity(const Sample<3>&, const Structure&, ContactForces);

}  // namespace moreau::measure
