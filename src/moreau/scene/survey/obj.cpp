// Wavefront OBJ: "v x y z" lists points, "f i/.. j/.. k/.." a face of them (from 1, or negative from the last one back), "g NAME"
// and "o NAME" begin a group. Everything else (normals, textures, materials) does not matter here.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "moreau/scene/read/mistakes.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"
#include "moreau/scene/survey/words.hpp"

namespace moreau::inline scene {

std::vector<StoneOutline> read_obj_groups(const std::string& text) {
  std::vector<std::vector<double>> points;
  struct Group {
    std::string name;
    std::vector<std::size_t> used;
  };
  std::vector<Group> groups = {{"", {}}};
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    const auto words = words_in(line, " \t");
    if (words.empty()) continue;
    if (words[0] == "v") {
      std::vector<double> p;
      for (std::size_t i = 1; i <= 3; ++i) {
        const auto value = i < words.size() ? number_in(words[i]) : std::nullopt;
        if (!value || std::abs(*value) > 1e30)
          throw SurveyError(
              fmt::format("line {} is \"{}\"; accepted: v and three finite numbers", lines.number(), shortened(line)));
        p.push_back(*value);
      }
      points.push_back(std::move(p));
    } else if (words[0] == "g" || words[0] == "o") {
      groups.push_back({words.size() > 1 ? std::string(words[1]) : std::string(), {}});
      if (groups.size() > most_survey_stones) throw SurveyError(fmt::format("has more than {} groups", most_survey_stones));
    } else if (words[0] == "f") {
      for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i].substr(0, words[i].find('/'));
        long long index = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        const long long count = static_cast<long long>(points.size()), at = index < 0 ? count + index : index - 1;
        if (error != std::errc{} || stop != word.data() + word.size() || index == 0 || at < 0 || at >= count)
          throw SurveyError(fmt::format("line {} names vertex \"{}\"; accepted: one of the {} above it", lines.number(),
                                        shortened(word), count));
        groups.back().used.push_back(static_cast<std::size_t>(at));
      }
    }
  }
  std::vector<StoneOutline> stones;
  for (Group& group : groups) {
    std::ranges::sort(group.used);
    group.used.erase(std::unique(group.used.begin(), group.used.end()), group.used.end());
    if (group.used.empty()) continue;
    if (group.used.size() > most_stone_corners)
      throw SurveyError(fmt::format("has a group \"{}\" of {} vertices; accepted: at most {} to a stone", shortened(group.name),
                                    group.used.size(), most_stone_corners));
    StoneOutline stone{group.name, {}};
    for (const std::size_t v : group.used) stone.corners.push_back(points[v]);
    stones.push_back(std::move(stone));
  }
  return stones;
}

}  // namespace moreau::inline scene
