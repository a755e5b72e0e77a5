#include "moreau/scene/read/read_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moreau/mesh/clean.hpp"
#include "moreau/mesh/mesh_error.hpp"
#include "moreau/scene/generate/mesh_file.hpp"
#include "moreau/scene/generate/shape_recipe.hpp"
#include "moreau/scene/record/svg_lines.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::size_t most_points = 1'000'000;

ReadMesh<3> surface_of(TableReader& entry, NamedFiles& files) {
  ReadMesh<3> read;
  const MeshFile file = read_mesh_file(entry, files);
  if (file.bytes.empty()) return read;
  try {
    mesh::CleanMesh clean = mesh::cleaned(mesh::soup_of(file.bytes, file.format));
    read.mesh = std::move(clean.mesh);
    const auto note = [&](std::size_t count, const char* one, const char* many) {
      read.changed += count;
      if (count > 0) read.notes.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    note(clean.repair.degenerate, "triangle without an area is left out", "triangles without an area are left out");
    note(clean.repair.repeated, "triangle listed twice is left out once", "triangles listed before are left out");
  } catch (const mesh::MeshError& error) {
    const bool says = std::string_view(error.what()).find("; accepted:") != std::string_view::npos;  // what this place takes
    entry.fail("mesh", fmt::format("{}, which {}{}", file.words, error.what(),
                                   says ? "" : "; accepted: triangles with finite corners, some of which have an area"));
  }
  read.mesh.digest = file.digest;
  return read;
}

using Lines = std::vector<std::vector<Vec<2>>>;

// Lines of points one after the other; one that ends where it began is closed.
ReadMesh<2> mesh_of(TableReader& entry, const Lines& lines) {
  ReadMesh<2> read;
  std::size_t repeated = 0, points = 0;
  auto& v = read.mesh.vertices;
  for (const std::vector<Vec<2>>& line : lines) {
    const auto first = static_cast<std::int32_t>(v.size());
    for (const Vec<2>& p : line) {
      const auto n = static_cast<std::int32_t>(v.size());
      if (n > first && p == v.back()) {
        ++repeated;
        continue;
      }
      const bool closes = n > first + 2 && p == v[static_cast<std::size_t>(first)] && &p == &line.back();
      if (n > first) read.mesh.faces.push_back({n - 1, closes ? first : n});
      if (!closes) v.push_back(p);
    }
    points += line.size();
  }
  if (repeated > 0)
    read.changed = repeated, read.notes.push_back(fmt::format("{} points that repeat the one before are left out", repeated));
  if (read.mesh.faces.empty() && !entry.mistakes().any())
    entry.fail("mesh", fmt::format("has {} points; accepted: at least two different ones", points));
  return read;
}

// What a scene that needs no other file says instead of the name.
void include(TableReader& entry, NamedFiles& files, const Lines& lines) {
  std::string all;
  for (const std::vector<Vec<2>>& line : lines) {
    std::string list;
    for (const Vec<2>& p : line) list += fmt::format("{}[{}, {}]", list.empty() ? "" : ", ", p[0], p[1]);
    all += fmt::format("{}[{}]", all.empty() ? "" : ", ", list);
  }
  files.inclusions.push_back({entry.source_of("mesh"), lines.size() == 1 ? fmt::format("{{ points = {} }}", all)
                                                                         : fmt::format("{{ lines = [{}] }}", all)});
}

Lines lines_of_drawing(TableReader& entry, const std::filesystem::path& file) {
  try {
    return svg_lines(survey_text(file));
  } catch (const std::runtime_error& error) {  // of the file, or of the drawing
    entry.fail("mesh", fmt::format("names '{}', which {}; accepted: a drawing of paths, polylines and polygons",
                                   file.filename().string(), error.what()));
    return {};
  }
}

ReadMesh<2> polyline_of(TableReader& entry, NamedFiles& files) {
  static const NumberFile what{"mesh", 2, "two numbers, x and y", "a readable file of at least two lines, each with x and y"};
  if (entry.is_table("mesh")) {
    auto table = entry.table("mesh", true);
    Lines lines;
    if (table->has("lines"))
      lines = table->vector_lists<2>("lines");
    else
      lines.push_back(table->vectors<2>("points"));
    table->finish();
    return mesh_of(entry, lines);
  }
  const std::string name = entry.text("mesh");
  if (name.empty()) {
    if (!entry.mistakes().any())
      entry.fail("mesh", "is empty; accepted: the name of a file with two columns, x and y, or of an SVG drawing");
    return {};
  }
  std::string ending = std::filesystem::path(name).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  Lines lines;
  if (ending == ".svg") {
    lines = lines_of_drawing(entry, files.folder / name);
    if (lines.empty()) return {};
  } else {
    std::vector<Vec<2>>& points = lines.emplace_back();
    const bool sound = read_number_file(entry, what, files.folder / name, [&](const std::vector<double>& row) -> std::string {
      for (const double x : row)
        if (!any_number.contains(x))
          return fmt::format("has {}; accepted: finite numbers, of magnitude at most {}", x, largest_number);
      if (points.size() == most_points) return fmt::format("is one point too many; accepted: at most {}", most_points);
      points.push_back({{row[0], row[1]}});
      return {};
    });
    if (!sound) return {};
  }
  include(entry, files, lines);
  return mesh_of(entry, lines);
}

}  // namespace

template <int D>
ReadMesh<D> read_mesh(TableReader& entry, NamedFiles& files) {
  ReadMesh<D> read;
  if constexpr (D == 2)
    read = polyline_of(entry, files);
  else
    read = surface_of(entry, files);
  return read;
}

template <int D>
void place_mesh(TableReader& entry, Mesh<D>& mesh) {
  const double scale = entry.number("scale", positive, 1.0);
  const Rotation<D> rotation = read_rotation<D>(entry);
  const Vec<D> position = entry.vector<D>("position", Vec<D>{});
  if (mesh.faces.empty() || entry.mistakes().any()) {
    mesh.vertices.assign(D, Vec<D>{}), mesh.faces.assign(1, {});
    for (int d = 0; d < D; ++d)
      mesh.vertices[static_cast<std::size_t>(d)][d] = 1.0, mesh.faces[0][static_cast<std::size_t>(d)] = d;
    return;
  }
  for (Vec<D>& v : mesh.vertices) {
    v = position + rotate(rotation, scale * v);
    if (!(norm(v) <= largest_number) && !entry.mistakes().any())
      entry.fail("mesh", fmt::format("has a corner at a distance of {} from the origin, once placed; accepted: at most {}",
                                     norm(v), largest_number));
  }
}

template ReadMesh<2> read_mesh<2>(TableReader&, NamedFiles&);
template ReadMesh<3> read_mesh<3>(TableReader&, NamedFiles&);
template void place_mesh<2>(TableReader&, Mesh<2>&);
template void place_mesh<3>(TableReader&, Mesh<3>&);

}  // namespace moreau::inline scene
