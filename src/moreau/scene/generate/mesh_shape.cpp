#include "moreau/scene/generate/mesh_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "moreau/mesh/closed.hpp"
#include "moreau/mesh/convex_parts.hpp"
#include "moreau/mesh/fill_holes.hpp"
#include "moreau/mesh/mesh_error.hpp"
#include "moreau/scene/read/read_mesh.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::size_t most_parts = 200, most_corners = 1000;
constexpr std::size_t most_triangles_cut = 5000;  // exact arithmetic takes its time
constexpr double volume_said = 0.01;              // what the convex parts have more than the body, before it is said

double volume_of(const std::vector<PartRecipe<3>>& parts) {
  double sum = 0.0;
  for (const PartRecipe<3>& part : parts)
    if (const HullResult<3> hull = convex_hull<3>(part.points); hull.fault.empty()) sum += moments_of(hull.part).volume;
  return sum;
}

void note_filled(const mesh::FilledHoles& filled, ReadMesh<3>& read) {
  if (filled.holes == 0) return;
  read.changed += filled.triangles;
  read.notes.push_back(fmt::format("{} {} filled by {} {}, {:.3g} % of the surface", filled.holes,
                                   filled.holes == 1 ? "hole is" : "holes are", filled.triangles,
                                   filled.triangles == 1 ? "triangle" : "triangles", 100.0 * filled.share));
}

}  // namespace

template <>
void read_mesh_shape<2>(TableReader& entry, NamedFiles& files, ShapeRecipe<2>& recipe) {
  ReadMesh<2> read = read_mesh<2>(entry, files);
  recipe.has_place = true;
  recipe.note = fmt::format("{}", fmt::join(read.notes, ", ")), recipe.noted = static_cast<double>(read.changed);
  if (entry.mistakes().any()) return;
  if (read.mesh.faces.size() != read.mesh.vertices.size())
    return entry.fail("mesh", "is a line that does not end where it begins; accepted for blocks: a closed outline");
  if (read.mesh.vertices.size() > most_corners)
    return entry.fail("mesh",
                      fmt::format("has {} corners; accepted for blocks: at most {}", read.mesh.vertices.size(), most_corners));
  recipe.parts.push_back({read.mesh.vertices, recipe.rounding, false});
}

template <>
void read_mesh_shape<3>(TableReader& entry, NamedFiles& files, ShapeRecipe<3>& recipe) {
  ReadMesh<3> read = read_mesh<3>(entry, files);
  const bool in_parts = entry.choice("convex", {"hull", "parts"}, 0) == 1;
  const bool fills = entry.choice("holes", {"refuse", "fill"}, 0) == 1;
  recipe.has_place = true;
  if (entry.mistakes().any() || read.mesh.faces.empty()) return;
  try {
    if (fills) note_filled(mesh::fill_holes(read.mesh), read);
    if (const std::size_t cavities = mesh::orient_outwards(read.mesh); cavities > 0) {
      read.changed += cavities;
      read.notes.push_back(cavities == 1 ? "a surface within another bounds a cavity, which has no mass"
                                         : fmt::format("{} surfaces within others bound cavities, which have no mass", cavities));
    }
    if (in_parts && read.mesh.faces.size() > most_triangles_cut)
      throw mesh::MeshError(fmt::format("has {} triangles; accepted to be cut into convex parts: at most {}; or convex = \"hull\"",
                                        read.mesh.faces.size(), most_triangles_cut));
    if (in_parts)
      for (std::vector<Vec<3>>& part : mesh::convex_parts(read.mesh, most_parts))
        recipe.parts.push_back({std::move(part), recipe.rounding, false});
    else
      recipe.parts.push_back({read.mesh.vertices, recipe.rounding, false});
  } catch (const mesh::MeshError& error) {
    if (std::string_view(error.what()).find("; accepted") != std::string_view::npos) return entry.fail("mesh", error.what());
    return entry.fail("mesh", fmt::format("{}; accepted for blocks: a closed surface that does not pass through itself{}",
                                          error.what(), fills ? "" : " (holes = \"fill\" closes holes)"));
  }
  const Moments moments = moments_of(read.mesh);
  const double more = volume_of(recipe.parts) / moments.volume - 1.0;
  if (recipe.rounding == 0.0) recipe.moments = moments;
  if (std::abs(more) > volume_said)
    read.notes.push_back(fmt::format("{} {:.3g} % more volume than the body, whose mass is kept",
                                     in_parts ? "the convex parts have" : "the convex hull has", 100.0 * more));
  recipe.note = fmt::format("{}", fmt::join(read.notes, ", ")),
  recipe.noted = std::max(std::abs(more), static_cast<double>(read.changed));
}

}  // namespace moreau::inline scene
