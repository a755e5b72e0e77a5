// What the numbers in a column of a table of measures or of series.csv are measured in, for axes of plots.
#pragma once

#include <string>

namespace moreau::measure {

// In lengths L, masses M and times T, as "M L/T²"; empty where the column is a plain number, has a meaning that depends on its
// table, or is not known. `dimension` decides what a volume is and over what a stress acts.
std::string unit_of_column(const std::string& column, int dimension);

}  // namespace moreau::measure
