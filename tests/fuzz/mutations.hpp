// What the harnesses are given when no fuzzer drives them: arbitrary bytes, and files of a corpus with bytes, lines and numbers
// changed. Always the same ones.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/base/random.hpp"

namespace moreau::fuzz {

inline std::size_t below(RandomStream& random, std::size_t n) {
  return static_cast<std::size_t>(random.next() % std::max<std::size_t>(n, 1));
}

inline std::string arbitrary(RandomStream& random, std::size_t length) {
  std::string bytes(length, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

inline std::string with_number_replaced(const std::string& text, RandomStream& random) {
  static constexpr std::array<std::string_view, 24> hostile{"nan",
                                                            "inf",
                                                            "-inf",
                                                            "-1",
                                                            "0",
                                                            "1e308",
                                                            "1e-308",
                                                            "-1e308",
                                                            "1e30",
                                                            "1e-30",
                                                            "1e15",
                                                            "5e-324",
                                                            "9223372036854775807",
                                                            "-9223372036854775808",
                                                            "99999999999999999999",
                                                            "50000000",
                                                            "1999",
                                                            "true",
                                                            "\"x\"",
                                                            "[]",
                                                            "{}",
                                                            "[[1]]",
                                                            "1979-05-27",
                                                            "0x7fffffffffffffff"};
  std::vector<std::size_t> starts;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i])) &&
        std::string_view(" =[,-").find(text[i - 1]) != std::string_view::npos)
      starts.push_back(i);
  if (starts.empty()) return text;
  const std::size_t at = starts[below(random, starts.size())];
  const std::size_t end = std::min(text.find_first_not_of("0123456789.e-+", at), text.size());
  return text.substr(0, at).append(hostile[below(random, hostile.size())]) + text.substr(end);
}

inline std::string mutated(std::string text, const std::vector<std::string>& all, RandomStream& random) {
  const auto place = [&] { return below(random, text.size() + 1); };
  switch (below(random, 10)) {
    case 0:
      if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1u << below(random, 8));
      break;
    case 1:
      text.resize(place());
      break;
    case 2: {  // the end of another
      const std::string& other = all[below(random, all.size())];
      text = text.substr(0, place()) + other.substr(below(random, other.size() + 1));
      break;
    }
    case 3: {  // a line left out
      const std::size_t start = text.rfind('\n', place());
      if (start != std::string::npos) text.erase(start, text.find('\n', start + 1) - start);
      break;
    }
    case 4: {  // a line twice, or elsewhere
      const std::size_t start = text.find('\n', place());
      if (start != std::string::npos) {
        const std::string line = text.substr(start, text.find('\n', start + 1) - start);
        text.insert(std::min(text.find('\n', place()), text.size()), line);
      }
      break;
    }
    case 5:
      text.insert(place(), arbitrary(random, 1 + below(random, 4)));
      break;
    case 6:
      text.erase(place(), below(random, 16));
      break;
    default:
      text = with_number_replaced(text, random);
  }
  return text;
}

}  // namespace moreau::fuzz
