// Lines and words of a text file, and numbers in them.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace moreau::inline scene {

inline std::string_view trimmed(std::string_view s) {
  const std::size_t first = s.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

// Finite ones.
inline std::optional<double> number_in(std::string_view word) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  double value = 0.0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(value)) return {};
  return value;
}

// Hands over the lines one by one.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}
  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = trimmed(text_.substr(at_, end - at_));
    at_ = end + 1;
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }  // of the line handed over last, from 1

 private:
  std::string_view text_;
  std::size_t at_ = 0, number_ = 0;
};

inline std::vector<std::string_view> words_in(std::string_view line, const char* separators) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(separators, end);
  }
  return words;
}

}  // namespace moreau::inline scene
