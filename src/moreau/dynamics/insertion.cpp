// Sources at work: new grains at rest on top of what is already there.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "moreau/dynamics/apparatus.hpp"
#include "moreau/dynamics/exchange.hpp"
#include "moreau/dynamics/source_due.hpp"
#include "moreau/geometry/random_rotation.hpp"

namespace moreau::inline dynamics {

namespace {

constexpr int max_tries = 1000;  // places drawn for a grain before an unsuitable one is accepted
constexpr int few_tries = 10;     // once a grain of the same step has found none that is suitable

// Unit vectors across `up`.
std::array<Vec<2>, 1> across(const Vec<2>& up) { return {Vec<2>{{-up[1], up[0]}}}; }
std::array<Vec<3>, 2> across(const Vec<3>& up) {
  const int small = std::abs(up[0]) <= std::abs(up[1]) ? (std::abs(up[0]) <= std::abs(up[2]) ? 0 : 2)
                                                       : (std::abs(up[1]) <= std::abs(up[2]) ? 1 : 2);
  Vec<3> axis{};
  axis[small] = 1.0;
  const Vec<3> first = normalized(cross(up, axis));
  return {first, cross(up, first)};
}

// A point at most `spread` from the axis through `centre` along `up`, uniform over the disc (the segment in the plane).
Vec<2> draw_on_line(RandomStream& random, const Vec<2>& centre, const Vec<2>& up, double spread) {
  return centre + (spread * random.uniform(-1.0, 1.0)) * across(up)[0];
}
Vec<3> draw_on_line(RandomStream& random, const Vec<3>& centre, const Vec<3>& up, double spread) {
  const auto [first, second] = across(up);
  double x, y;  // by rejection: exact arithmetic, hence the same on every machine
  do x = random.uniform(-1.0, 1.0), y = random.uniform(-1.0, 1.0);
  while (x * x + y * y > 1.0);
  return centre + (spread * x) * first + (spread * y) * second;
}

// Uniform over the faces of the inlet.
template <int D>
Vec<D> draw_on_inlet(RandomStream& random, const Source<D>& source) {
  const double area = random.uniform(0.0, source.inlet_area.back());
  const auto face = std::min<std::ptrdiff_t>(std::ranges::upper_bound(source.inlet_area, area) - source.inlet_area.begin(),
                                             std::ssize(source.inlet_area) - 1);
  const Vec<D>* corner = source.inlet.data() + D * face;
  double s = random.uniform(0.0, 1.0), t = D == 3 ? random.uniform(0.0, 1.0) : 0.0;
  if (s + t > 1.0) s = 1.0 - s, t = 1.0 - t;  // the other half of the parallelogram
  Vec<D> point = corner[0] + s * (corner[1] - corner[0]);
  if constexpr (D == 3) point += t * (corner[2] - corner[0]);
  return point;
}

template <int D>
struct WallPlaces {
  std::vector<Vec<D>> shift;
  std::vector<Matrix<D>> turn;
  Pose<D> pose_of(const Model<D>& model, std::size_t w) const {
    return {model.walls[w].geometry.point + shift[w], turn.empty() ? identity<D>() : turn[w]};
  }
};

// Does a ball fit among the walls that hold nothing up: sides, ceilings, cylinders?
template <int D>
bool fits(const Model<D>& model, const WallPlaces<D>& walls, const Vec<D>& centre, double radius) {
  for (std::size_t w = 0; w < walls.shift.size(); ++w) {
    const WallGeometry<D>& wall = model.walls[w].geometry;
    const double gap = wall.mesh ? mesh_gap(*wall.mesh, walls.pose_of(model, w), centre, radius, 0.0)
                                 : separation(wall, walls.shift[w], centre, radius).gap;
    if (gap < -1e-9 * radius) return false;
  }
  return true;
}

// How far a ball can go down along `up` before it touches a mesh: steps as long as the gap allows, which never pass through it.
// Nothing if there is no end within the ball that holds the mesh.
template <int D>
std::optional<double> fall_onto(const MeshSurface<D>& surface, const Pose<D>& pose, const Vec<D>& start, const Vec<D>& up,
                                double radius) {
  constexpr double touching = 1e-9;  // of the radius
  constexpr int most_steps = 1000;   // along a slope the steps shorten as a geometric series
  const double bottom = dot(start - pose.position, up) + surface.mesh.reach + radius;
  double fallen = 0.0;
  for (int step = 0; step < most_steps && fallen <= bottom; ++step) {
    const double gap = mesh_gap(surface, pose, start - fallen * up, radius, 2.0 * surface.mesh.reach + radius);
    if (gap <= touching * radius) return fallen;
    fallen += gap;
  }
  return {};
}

// The largest ball that a source brings, or that holds a block of it.
template <int D>
double largest_radius(const Source<D>& source, const Bodies<D>& bodies) {
  if (source.mixture.empty()) return source.sizes.largest();
  double largest = 0.0;
  for (const SourceKind& kind : source.mixture)
    largest = std::max(largest, kind.shape < 0 ? kind.sizes.largest() : bodies.shapes[static_cast<std::size_t>(kind.shape)].reach);
  return largest;
}

// Bodies that a ball of a source may meet on its way down along `up`, in square columns (in the plane: strips): a line lies in
// one, which holds all bodies that a ball on any of its lines could touch, from the highest to the lowest.
template <int D>
class BodiesBelow {
 public:
  struct Entry {
    double top;  // how far up the body reaches from the height of the centre of the source
    std::int32_t body;
  };
  struct Column {
    std::vector<Entry> entries;
    bool sorted = false;
  };

  BodiesBelow(const Bodies<D>& bodies, const Source<D>& source, const Vec<D>& up)
      : centre_(source.centre), up_(up), across_(across(up)), spread_(source.spread), radius_(largest_radius(source, bodies)) {
    constexpr double most_columns = 128.0;  // along each side
    if (radius_ > 0.0) side_ = static_cast<std::size_t>(std::clamp(spread_ / radius_, 1.0, most_columns));
    column_.resize(D == 2 ? side_ : side_ * side_);
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.is_present(i)) visit_columns(bodies, i, [](Column& column, Entry entry) { column.entries.push_back(entry); });
  }
  // The last of the bodies, which has just come.
  void add(const Bodies<D>& bodies) {
    visit_columns(bodies, bodies.size() - 1, [](Column& column, Entry entry) {
      std::vector<Entry>& entries = column.entries;
      entries.insert(column.sorted ? std::ranges::upper_bound(entries, entry.top, std::greater{}, &Entry::top) : entries.end(), entry);
    });
  }
  // Of the column through `start`. Put in order when it is first asked for: few are, where a step brings few grains.
  std::span<const Entry> below(const Vec<D>& start) {
    std::size_t k = 0;
    for (const Vec<D>& axis : across_) k = k * side_ + place(dot(start - centre_, axis));
    Column& column = column_[k];
    if (!std::exchange(column.sorted, true)) std::ranges::sort(column.entries, std::greater{}, &Entry::top);
    return column.entries;
  }
  double height(const Vec<D>& start) const { return dot(start - centre_, up_); }

 private:
  std::size_t place(double along) const {
    if (side_ == 1) return 0;
    const double sides = static_cast<double>(side_);
    return static_cast<std::size_t>(std::clamp(0.5 * (along / spread_ + 1.0) * sides, 0.0, sides - 0.5));
  }
  template <class Visit>
  void visit_columns(const Bodies<D>& bodies, std::size_t i, const Visit& visit) {
    constexpr double rounding = 1.0 + 1e-6;  // land() decides; here none may be missed
    const double reach = rounding * (radius_ + bodies.parameters.radius[i]) + (rounding - 1.0) * spread_;
    const Vec<D> to_body = bodies.state.position[i] - centre_;
    std::array<std::size_t, D - 1> first, last;
    for (std::size_t k = 0; k < across_.size(); ++k) {
      const double along = dot(to_body, across_[k]);
      if (std::abs(along) > spread_ + reach) return;
      first[k] = place(along - reach), last[k] = place(along + reach);
    }
    const Entry entry{dot(to_body, up_) + bodies.parameters.radius[i], static_cast<std::int32_t>(i)};
    for (std::size_t x = first[0]; x <= last[0]; ++x)
      if constexpr (D == 2)
        visit(column_[x], entry);
      else
        for (std::size_t y = first[1]; y <= last[1]; ++y) visit(column_[x * side_ + y], entry);
  }

  Vec<D> centre_, up_;
  std::array<Vec<D>, D - 1> across_;
  double spread_, radius_;
  std::size_t side_ = 1;
  std::vector<Column> column_;
};

// Where a ball coming down along `up` through `start` first touches a body or a wall: the largest of the heights at which it
// rests on one of them. Without anything below, `start` itself.
template <int D>
struct Landing {
  Vec<D> centre;
  std::int32_t support = -1;  // the body it rests on, of several the first; -1 for a wall or nothing
};

template <int D>
Landing<D> land(const Model<D>& model, const State<D>& state, BodiesBelow<D>& below, const WallPlaces<D>& walls,
                const Vec<D>& start, const Vec<D>& up, double radius) {
  double height = -HUGE_VAL;
  Landing<D> landing{start, -1};
  const Bodies<D>& bodies = state.bodies;
  const double level = below.height(start);
  for (const auto& [top, body] : below.below(start)) {
    const double highest = top - level + radius;
    if (highest + 1e-9 * (std::abs(top) + std::abs(level) + radius) < height) break;  // so are all that follow
    const std::size_t i = static_cast<std::size_t>(body);
    const Vec<D> to_body = bodies.state.position[i] - start;
    const double along = dot(to_body, up), reach = radius + bodies.parameters.radius[i];
    const double lateral_square = dot(to_body, to_body) - along * along;
    if (lateral_square >= reach * reach) continue;
    const double touch = along + std::sqrt(reach * reach - std::max(0.0, lateral_square));
    if (touch > height || (touch == height && body < landing.support)) height = touch, landing.support = body;
  }
  for (std::size_t w = 0; w < walls.shift.size(); ++w) {
    const Wall<D>& wall = model.walls[w];
    if (wall.geometry.mesh)  // what of it is above `start` does not matter: a lid, the top of a drum
      if (const auto fall = fall_onto(*wall.geometry.mesh, walls.pose_of(model, w), start, up, radius); fall && -*fall > height)
        height = -*fall, landing.support = -1;
    if (wall.geometry.shape != WallShape::plane) continue;
    const double facing = dot(wall.geometry.direction, up);
    if (facing <= 1e-9) continue;  // a side wall or a ceiling holds nothing up
    const double touch = -separation(wall.geometry, walls.shift[w], start, radius).gap / facing;
    if (touch > height) height = touch, landing.support = -1;
  }
  if (std::isfinite(height)) landing.centre = start + height * up;
  return landing;
}

// The kind of the next grain: each as often as its share says.
template <int D>
SourceKind drawn_kind(const Source<D>& source, RandomStream& random) {
  if (source.mixture.empty()) return {1.0, -1, source.sizes, source.material, source.density};
  double sum = 0.0, left = 0.0;
  for (const SourceKind& kind : source.mixture) sum += kind.share;
  if (source.mixture.size() > 1) left = sum * random.uniform();
  for (const SourceKind& kind : source.mixture)
    if ((left -= kind.share) < 0.0) return kind;
  return source.mixture.back();
}

template <int D>
bool grain_is_due(const Source<D>& source, const SourceState& progress, double time) {
  if (progress.emitted >= source.count) return false;
  const double due = source.start + (source.mass_rate > 0.0 ? progress.mass / source.mass_rate
                                                            : static_cast<double>(progress.emitted) / source.rate);
  return !(due > time || due >= source.end);
}

}  // namespace

template <int D>
const Source<D>* source_due(const Model<D>& model, const State<D>& state) {
  for (std::size_t k = 0; k < std::min(model.sources.size(), state.sources.size()); ++k)
    if (grain_is_due(model.sources[k], state.sources[k], state.time + 0.5 * model.time_step)) return &model.sources[k];
  return nullptr;
}
template <int D>
bool insertion_is_due(const Model<D>& model, const State<D>& state) {
  return source_due(model, state) != nullptr;
}

template <int D>
std::vector<bool> held_bodies(const State<D>& state) {
  std::vector<bool> held(state.bodies.size());
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = !state.bodies.is_free(i);
  const ContactTable<D>& contacts = state.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (contacts.impulse[i] == Vec<D>{}) continue;
    held[static_cast<std::size_t>(contacts.a[i])] = true;
    if (!is_wall(contacts.b[i])) held[static_cast<std::size_t>(contacts.b[i])] = true;
  }
  return held;
}

template <int D>
std::size_t insert_from_sources(const Model<D>& model, State<D>& state, std::vector<bool> held) {
  std::size_t inserted = 0;
  for (std::size_t k = 0; k < model.sources.size(); ++k) {
    const Source<D>& source = model.sources[k];
    SourceState& progress = state.sources[k];
    if (!grain_is_due(source, progress, state.time + 0.5 * model.time_step)) continue;
    const Vec<D> gravity = model.gravity_at(state.time), up = normalized(-gravity);
    const WallPlaces<D> walls{wall_shifts(model, state), wall_turns(model, state, state.time)};
    BodiesBelow<D> below(state.bodies, source, up);
    int tries_left = max_tries;
    while (grain_is_due(source, progress, state.time + 0.5 * model.time_step)) {
      const SourceKind kind = drawn_kind(source, progress.random);
      const double radius = kind.shape < 0 ? kind.sizes.draw(progress.random, progress.emitted)
                                           : state.bodies.shapes[static_cast<std::size_t>(kind.shape)].reach;
      held.resize(state.bodies.size());  // those that have just come fall
      Landing<D> landing;
      int tries = 0;
      for (; tries < tries_left; ++tries) {
        const Vec<D> start = source.inlet.empty() ? draw_on_line(progress.random, source.centre, up, source.spread)
                                                  : draw_on_inlet(progress.random, source);
        landing = land(model, state, below, walls, start, up, radius);
        const bool supported = landing.support < 0 || held[static_cast<std::size_t>(landing.support)];
        if (supported && fits(model, walls, landing.centre, radius)) break;
      }
      if (tries == max_tries) tries_left = few_tries;
      NewBody<D> grain = homogeneous_ball<D>(landing.centre, radius, kind.density, kind.material);
      if (kind.shape >= 0)
        grain = homogeneous_block(state.bodies.shapes[static_cast<std::size_t>(kind.shape)], kind.shape, landing.centre,
                                  random_rotation(progress.random, Rotation<D>{}), kind.density, kind.material);
      grain.birth = state.time;
      state.bodies.append(grain);
      below.add(state.bodies);
      state.energy.inserted -= grain.mass * dot(gravity, grain.position);
      ++progress.emitted;
      if (source.mass_rate > 0.0) progress.mass += grain.mass;
      ++inserted;
    }
  }
  return inserted;
}

template const Source<2>* source_due(const Model<2>&, const State<2>&);
template const Source<3>* source_due(const Model<3>&, const State<3>&);
template bool insertion_is_due(const Model<2>&, const State<2>&);
template bool insertion_is_due(const Model<3>&, const State<3>&);
template std::vector<bool> held_bodies(const State<2>&);
template std::vector<bool> held_bodies(const State<3>&);
template std::size_t insert_from_sources(const Model<2>&, State<2>&, std::vector<bool>);
template std::size_t insert_from_sources(const Model<3>&, State<3>&, std::vector<bool>);

}  // namespace moreau::inline dynamics
