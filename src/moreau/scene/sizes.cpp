#include "moreau/scene/sizes.hpp"

#include <fmt/format.h>

namespace moreau {
namespace {

void read_bounds(TableReader& table, const char* key, double scale, SizeDistribution& sizes) {
  const auto bounds = table.numbers(key, positive, 2);
  sizes.low = scale * bounds[0];
  sizes.high = scale * bounds[1];
  if (table.mistakes().any()) return;
  if (bounds.size() != 2)
    table.fail(key, fmt::format("is an array of {}; accepted: two numbers, the smaller first", bounds.size()));
  else if (sizes.low > sizes.high)
    table.fail(key, fmt::format("is [{}, {}]; accepted: two numbers, the smaller first", bounds[0], bounds[1]));
}

SizeDistribution read_law(TableReader& entry, const std::string& key, double scale) {
  SizeDistribution sizes;
  sizes.low = sizes.high = 1.0;
  if (key.empty()) return sizes;
  if (!entry.is_table(key)) {
    sizes.low = sizes.high = scale * entry.number(key, {"a number > 0, or a table with 'uniform', 'bidisperse' or 'list'",
                                                        positive.low, positive.high, true, true});
    return sizes;
  }
  TableReader table = *entry.table(key, true);
  const std::string law = table.one_of({"uniform", "bidisperse", "list"});
  if (law == "uniform") {
    sizes.kind = SizeDistribution::Kind::uniform;
    read_bounds(table, "uniform", scale, sizes);
  } else if (law == "bidisperse") {
    sizes.kind = SizeDistribution::Kind::bidisperse;
    read_bounds(table, "bidisperse", scale, sizes);
    sizes.share_of_high = table.number("share", fraction, 0.5);
  } else if (law == "list") {
    sizes.kind = SizeDistribution::Kind::list;
    sizes.radii = table.numbers("list", positive, 1);
    for (double& r : sizes.radii) r *= scale;
  }
  table.finish();
  return sizes;
}

}  // namespace

double read_radius(TableReader& entry) {
  const std::string key = entry.one_of({"radius", "diameter"});
  if (key.empty()) return 1.0;
  return (key == "diameter" ? 0.5 : 1.0) * entry.number(key, positive);
}

SizeDistribution read_sizes(TableReader& entry) {
  const std::string key = entry.one_of({"radius", "diameter"});
  return read_law(entry, key, key == "diameter" ? 0.5 : 1.0);
}

SizeDistribution read_scales(TableReader& entry, const std::string& key) {
  return read_law(entry, entry.has(key) ? key : "", 1.0);
}

}  // namespace moreau
