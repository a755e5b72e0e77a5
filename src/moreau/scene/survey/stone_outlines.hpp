// Stones as surveys give them: corners by stone, read from a table, a drawing or a mesh file. No checks of mechanics here.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace moreau::inline scene {

// The corners of one stone; points of three numbers, the last of which is zero in the plane.
struct StoneOutline {
  std::string name;
  std::vector<std::vector<double>> corners;
};

// What is wrong with a file: "line 12 ...".
class SurveyError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline constexpr std::size_t most_survey_bytes = 64u << 20, most_survey_stones = 1'000'000, most_stone_corners = 1000;

// A table with a line of column names. Either one corner a line, with the columns stone, x, y (and z): lines of one stone follow
// one another. Or one block a line: x, y (and z) of its middle, its sides width, (depth,) height, perhaps angle (degrees, in the
// plane) and stone. Columns are separated by commas, semicolons, tabs or blanks; lines with # are passed over.
std::vector<StoneOutline> read_stone_table(const std::string& text, int dimension);

// ASCII DXF: closed LWPOLYLINE and POLYLINE entities; empty `layer`: those of all layers. Bulges, which are arcs, become chords.
struct DxfStones {
  std::vector<StoneOutline> stones;
  std::size_t open = 0;  // polylines left out because they are not closed
  std::size_t arcs = 0;  // sides that were arcs
};
DxfStones read_dxf(const std::string& text, const std::string& layer);

// Wavefront OBJ: every group (g) or object (o) with faces is a stone, by the vertices of its faces.
std::vector<StoneOutline> read_obj_groups(const std::string& text);

// The whole of a file; throws SurveyError.
std::string survey_text(const std::filesystem::path& file);

}  // namespace moreau::inline scene
