#include "moreau/scene/generate/sizes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moreau/base/elementary.hpp"

namespace moreau::inline scene {
namespace {

constexpr double default_cut = 3.0;  // a log-normal law reaches this many standard deviations from its median
constexpr Accepted deviations{"a number in [0.001, 3]", 1e-3, 3.0, true, true};
constexpr Accepted exponents{"a number from -20 to 20", -20.0, 20.0, true, true};

// Two numbers, the smaller first.
std::pair<double, double> read_bounds(TableReader& table, const std::string& key, double scale) {
  const auto bounds = table.numbers(key, positive, 2);
  if (!table.mistakes().any()) {
    if (bounds.size() != 2)
      table.fail(key, fmt::format("is an array of {}; accepted: two numbers, the smaller first", bounds.size()));
    else if (bounds[0] > bounds[1])
      table.fail(key, fmt::format("is [{}, {}]; accepted: two numbers, the smaller first", bounds[0], bounds[1]));
  }
  return {scale * bounds[0], scale * bounds[1]};
}

bool read_by_volume(TableReader& table) { return table.choice("by", {"number", "volume"}, 0) == 1; }

SizeDistribution read_log_normal(TableReader& table, double scale) {
  SizeDistribution sizes;
  sizes.kind = SizeDistribution::Kind::log_normal;
  sizes.median = scale * table.number("log_normal", positive);
  sizes.deviation = table.number("deviation", deviations);
  const double reach = exponential(default_cut * sizes.deviation);
  sizes.low = sizes.median / reach, sizes.high = sizes.median * reach;
  if (table.has("cut")) {
    std::tie(sizes.low, sizes.high) = read_bounds(table, "cut", scale);
    if (!table.mistakes().any() && !(sizes.low < sizes.median && sizes.median < sizes.high))
      table.fail("cut", fmt::format("is [{}, {}]; accepted: two numbers with the median {} between them", sizes.low / scale,
                                    sizes.high / scale, sizes.median / scale));
  }
  return sizes;
}

// `list`: sizes in the scene, or the name of a file with one on each line.
std::vector<double> read_list(TableReader& table, NamedFiles& files) {
  static const NumberFile what{"list", 1, "one number > 0", "a readable file with a size on each line"};
  if (table.is_array("list") || !table.has("list")) return table.numbers("list", positive, 1);
  const std::string name = table.text("list");
  if (table.mistakes().any()) return {1.0};
  std::vector<double> sizes;
  const bool sound = read_number_file(table, what, files.folder / name, [&](const std::vector<double>& row) {
    if (!positive.contains(row[0])) return fmt::format("is {}; accepted: {}", row[0], what.row_words);
    sizes.push_back(row[0]);
    return std::string();
  });
  if (sound && sizes.empty()) refuse_number_file(table, what, files.folder / name, "has no size");
  if (table.mistakes().any()) return {1.0};
  files.inclusions.push_back({table.source_of("list"), fmt::format("[{}]", fmt::join(sizes, ", "))});
  return sizes;
}

struct Curve {
  std::vector<double> sizes, passing;
};

// What is wrong with a point that comes after those of the curve; empty if nothing is.
std::string fault_of(const Curve& curve, double size, double passing) {
  if (!positive.contains(size) || !nonnegative.contains(passing))
    return fmt::format("has {} and {}; accepted: a size > 0 and a share >= 0", size, passing);
  if (curve.sizes.empty() && passing != 0.0) return fmt::format("has the share {}; accepted: 0 at the first size", passing);
  if (!curve.sizes.empty() && !(curve.sizes.back() < size))
    return fmt::format("goes from size {} to {}; accepted: increasing sizes", curve.sizes.back(), size);
  if (!curve.passing.empty() && passing < curve.passing.back())
    return fmt::format("goes from share {} to {}; accepted: shares that do not decrease", curve.passing.back(), passing);
  return {};
}

Curve read_curve_table(TableReader table) {
  const auto sizes = table.numbers("sizes", positive, 2), passing = table.numbers("passing", nonnegative, 2);
  Curve curve;
  if (!table.mistakes().any() && sizes.size() != passing.size())
    table.fail("passing",
               fmt::format("has {} entries; accepted: as many as 'sizes', which has {}", passing.size(), sizes.size()));
  for (std::size_t i = 0; i < sizes.size() && !table.mistakes().any(); ++i) {
    if (std::string fault = fault_of(curve, sizes[i], passing[i]); !fault.empty())
      table.fail("sizes", fmt::format("at entry {} {}", i + 1, fault));
    curve.sizes.push_back(sizes[i]), curve.passing.push_back(passing[i]);
  }
  if (!table.mistakes().any() && !(curve.passing.back() > 0.0))
    table.fail("passing", "is zero everywhere; accepted: shares that grow");
  table.finish();
  return curve;
}

// `curve`: a table with 'sizes' and 'passing', or the name of a file with these two columns.
Curve read_curve(TableReader& table, NamedFiles& files) {
  static const NumberFile what{"curve", 2, "two numbers, size and share of what is smaller",
                               "a readable file of at least two lines, each with a size and the share of what is smaller"};
  const Curve harmless{{1.0, 2.0}, {0.0, 1.0}};
  if (table.is_table("curve")) {
    const Curve curve = read_curve_table(*table.table("curve", true));
    return table.mistakes().any() ? harmless : curve;
  }
  const std::string name = table.text("curve");
  if (table.mistakes().any()) return harmless;
  Curve curve;
  const bool sound = read_number_file(table, what, files.folder / name, [&](const std::vector<double>& row) {
    std::string fault = fault_of(curve, row[0], row[1]);
    if (fault.empty()) curve.sizes.push_back(row[0]), curve.passing.push_back(row[1]);
    return fault;
  });
  if (sound && (curve.sizes.size() < 2 || curve.passing.back() == 0.0))
    refuse_number_file(table, what, files.folder / name, "has no two sizes with some share between them");
  if (table.mistakes().any()) return harmless;
  files.inclusions.push_back(
      {table.source_of("curve"),
       fmt::format("{{ sizes = [{}], passing = [{}] }}", fmt::join(curve.sizes, ", "), fmt::join(curve.passing, ", "))});
  return curve;
}

template <int D>
SizeDistribution read_law(TableReader& entry, const std::string& key, double scale, NamedFiles& files) {
  SizeDistribution sizes;
  sizes.low = sizes.high = 1.0;
  if (key.empty()) return sizes;
  if (!entry.is_table(key)) {
    sizes.low = sizes.high =
        scale *
        entry.number(key, {"a number > 0, or a table with 'uniform', 'bidisperse', 'power', 'log_normal', 'list' or 'curve'",
                           positive.low, positive.high, true, true});
    return sizes;
  }
  TableReader table = *entry.table(key, true);
  const std::string law = table.one_of({"uniform", "bidisperse", "power", "log_normal", "list", "curve"});
  if (law == "uniform") {
    const auto [low, high] = read_bounds(table, law, scale);
    sizes.kind = SizeDistribution::Kind::uniform;
    sizes.low = low, sizes.high = high;
    if (read_by_volume(table)) sizes = uniform_by_volume(low, high, D);
  } else if (law == "bidisperse") {
    sizes.kind = SizeDistribution::Kind::bidisperse;
    std::tie(sizes.low, sizes.high) = read_bounds(table, law, scale);
    sizes.share_of_high = table.number("share", fraction, 0.5);
    if (read_by_volume(table)) sizes.share_of_high = number_share(sizes.share_of_high, sizes.low, sizes.high, D);
  } else if (law == "power") {
    sizes.kind = SizeDistribution::Kind::power;
    std::tie(sizes.low, sizes.high) = read_bounds(table, law, scale);
    sizes.exponent = table.number("exponent", exponents);
  } else if (law == "log_normal") {
    sizes = read_log_normal(table, scale);
  } else if (law == "list") {
    sizes.kind = SizeDistribution::Kind::list;
    sizes.radii = read_list(table, files);
    for (double& r : sizes.radii) r *= scale;
  } else if (law == "curve") {
    Curve curve = read_curve(table, files);
    for (double& r : curve.sizes) r *= scale;
    sizes = grading_curve(std::move(curve.sizes), curve.passing, read_by_volume(table), D);
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

template <int D>
SizeDistribution read_sizes(TableReader& entry, NamedFiles& files) {
  const std::string key = entry.one_of({"radius", "diameter"});
  return read_law<D>(entry, key, key == "diameter" ? 0.5 : 1.0, files);
}

template <int D>
SizeDistribution read_scales(TableReader& entry, const std::string& key, NamedFiles& files) {
  return read_law<D>(entry, entry.has(key) ? key : "", 1.0, files);
}

#define MOREAU_INSTANTIATE(D)                                         \
  template SizeDistribution read_sizes<D>(TableReader&, NamedFiles&); \
  template SizeDistribution read_scales<D>(TableReader&, const std::string&, NamedFiles&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
