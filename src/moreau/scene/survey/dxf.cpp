// ASCII DXF is a list of pairs of lines: a group code, and a value. Read here: 0 (what begins), 8 (layer), 10 and 20 (x and y of
// a vertex), 42 (bulge), 70 (flags; bit 1: closed), 90 (number of vertices), of LWPOLYLINE, POLYLINE, VERTEX and SEQEND in the
// section ENTITIES.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/read/mistakes.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"
#include "moreau/scene/survey/words.hpp"

namespace moreau::inline scene {
namespace {

struct Polyline {
  std::string layer;
  std::vector<std::vector<double>> corners;
  bool is_closed = false, lacks_y = false;
  double announced = -1.0;  // corners, by code 90
  std::size_t arcs = 0;
};

// Drawings often repeat the first corner at the end, and double some.
void drop_repeated(std::vector<std::vector<double>>& corners) {
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
}

}  // namespace

DxfStones read_dxf(const std::string& text, const std::string& layer) {
  DxfStones result;
  LineReader lines(text);
  std::string_view code_line, value;
  std::string entity;
  bool in_entities = false, in_polyline = false, in_vertex = false;
  Polyline line;
  bool ended = false;
  const auto check_y = [&] {
    if (line.lacks_y)
      throw SurveyError(
          fmt::format("line {} ends corner {} of a polyline without its y (code 20)", lines.number(), line.corners.size()));
  };
  const auto finish = [&] {
    check_y();
    if (in_polyline && line.announced >= 0.0 && line.announced != static_cast<double>(line.corners.size()))
      throw SurveyError(fmt::format("line {} ends a polyline of {} corners; accepted: {:g}, as its code 90 says", lines.number(),
                                    line.corners.size(), line.announced));
    if (in_polyline && (layer.empty() || line.layer == layer)) {
      const bool repeats = line.corners.size() > 2 && line.corners.front() == line.corners.back();
      if (!line.is_closed && !repeats) {
        ++result.open;
      } else {
        drop_repeated(line.corners);
        result.arcs += line.arcs;
        result.stones.push_back({line.layer, std::move(line.corners)});
        if (result.stones.size() > most_survey_stones)
          throw SurveyError(fmt::format("has more than {} polylines", most_survey_stones));
      }
    }
    in_polyline = in_vertex = false;
    line = {};
  };
  while (lines.next(code_line)) {
    const auto code = number_in(code_line);
    if (!code) {
      if (lines.number() == 1 && code_line.starts_with("AutoCAD Binary DXF"))
        throw SurveyError("is a binary DXF file; accepted: one saved as ASCII");
      if (code_line.empty()) continue;
      throw SurveyError(
          fmt::format("line {} is \"{}\"; accepted: a group code of an ASCII DXF file", lines.number(), shortened(code_line)));
    }
    if (!lines.next(value)) throw SurveyError(fmt::format("ends after line {}, without a value", lines.number()));
    const int c = static_cast<int>(std::clamp(*code, -10000.0, 10000.0));
    if (c == 0) {
      ended = value == "EOF";
      if (value != "VERTEX" && value != "SEQEND") finish();
      entity = value;
      if (value == "SEQEND") finish();
      if (value == "ENDSEC") in_entities = false;
      in_vertex = value == "VERTEX" && in_polyline;
      if (in_entities && (value == "LWPOLYLINE" || value == "POLYLINE")) in_polyline = true;
      continue;
    }
    if (entity == "SECTION" && c == 2) in_entities = value == "ENTITIES";
    if (!in_polyline) continue;
    const bool here = entity == "LWPOLYLINE" || in_vertex;
    if (c == 8 && !in_vertex) line.layer = value;
    if (c == 90 && entity == "LWPOLYLINE") line.announced = number_in(value).value_or(-1.0);
    if (c == 70 && !in_vertex) line.is_closed = std::fmod(number_in(value).value_or(0.0), 2.0) == 1.0;
    if ((c == 10 || c == 20 || c == 42) && here) {
      const auto number = number_in(value);
      if (!number || std::abs(*number) > 1e30)
        throw SurveyError(fmt::format("line {} is \"{}\"; accepted: a finite number", lines.number(), shortened(value)));
      if (c == 10) check_y(), line.corners.push_back({*number, 0.0, 0.0}), line.lacks_y = true;
      if (c == 20 && !line.corners.empty()) line.corners.back()[1] = *number, line.lacks_y = false;
      if (c == 42 && *number != 0.0) ++line.arcs;
      if (line.corners.size() > most_stone_corners)
        throw SurveyError(fmt::format("line {} is corner {} of a polyline; accepted: at most {}", lines.number(),
                                      line.corners.size(), most_stone_corners));
    }
  }
  finish();
  if (!ended) throw SurveyError(fmt::format("ends after line {} without EOF: a part is missing", lines.number()));
  return result;
}

}  // namespace moreau::inline scene
