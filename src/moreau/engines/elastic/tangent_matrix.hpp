// The sparse matrix Gt T G + held while the blocks T of the contacts change: its pattern is that of all contacts closed and stays
// the same, so that orders of elimination are found once, and every block knows where its products go.
#pragma once

#include "moreau/engines/elastic/network.hpp"

namespace moreau::elastic {

class TangentMatrix {
 public:
  // `held` is added and does not change; diagonal.
  TangentMatrix(const Network& network, const Sparse& held);

  // `blocks`: D x D numbers of every contact, row by row.
  const Sparse& set(const std::vector<double>& blocks);
  const Sparse& matrix() const { return matrix_; }

 private:
  struct Share {      // of a contact
    int columns = 0;  // in which its rows of G have entries
    int place = 0;    // where its columns x columns products begin in place_
  };

  const Sparse& held_;
  int dimension_;
  std::vector<Share> share_;
  std::vector<double> value_;  // of G, D x columns of every contact
  std::vector<int> place_;     // of the products, among the values of the matrix
  std::vector<int> diagonal_;  // of the diagonal
  Sparse matrix_;
};

}  // namespace moreau::elastic
