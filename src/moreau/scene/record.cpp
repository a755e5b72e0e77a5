#include "moreau/scene/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace moreau {
namespace {

// What is wrong with a point that comes after those of the record; empty if nothing is.
std::string fault_of(const Record& record, double time, double acceleration) {
  if (!std::isfinite(time) || !std::isfinite(acceleration) || !any_number.contains(time) || !any_number.contains(acceleration))
    return fmt::format("has {} and {}; accepted: finite numbers, of magnitude at most {}", time, acceleration, largest_number);
  if (!record.times.empty() && !(record.times.back() < time))
    return fmt::format("goes from time {} to {}; accepted: increasing times", record.times.back(), time);
  if (record.times.size() == most_record_points)
    return fmt::format("is one point too many; accepted: at most {} points", most_record_points);
  return {};
}

Record read_table(TableReader table) {
  const auto times = table.numbers("times", any_number, 2), accelerations = table.numbers("accelerations", any_number, 2);
  Record record;
  if (!table.mistakes().any() && times.size() != accelerations.size())
    table.fail("accelerations",
               fmt::format("has {} entries; accepted: as many as 'times', which has {}", accelerations.size(), times.size()));
  for (std::size_t i = 0; i < std::min(times.size(), accelerations.size()) && !table.mistakes().any(); ++i) {
    if (std::string fault = fault_of(record, times[i], accelerations[i]); !fault.empty())
      table.fail("times", fmt::format("at entry {} {}", i + 1, fault));
    record.times.push_back(times[i]);
    record.accelerations.push_back(accelerations[i]);
  }
  table.finish();
  return record;
}

}  // namespace

Record read_record(TableReader& entry, NamedFiles& files) {
  static const NumberFile what{"record", 2, "two numbers, time and acceleration",
                               "a readable file of at least two lines, each with a time and an acceleration"};
  Record harmless{{0.0, 1.0}, {0.0, 0.0}};
  if (entry.is_table("record")) {
    Record record = read_table(*entry.table("record", true));
    return entry.mistakes().any() ? harmless : record;
  }
  if (!entry.has("record")) {
    entry.fail_missing("record", "the name of a file with two columns, time and acceleration");
    return harmless;
  }
  const std::string name = entry.text("record");
  if (name.empty()) {
    if (!entry.mistakes().any())
      entry.fail("record", "is empty; accepted: the name of a file with two columns, time and acceleration");
    return harmless;
  }
  Record record;
  const bool sound = read_number_file(entry, what, files.folder / name, [&](const std::vector<double>& row) {
    std::string fault = fault_of(record, row[0], row[1]);
    if (fault.empty()) record.times.push_back(row[0]), record.accelerations.push_back(row[1]);
    return fault;
  });
  if (!sound) return harmless;
  if (record.times.size() < 2) {
    refuse_number_file(entry, what, files.folder / name, fmt::format("has {} points", record.times.size()));
    return harmless;
  }
  files.inclusions.push_back(
      {entry.region_of("record"), fmt::format("{{ times = [{}], accelerations = [{}] }}", fmt::join(record.times, ", "),
                                              fmt::join(record.accelerations, ", "))});
  return record;
}

}  // namespace moreau
