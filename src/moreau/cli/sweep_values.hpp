// Numbers that a sweep tells of each of its runs: `--value peak=max(stress_xy)`.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace moreau {

// Columns of table.csv beside the keys and values of a sweep: of the run as it stands, of all its steps.
inline constexpr std::array columns_of_end{"time", "step", "bodies", "contacts", "state_hash"};
inline constexpr std::array columns_of_steps{"unconverged_steps", "worst_penetration"};

struct ToldValue {
  std::string name, function, formula;            // mean, last, max, min or sd of a formula over the rows
  std::vector<std::string> data = {}, only = {};  // of these CSV files of the run, that fulfil these conditions

  std::string text() const { return name + "=" + function + "(" + formula + ")"; }
};

// "NAME=FUNCTION(FORMULA)". Throws std::runtime_error.
ToldValue read_told_value(const std::string& text);

// Of one run. Throws std::runtime_error.
double told_value(const ToldValue& value, const std::filesystem::path& run);

// Names, and values told of the columns of series.csv, are checked before there is any run. Throws std::runtime_error.
void check_told_value(const ToldValue& value);

// What a sweep was asked to tell is kept in its folder, so that the same command without --value tells it again.
nlohmann::ordered_json told_values_as_json(const std::vector<ToldValue>& values);
std::vector<ToldValue> read_told_values(const std::filesystem::path& file);  // none if there is no such file

}  // namespace moreau
