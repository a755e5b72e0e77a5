// Columns of CSV files, and formulas over them: what curves are drawn from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline draw {

struct Columns {
  std::string file;  // where they come from, for messages
  std::vector<std::string> name;
  std::vector<std::vector<std::string>> row;  // as written

  std::size_t find(const std::string& column) const;  // throws std::runtime_error with the names there are
};

// A header line, then rows of as many cells. Throws std::runtime_error with one sentence if it cannot be read so.
Columns read_columns(const std::filesystem::path& file);

// Which rows to keep: "phase=shear" (this text, or this number), "time>28", "time<=30".
struct Condition {
  std::string column, sign, value;
};
// Throws std::runtime_error with one sentence.
Condition read_condition(const std::string& text);
Columns only(const Columns& columns, const Condition& condition);

// Rows of both that have the same `step`, with the columns of both; a name that occurs in both keeps the values of the first.
// Throws std::runtime_error if one has no column `step`, or several rows of one step.
Columns joined(const Columns& first, const Columns& second);

// Rows of one instant that differ in a name (walls, sinks, regions, species), taken apart: one set of rows for each, in the order
// in which they first occur, and its name. Without several rows of one step: all, without a name.
struct NamedColumns {
  std::string name;
  Columns columns;
};
std::vector<NamedColumns> by_name(const Columns& columns);

// What of each set is no curve along `x` taken apart once more, where x does not tell the rows of one instant apart: its
// instants, and within them by the columns that tell rows apart (ring, face, layer), but for those that x is a formula of, or
// else the last of them. Sets with one row of a step, and files without steps, stay as they are. Throws std::runtime_error with
// one sentence if no columns tell rows apart.
std::vector<NamedColumns> by_instant(const std::vector<NamedColumns>& parts, const std::string& x,
                                     const std::vector<std::string>& y);

// The first step of which there are several rows; empty if there is none.
std::string repeated_step(const Columns& columns);

// A formula for every row: numbers, names of columns, + - * / ( ), abs, sqrt, log, exp; mean, last, max, min, sd and median of all rows, as
// `moreau ensemble` knows them. A cell that is no number gives a NaN, and is left out of these.
// Throws std::runtime_error with one sentence on an unknown name or a formula that cannot be read.
std::vector<double> evaluate(const std::string& formula, const Columns& columns);

}  // namespace moreau::inline draw
