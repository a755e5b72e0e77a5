// The forces of the contacts of a step: between bodies and with planes eight at a time, with other walls one by one.
#include "moreau/base/parallel.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

namespace {
constexpr std::size_t contact_chunk = 256;
}

template <int D>
typename SoftEngine<D>::PushSums& SoftEngine<D>::PushSums::operator+=(const PushSums& o) {
  contacts += o.contacts, wall_power += o.wall_power, moment = moment + o.moment;
  if (push.size() < o.push.size()) push.resize(o.push.size(), 0.0);
  for (std::size_t p = 0; p < o.push.size(); ++p) push[p] += o.push[p];
  return *this;
}

template <int D>
void SoftEngine<D>::place_planes(const Model<D>& model, const State<D>& state) {
  planes_.resize(model.walls.size()), is_plane_.resize(model.walls.size());
  for (std::size_t w = 0; w < planes_.size(); ++w) {
    const Wall<D>& wall = model.walls[w];
    is_plane_[w] = wall.geometry.shape == WallShape::plane && wall.surface < 0;
    soft::Plane<D>& plane = planes_[w];
    plane.put(plane.normal, wall.geometry.direction), plane.put(plane.point, wall.geometry.point);
    plane.put(plane.shift, apparatus_.wall_shift[w]), plane.put(plane.velocity, apparatus_.wall_velocity[w]);
    plane.put(plane.lag, wall_lag(model, state, w));
    plane.material = wall.material;
  }
}

// h/2 times the acceleration of a wall that yields.
template <int D>
Vec<D> SoftEngine<D>::wall_lag(const Model<D>& model, const State<D>& state, std::size_t wall) const {
  const std::int32_t piston = apparatus_.piston_of[wall];
  const std::vector<double>& acceleration = state.integration.piston_acceleration;
  if (piston < 0 || static_cast<std::size_t>(piston) >= acceleration.size()) return {};
  for (const PistonWall<D>& side : model.pistons[static_cast<std::size_t>(piston)].walls)
    if (static_cast<std::size_t>(side.wall) == wall)
      return (0.5 * model.time_step * acceleration[static_cast<std::size_t>(piston)]) * side.direction;
  return {};
}

template <int D>
typename SoftEngine<D>::PushSums SoftEngine<D>::push(const Model<D>& model, State<D>& state, double passed) {
  const std::vector<FoundContact>& found = touching_.found;
  ContactTable<D>& table = state.contacts;
  const bool with_spring = needs_.tangential != soft::Tangential::none;
  const bool same = !touching_.changed && table.size() == found.size() && table.spring.empty() != with_spring &&
                    table.deepest.empty() != needs_.deepest;
  if (!same) {
    std::swap(table.spring, old_spring_), std::swap(table.deepest, old_deepest_);
    std::vector<Vec<D>> spring = std::move(table.spring);  // memory for those to come, which need not be cleared
    table.resize(found.size(), false, !touching_.image.empty());
    table.spring = std::move(spring);
    table.resize_law_rows(false, false), table.resize_memory(with_spring, needs_.deepest);
  }
  // Rows that stay where they were are remembered in place.
  const std::vector<Vec<D>>& old_spring = same ? table.spring : old_spring_;
  const std::vector<double>& old_deepest = same ? table.deepest : old_deepest_;

  place_planes(model, state);
  soft::PairForces<D> in{};
  in.planes = planes_.data();
  in.found = found.data();
  in.shift = shift_.empty() ? nullptr : shift_.data(), in.drift = drift_.data();
  in.bodies = lines_.data(), in.traits = traits_.data(), in.material = state.bodies.parameters.material.data();
  in.laws = laws_.data(), in.materials = model.materials.size();
  in.old_spring = old_spring.empty() ? nullptr : old_spring.data();
  in.old_deepest = old_deepest.empty() ? nullptr : old_deepest.data();
  // Where no time passes, springs that are already half a step ahead stay so.
  const bool passes = passed > 0.0, is_behind = passes || old_spring.empty(), mean = scheme_.takes_mean_velocity();
  in.pace = {mean ? passed : 0.5 * passed, is_behind && !mean ? 0.5 * model.time_step : 0.0, passes ? 1.0 / passed : 0.0,
             model.soft.dashpots_pull ? 1.0 : 0.0};
  in.lag = mean && with_spring && passes ? lags_.data() : nullptr;
  in.only = one_material_ >= 0 ? laws_.data() + static_cast<std::size_t>(one_material_) * (model.materials.size() + 1) : nullptr;
  in.step = model.time_step, in.tangential = needs_.tangential;
  in.fixed_normal = fixed_ ? table.normal.data() : nullptr;
  in.gap = table.gap.data(), in.normal = table.normal.data(), in.impulse = table.impulse.data();
  in.spring = with_spring ? table.spring.data() : nullptr, in.deepest = needs_.deepest ? table.deepest.data() : nullptr;

  // One thread adds up what bodies get on its way, while it is at hand; several keep it by contact for sums by body.
  summed_ = one_thread_only();
  body_push_.resize(lines_.size());  // zero: the corrector has taken what was there
  resize_tightly(push_, summed_ ? 0 : found.size());
  PushSums total = reduce_chunks<PushSums>(found.size(), contact_chunk, [&](std::size_t begin, std::size_t end) {
    PushSums sums;
    sums.push.assign(model.pistons.size(), 0.0);
    soft::PushLine<D> here[contact_chunk];
    soft::PairForces<D> of_chunk = in;
    of_chunk.push = summed_ ? here : push_.data(), of_chunk.push_begin = summed_ ? begin : 0;
    // What contacts with walls remember, before pairs are computed in their rows.
    std::uint32_t flat[contact_chunk], other[contact_chunk];
    Vec<D> flat_spring[contact_chunk + lanes], other_spring[contact_chunk];
    double flat_deepest[contact_chunk + lanes], other_deepest[contact_chunk];
    std::size_t flats = 0, others = 0;
    if (!same) {
      for (std::size_t i = begin; i < end; ++i) table.a[i] = found[i].a, table.b[i] = found[i].b;
      if (!table.image.empty())
        for (std::size_t i = begin; i < end; ++i) table.image[i] = touching_.image[i];
    }
    std::uint32_t at_wall[contact_chunk];
    std::size_t walls = 0;
    for (std::size_t i = begin; i < end; ++i)
      at_wall[walls] = static_cast<std::uint32_t>(i), walls += is_wall(found[i].b) ? 1 : 0;
    for (std::size_t w = 0; w < walls; ++w) {
      const std::size_t i = at_wall[w];
      const bool is_flat = is_plane_[static_cast<std::size_t>(wall_index(found[i].b))] != 0;
      const std::size_t k = is_flat ? flats++ : others++, old = static_cast<std::size_t>(found[i].recalled);
      (is_flat ? flat : other)[k] = static_cast<std::uint32_t>(i);
      Vec<D>& spring = (is_flat ? flat_spring : other_spring)[k];
      double& deepest = (is_flat ? flat_deepest : other_deepest)[k];
      spring = {}, deepest = 0.0;
      if (found[i].recalled < 0) continue;
      if (in.old_spring != nullptr) spring = in.old_spring[old];
      if (in.old_deepest != nullptr) deepest = in.old_deepest[old];
    }
    of_chunk.wall_spring = flat_spring, of_chunk.wall_deepest = flat_deepest;
    if (flats + others < end - begin) pair_forces(of_chunk, begin, end, sums.contacts);
    plane_forces(of_chunk, {flat, flats}, sums.contacts);
    for (std::size_t k = 0; k < others; ++k) push_wall(model, state, other[k], of_chunk, other_spring[k], other_deepest[k], sums);
    for (std::size_t k = 0; k < flats; ++k) {
      const std::size_t w = static_cast<std::size_t>(wall_index(found[flat[k]].b));
      react(model, w, (1.0 / model.time_step) * table.impulse[flat[k]], apparatus_.wall_velocity[w], sums);
    }
    if (drives_ || model.cell.deforms)
      for (std::size_t i = begin; i < end; ++i)
        if (!is_wall(found[i].b)) add_surroundings(model, state, i, sums);
    if (summed_) soft::add_pushes(found.data() + begin, here, end - begin, body_push_.data());
    return sums;
  });
  total.push.resize(model.pistons.size(), 0.0);
  if (fixed_) table.apart = table.gap;
  return total;
}

template <int D>
void SoftEngine<D>::push_wall(const Model<D>& model, State<D>& state, std::size_t i, const soft::PairForces<D>& in,
                              const Vec<D>& spring, double deepest, PushSums& sums) const {
  using soft::Tangential;
  const FoundContact& found = touching_.found[i];
  const std::size_t w = static_cast<std::size_t>(wall_index(found.b)), body = static_cast<std::size_t>(found.a);
  const soft::BodyLine<D>& a = lines_[body];
  const double radius = a.c[soft::LineLayout<D>::radius];
  Separation<D> s =
      separation(model.walls[w].geometry, apparatus_.wall_shift[w], a.vector(soft::LineLayout<D>::position), radius);
  s.gap += dot(a.vector(soft::LineLayout<D>::remainder), s.normal);
  const Vec<D> surface =
      apparatus_.wall_velocity[w] + apparatus_.wall_surface[w].at(a.vector(soft::LineLayout<D>::position) - radius * s.normal);
  const Vec<D> u = a.vector(soft::LineLayout<D>::velocity) - cross(a.rim_speed(), s.normal) - surface;
  Vec<D> lag{};
  if (in.lag != nullptr) {
    Vec<D> centre;
    Spin<D> rim;
    for (int d = 0; d < D; ++d) centre[d] = in.lag[body].c[d];
    for (int d = 0; d < spin_dimension<D>; ++d) rim[d] = in.lag[body].c[soft::PushLayout<D>::twist + d];
    lag = centre - cross(rim, s.normal) - wall_lag(model, state, w);
  }
  const soft::PackedLaw& law = laws_[static_cast<std::size_t>(state.bodies.parameters.material[body]) * model.materials.size() +
                                     static_cast<std::size_t>(model.walls[w].material)];
  const soft::Coefficients<double> c{
      law.stiffness,          law.unloading, law.ratio, law.compliance, law.damping, law.tangential, law.tangential_compliance,
      law.tangential_damping, law.friction};
  const double depth = s.gap < 0.0 ? -s.gap : 0.0;
  const auto with = soft::with_mass(c, std::sqrt(state.bodies.parameters.mass[body]));
  const soft::ContactForce<D, double> f =
      needs_.tangential == Tangential::none
          ? soft::contact_force<D, double, Tangential::none>(with, in.pace, depth, s.normal, u, lag, spring, deepest)
          : soft::contact_force<D, double, Tangential::spring_and_dashpot>(with, in.pace, depth, s.normal, u, lag, spring,
                                                                           deepest);

  ContactTable<D>& table = state.contacts;
  table.gap[i] = s.gap, table.normal[i] = s.normal, table.impulse[i] = model.time_step * f.force;
  soft::PushLine<D>& push = in.push[i - in.push_begin];
  push = {};
  for (int d = 0; d < D; ++d) push.c[d] = table.impulse[i][d];
  if (!table.spring.empty()) {
    table.spring[i] = f.spring;
    const Spin<D> twist = -moment(s.normal, table.impulse[i]);
    for (int d = 0; d < spin_dimension<D>; ++d) push.c[soft::PushLayout<D>::twist + d] = twist[d];
  }
  if (!table.deepest.empty()) table.deepest[i] = f.deepest;
  const double relative = depth / (2.0 * radius), closed = f.normal != 0.0 ? 1.0 : 0.0;
  sums.contacts += {f.elastic, f.power, norm(f.force), closed, f.slides * closed, relative, relative};
  react(model, w, f.force, surface, sums);
}

// What a wall whose surface moves so takes from a contact that pushes a body with `force`.
template <int D>
void SoftEngine<D>::react(const Model<D>& model, std::size_t wall, const Vec<D>& force, const Vec<D>& surface,
                          PushSums& sums) const {
  sums.wall_power += dot(force, surface);
  const std::int32_t piston = apparatus_.piston_of[wall];
  if (piston < 0) return;
  for (const PistonWall<D>& side : model.pistons[static_cast<std::size_t>(piston)].walls)
    if (static_cast<std::size_t>(side.wall) == wall) sums.push[static_cast<std::size_t>(piston)] -= dot(force, side.direction);
}

// What a contact between bodies takes from driven bodies and from the motion of images, and its part of the stress of the cell.
template <int D>
void SoftEngine<D>::add_surroundings(const Model<D>& model, const State<D>& state, std::size_t i, PushSums& sums) const {
  const FoundContact& found = touching_.found[i];
  const std::size_t b = static_cast<std::size_t>(found.b);
  const ContactTable<D>& table = state.contacts;
  const Vec<D> force = (1.0 / model.time_step) * table.impulse[i];
  if (!state.bodies.is_free(b))
    sums.wall_power +=
        dot(force, lines_[b].vector(soft::LineLayout<D>::velocity) + cross(lines_[b].rim_speed(), table.normal[i]));
  if (drift_.empty()) return;
  sums.wall_power += dot(force, drift_[i]);
  if (!apparatus_.yields()) return;
  const std::vector<double>& radius = state.bodies.parameters.radius;
  const Vec<D> branch = (radius[static_cast<std::size_t>(found.a)] + radius[b] + table.gap[i]) * table.normal[i];
  for (int p = 0; p < D; ++p) sums.moment.row[p] += force[p] * branch;
}

#define MOREAU_INSTANTIATE(D) template typename SoftEngine<D>::PushSums SoftEngine<D>::push(const Model<D>&, State<D>&, double);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
