#include "moreau/engines/elastic/network.hpp"

namespace moreau::elastic {

namespace {

template <int D, class Visit>
void replies(const Network& n, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd* bound,
             Visit&& visit) {
  const Eigen::VectorXd U = n.G * u;
  for (std::size_t c = 0; c < n.spring.size(); ++c) {
    const Eigen::Index row = D * static_cast<Eigen::Index>(c);
    std::array<double, D> trial;
    for (int k = 0; k < D; ++k) {
      const double stiffness = k == 0 ? n.spring[c].normal : n.spring[c].sideways();
      trial[static_cast<std::size_t>(k)] = n.force[row + k] + stiffness * (-U[row + k] - slip[row + k]);
    }
    visit(c, row,
          bound ? reply_within<D>(n.spring[c], (*bound)[static_cast<Eigen::Index>(c)], trial)
                : reply<D>(n.spring[c], n.flow, trial));
  }
}

template <int D>
Answer answer_in(const Network& n, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd* bound) {
  Answer a{Eigen::VectorXd(n.G.rows()), slip, 0, 0};
  replies<D>(n, slip, u, bound, [&](std::size_t, Eigen::Index row, const Reply<D>& r) {
    for (int k = 0; k < D; ++k) {
      a.force[row + k] = r.force[static_cast<std::size_t>(k)];
      a.slip[row + k] += r.slip[static_cast<std::size_t>(k)];
    }
    a.sliding += r.status == Status::slide;
    a.open += r.status == Status::open;
  });
  return a;
}

template <int D>
std::vector<double> tangents_in(const Network& n, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd* bound) {
  std::vector<double> blocks;
  blocks.reserve(D * D * n.spring.size());
  replies<D>(n, slip, u, bound, [&](std::size_t, Eigen::Index, const Reply<D>& r) {
    for (const auto& row : r.tangent) blocks.insert(blocks.end(), row.begin(), row.end());
  });
  return blocks;
}

}  // namespace

Rest at_reference(const Network& n) { return {Eigen::VectorXd::Zero(n.G.cols()), Eigen::VectorXd::Zero(n.G.rows())}; }

Answer answer(const Network& n, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd* bound) {
  return n.dimension() == 3 ? answer_in<3>(n, slip, u, bound) : answer_in<2>(n, slip, u, bound);
}

std::vector<double> tangents(const Network& n, const Eigen::VectorXd& slip, const Eigen::VectorXd& u, const Eigen::VectorXd* bound) {
  return n.dimension() == 3 ? tangents_in<3>(n, slip, u, bound) : tangents_in<2>(n, slip, u, bound);
}

Sparse stiffness(const Network& n) {
  const int D = n.dimension();
  Eigen::VectorXd k(n.G.rows());
  for (std::size_t c = 0; c < n.spring.size(); ++c)
    for (int d = 0; d < D; ++d) k[D * static_cast<Eigen::Index>(c) + d] = d == 0 ? n.spring[c].normal : n.spring[c].sideways();
  const Sparse G(n.G);
  return Sparse(G.transpose() * Sparse(k.asDiagonal() * G));
}

}  // namespace moreau::elastic
