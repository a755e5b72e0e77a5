#include "moreau/solver/contact_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/solver/single_form.hpp"

namespace moreau {

namespace {
constexpr std::size_t body_chunk = 512;

// Rows of a length known here: copied in registers, not by a call.
template <std::size_t n>
void copy_row(const double* from, double* to) {
  std::memcpy(to, from, n * sizeof(double));
}
}  // namespace

template <class Kind>
void ContactProblem<Kind>::set_bodies(const Bodies<D>& bodies, std::span<const Pose<D>> poses,
                                      const std::vector<std::int32_t>& order, const Vec<D>& gained) {
  input_ = &bodies;
  order_ = &order;
  gained_ = gained;
  slot_.resize(bodies.size());
  iterate_.bodies.resize(bodies.size() + 1);
  snapshot_.resize(bodies.size() + 2);  // rows may be read as eight numbers
  iterate_.bodies.back() = Body{};
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      slot_[i] = static_cast<std::uint32_t>(s);
      Body& body = iterate_.bodies[s];
      body = {};
      if (!bodies.is_free(i)) continue;
      body = Kind::moving_body(bodies, i, poses);
      const Velocity v = Kind::free_velocity(bodies, i, {});
      copy_row<velocity_dimension<D>>(v.c, body.velocity);
    }
  });
}

template <class Kind>
auto ContactProblem<Kind>::free_velocity(std::size_t slot) const -> Velocity {
  const std::size_t i = static_cast<std::size_t>((*order_)[slot]);
  return input_->is_free(i) ? Kind::free_velocity(*input_, i, gained_) : Velocity{};
}

// From the colours in place_ to blocks and lanes.
template <class Kind>
void ContactProblem<Kind>::lay_out(std::span<const std::uint32_t> colour_sizes, const std::vector<std::uint32_t>& row) {
  const std::int32_t none = iterate_.none();
  std::uint32_t next[max_colours + 1] = {};
  std::uint32_t block = 0;
  const bool paired = has_single && contacts_ >= fewest_for_single;  // single_form.hpp
  iterate_.colour_end.clear();
  for (std::uint32_t c = 0; c < max_colours && colour_sizes[c] > 0; ++c) {
    next[c] = block * lanes;
    block +=
        static_cast<std::uint32_t>(paired ? 2 * chunk_count(colour_sizes[c], 2 * lanes) : chunk_count(colour_sizes[c], lanes));
    iterate_.colour_end.push_back(block);
  }
  const std::uint32_t overflow_begin = block;
  const std::uint32_t overflow_blocks = static_cast<std::uint32_t>(chunk_count(colour_sizes[max_colours], lanes));
  iterate_.overflow_begin = overflow_begin;
  block += overflow_blocks;
  resize_tightly(iterate_.blocks, block);
  for (std::int32_t body : *order_)
    for (std::size_t i = row[static_cast<std::size_t>(body)]; i < row[static_cast<std::size_t>(body) + 1]; ++i) {
      const std::uint32_t colour = place_[i];
      const std::uint32_t at = next[colour]++;
      // Contacts that follow one another here, neighbours in space, go to different blocks of the overflow.
      place_[i] = colour < max_colours ? at : (overflow_begin + at % overflow_blocks) * lanes + at / overflow_blocks;
    }

  // Neutral content for the lanes that no contact fills: the last block of each colour and the overflow.
  const auto neutral = [&](Block& b) {
    Kind::make_neutral(b);
    for (int l = 0; l < lanes; ++l) b.a[l] = b.b[l] = none;
  };
  for (std::uint32_t end : iterate_.colour_end)
    for (std::uint32_t k = 1; k <= (paired ? 2u : 1u); ++k) neutral(iterate_.blocks[end - k]);
  for (std::size_t k = iterate_.overflow_begin; k < iterate_.blocks.size(); ++k) neutral(iterate_.blocks[k]);
}

template <class Kind>
void ContactProblem<Kind>::pack_at(std::size_t i, std::int32_t slot_a, std::int32_t slot_b, const Contact& contact) {
  Block& block = iterate_.blocks[place_[i] / lanes];
  const int l = static_cast<int>(place_[i] % lanes);
  Kind::pack(block, l, iterate_.bodies[static_cast<std::size_t>(slot_a)], iterate_.bodies[static_cast<std::size_t>(slot_b)],
             contact);
  block.a[l] = slot_a;
  block.b[l] = slot_b;
}

template <class Kind>
void ContactProblem<Kind>::split_masses() {
  const std::size_t first = iterate_.overflow_begin;
  iterate_.overflow_inverse_normal.resize(iterate_.blocks.size() - first);
  for (std::size_t k = first; k < iterate_.blocks.size(); ++k) {
    Block& block = iterate_.blocks[k];
    copy_row<lanes>(block.inverse_normal, iterate_.overflow_inverse_normal[k - first].c);
    for (int l = 0; l < lanes; ++l) {
      const Occurrences times = occurrences(block, l, iterate_.none());
      const Body &a = iterate_.bodies[static_cast<std::size_t>(block.a[l])],
                 &b = iterate_.bodies[static_cast<std::size_t>(block.b[l])];
      if (times.a > 1 || times.b > 1) Kind::split(block, l, a, b, times);
    }
  }
}

template <class Kind>
void ContactProblem<Kind>::set_shared_motions(std::span<const SharedMotion> motions, std::span<const Sharing<D>> sharings) {
  std::vector<Sharing<D>> placed(sharings.begin(), sharings.end());
  for (Sharing<D>& s : placed) {
    s.contact = place_[s.contact];
    s.direction = Kind::in_frame(iterate_.blocks[s.contact / lanes], s.contact % lanes, s.direction);
  }
  motions_.set(motions, std::move(placed));
}

template <class Kind>
template <class F>
decltype(auto) ContactProblem<Kind>::with_iterate(F&& f) {
  if constexpr (has_single)
    if (in_single_) return f(single_);
  return f(iterate_);
}

template <class Kind>
bool ContactProblem<Kind>::has_single_form() const {
  return has_single && contacts_ >= fewest_for_single && (motions_.empty() || iterate_.overflow_begin == iterate_.blocks.size());
}

template <class Kind>
void ContactProblem<Kind>::go_to_single(const Units& units) {
  if constexpr (has_single) {
    to_single(iterate_, units, single_);
    find_touched();
    single_.start_changes(touched_);
    motions_.leave();
    in_single_ = true;
  }
}

template <class Kind>
void ContactProblem<Kind>::return_from_single() {
  if constexpr (has_single) impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
  refresh();
}

template <class Kind>
auto ContactProblem<Kind>::velocity(std::size_t slot) const -> Velocity {
  Velocity v;
  if constexpr (has_single)
    if (in_single_) {
      for (int d = 0; d < velocity_dimension<D>; ++d)
        v.c[d] = single_.units.velocity * static_cast<double>(single_.bodies[slot].velocity[d]);
      return v;
    }
  copy_row<velocity_dimension<D>>(iterate_.bodies[slot].velocity, v.c);
  return v;
}

template <class Kind>
void ContactProblem<Kind>::take_snapshot() {
  motions_.take_snapshot();
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = velocity(i);
  });
}

template <class Kind>
void ContactProblem<Kind>::find_touched() {
  if (!touched_.empty()) return;
  for (std::size_t k = iterate_.overflow_begin; k < iterate_.blocks.size(); ++k)  // their contacts have no colour
    for (int l = 0; l < lanes; ++l)
      for (const std::int32_t body : {iterate_.blocks[k].a[l], iterate_.blocks[k].b[l]})
        used_[static_cast<std::size_t>(body)] |= 1;
  for (std::size_t s = 0; s < body_count(); ++s)
    if (used_[s] != 0) touched_.push_back(static_cast<std::uint32_t>(s));
}

template <class Kind>
void ContactProblem<Kind>::start_momentum() {
  find_touched();
  with_iterate([&](auto& iterate) { iterate.start_momentum(touched_); });
  motions_.start_momentum();
}

template <class Kind>
Measured ContactProblem<Kind>::sweep_on(double relaxation, double momentum, bool fully) {
  return with_iterate([&](auto& iterate) {
    iterate.carry(touched_, momentum);
    motions_.carry(iterate, momentum);
    const Measured measured = iterate.sweep_on(relaxation, momentum, fully);
    motions_.renew(iterate);
    return measured;
  });
}

template <class Kind>
void ContactProblem<Kind>::refresh() {
  if constexpr (has_single)
    if (in_single_) {
      impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
      refresh();
      to_single(iterate_, single_.units, single_), motions_.leave(), in_single_ = true;
      return;
    }
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Velocity v = free_velocity(i);
      copy_row<velocity_dimension<D>>(v.c, iterate_.bodies[i].velocity);
    }
  });
  iterate_.apply();
  motions_.renew(iterate_);
}

template <class Kind>
void ContactProblem<Kind>::sweep(double relaxation) {
  iterate_.sweep(relaxation);
  motions_.renew(iterate_);
}

template <class Kind>
Measured ContactProblem<Kind>::measuring_sweep(double relaxation) {
  const Measured measured = iterate_.measuring_sweep(relaxation);
  motions_.renew(iterate_);
  return measured;
}

// Kinetic norm of u minus another velocity field: sqrt(sum m |dv|^2 + I |dspin|^2).
template <class Kind>
template <class Other>
double ContactProblem<Kind>::kinetic_distance(Other&& other) const {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  return std::sqrt(reduce_chunks<Sum>(body_count(), body_chunk, [&](std::size_t begin, std::size_t end) {
                     double sum = 0.0;
                     for (std::size_t i = begin; i < end; ++i) {
                       const Body& body = iterate_.bodies[i];
                       if (body.inverse_mass == 0.0) continue;
                       const Velocity now = velocity(i);
                       Velocity difference = other(i);
                       for (int d = 0; d < velocity_dimension<D>; ++d) difference.c[d] = now.c[d] - difference.c[d];
                       sum += Kind::kinetic_square(body, difference);
                     }
                     return Sum{sum};
                   }).value);
}

template <class Kind>
double ContactProblem<Kind>::change_since_snapshot() {
  double square = motions_.kinetic_square_since_snapshot();
  if constexpr (has_single)
    if (in_single_) {
      motions_.take_snapshot();
      return std::sqrt(square + single_.change(touched_));
    }
  const double bodies = kinetic_distance([&](std::size_t i) { return snapshot_[i]; });
  take_snapshot();
  return std::hypot(bodies, std::sqrt(square));
}

template <class Kind>
double ContactProblem<Kind>::contact_momentum() const {
  return kinetic_distance([&](std::size_t i) { return free_velocity(i); });
}

template <class Kind>
double ContactProblem<Kind>::mean_speed() const {
  return kinetic_distance([](std::size_t) { return Velocity{}; }) / std::sqrt(total_mass_);
}

template <class Kind>
auto ContactProblem<Kind>::impulse(std::size_t contact) const -> Vec<D> {
  return Kind::impulse(iterate_.blocks[place_[contact] / lanes], place_[contact] % lanes);
}

template <class Kind>
auto ContactProblem<Kind>::system() const -> StepSystem<D>
requires plain_law {
  StepSystem<D> system;
  std::vector<std::int32_t> number(body_count() + 1, -1);
  const auto number_of = [&](std::int32_t slot) {
    if (slot == iterate_.none()) return -1;
    std::int32_t& n = number[static_cast<std::size_t>(slot)];
    if (n < 0) {
      n = static_cast<std::int32_t>(system.bodies.size());
      system.names.push_back((*order_)[static_cast<std::size_t>(slot)]);
      system.bodies.push_back(
          Kind::step_body(iterate_.bodies[static_cast<std::size_t>(slot)], free_velocity(static_cast<std::size_t>(slot))));
    }
    return n;
  };
  system.motions.assign(motions_.motions().begin(), motions_.motions().end());
  system.contacts.reserve(contacts_);
  for (std::size_t i = 0; i < contacts_; ++i) {
    const Block& block = iterate_.blocks[place_[i] / lanes];
    const std::size_t lane = place_[i] % lanes;
    const std::int32_t a = number_of(block.a[lane]), b = number_of(block.b[lane]);
    system.add_contact(a, b, Kind::row(block, lane));
  }
  if (!motions_.empty()) {
    std::vector<std::uint32_t> contact(iterate_.blocks.size() * lanes, 0);
    for (std::size_t i = 0; i < contacts_; ++i) contact[place_[i]] = static_cast<std::uint32_t>(i);
    for (const Sharing<D>& s : motions_.sharings()) {
      const std::size_t i = contact[s.contact];
      Vec<D> direction = s.direction;
      if constexpr (std::is_same_v<Kind, Round<D>>)
        for (int k = 0; k < D; ++k) direction[k] = dot(system.contacts[i].frame[k], s.direction);
      // The blocks feel the change of speed of now in their biases.
      system.contacts[i].bias -= motions_.changes_of_speed()[static_cast<std::size_t>(s.motion)] * direction;
      system.sharings.push_back({static_cast<std::uint32_t>(i), s.motion, direction});
    }
  }
  system.complete();
  return system;
}

template <class Kind>
void ContactProblem<Kind>::take(const StepSystem<D>& system) requires plain_law {
  for (std::size_t i = 0; i < contacts_; ++i)
    Kind::set_impulse(iterate_.blocks[place_[i] / lanes], place_[i] % lanes, system.contacts[i]);
  refresh();
}

template class ContactProblem<Round<2>>;
template class ContactProblem<Round<3>>;
template class ContactProblem<Rigid<2>>;
template class ContactProblem<Rigid<3>>;
template class ContactProblem<Bounded<2>>;
template class ContactProblem<Bounded<3>>;
template class ContactProblem<Rolling<2>>;
template class ContactProblem<Rolling<3>>;

}  // namespace moreau
