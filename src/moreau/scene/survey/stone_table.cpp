#include <fmt/format.h>

#include <fstream>
#include <numbers>
#include <unordered_set>

#include "moreau/base/elementary.hpp"
#include "moreau/base/utf8.hpp"
#include "moreau/scene/read/mistakes.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"
#include "moreau/scene/survey/words.hpp"

namespace moreau::inline scene {
namespace {

constexpr const char* table_separators = " \t,;\"";

// Which column holds what; -1: none.
struct StoneColumns {
  int stone = -1, middle[3] = {-1, -1, -1}, side[3] = {-1, -1, -1}, angle = -1;
  std::size_t count = 0;
  bool blocks() const { return side[0] >= 0; }
};

StoneColumns columns_of(const std::vector<std::string_view>& names, int dimension) {
  StoneColumns c;
  c.count = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const int at = static_cast<int>(i);
    if (name == "stone" || name == "name")
      c.stone = at;
    else if (name == "x")
      c.middle[0] = at;
    else if (name == "y")
      c.middle[1] = at;
    else if (name == "z" && dimension == 3)
      c.middle[2] = at;
    else if (name == "width")
      c.side[0] = at;
    else if (name == "depth" && dimension == 3)
      c.side[1] = at;
    else if (name == "height")
      c.side[dimension - 1] = at;
    else if (name == "angle" && dimension == 2)
      c.angle = at;
    else
      throw SurveyError(fmt::format("line 1 names a column \"{}\"; accepted: stone, x, y{}, and for blocks width, {}", name,
                                    dimension == 3 ? ", z" : "", dimension == 3 ? "depth and height" : "height and angle"));
  }
  bool whole = true, some_side = false, all_sides = true;
  for (int d = 0; d < dimension; ++d) {
    whole = whole && c.middle[d] >= 0;
    some_side = some_side || c.side[d] >= 0;
    all_sides = all_sides && c.side[d] >= 0;
  }
  if (!whole || (some_side && !all_sides) || (!some_side && c.stone < 0))
    throw SurveyError(fmt::format(
        "line 1 lacks columns; accepted: \"{}\" with a corner on each line, or \"{}\" with a block on "
        "each",
        dimension == 3 ? "stone,x,y,z" : "stone,x,y", dimension == 3 ? "x,y,z,width,depth,height" : "x,y,width,height"));
  return c;
}

StoneOutline block_outline(const StoneColumns& c, const std::vector<double>& v, int dimension) {
  StoneOutline stone;
  const auto at = [&](int column) { return v[static_cast<std::size_t>(column)]; };
  const SineCosine turn = c.angle >= 0 ? sine_cosine(at(c.angle) * std::numbers::pi / 180.0) : SineCosine{0.0, 1.0};
  for (int bits = 0; bits < 1 << dimension; ++bits) {
    double arm[3] = {0.0, 0.0, 0.0};
    for (int d = 0; d < dimension; ++d) arm[d] = (bits >> d & 1) != 0 ? 0.5 * at(c.side[d]) : -0.5 * at(c.side[d]);
    if (dimension == 2) {
      const double x = turn.cosine * arm[0] - turn.sine * arm[1], y = turn.sine * arm[0] + turn.cosine * arm[1];
      arm[0] = x, arm[1] = y;
    }
    std::vector<double> corner(3, 0.0);
    for (int d = 0; d < dimension; ++d) corner[static_cast<std::size_t>(d)] = at(c.middle[d]) + arm[d];
    stone.corners.push_back(std::move(corner));
  }
  return stone;
}

}  // namespace

std::vector<StoneOutline> read_stone_table(const std::string& text, int dimension) {
  LineReader lines(text);
  std::vector<StoneOutline> stones;
  StoneColumns columns;
  std::unordered_set<std::string> seen;  // names of stones that have begun
  for (std::string_view line; lines.next(line);) {
    if (lines.number() == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.empty() || line.front() == '#') continue;
    const auto words = words_in(line, table_separators);
    if (columns.count == 0) {
      columns = columns_of(words, dimension);
      continue;
    }
    if (words.size() != columns.count)
      throw SurveyError(
          fmt::format("line {} has {} columns; accepted: {}, as line 1 names", lines.number(), words.size(), columns.count));
    std::vector<double> values(words.size(), 0.0);
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (static_cast<int>(i) == columns.stone) continue;
      const auto value = number_in(words[i]);
      if (!value || std::abs(*value) > 1e30)
        throw SurveyError(
            fmt::format("line {} has \"{}\" in column {}; accepted: finite numbers", lines.number(), words[i], i + 1));
      values[i] = *value;
    }
    const std::string name = columns.stone >= 0 ? std::string(words[static_cast<std::size_t>(columns.stone)]) : std::string();
    if (columns.blocks()) {
      for (int d = 0; d < dimension; ++d)
        if (!(values[static_cast<std::size_t>(columns.side[d])] > 0.0))
          throw SurveyError(fmt::format("line {} has a side {}; accepted: sides > 0", lines.number(),
                                        values[static_cast<std::size_t>(columns.side[d])]));
      stones.push_back(block_outline(columns, values, dimension));
      stones.back().name = name;
      for (const auto& corner : stones.back().corners)
        for (const double x : corner)
          if (std::abs(x) > 1e30)
            throw SurveyError(fmt::format("line {} has a corner at {}; accepted: up to 1e30", lines.number(), x));
    } else {
      if (stones.empty() || stones.back().name != name) {
        if (!seen.insert(name).second)
          throw SurveyError(fmt::format("line {} goes back to stone \"{}\"; accepted: lines of one stone that follow one another",
                                        lines.number(), shortened(name)));
        stones.push_back({name, {}});
      }
      if (stones.back().corners.size() == most_stone_corners)
        throw SurveyError(fmt::format("line {} is corner {} of a stone; accepted: at most {}", lines.number(),
                                      most_stone_corners + 1, most_stone_corners));
      std::vector<double> corner(3, 0.0);
      for (int d = 0; d < dimension; ++d)
        corner[static_cast<std::size_t>(d)] = values[static_cast<std::size_t>(columns.middle[d])];
      stones.back().corners.push_back(std::move(corner));
    }
    if (stones.size() > most_survey_stones)
      throw SurveyError(
          fmt::format("line {} is stone {}; accepted: at most {}", lines.number(), stones.size(), most_survey_stones));
  }
  return stones;
}

std::string survey_text(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) throw SurveyError("does not exist");
  if (!std::filesystem::is_regular_file(status)) throw SurveyError("is no file");
  if (std::filesystem::file_size(file, error) > most_survey_bytes)
    throw SurveyError(fmt::format("is larger than {} bytes", most_survey_bytes));
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw SurveyError("cannot be opened");
  return utf8_text({std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
}

}  // namespace moreau::inline scene
