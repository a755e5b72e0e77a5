#include "moreau/scene/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <system_error>

namespace moreau {
namespace {

constexpr std::uintmax_t most_bytes = 64u << 20;

// The numbers of a line; nothing if some word is none.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  const char* separators = " \t\r,;";
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    std::string_view word = line.substr(at, end - at);
    if (word.front() == '+') word.remove_prefix(1);
    double value = 0.0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size()) return {};
    numbers.push_back(value);
    at = line.find_first_not_of(separators, end);
  }
  return numbers;
}

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

class RecordFile {
 public:
  RecordFile(TableReader& entry, const std::filesystem::path& file) : entry_(entry), file_(file) {}

  std::optional<Record> read() {
    std::error_code error;
    const auto status = std::filesystem::status(file_, error);
    if (!std::filesystem::exists(status)) return refuse("does not exist");
    if (!std::filesystem::is_regular_file(status)) return refuse("is no file");
    if (std::filesystem::file_size(file_, error) > most_bytes) return refuse(fmt::format("is larger than {} bytes", most_bytes));
    std::ifstream stream(file_, std::ios::binary);
    if (!stream) return refuse("cannot be opened");
    Record record;
    bool header_passed = false;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string::npos || line[first] == '#') continue;
      const auto values = numbers_of(line);
      if (!values && !header_passed && record.times.empty()) {
        header_passed = true;
        continue;
      }
      if (!values || values->size() != 2)
        return refuse_line(number, fmt::format("is \"{}\"; accepted: two numbers, time and acceleration", shortened(line)));
      if (std::string fault = fault_of(record, (*values)[0], (*values)[1]); !fault.empty()) return refuse_line(number, fault);
      record.times.push_back((*values)[0]);
      record.accelerations.push_back((*values)[1]);
    }
    if (record.times.size() < 2) return refuse(fmt::format("has {} points", record.times.size()));
    return record;
  }

 private:
  std::optional<Record> refuse(const std::string& why) {
    entry_.fail("record", fmt::format("names {}, which {}; accepted: a readable file of at least two lines, each with a time and "
                                      "an acceleration",
                                      file_.string(), why));
    return {};
  }
  std::optional<Record> refuse_line(std::size_t number, const std::string& why) {
    entry_.fail("record", fmt::format("names {}, whose line {} {}", file_.string(), number, why));
    return {};
  }

  TableReader& entry_;
  std::filesystem::path file_;
};

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

// Offset in bytes of a place given by line and character.
std::size_t offset_of(std::string_view text, Place place) {
  std::size_t at = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  for (toml::source_index line = 1; line < place.line; ++line) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (toml::source_index column = 1; column < place.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

}  // namespace

Record read_record(TableReader& entry, const std::filesystem::path& folder, std::vector<Inclusion>& inclusions) {
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
  const auto record = RecordFile(entry, folder / name).read();
  if (!record) return harmless;
  inclusions.push_back(
      {entry.region_of("record"), fmt::format("{{ times = [{}], accelerations = [{}] }}", fmt::join(record->times, ", "),
                                              fmt::join(record->accelerations, ", "))});
  return *record;
}

std::string with_inclusions(std::string_view text, const std::vector<Inclusion>& inclusions) {
  std::vector<const Inclusion*> order;
  for (const auto& inclusion : inclusions) order.push_back(&inclusion);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return b->where.begin < a->where.begin; });
  std::string result(text);
  for (const auto* inclusion : order) {  // the last first: places before it stay
    const std::size_t begin = offset_of(text, inclusion->where.begin), end = offset_of(text, inclusion->where.end);
    result.replace(begin, end - begin, inclusion->inline_text);
  }
  return result;
}

}  // namespace moreau
