// Names of files in commands that a user is told to type: a name with blanks, quotes or $(...) must reach the program as it is,
// and execute nothing.
#pragma once

#include <string>
#include <string_view>

namespace moreau::inline base {

// The name as one word of a shell, quoted only where it must be; never taken for an option.
inline std::string shell_word(std::string_view name) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+:,@%-";
  bool quoted = name.empty(), control = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    control |= byte < 32 || byte == 127;
    quoted |= byte < 128 && plain.find(c) == std::string_view::npos;
  }
  std::string word = name.starts_with('-') ? "./" : "";
  if (!quoted) return word.append(name);
  word.insert(0, control ? "$'" : "'");  // $'...' knows \x1b; '...' takes all but its own end as it is
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (control && (byte < 32 || byte == 127))
      word.append({'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]});
    else if (control && (c == '\'' || c == '\\'))
      word.append({'\\', c});
    else if (c == '\'')
      word.append("'\\''");
    else
      word += c;
  }
  return word += '\'';
}

}  // namespace moreau::inline base
