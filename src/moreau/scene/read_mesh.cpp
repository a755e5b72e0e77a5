#include "moreau/scene/read_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moreau/mesh/clean.hpp"
#include "moreau/mesh/mesh_error.hpp"
#include "moreau/scene/mesh_file.hpp"
#include "moreau/scene/shape_recipe.hpp"

namespace moreau {
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
      read.left_out += count;
      if (count > 0) read.notes.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
    };
    note(clean.repair.degenerate, "triangle without an area is left out", "triangles without an area are left out");
    note(clean.repair.repeated, "triangle listed twice is left out once", "triangles listed before are left out");
  } catch (const mesh::MeshError& error) {
    entry.fail("mesh", fmt::format("{}, which {}; accepted: triangles with finite corners, some of which have an area", file.words,
                                   error.what()));
  }
  read.mesh.digest = file.digest;
  return read;
}

// Points one after the other; a line that ends where it began is closed.
ReadMesh<2> line_of(TableReader& entry, std::vector<Vec<2>> points) {
  ReadMesh<2> read;
  std::size_t repeated = 0;
  for (const Vec<2>& p : points) {
    auto& v = read.mesh.vertices;
    if (!v.empty() && p == v.back()) {
      ++repeated;
      continue;
    }
    const auto n = static_cast<std::int32_t>(v.size());
    const bool closes = n > 2 && p == v.front() && &p == &points.back();
    if (n > 0) read.mesh.faces.push_back({n - 1, closes ? 0 : n});
    if (!closes) v.push_back(p);
  }
  if (repeated > 0) read.left_out = repeated, read.notes.push_back(fmt::format("{} points that repeat the one before are left out", repeated));
  if (read.mesh.faces.empty() && !entry.mistakes().any())
    entry.fail("mesh", fmt::format("has {} points; accepted: at least two different ones", read.mesh.vertices.size()));
  return read;
}

ReadMesh<2> polyline_of(TableReader& entry, NamedFiles& files) {
  static const NumberFile what{"mesh", 2, "two numbers, x and y", "a readable file of at least two lines, each with x and y"};
  if (entry.is_table("mesh")) {
    auto table = entry.table("mesh", true);
    auto points = table->vectors<2>("points");
    table->finish();
    return line_of(entry, std::move(points));
  }
  const std::string name = entry.text("mesh");
  if (name.empty()) {
    if (!entry.mistakes().any()) entry.fail("mesh", "is empty; accepted: the name of a file with two columns, x and y");
    return {};
  }
  std::vector<Vec<2>> points;
  const bool sound = read_number_file(entry, what, files.folder / name, [&](const std::vector<double>& row) -> std::string {
    for (const double x : row)
      if (!any_number.contains(x)) return fmt::format("has {}; accepted: finite numbers, of magnitude at most {}", x, largest_number);
    if (points.size() == most_points) return fmt::format("is one point too many; accepted: at most {}", most_points);
    points.push_back({{row[0], row[1]}});
    return {};
  });
  if (!sound) return {};
  std::string list;
  for (const Vec<2>& p : points) list += fmt::format("{}[{}, {}]", list.empty() ? "" : ", ", p[0], p[1]);
  files.inclusions.push_back({entry.region_of("mesh"), fmt::format("{{ points = [{}] }}", list)});
  return line_of(entry, std::move(points));
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
    for (int d = 0; d < D; ++d) mesh.vertices[static_cast<std::size_t>(d)][d] = 1.0, mesh.faces[0][static_cast<std::size_t>(d)] = d;
    return;
  }
  for (Vec<D>& v : mesh.vertices) {
    v = position + rotate(rotation, scale * v);
    if (!(norm(v) <= largest_number) && !entry.mistakes().any())
      entry.fail("mesh", fmt::format("has a corner at a distance of {} from the origin, once placed; accepted: at most {}", norm(v), largest_number));
  }
}

template ReadMesh<2> read_mesh<2>(TableReader&, NamedFiles&);
template ReadMesh<3> read_mesh<3>(TableReader&, NamedFiles&);
template void place_mesh<2>(TableReader&, Mesh<2>&);
template void place_mesh<3>(TableReader&, Mesh<3>&);

}  // namespace moreau
