#include "moreau/mesh/whole_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

// Lines with their words, numbered from 1.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next(std::vector<std::string_view>& words) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1, ++number;
    words.clear();
    for (std::size_t begin; (begin = line.find_first_not_of(blanks)) != std::string_view::npos;) {
      line.remove_prefix(begin);
      const std::size_t length = std::min(line.find_first_of(blanks), line.size());
      words.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
    return true;
  }

  std::size_t number = 0;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool is_binary_stl(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() < 84) return false;
  std::memcpy(&count, bytes.data() + 80, sizeof count);
  return bytes.size() == 84 + std::size_t{50} * count;
}

void check_stl(std::string_view bytes) {
  std::size_t facets = 0, ended = 0, corners = 0, solids = 0, closed = 0;
  Lines lines(bytes);
  std::vector<std::string_view> words;
  while (lines.next(words))
    for (const std::string_view word : words) {
      facets += word == "facet", ended += word == "endfacet", corners += word == "vertex";
      solids += word == "solid", closed += word == "endsolid";
      if (word == "solid" || word == "endsolid") break;  // what follows is a name
      if (word == "endfacet" && (ended != facets || corners != 3 * facets))
        throw MeshError(
            fmt::format("has {} facets with {} corners instead of three each, up to line {}", facets,
                        corners, lines.number));
    }
  if (ended != facets || closed < solids || closed == 0)
    throw MeshError(
        fmt::format("ends in line {} within facet {}, or without its endsolid: {} facets begin and {} end; a part is missing",
                    lines.number, facets, facets, ended));
}

std::size_t count_in(std::string_view word, std::size_t line) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size())
    throw MeshError(fmt::format("has \"{}\" in line {}; accepted: an integer >= 0", word.substr(0, 40), line));
  return value;
}

// OFF, then the numbers of corners, polygons and edges, then a line for each corner and for each polygon.
void check_off(std::string_view bytes) {
  Lines lines(bytes);
  std::vector<std::string_view> words;
  std::size_t corners = 0, polygons = 0, seen_corners = 0, seen = 0;
  bool headed = false, counted = false;
  while (lines.next(words)) {
    for (std::size_t k = 0; k < words.size(); ++k)
      if (words[k].starts_with('#')) words.resize(k);
    if (!headed && !words.empty() && words[0].find("OFF") != std::string_view::npos) headed = true, words.erase(words.begin());
    if (words.empty()) continue;
    headed = true;
    if (!counted) {
      if (words.size() < 2)
        throw MeshError(fmt::format("lacks the numbers of its corners and polygons in line {}", lines.number));
      corners = count_in(words[0], lines.number), polygons = count_in(words[1], lines.number);
      counted = true;
    } else if (seen_corners < corners) {
      ++seen_corners;
      if (words.size() < 3)
        throw MeshError(
            fmt::format("has {} numbers for corner {} in line {}; accepted: 3", words.size(), seen_corners, lines.number));
    } else if (++seen <= polygons) {
      const std::size_t sides = count_in(words[0], lines.number);
      if (words.size() <= sides)
        throw MeshError(
            fmt::format("names {} corners of the {} of polygon {} in line {}", words.size() - 1, sides, seen, lines.number));
      for (std::size_t k = 1; k <= sides; ++k)
        if (count_in(words[k], lines.number) >= corners)
          throw MeshError(
              fmt::format("has a polygon ({}) with corner {} of {} in line {}", seen, words[k], corners, lines.number));
    }
  }
  if (seen_corners != corners || seen != polygons)
    throw MeshError(
        fmt::format("has {} corners and {} polygons, where its head says {} and {}", seen_corners, seen, corners, polygons));
}

}  // namespace

void check_whole_text(std::string_view bytes, std::string_view format) {
  if (format == "off") check_off(bytes);
  if (format == "stl" && !is_binary_stl(bytes) && bytes.substr(0, 200).find("solid") != std::string_view::npos) check_stl(bytes);
}

}  // namespace moreau::mesh
