#include "moreau/scene/read/edited_text.hpp"

#include <algorithm>

namespace moreau::inline scene {

EditedText::EditedText(std::string_view text) : text_(text), lines_(1) {
  for (const char c : text_)
    if (c == '\n') lines_.emplace_back();
  for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].before = static_cast<std::uint32_t>(i + 1);
}

// Columns count characters, not bytes.
std::size_t EditedText::offset(Location location) const {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < location.line; ++line) {
    at = text_.find('\n', at);
    if (at == std::string::npos) return text_.size();
    ++at;
  }
  for (std::uint32_t column = 1; column < location.column && at < text_.size(); ++column) {
    ++at;
    while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) ++at;
  }
  return at;
}

void EditedText::replace(const toml::source_region& where, std::string_view by, std::size_t who) {
  const std::size_t begin = offset(where.begin), end = offset(where.end);
  text_.replace(begin, end - begin, by);
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(where.begin.line - 1);
  lines_.erase(first + 1,
               first + 1 + static_cast<std::ptrdiff_t>(where.end.line - where.begin.line));  // of a value of many lines
  const auto length = static_cast<std::int64_t>(by.size());
  const std::int64_t was = where.end.line == where.begin.line ? where.end.column - where.begin.column : length;
  for (Stretch& s : first->stretches)
    if (s.begin > where.begin.column)
      s.begin += static_cast<std::uint32_t>(length - was), s.end += static_cast<std::uint32_t>(length - was);
  first->stretches.push_back({where.begin.column, where.begin.column + static_cast<std::uint32_t>(length), length - was, who});
  std::ranges::sort(first->stretches, {}, &Stretch::begin);
}

void EditedText::insert(Location where, std::string_view words, std::size_t who) { replace({where, where, {}}, words, who); }

void EditedText::insert_line(std::uint32_t before, std::string_view line, std::size_t who) {
  std::size_t at = offset({before, 1});
  std::string whole = std::string(line) + '\n';
  if (at == text_.size() && at > 0 && text_[at - 1] != '\n') text_ += '\n', lines_.emplace_back(), ++at;
  text_.insert(at, whole);
  Line inserted;
  inserted.stretches.push_back({1, ~0u, 0, who});
  const auto location = std::min<std::size_t>(before - 1, lines_.size());
  lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(location), inserted);
}

EditedText::Origin EditedText::origin_of(Location location) const {
  if (location.line == 0 || location.line > lines_.size()) return {{}, location};
  const Line& line = lines_[location.line - 1];
  std::int64_t column = location.column;
  for (const Stretch& s : line.stretches) {
    if (location.column >= s.begin && location.column < s.end) return {s.who, {}};
    if (location.column >= s.end) column -= s.longer;
  }
  return {{}, {line.before, static_cast<std::uint32_t>(std::max<std::int64_t>(1, column))}};
}

}  // namespace moreau::inline scene
