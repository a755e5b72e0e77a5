#include "moreau/scene/read/number_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <system_error>

namespace moreau::inline scene {
namespace {

constexpr std::uintmax_t most_bytes = 64u << 20;

constexpr const char* separators = " \t\r,;";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(separators, end);
  }
  return words;
}

std::optional<double> number_of(std::string_view word) {
  if (word.front() == '+') word.remove_prefix(1);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size()) return {};
  return value;
}

// The numbers of a line; nothing if some word is none.
std::optional<std::vector<double>> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  for (const std::string_view word : words_of(line)) {
    const std::optional<double> value = number_of(word);
    if (!value) return {};
    numbers.push_back(*value);
  }
  return numbers;
}

// A number, or what was meant to be one: it begins as numbers do, or most of it is what they consist of ("O.5", "1,5e-3x").
bool looks_like_number(std::string_view word) {
  constexpr std::string_view first = "0123456789+-.", any = "0123456789+-.eE";
  const auto of = [](std::string_view set) { return [set](char c) { return set.find(c) != std::string_view::npos; }; };
  return number_of(word) || of(first)(word.front()) || 2 * std::ranges::count_if(word, of(any)) > std::ssize(word);
}

// A line of names: taken for one only if no word in it may be a number, since a line passed over in error changes the result.
bool is_header(std::string_view line) { return std::ranges::none_of(words_of(line), looks_like_number); }

// Offset in bytes of a location given by line and character.
std::size_t offset_of(std::string_view text, Location location) {
  std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  for (toml::source_index line = 1; line < location.line; ++line) at = std::min(text.find('\n', at), text.size() - 1) + 1;
  for (toml::source_index column = 1; column < location.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

}  // namespace

void refuse_number_file(TableReader& entry, const NumberFile& what, const std::filesystem::path& file, const std::string& why) {
  entry.fail(what.key, fmt::format("names {}, which {}; accepted: {}", file.string(), why, what.file_words));
}

bool read_number_file(TableReader& entry, const NumberFile& what, const std::filesystem::path& file, const TakeRow& take) {
  const auto refuse = [&](const std::string& why) { return refuse_number_file(entry, what, file, why), false; };
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) return refuse("does not exist");
  if (!std::filesystem::is_regular_file(status)) return refuse("is no file");
  if (std::filesystem::file_size(file, error) > most_bytes) return refuse(fmt::format("is larger than {} bytes", most_bytes));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return refuse("cannot be opened");
  bool header_passed = false, any_row = false;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos || line[first] == '#') continue;
    const auto values = numbers_of(line);
    if (!values && !header_passed && !any_row && is_header(line)) {
      header_passed = true;
      continue;
    }
    std::string fault;
    if (!values || values->size() < what.columns || (values->size() > what.columns && !what.or_more))
      fault = fmt::format("is \"{}\"; accepted: {}", shortened(line), what.row_words);
    else
      fault = take(*values);
    if (!fault.empty()) {
      entry.fail(what.key, fmt::format("names {}, whose line {} {}", file.string(), number, fault));
      return false;
    }
    any_row = true;
  }
  return true;
}

std::string with_inclusions(std::string_view text, const std::vector<Inclusion>& inclusions) {
  std::vector<const Inclusion*> order;
  for (const auto& inclusion : inclusions) order.push_back(&inclusion);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return b->where.begin < a->where.begin; });
  std::string result(text);
  for (const auto* inclusion : order) {  // the last first: locations before it stay
    const std::size_t begin = offset_of(text, inclusion->where.begin), end = offset_of(text, inclusion->where.end);
    result.replace(begin, end - begin, inclusion->inline_text);
  }
  return result;
}

}  // namespace moreau::inline scene
