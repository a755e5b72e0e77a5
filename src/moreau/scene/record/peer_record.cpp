#include "moreau/scene/record/peer_record.hpp"

#include <fmt/format.h>

#include <optional>

#include "moreau/scene/record/record.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"
#include "moreau/scene/survey/words.hpp"

namespace moreau::inline scene {

PeerRecord read_peer_record(const std::string& text) {
  PeerRecord record;
  LineReader lines(text);
  std::string_view line;
  for (int k = 0; k < 4; ++k)
    if (!lines.next(line))
      throw SurveyError(fmt::format("ends after line {}; accepted: four lines of words above the numbers", k));
  std::vector<double> numbers;  // points and interval, wherever they stand in the line
  for (const std::string_view word : words_in(line, " \t,="))
    if (const auto value = number_in(word)) numbers.push_back(*value);
  if (numbers.size() < 2 || !(numbers[0] >= 2.0) || numbers[0] > static_cast<double>(most_record_points) || !(numbers[1] > 0.0))
    throw SurveyError(
        fmt::format("line 4 is \"{}\"; accepted: the number of points, from 2 to {}, and their interval, as in "
                    "\"NPTS= 4000, DT= .0050 SEC\"",
                    shortened(line), most_record_points));
  const std::size_t points = static_cast<std::size_t>(numbers[0]);
  record.interval = numbers[1];
  while (lines.next(line))
    for (const std::string_view word : words_in(line, " \t,")) {
      const auto value = number_in(word);
      if (!value || std::abs(*value) > largest_number)
        throw SurveyError(fmt::format("line {} has \"{}\"; accepted: finite numbers", lines.number(), shortened(word)));
      if (record.accelerations.size() == points)
        throw SurveyError(
            fmt::format("line {} has acceleration {}; accepted: {}, as line 4 says", lines.number(), points + 1, points));
      record.accelerations.push_back(*value);
    }
  if (record.accelerations.size() < points)
    throw SurveyError(fmt::format("holds {} accelerations; accepted: {}, as line 4 says", record.accelerations.size(), points));
  return record;
}

}  // namespace moreau::inline scene
