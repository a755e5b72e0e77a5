#include "moreau/measure/column_unit.hpp"

#include <map>
#include <string_view>

namespace moreau::measure {

namespace {

bool take_suffix(std::string& text, std::string_view suffix) {
  if (!text.ends_with(suffix) || text.size() == suffix.size()) return false;
  text.resize(text.size() - suffix.size());
  return true;
}

// Without the component: position_x, stress_xy. A standard deviation has the unit of its quantity.
std::string stem_of(std::string column) {
  take_suffix(column, "_sd");
  for (const char* component : {"_x", "_y", "_z", "_xx", "_xy", "_xz", "_yx", "_yy", "_yz", "_zx", "_zy", "_zz"})
    if (take_suffix(column, component)) break;
  return column;
}

}  // namespace

std::string unit_of_column(const std::string& column, int dimension) {
  static const std::string force = "M L/T²", energy = "M L²/T²", length = "L";
  static const std::map<std::string, std::string> units = {
      {"time", "T"},          {"born", "T"},           {"left_after", "T"},       {"left_before", "T"},   {"residence", "T"},
      {"mass", "M"},          {"mass_forward", "M"},   {"mass_backward", "M"},    {"mass_rate", "M/T"},   {"number_rate", "1/T"},
      {"inserted_mass", "M"}, {"removed_mass", "M"},   {"force", force},          {"torque", energy},     {"moment", energy},
      {"power", "M L²/T³"},   {"kinetic", energy},     {"potential", energy},     {"elastic", energy},    {"wall_work", energy},
      {"dissipated", energy}, {"work", energy},        {"kinetic_energy", energy}, {"gravity_work", energy}, {"position", length},
      {"displacement", length}, {"opening", length},   {"widest", length},        {"farthest_slid", length}, {"max_penetration", length},
      {"mean_penetration", length}, {"velocity", "L/T"}, {"max_speed", "L/T"},    {"spin", "1/T"},        {"temperature", "L²/T²"}};
  const std::string stem = stem_of(column);
  for (const char* stress : {"stress", "pressure", "deviator", "principal_difference"})
    if (stem == stress) return dimension == 2 ? "M/T²" : "M/(L T²)";
  const auto found = units.find(stem);
  return found == units.end() ? std::string() : found->second;
}

}  // namespace moreau::measure
