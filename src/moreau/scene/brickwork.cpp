// `[[brickwork]]`: reads it and makes its bricks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/block_builder.hpp"
#include "moreau/scene/bond.hpp"
#include "moreau/scene/read_blocks.hpp"

namespace moreau {
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
      entry.mistakes().add(table.place(), fmt::format("'{}' {}", table.path(), fault));
  }
}

}  // namespace

template <int D>
void read_brickwork(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits,
                    std::vector<Entry>& entries) {
  const std::string name = names.blocks.declare(entry, entry.path());
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
  const double count =
      std::ceil(bond.length / std::max(bond.brick_length, smallest_positive)) * static_cast<double>(bond.courses);
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
  entries.push_back({entry.path(), entry.place(), first, "brick"});
  std::map<double, PlacedShape<D>> shapes;  // by length: most bricks are equal
  std::map<double, std::int32_t> numbers;
  std::vector<NamedBodies> lintels;
  for (const auto& place : running_bond(bond)) {
    const double length = place.right - place.left;
    if (!shapes.contains(length)) {
      Vec<D> size = brick;
      size[0] = length;
      PlacedShape<D> placed = make_convex_shape<D>(box_corners<D>(size));
      if (!placed.fault.empty())
        return entry.fail(
            "brick", fmt::format("makes a piece of length {} that is no block: {}; accepted: bricks that are not flat", length,
                                 placed.fault));
      numbers[length] = add_shape(scene.bodies, placed.shape);
      shapes.emplace(length, std::move(placed));
    }
    Vec<D> centre = origin + 0.5 * brick;
    centre[0] = origin[0] + 0.5 * (place.left + place.right);
    centre[D - 1] += static_cast<double>(place.course) * (bond.brick_height + bond.joint);
    if (place.is_lintel) lintels.push_back({fmt::format("{}.lintel[{}]", name, lintels.size() + 1), scene.bodies.size(), 1});
    scene.bodies.append(block_of(scene.bodies, numbers[length], kind, centre, shapes.at(length).orientation));
  }
  scene.named.push_back({name, first, scene.bodies.size() - first});
  scene.named.insert(scene.named.end(), lintels.begin(), lintels.end());
}

template void read_brickwork<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);
template void read_brickwork<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, std::vector<Entry>&);

}  // namespace moreau
