#include "moreau/scene/generate/generate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/generate/convex_points.hpp"

namespace moreau::inline scene {
namespace {

// Trials of random sequential addition: this many per grain on average, and some more for small groups. Enough for a solid
// fraction of about 0.35 in space and 0.5 in the plane; the process jams at 0.384 and 0.547 for equal grains.
constexpr std::uint64_t trials_per_grain = 200, trials_at_least = 100'000;

// No arrangement of equal balls is denser; mixtures can be, but not by random addition.
template <int D>
constexpr double densest = D == 2 ? 0.9069 : 0.7405;

// Room between neighbours on a lattice, as a fraction of the diameter: starts without contact, whatever the rounding.
constexpr double lattice_slack = 1e-3;
constexpr double touching_tolerance = 1e-9;  // of the radius: overlaps that the rounding of a given spacing may leave

template <int D>
class Generator {
 public:
  Generator(const Group<D>& group, RandomStream random, std::uint64_t most_grains, const Model<D>& model, Bodies<D>& bodies,
            Occupancy<D>& occupancy, Mistakes& mistakes)
      : group_(group),
        random_(random),
        most_grains_(most_grains),
        bodies_(bodies),
        occupancy_(occupancy),
        mistakes_(mistakes),
        shift_(start_shift(model, group.kind.motion)),
        what_(group.recipe ? "blocks" : "grains") {}

  void run() {
    if (group_.recipe) make_blocks();
    const double largest = largest_radius();
    if (!group_.region.has_room_for(largest))
      refuse(fmt::format("has a region too small for its largest diameter {}; accepted: a larger region or smaller {}",
                         2.0 * largest, what_));
    const std::size_t first = bodies_.size();
    group_.lattice ? on_lattice() : at_random();
    if (group_.rms_speed > 0.0) stir(first);
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) {
    mistakes_.refuse(group_.entry.location, fmt::format("'{}' {}", group_.entry.path, sentence));
  }

  // Neighbours on a lattice of given spacing may touch; elsewhere they stay apart.
  double tolerance() const { return group_.spacing ? touching_tolerance : 0.0; }

  bool is_clear(const Vec<D>& position, double radius) const {
    return !occupancy_.obstacle(position + shift_, radius, tolerance());
  }

  // Random velocities of the grains from `first` on: directions uniform, no total momentum, the root mean square given.
  void stir(std::size_t first) {
    const std::size_t end = bodies_.size();
    const std::vector<double>& mass = bodies_.parameters.mass;
    if (end - first < 2)
      refuse("has 'velocities' without total momentum for a single body; accepted: at least two, or the key 'velocity'");
    std::vector<Vec<D>> random(end - first);
    Vec<D> momentum{};
    double total = 0.0, square = 0.0;
    for (std::size_t i = first; i < end; ++i) {
      random[i - first] = random_direction();
      momentum += mass[i] * random[i - first];
      total += mass[i];
    }
    for (Vec<D>& v : random) {
      v -= (1.0 / total) * momentum;
      square += dot(v, v);
    }
    const double scale = group_.rms_speed / std::sqrt(square / static_cast<double>(random.size()));
    for (std::size_t i = first; i < end; ++i) bodies_.state.velocity[i] += scale * random[i - first];
  }

  Vec<D> random_direction() {
    Vec<D> v;
    double square;
    do {  // by rejection: exact arithmetic, hence the same on every machine
      for (int k = 0; k < D; ++k) v[k] = random_.uniform(-1.0, 1.0);
      square = dot(v, v);
    } while (square > 1.0 || square < 1e-4);
    return (1.0 / std::sqrt(square)) * v;
  }

  void append(std::uint64_t number, const Vec<D>& position, double radius) {
    GrainKind<D> kind = group_.kind;
    if (group_.random_speed > 0.0)
      for (int i = 0; i < D; ++i) kind.velocity[i] += random_.uniform(-group_.random_speed, group_.random_speed);
    if (!group_.recipe) return append_grain(bodies_, kind, position, group_.factor * radius);
    Rotation<D> orientation = blocks_[number].orientation;
    if (group_.turned) orientation = composed(random_rotation(random_, Rotation<D>{}), orientation);
    bodies_.append(block_of(bodies_, blocks_[number].shape, kind, position, orientation));
  }

  // The shapes first: the balls that hold them are what is placed.
  void make_blocks() {
    std::map<double, BlockMade> made;  // of each scale, when they do not differ otherwise
    for (std::uint64_t i = 0; i < *group_.count; ++i) {
      const double scale = group_.sizes.draw(random_, i);
      if (const auto found = made.find(scale); found != made.end() && !group_.recipe->random) {
        blocks_.push_back(found->second);
        continue;
      }
      const PlacedShape<D> placed = make_block_shape(*group_.recipe, scale, random_);
      if (!placed.fault.empty())
        refuse(fmt::format("makes no block: {}; accepted: the points of a body that is not flat", placed.fault));
      blocks_.push_back({add_shape(bodies_, placed.shape), placed.orientation, placed.shape.reach});
      made.emplace(scale, blocks_.back());
    }
  }

  double largest_radius() const {
    double largest = group_.recipe ? 0.0 : group_.sizes.largest();
    for (const auto& block : blocks_) largest = std::max(largest, block.reach);
    return largest;
  }

  double draw_radius(std::uint64_t number) { return group_.recipe ? blocks_[number].reach : group_.sizes.draw(random_, number); }

  // Random sequential addition, the largest first: small grains find room among large ones, not the reverse.
  void at_random() {
    const std::uint64_t count = *group_.count;
    std::vector<double> radii(count);
    double solid = 0.0;
    for (std::uint64_t i = 0; i < count; ++i) solid += ball_mass<D>(radii[i] = draw_radius(i), 1.0);
    const double solid_fraction = solid / group_.region.volume();
    if (solid_fraction > densest<D>)
      refuse(
          fmt::format("asks for {} {} of solid fraction {:.3g} in its region; accepted: fewer or smaller {}, or a larger region",
                      count, what_, solid_fraction, what_));
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });

    const auto first = bodies_.size();
    std::vector<Vec<D>> positions(count);
    std::uint64_t trials = trials_at_least + trials_per_grain * count;
    for (std::size_t placed = 0; placed < count; ++placed) {
      const std::size_t i = order[placed];
      do {
        if (trials-- == 0)
          refuse(
              fmt::format("found room for only {} of {} {} (solid fraction {:.3g} asked for); accepted: fewer or smaller {}, "
                          "a larger region, or arrangement = \"lattice\"",
                          placed, count, what_, solid_fraction, what_));
        positions[i] = group_.region.sample(random_, radii[i]);
      } while (!is_clear(positions[i], radii[i]));
      occupancy_.add(static_cast<std::int32_t>(first + i), positions[i] + shift_, radii[i], group_.kind.kind == BodyKind::free);
    }
    for (std::size_t i = 0; i < count; ++i) append(i, positions[i], radii[i]);
  }

  // Sites of a square or cubic lattice from the bottom up, leaving out those that are taken.
  void on_lattice() {
    const double diameter = 2.0 * largest_radius(), wander = group_.jitter * diameter;
    const double pitch = group_.spacing.value_or((1.0 + lattice_slack) * diameter + 2.0 * wander);
    if (pitch < (diameter + 2.0 * wander) * (1.0 - touching_tolerance))
      refuse(
          fmt::format("has a lattice of spacing {} for diameters up to {} and a jitter of {}; accepted: a 'spacing' of at "
                      "least {}",
                      pitch, diameter, wander, diameter + 2.0 * wander));
    const double margin = 0.5 * pitch;
    std::array<std::uint64_t, D> sites;
    double all = 1.0;
    for (int k = 0; k < D; ++k) {
      const double along =
          std::floor((group_.region.high[k] - group_.region.low[k] - 2.0 * margin) / pitch * (1.0 + 1e-12)) + 1.0;
      sites[static_cast<std::size_t>(k)] = static_cast<std::uint64_t>(std::clamp(along, 0.0, 1e18));
      all *= std::max(along, 0.0);
    }
    const std::uint64_t wanted = group_.count.value_or(most_grains_ + 1);
    // Ends also where a region of countless sites lies outside the walls.
    std::uint64_t visits = 100'000 + 20 * wanted, placed = 0;
    if (!group_.count && all > 20.0 * static_cast<double>(most_grains_))
      refuse(fmt::format("has a region of {:.3g} lattice sites; accepted: a 'count', or at most {} grains in all", all,
                         most_grains_));
    std::array<std::uint64_t, D> site{};
    bool more = all >= 1.0;
    for (; more && placed < wanted && visits > 0; --visits) {
      const double radius = draw_radius(placed);
      Vec<D> position{};
      for (int k = 0; k < D; ++k) {
        position[k] = group_.region.low[k] + margin + pitch * static_cast<double>(site[static_cast<std::size_t>(k)]);
        if (wander > 0.0) position[k] += random_.uniform(-wander, wander);
      }
      if (group_.region.contains(position, radius * (1.0 - tolerance())) && is_clear(position, radius)) {
        occupancy_.add(static_cast<std::int32_t>(bodies_.size()), position + shift_, radius, group_.kind.kind == BodyKind::free);
        append(placed, position, radius);
        ++placed;
      }
      more = false;
      for (std::size_t k = 0; k < D && !more; ++k) {
        more = ++site[k] < sites[k];
        if (!more) site[k] = 0;
      }
    }
    if (group_.count && placed < wanted)
      refuse(fmt::format(
          "found room for only {} of {} {} on a lattice of pitch {}; accepted: fewer or smaller {}, or a larger region", placed,
          wanted, what_, pitch, what_));
    if (placed == 0) refuse(fmt::format("found no room for a grain on a lattice of pitch {}; accepted: a larger region", pitch));
    if (placed > most_grains_) refuse(fmt::format("makes too many grains; accepted: at most {} in all", most_grains_));
  }

  const Group<D>& group_;
  RandomStream random_;
  std::uint64_t most_grains_;
  Bodies<D>& bodies_;
  Occupancy<D>& occupancy_;
  Mistakes& mistakes_;
  Vec<D> shift_;
  const char* what_;
  struct BlockMade {
    std::int32_t shape;
    Rotation<D> orientation;
    double reach;
  };
  std::vector<BlockMade> blocks_;
};

}  // namespace

RandomStream stream_of(std::uint64_t seed, DrawKind kind, std::size_t entry) {
  RandomStream root(seed);
  return RandomStream(root.next() ^ (static_cast<std::uint64_t>(kind) << 56) ^ (0xd1342543de82ef95ULL * (entry + 1)));
}

template <int D>
void generate_group(const Group<D>& group, RandomStream random, std::uint64_t most_grains, const Model<D>& model,
                    Bodies<D>& bodies, Occupancy<D>& occupancy, Mistakes& mistakes) {
  Generator<D>(group, random, most_grains, model, bodies, occupancy, mistakes).run();
}

template void generate_group<2>(const Group<2>&, RandomStream, std::uint64_t, const Model<2>&, Bodies<2>&, Occupancy<2>&,
                                Mistakes&);
template void generate_group<3>(const Group<3>&, RandomStream, std::uint64_t, const Model<3>&, Bodies<3>&, Occupancy<3>&,
                                Mistakes&);

}  // namespace moreau::inline scene
