// Numbers that a sweep tells of each of its runs: `--value peak=max(stress_xy)`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau {

struct ToldValue {
  std::string name, function, formula;  // mean, last, max, min or sd of a formula over the rows
};

// "NAME=FUNCTION(FORMULA)". Throws std::runtime_error.
ToldValue read_told_value(const std::string& text);

// Over the rows of a CSV file of the run that `only` keeps. Throws std::runtime_error.
double told_value(const ToldValue& value, const std::filesystem::path& run, const std::vector<std::string>& data,
                  const std::vector<std::string>& only);

}  // namespace moreau
