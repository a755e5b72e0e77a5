// Results as a table: what is printed, written as CSV or JSON, or sampled during a run.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace moreau::measure {

using Cell = std::variant<std::string, std::int64_t, double>;

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::string refusal;  // why there is no result, one sentence; empty if there is one

  static Table refused(std::string sentence) { return {{}, {}, std::move(sentence)}; }
};

// Fills one row and, while it is the first, names the columns.
class RowWriter {
 public:
  explicit RowWriter(Table& table) : table_(&table), naming_(table.columns.empty() && table.rows.empty()) {
    table.rows.emplace_back();
  }
  void add(const std::string& name, std::string value) { put(name, Cell(std::move(value))); }
  void add(const std::string& name, const char* value) { put(name, Cell(std::string(value))); }
  template <std::floating_point T>
  void add(const std::string& name, T value) {
    put(name, Cell(static_cast<double>(value)));
  }
  template <std::integral T>
  void add(const std::string& name, T value) {
    put(name, Cell(static_cast<std::int64_t>(value)));
  }
  template <class Vector>
  void add_vector(const std::string& name, const Vector& v, int size) {
    for (int d = 0; d < size; ++d) add(name + "_" + "xyz"[d], v[d]);
  }
  // Components row by row: name_xx, name_xy, ...
  template <class Matrix>
  void add_tensor(const std::string& name, const Matrix& t, int size) {
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) add(name + "_" + "xyz"[i] + "xyz"[j], t(i, j));
  }

 private:
  void put(const std::string& name, Cell cell) {
    if (naming_) table_->columns.push_back(name);
    table_->rows.back().push_back(std::move(cell));
  }
  Table* table_;
  bool naming_;
};

std::string to_text(const Table& table, std::size_t most_rows = 60);  // aligned columns; one row is written downwards
std::string csv_header(const Table& table);                           // without the line end
std::string csv_row(const std::vector<Cell>& row);                    // full precision; texts quoted where they need it
std::string to_csv(const Table& table);

}  // namespace moreau::measure
