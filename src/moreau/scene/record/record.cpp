#include "moreau/scene/record/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/record/peer_record.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"

namespace moreau::inline scene {
namespace {

const Record harmless_record{{0.0, 1.0}, {{0.0, 0.0}}};

// What is wrong with a point that comes after those of the record; empty if nothing is.
std::string fault_of(const Record& record, double time, double acceleration) {
  if (!std::isfinite(time) || !std::isfinite(acceleration) || !any_number.contains(time) || !any_number.contains(acceleration))
    return fmt::format("has {} and {}; accepted: finite numbers, of magnitude at most {}", time, acceleration, largest_number);
  if (!record.times.empty() && !(time - record.times.back() >= smallest_positive))
    return fmt::format("goes from time {} to {}; accepted: increasing times", record.times.back(), time);
  if (record.times.size() == most_record_points)
    return fmt::format("is one point too many; accepted: at most {} points", most_record_points);
  return {};
}

// { times = [...], accelerations = [...] }, or for several components one list of accelerations each.
Record read_table(TableReader table, std::size_t components) {
  Record record;
  const auto times = table.numbers("times", any_number, 2);
  std::vector<std::vector<double>> columns;
  if (components == 1)
    columns.push_back(table.numbers("accelerations", any_number, 2));
  else
    for (std::size_t c = 0; c < components; ++c) columns.push_back(table.numbers(std::string(1, "xyz"[c]), any_number, 2));
  const std::string last = components == 1 ? "accelerations" : std::string(1, "xyz"[components - 1]);
  for (const auto& column : columns)
    if (!table.mistakes().any() && times.size() != column.size())
      table.fail(last, fmt::format("has {} entries; accepted: as many as 'times', which has {}", column.size(), times.size()));
  record.components.resize(components);
  for (std::size_t i = 0; i < times.size() && !table.mistakes().any(); ++i) {
    if (std::string fault = fault_of(record, times[i], columns[0][i]); !fault.empty())
      table.fail("times", fmt::format("at entry {} {}", i + 1, fault));
    record.times.push_back(times[i]);
    for (std::size_t c = 0; c < components; ++c) record.components[c].push_back(columns[c][i]);
  }
  table.finish();
  return record;
}

std::string inline_record(const Record& record) {
  std::string text = fmt::format("{{ times = [{}]", fmt::join(record.times, ", "));
  for (std::size_t c = 0; c < record.components.size(); ++c)
    text += fmt::format(", {} = [{}]", record.components.size() == 1 ? std::string("accelerations") : std::string(1, "xyz"[c]),
                        fmt::join(record.components[c], ", "));
  return text + " }";
}

bool is_peer(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return ending == ".at2";
}

// A PEER file; an empty record after a mistake.
Record read_peer(TableReader& entry, const char* key, const std::filesystem::path& file) {
  try {
    PeerRecord peer = read_peer_record(survey_text(file));
    Record record;
    for (std::size_t i = 0; i < peer.accelerations.size(); ++i) {
      const double time = static_cast<double>(i) * peer.interval;
      if (const std::string fault = fault_of(record, time, peer.accelerations[i]); !fault.empty())
        throw SurveyError(fmt::format("point {} {}", i + 1, fault));
      record.times.push_back(time);
    }
    record.components.push_back(std::move(peer.accelerations));
    return record;
  } catch (const SurveyError& error) {
    entry.fail(
        key, fmt::format("names {}, {} {}{}", file.string(),
                         std::string_view(error.what()).starts_with("line") || std::string_view(error.what()).starts_with("point")
                             ? "whose"
                             : "which",
                         error.what(),
                         std::string_view(error.what()).find("accepted:") == std::string_view::npos ? "; accepted: a readable PEER file"
                                                                                                    : ""));
    return {};
  }
}

// A file of two columns, or of those that `columns` names (from 1; the first is the time; 0: no motion along that axis).
Record read_columns(TableReader& entry, const std::filesystem::path& file, const std::vector<double>& columns) {
  const bool several = !columns.empty();
  const double most = several ? *std::ranges::max_element(columns) : 2.0;
  const NumberFile what{
      "record", static_cast<std::size_t>(most),
      several ? fmt::format("at least {} numbers, a time and accelerations", most) : "two numbers, time and acceleration",
      "a readable file of at least two lines, each with a time and an acceleration", several};
  Record record;
  record.components.resize(several ? columns.size() : 1);
  const bool sound = read_number_file(entry, what, file, [&](const std::vector<double>& row) {
    std::string fault;
    for (std::size_t c = 0; c < record.components.size() && fault.empty(); ++c) {
      const std::size_t column = several ? static_cast<std::size_t>(columns[c]) : 2;
      fault = fault_of(record, row[0], column == 0 ? 0.0 : row[column - 1]);
      if (fault.empty()) record.components[c].push_back(column == 0 ? 0.0 : row[column - 1]);
    }
    if (fault.empty()) record.times.push_back(row[0]);
    return fault;
  });
  if (!sound) return {};
  if (record.times.size() < 2) {
    refuse_number_file(entry, what, file, fmt::format("has {} points", record.times.size()));
    return {};
  }
  return record;
}

// A file for each axis, "" for none; with one interval, shorter ones followed by rest.
Record read_components(TableReader& entry, NamedFiles& files, int dimension) {
  const std::vector<std::string> names = entry.texts("components", static_cast<std::size_t>(dimension));
  if (entry.mistakes().any()) return {};
  Record record;
  record.components.resize(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (names[c].empty()) continue;
    const std::filesystem::path file = files.folder / names[c];
    if (!is_peer(file)) {
      entry.fail("components",
                 fmt::format("names {}; accepted: PEER files .at2, or one file under 'record' with 'columns'", file.string()));
      return {};
    }
    Record one = read_peer(entry, "components", file);
    if (entry.mistakes().any()) return {};
    if (!record.times.empty() && std::abs(one.times[1] - record.times[1]) > 1e-9 * record.times[1]) {
      entry.fail("components",
                 fmt::format("has intervals {} and {}; accepted: files with one interval", record.times[1], one.times[1]));
      return {};
    }
    if (one.times.size() > record.times.size()) record.times = one.times;
    record.components[c] = std::move(one.components[0]);
  }
  if (record.times.empty()) entry.fail("components", "names no file; accepted: at least one");
  for (auto& component : record.components) component.resize(record.times.size(), 0.0);
  return record;
}

}  // namespace

Record read_record(TableReader& entry, NamedFiles& files, int dimension) {
  if (entry.has("components")) {
    if (entry.has("record")) entry.fail("components", "stands beside 'record'; accepted: only one of the two");
    if (entry.is_table("components")) {
      Record record = read_table(*entry.table("components", true), static_cast<std::size_t>(dimension));
      return entry.mistakes().any() ? harmless_record : record;
    }
    Record record = read_components(entry, files, dimension);
    if (entry.mistakes().any()) return harmless_record;
    files.inclusions.push_back({entry.source_of("components"), inline_record(record)});
    return record;
  }
  std::vector<double> columns;
  if (entry.has("columns")) {
    static constexpr Accepted column{"0, or a column from 2 to 1000", 0.0, 1000.0, true, true};
    columns = entry.numbers("columns", column, static_cast<std::size_t>(dimension));
    const bool whole = std::ranges::all_of(columns, [](double c) { return c == std::floor(c) && c != 1.0; });
    if (!entry.mistakes().any() &&
        (columns.size() != static_cast<std::size_t>(dimension) || !whole || *std::ranges::max_element(columns) < 2.0))
      entry.fail("columns", fmt::format("is a list of {}; accepted: {} columns of the file, from 2 on, or 0 for an axis without "
                                        "motion, not all 0",
                                        columns.size(), dimension));
    if (entry.mistakes().any()) return harmless_record;
  }
  if (entry.is_table("record")) {
    Record record = read_table(*entry.table("record", true), columns.empty() ? 1 : static_cast<std::size_t>(dimension));
    return entry.mistakes().any() ? harmless_record : record;
  }
  if (!entry.has("record")) {
    entry.fail_missing("record", "the name of a file with two columns, time and acceleration");
    return harmless_record;
  }
  const std::string name = entry.text("record");
  if (name.empty()) {
    if (!entry.mistakes().any())
      entry.fail("record", "is empty; accepted: the name of a file with two columns, time and acceleration");
    return harmless_record;
  }
  const std::filesystem::path file = files.folder / name;
  const Record record = is_peer(file) ? read_peer(entry, "record", file) : read_columns(entry, file, columns);
  if (is_peer(file) && !columns.empty())
    entry.fail("columns", "stands beside a PEER file, which has one component; accepted: 'components'");
  if (entry.mistakes().any() || record.times.empty()) return harmless_record;
  files.inclusions.push_back({entry.source_of("record"), inline_record(record)});
  return record;
}

}  // namespace moreau::inline scene
