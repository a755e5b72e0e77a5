#include "moreau/contact/periodic_points.hpp"

#include <algorithm>

#include "moreau/geometry/reduced_lattice.hpp"

namespace moreau::inline contact {

template <int D>
double least_width(const Lattice<D>& lattice) {
  std::int64_t z[D][D];
  const Matrix<D> to_numbers = inverse(reduced(lattice, z));
  double least = HUGE_VAL;
  for (int d = 0; d < D; ++d)
    if (lattice.periodic[d]) {
      const double width = 1.0 / norm(to_numbers.row[d]);
      if (!(width >= least)) least = width;
    }
  return least;
}

template <int D>
double PeriodicPoints<D>::count(const Lattice<D>& lattice, const std::vector<double>& reach) {
  std::int64_t z[D][D];
  const Matrix<D> to_numbers = inverse(reduced(lattice, z));
  const double farthest = reach.empty() ? 0.0 : *std::max_element(reach.begin(), reach.end());
  double sum = 0.0;
  for (const double r : reach) {
    double copies = 1.0;
    for (int d = 0; d < D; ++d)
      if (lattice.periodic[d]) copies *= 1.0 + 2.0 * (r + farthest) * norm(to_numbers.row[d]);
    sum += copies;
  }
  return sum;
}

template <int D>
void PeriodicPoints<D>::place(const Lattice<D>& lattice, const std::vector<Vec<D>>& at, const std::vector<double>& reach) {
  const std::size_t n = at.size();
  const Matrix<D> basis = reduced(lattice, reduction_), to_numbers = inverse(basis);
  const double farthest = n > 0 ? *std::max_element(reach.begin(), reach.end()) : 0.0;
  double width[D];  // distance between opposite faces
  for (int d = 0; d < D; ++d) width[d] = 1.0 / norm(to_numbers.row[d]);

  position.resize(n), body.resize(n), number_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vec<D> back{};
    const Vec<D> inside = to_numbers * (at[i] - lattice.origin);
    for (int d = 0; d < D; ++d) {
      const double cells = lattice.periodic[d] ? std::floor(inside[d]) : 0.0;
      number_[i].k[d] = -static_cast<std::int64_t>(cells);
      back[d] = -cells;
    }
    position[i] = at[i] + basis * back;
    body[i] = static_cast<std::int32_t>(i);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<D> inside = to_numbers * (position[i] - lattice.origin);
    std::int64_t low[D], high[D], g[D];
    for (int d = 0; d < D; ++d) {
      const double margin = (reach[i] + farthest) / width[d];
      low[d] = lattice.periodic[d] ? static_cast<std::int64_t>(std::ceil(-margin - inside[d])) : 0;
      high[d] = lattice.periodic[d] ? static_cast<std::int64_t>(std::floor(1.0 + margin - inside[d])) : 0;
      g[d] = low[d];
    }
    for (bool more = true; more;) {
      Vec<D> away{};
      bool itself = true;
      for (int d = 0; d < D; ++d) away[d] = static_cast<double>(g[d]), itself &= g[d] == 0;
      if (!itself) {
        position.push_back(position[i] + basis * away);
        body.push_back(static_cast<std::int32_t>(i));
        number_.push_back(number_[i]);
        for (int d = 0; d < D; ++d) number_.back().k[d] += g[d];
      }
      more = false;
      for (int d = 0; d < D && !more; ++d) {
        if (g[d] < high[d])
          ++g[d], more = true;
        else
          g[d] = low[d];
      }
    }
  }
}

// Point p is at x_b + R k_p and body a at x_a + R k_a, so that from x_a the body of p is seen at x_b + R (k_p - k_a).
template <int D>
Image PeriodicPoints<D>::image(std::size_t a, std::size_t p) const {
  std::int64_t k[D] = {};
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) k[i] += reduction_[i][j] * (number_[p].k[j] - number_[a].k[j]);
  return image_of<D>(k);
}

template double least_width(const Lattice<2>&);
template double least_width(const Lattice<3>&);
template struct PeriodicPoints<2>;
template struct PeriodicPoints<3>;

}  // namespace moreau::inline contact
