// The square operator G of an isostatic list of contacts, factorised once (sparse LU) and used for the lists that follow it. A
// list differs from the one that was factorised by
//
//   contacts that were exchanged    rows that enter by the formula of Sherman, Morrison and Woodbury
//   bodies that left                their columns stay, with rows that hold their freedoms at 0
//   bodies that joined              columns that are added, as if the rows that were factorised had held them at 0
//   normals that turned             by GMRES, with all of that as its preconditioner
//
// It factorises anew when rows that were exchanged or iterations become so many that this is the cheaper way.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <unordered_map>
#include <vector>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::statics {

// What rows and columns belong to, by which they are known again in the next list: contacts and freedoms (names_of).
struct ListNames {
  std::vector<Pair> row;
  std::vector<int> column;
  bool operator==(const ListNames&) const = default;
};

struct PairHash {
  std::size_t operator()(const Pair& p) const {
    std::uint64_t h = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.a)) << 32) | static_cast<std::uint32_t>(p.b);
    h ^= 0x9e3779b97f4a7c15ull * (static_cast<std::uint64_t>(p.image) + 31 * p.feature);
    h = (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9ull;
    return static_cast<std::size_t>(h ^ (h >> 29));
  }
};

// Of a step of Newton's method, whose own error falls with the square of its length.
inline constexpr double newton_precision = 1e-7;

class ListFactor {
 public:
  ListFactor();
  ~ListFactor();
  ListFactor(ListFactor&&) noexcept;
  ListFactor& operator=(ListFactor&&) noexcept;

  // The matrix now, square. Without names rows and columns are known by their places.
  void set(SparseRows matrix, ListNames names = {});

  // G x = b and Gt y = c, to about 1e-14 of what the condition of G allows, or so that G x differs from b by `precision` of its
  // largest entry: steps of Newton's method need no more. False: singular to working precision.
  bool solve(const Eigen::VectorXd& b, Eigen::VectorXd& x, double precision = 0.0);
  bool solve_transposed(const Eigen::VectorXd& c, Eigen::VectorXd& y);

  int size() const { return static_cast<int>(now_.rows()); }
  int factorisations() const { return factorisations_; }

 private:
  struct Lu;
  bool factorise();
  void place_rows_and_columns();
  void put_in_place();
  bool update();
  Eigen::VectorXd factored_inverse(const Eigen::VectorXd& b, bool transposed) const;
  Eigen::VectorXd inverse(const Eigen::VectorXd& b, bool transposed) const;
  Eigen::VectorXd product(const Eigen::VectorXd& x, bool transposed) const;
  int minimise(Eigen::VectorXd& x, const Eigen::VectorXd& rest, bool transposed, double enough, int most) const;
  bool solve(const Eigen::VectorXd& given, Eigen::VectorXd& x, bool transposed, double precision);

  SparseRows now_;
  ListNames names_;

  std::unique_ptr<Lu> lu_;
  std::unordered_map<Pair, int, PairHash> factored_row_;  // places by name, of what was factorised ...
  std::unordered_map<int, int> column_place_;             // ... and with the columns that have joined since, which come after them
  std::unordered_map<Pair, int, PairHash> row_place_;     // of rows that were not factorised, as they were placed last
  std::unordered_map<int, int> held_place_;               // of rows that hold columns that have left
  std::vector<std::pair<int, int>> held_;                 // these columns, and where their rows are
  int joined_ = 0;

  // The list in the places of what was factorised: rows of those that left and columns of those that joined included.
  SparseRows placed_;
  std::vector<int> row_at_, column_at_;         // of the rows and columns of `now_`
  std::vector<int> replaced_;                   // rows of `placed_` that are not those that were factorised
  Sparse difference_;                           // by so much, as columns
  Eigen::MatrixXd spread_;                      // inverse of what was factorised times the unit vectors of these rows
  Eigen::PartialPivLU<Eigen::MatrixXd> small_;  // 1 + differences . spread
  bool usable_ = false, fresh_ = false;
  int iterations_ = 0;  // of GMRES since the last factorisation
  int factorisations_ = 0;
};

}  // namespace moreau::statics
