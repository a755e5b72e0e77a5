#include "moreau/scene/read/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace moreau::inline scene {
namespace {

constexpr int deepest_key = 8;  // parts of a dotted key; the scene format needs three

Location location_of(std::string_view toml, std::size_t at) {
  const std::string_view before = toml.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 on the first line, where npos wraps
  return {static_cast<toml::source_index>(line), static_cast<toml::source_index>(at - line_start + 1)};
}

// Last byte of the string that begins at `at`, or of the line if it is not closed there: the parser will say so.
std::size_t end_of_string(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const std::string long_quote(3, quote);
  const bool is_long = toml.substr(at, 3) == long_quote;
  for (std::size_t i = at + (is_long ? 3 : 1); i < toml.size(); ++i) {
    if (toml[i] == '\\' && quote == '"')
      ++i;
    else if (is_long && toml.substr(i, 3) == long_quote)
      return i + 2;
    else if (!is_long && toml[i] == quote)
      return i;
    else if (!is_long && toml[i] == '\n')
      return i - 1;
  }
  return toml.size();
}

}  // namespace

void guard_toml(std::string_view toml, const Mistakes& mistakes) {
  const std::string_view byte_order_mark = "\xEF\xBB\xBF";
  int dots = 0;
  for (std::size_t i = toml.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; i < toml.size(); ++i) {
    const char c = toml[i];
    if (c == '"' || c == '\'') {
      if (i > 0 && std::string_view(" \t\r\n=[{,.").find(toml[i - 1]) == std::string_view::npos)
        mistakes.refuse(location_of(toml, i),
                        "not valid TOML: a string that begins amid a word; accepted: strings after a blank or '='");
      const std::size_t end = end_of_string(toml, i);
      for (; i < end && i + 1 < toml.size(); ++i) {
        if (c != '"' || toml[i] != '\\') continue;
        if (std::isspace(static_cast<unsigned char>(toml[++i])))
          mistakes.refuse(location_of(toml, i - 1),
                          "a backslash that continues a string on the next line; accepted: strings without it");
      }
      i = end;
    } else if (c == '#') {
      while (i + 1 < toml.size() && toml[i + 1] != '\n') ++i;
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      mistakes.refuse(location_of(toml, i),
                      "not valid TOML: a character outside ASCII; accepted: such characters in strings and comments");
    } else if (c == '.') {
      if (++dots == deepest_key)
        mistakes.refuse(location_of(toml, i),
                        fmt::format("a dotted key of more than {} parts; accepted: the keys of the scene format", deepest_key));
    } else if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) {
      dots = 0;
    }
  }
}

}  // namespace moreau::inline scene
