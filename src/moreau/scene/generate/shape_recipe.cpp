#include "moreau/scene/generate/shape_recipe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/mesh/convex_parts.hpp"
#include "moreau/scene/generate/concave_outline.hpp"
#include "moreau/scene/generate/convex_points.hpp"
#include "moreau/scene/generate/mesh_shape.hpp"

namespace moreau::inline scene {
namespace {

// A body thinner than this fraction of its extent is refused: contacts could not tell its two sides apart.
constexpr double least_thickness = 1e-6;
constexpr std::size_t most_vertices = 1000, most_parts = 1000;

template <int D>
std::vector<Vec<D>> read_size(TableReader& entry) {
  const Vec<D> size = entry.vector<D>("size");
  if (!entry.mistakes().any() && entry.has("size"))
    for (int i = 0; i < D; ++i)
      if (!positive.contains(size[i])) {
        entry.fail("size", fmt::format("has side {} along axis {}; accepted: sides > 0", size[i], i + 1));
        return box_corners<D>(size);
      }
  return box_corners<D>(size);
}

// An array of points, or the name of a file with one on each line.
template <int D>
std::vector<Vec<D>> read_vertices(TableReader& entry, NamedFiles& files) {
  static const NumberFile what{"vertices", D, D == 2 ? "two numbers, x and y" : "three numbers, x, y and z",
                               "an array of points, or a readable file with a point on each line"};
  std::vector<Vec<D>> points;
  if (entry.is_text("vertices")) {
    std::string list;
    const bool sound = read_number_file(entry, what, files.folder / entry.text("vertices"), [&](const std::vector<double>& row) {
      Vec<D>& p = points.emplace_back();
      for (int d = 0; d < D; ++d) {
        p[d] = row[static_cast<std::size_t>(d)];
        if (!any_number.contains(p[d]))
          return fmt::format("has {}; accepted: finite numbers, of magnitude at most {}", p[d], largest_number);
        list += fmt::format("{}{}", d > 0 ? ", " : points.size() > 1 ? "], [" : "", p[d]);
      }
      return std::string(points.size() > most_vertices ? fmt::format("is one point too many; accepted: at most {}", most_vertices)
                                                       : "");
    });
    if (!sound) return {};
    files.inclusions.push_back({entry.source_of("vertices"), fmt::format("[[{}]]", list)});
    return points;
  }
  points = entry.vectors<D>("vertices");
  if (points.size() > most_vertices) {
    entry.fail("vertices", fmt::format("has {} entries; accepted: at most {}", points.size(), most_vertices));
    points.resize(most_vertices);
  }
  return points;
}

template <int D>
std::vector<Vec<D>> read_regular(TableReader& entry) {
  auto table = entry.table("regular", true);
  if (!table) return {};
  std::vector<Vec<D>> points;
  if constexpr (D == 2) {
    const auto sides = table->integer("sides", 3, most_vertices);
    points = regular_polygon(static_cast<int>(sides), table->number("radius", positive));
  } else {
    const auto solid = table->choice("solid", regular_solids());
    points = regular_solid(solid, table->number("radius", positive));
  }
  table->finish();
  return points;
}

template <int D>
RandomConvex<D> read_random(TableReader& entry) {
  RandomConvex<D> random;
  auto table = entry.table("random", true);
  if (!table) return random;
  random.vertices = table->integer("vertices", D + 1, D == 2 ? 100 : 200);
  random.radius = table->number("radius", positive);
  Vec<D> round;
  for (int i = 0; i < D; ++i) round[i] = 1.0;
  random.aspect = table->vector<D>("aspect", round);
  for (int i = 0; i < D; ++i)
    if (!(random.aspect[i] >= 0.01 && random.aspect[i] <= 1.0)) {
      table->fail("aspect", fmt::format("has {} along axis {}; accepted: numbers in [0.01, 1]", random.aspect[i], i + 1));
      break;
    }
  table->finish();
  return random;
}

template <int D>
PartRecipe<D> read_capsule(TableReader& entry) {
  PartRecipe<D> part;
  part.is_round = true;
  auto table = entry.table("capsule", true, "a table with 'ends' and 'radius'");
  if (!table) return part;
  part.points = table->vectors<D>("ends");
  part.radius = table->number("radius", positive);
  if (table->has("ends") && part.points.size() != 2)
    table->fail("ends", fmt::format("is an array of {}; accepted: two points", part.points.size()));
  table->finish();
  return part;
}

template <int D>
PartRecipe<D> read_part(TableReader& entry, NamedFiles& files) {
  PartRecipe<D> part;
  const std::string key = entry.one_of({"vertices", "size", "regular", "ball", "capsule"});
  if (key == "vertices") part.points = read_vertices<D>(entry, files);
  if (key == "size") part.points = read_size<D>(entry);
  if (key == "regular") part.points = read_regular<D>(entry);
  if (key == "capsule") part = read_capsule<D>(entry);
  if (key == "ball") part = {{Vec<D>{}}, entry.number("ball", positive), true};
  if (!part.is_round && !key.empty()) part.radius = entry.number("rounding", nonnegative, 0.0);
  const Vec<D> at = entry.vector<D>("at", Vec<D>{});
  const Rotation<D> rotation = read_rotation<D>(entry);
  for (auto& point : part.points) point = at + rotate(rotation, point);
  entry.finish();
  return part;
}

// Distance between the two parallel lines or planes nearest to each other that hold the part without its rounding: one of them
// contains an edge (2-D) or a face (3-D; for edge pairs this is an upper bound, enough to tell what is flat).
double thickness(const ConvexPart<2>& part) {
  double least = 2.0 * part.reach;
  const std::size_t n = part.vertices.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec<2> edge = normalized(part.vertices[(i + 1) % n] - part.vertices[i]);
    double widest = 0.0;
    for (const auto& v : part.vertices) widest = std::max(widest, moment(edge, v - part.vertices[i])[0]);
    least = std::min(least, widest);
  }
  return least;
}
double thickness(const ConvexPart<3>& part) {
  double least = 2.0 * part.reach;
  for (const auto& face : part.topology.faces) {
    double widest = 0.0;
    for (const auto& v : part.vertices) widest = std::max(widest, face.offset - dot(face.normal, v));
    least = std::min(least, widest);
  }
  return least;
}

template <int D>
std::string add_part(const PartRecipe<D>& recipe, double scale, std::vector<ConvexPart<D>>& parts) {
  std::vector<Vec<D>> points = recipe.points;
  for (auto& point : points) point *= scale;
  const double radius = scale * recipe.radius;
  if (recipe.is_round) {
    parts.push_back(points.size() == 1 ? ball_part<D>(points[0], radius) : capsule_part<D>(points[0], points[1], radius));
    return {};
  }
  HullResult<D> hull = convex_hull<D>(points, radius);
  if (!hull.fault.empty()) return hull.fault;
  const double thin = thickness(hull.part) + 2.0 * radius;
  if (!(thin >= least_thickness * 2.0 * hull.part.reach))
    return fmt::format("its thickness {:.3g} is less than {:g} of its extent {:.3g}", thin, least_thickness,
                       2.0 * hull.part.reach);
  parts.push_back(std::move(hull.part));
  return {};
}

// Draws again when the points happen to lie nearly in a line or plane.
template <int D>
std::string add_random_part(const RandomConvex<D>& shape, double rounding, double scale, RandomStream& random,
                            std::vector<ConvexPart<D>>& parts) {
  constexpr double least_width = 0.3;  // of the smallest half-axis
  double smallest = shape.aspect[0];
  for (int i = 1; i < D; ++i) smallest = std::min(smallest, shape.aspect[i]);
  std::string fault;
  for (int trial = 0; trial < 100; ++trial) {
    PartRecipe<D> part;
    part.points = random_convex_points(static_cast<std::size_t>(shape.vertices), shape.aspect, random);
    for (auto& point : part.points) point *= shape.radius;
    part.radius = rounding;
    fault = add_part(part, scale, parts);
    if (fault.empty() && thickness(parts.back()) >= least_width * smallest * shape.radius * scale) return {};
    if (fault.empty()) parts.pop_back();
  }
  return fault.empty() ? "no body of this aspect was found that is not flat" : fault;
}

// Parts whose outline is concave in pieces that are not; points that go round no polygon stand for their hull.
std::vector<PartRecipe<2>> convex(const std::vector<PartRecipe<2>>& parts) {
  std::vector<PartRecipe<2>> pieces;
  for (const PartRecipe<2>& part : parts) {
    std::vector<std::vector<Vec<2>>> cut;
    if (!part.is_round && concave_outline(part.points)) cut = mesh::convex_parts(part.points);
    if (cut.empty()) pieces.push_back(part);  // its hull
    for (std::vector<Vec<2>>& piece : cut) pieces.push_back({std::move(piece), part.radius, false});
  }
  return pieces;
}

Moments scaled(Moments m, double scale) {
  const double volume = scale * scale * scale;
  m.volume *= volume, m.first *= volume * scale;
  for (Vec<3>& row : m.second.row) row *= volume * scale * scale;
  return m;
}

template <int D>
ShapeRecipe<D> read_given_shape(TableReader& entry, NamedFiles& files) {
  ShapeRecipe<D> recipe;
  recipe.key = entry.one_of(shape_keys());
  if (recipe.key == "parts") {
    recipe.has_place = true;
    auto tables = entry.tables("parts");
    if (tables.empty() && !entry.mistakes().any())
      entry.fail("parts", "is empty; accepted: an array of tables, one for each part");
    if (tables.size() > most_parts)
      entry.fail("parts", fmt::format("has {} entries; accepted: at most {}", tables.size(), most_parts));
    for (auto& table : tables) recipe.parts.push_back(read_part<D>(table, files));
    return recipe;
  }
  recipe.rounding = recipe.key.empty() ? 0.0 : entry.number("rounding", nonnegative, 0.0);
  if (recipe.key == "mesh") {
    read_mesh_shape<D>(entry, files, recipe);
    return recipe;
  }
  if (recipe.key == "random") {
    recipe.random = read_random<D>(entry);
    return recipe;
  }
  recipe.has_place = recipe.key == "vertices";
  PartRecipe<D> part;
  if (recipe.key == "size") part.points = read_size<D>(entry);
  if (recipe.key == "vertices") part.points = read_vertices<D>(entry, files);
  if (recipe.key == "regular") part.points = read_regular<D>(entry);
  part.radius = recipe.rounding;
  recipe.parts.push_back(std::move(part));
  return recipe;
}

}  // namespace

template <int D>
std::vector<Vec<D>> box_corners(const Vec<D>& size) {
  std::vector<Vec<D>> corners;
  for (int bits = 0; bits < 1 << D; ++bits) {
    Vec<D> corner;
    for (int i = 0; i < D; ++i) corner[i] = (bits >> i & 1) != 0 ? 0.5 * size[i] : -0.5 * size[i];
    corners.push_back(corner);
  }
  return corners;
}

template <int D>
Rotation<D> read_rotation(TableReader& entry) {
  if constexpr (D == 2) {
    return {entry.number("angle", any_number, 0.0)};
  } else {
    auto table = entry.table("rotation", false, "a table with 'axis' and 'angle'");
    if (!table) return {};
    const Vec<3> axis = table->direction<3>("axis");
    const double angle = table->number("angle", any_number);
    table->finish();
    return turned(Rotation<3>{}, axis, angle);
  }
}

const std::vector<std::string>& shape_keys() {
  static const std::vector<std::string> keys{"size", "vertices", "parts", "regular", "random", "mesh"};
  return keys;
}

template <int D>
ShapeRecipe<D> read_shape(TableReader& entry, NamedFiles& files) {
  ShapeRecipe<D> recipe = read_given_shape<D>(entry, files);
  if constexpr (D == 2)
    if (!entry.mistakes().any()) recipe.parts = convex(recipe.parts);
  return recipe;
}

template <int D>
PlacedShape<D> make_block_shape(const ShapeRecipe<D>& recipe, double scale, RandomStream& random) {
  std::vector<ConvexPart<D>> parts;
  PlacedShape<D> failed;
  if (recipe.random) {
    failed.fault = add_random_part(*recipe.random, recipe.rounding, scale, random, parts);
  } else {
    for (std::size_t i = 0; i < recipe.parts.size() && failed.fault.empty(); ++i) {
      failed.fault = add_part(recipe.parts[i], scale, parts);
      if (!failed.fault.empty() && recipe.parts.size() > 1) failed.fault += fmt::format(" (part {})", i + 1);
    }
  }
  if (!failed.fault.empty()) return failed;
  if constexpr (D == 3)
    if (recipe.moments) return make_shape(std::move(parts), scaled(*recipe.moments, scale));
  return make_shape<D>(std::move(parts));
}

template <int D>
PlacedShape<D> make_convex_shape(const std::vector<Vec<D>>& points) {
  PlacedShape<D> failed;
  std::vector<ConvexPart<D>> parts;
  failed.fault = add_part<D>({points, 0.0, false}, 1.0, parts);
  return failed.fault.empty() ? make_shape<D>(std::move(parts)) : failed;
}

#define MOREAU_INSTANTIATE(D)                                                                \
  template ShapeRecipe<D> read_shape<D>(TableReader&, NamedFiles&);                          \
  template PlacedShape<D> make_block_shape<D>(const ShapeRecipe<D>&, double, RandomStream&); \
  template PlacedShape<D> make_convex_shape<D>(const std::vector<Vec<D>>&);                  \
  template Rotation<D> read_rotation<D>(TableReader&);                                       \
  template std::vector<Vec<D>> box_corners<D>(const Vec<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
