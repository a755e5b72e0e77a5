// `[[brickwork]]`: reads it and makes its bricks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/masonry/bond.hpp"
#include "moreau/scene/read/read_blocks.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::int64_t most_courses = 1'000'000;
constexpr std::size_t most_openings = 1000;

void read_openings(TableReader& entry, Bond& bond) {
  auto tables = entry.tables("openings");
  if (tables.size() > most_openings)
    return entry.fail("openings", fmt::format("has {} entries; accepted: at most {}", tables.size(), most_openings));
  for (auto& table : tables) {
    Opening o;
    o.at = table.number("at", nonnegative);
    o.width = table.number("width", positive);
    o.sill = table.integer("sill", 0, most_courses, 0);
    o.courses = table.integer("courses", 1, most_courses);
    o.bearing = table.number("bearing", nonnegative, 0.5 * bond.brick_length);
    table.finish();
    bond.openings.push_back(o);
    if (entry.mistakes().any()) continue;
    if (const std::string fault = opening_fault(bond, bond.openings.size() - 1); !fault.empty())
      entry.mistakes().add(table.location(), fmt::format("'{}' {}", table.path(), fault));
  }
}

// The wall across its length: leaves one behind the other, tied by courses of headers that go through all of them.
struct Leaves {
  std::int64_t count = 1;
  double depth = HUGE_VAL;  // of a leaf: of a brick
  double gap = 0.0;         // between leaves
  double whole() const { return static_cast<double>(count) * depth + static_cast<double>(count - 1) * gap; }
};

Leaves read_leaves(TableReader&, const Vec<2>&, Bond&) { return {}; }

Leaves read_leaves(TableReader& entry, const Vec<3>& brick, Bond& bond) {
  enum Kind : std::size_t { stretcher, header, english, flemish };
  const std::size_t kind = entry.choice("bond", {"stretcher", "header", "english", "flemish"}, stretcher);
  Leaves leaves;
  leaves.depth = brick[1];
  leaves.count = entry.integer("leaves", 1, 1000, kind == stretcher ? 1 : 2);
  leaves.gap = entry.number("gap", nonnegative, leaves.count > 1 ? bond.joint : 0.0);
  bond.header_length = brick[1];
  bond.flemish = kind == flemish;
  bond.header_every = kind == header ? 1 : kind == english ? 2 : kind == flemish ? 0 : entry.integer("ties", 0, most_courses, 0);
  if (!entry.mistakes().any() && (bond.header_every > 0 || bond.flemish) && leaves.count < 2)
    entry.fail(kind == stretcher ? "ties" : "leaves", "asks for headers in a wall of one leaf; accepted: at least 2 leaves");
  return leaves;
}

Vec<2> piece_size(const Vec<2>& brick, double length, const Leaves&, bool) { return {{length, brick[1]}}; }
Vec<3> piece_size(const Vec<3>& brick, double length, const Leaves& leaves, bool through) {
  return {{length, through ? leaves.whole() : brick[1], brick[2]}};
}

}  // namespace

template <int D>
void read_brickwork(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                    std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  GrainKind<D> kind = read_kind(entry, scene, names);
  read_freedom(entry, kind);
  const Vec<D> origin = entry.vector<D>("origin", Vec<D>{});
  const Vec<D> brick = entry.vector<D>("brick");
  if (entry.has("brick") && !entry.mistakes().any())
    for (int i = 0; i < D; ++i)
      if (!positive.contains(brick[i])) {
        entry.fail("brick", fmt::format("has side {} along axis {}; accepted: sides > 0", brick[i], i + 1));
        break;
      }
  Bond bond;
  bond.brick_length = brick[0];
  bond.brick_height = brick[D - 1];
  bond.length = entry.number("length", positive);
  bond.courses = entry.integer("courses", 1, most_courses);
  bond.joint = entry.number("joint", nonnegative, 0.0);
  const Leaves leaves = read_leaves(entry, brick, bond);
  const double count = std::ceil(bond.length / std::max(std::min(bond.brick_length, leaves.depth), smallest_positive)) *
                       static_cast<double>(bond.courses) * static_cast<double>(leaves.count);
  if (!entry.mistakes().any() && entry.has("brick") && entry.has("length") && count > static_cast<double>(limits.grains))
    entry.fail("courses", fmt::format("is {} and makes {:.3g} bricks; accepted: at most {} bodies in all", bond.courses, count,
                                      limits.grains));
  if (!entry.mistakes().any() && bond.joint > bond.brick_length)
    entry.fail("joint",
               fmt::format("is {}; accepted: at most the length of a brick, which is {}", bond.joint, bond.brick_length));
  read_openings(entry, bond);
  entry.finish();
  if (entry.mistakes().any()) return;

  const std::size_t first = scene.bodies.size();
  entries.push_back({entry.path(), entry.location(), first, "brick"});
  std::map<std::pair<double, bool>, PlacedShape<D>> shapes;  // by length, and whether it goes through: most bricks are equal
  std::map<std::pair<double, bool>, std::int32_t> numbers;
  std::vector<NamedBodies> lintels;
  for (const auto& piece : running_bond(bond)) {
    const bool through = leaves.count > 1 && piece.is_header;
    const std::pair<double, bool> kind_of_piece{piece.right - piece.left, through};
    const Vec<D> size = piece_size(brick, piece.right - piece.left, leaves, through);
    if (!shapes.contains(kind_of_piece)) {
      PlacedShape<D> placed = make_convex_shape<D>(box_corners<D>(size));
      if (!placed.fault.empty())
        return entry.fail("brick",
                          fmt::format("makes a piece of length {} that is no block: {}; accepted: bricks that are not flat",
                                      kind_of_piece.first, placed.fault));
      numbers[kind_of_piece] = add_shape(scene.bodies, placed.shape);
      shapes.emplace(kind_of_piece, std::move(placed));
    }
    if (piece.is_lintel) lintels.push_back({fmt::format("{}.lintel[{}]", name, lintels.size() + 1), scene.bodies.size(), 1});
    for (std::int64_t leaf = 0; leaf < (through ? 1 : leaves.count); ++leaf) {
      Vec<D> centre = origin + 0.5 * size;
      centre[0] = origin[0] + 0.5 * (piece.left + piece.right);
      if constexpr (D == 3) centre[1] += static_cast<double>(leaf) * (leaves.depth + leaves.gap);
      centre[D - 1] += static_cast<double>(piece.course) * (bond.brick_height + bond.joint);
      scene.bodies.append(block_of(scene.bodies, numbers[kind_of_piece], kind, centre, shapes.at(kind_of_piece).orientation));
    }
  }
  scene.named.push_back({name, first, scene.bodies.size() - first});
  scene.named.insert(scene.named.end(), lintels.begin(), lintels.end());
}

template void read_brickwork<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_brickwork<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau::inline scene
