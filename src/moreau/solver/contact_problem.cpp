#include "moreau/solver/contact_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau {

namespace {
constexpr std::size_t block_chunk = 64;  // 512 contacts, about 10 us of work: enough to pay for handing it to a thread
constexpr std::size_t body_chunk = 2048;
constexpr std::size_t sharing_chunk = 4096;

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
  bodies_.resize(bodies.size() + 1);
  snapshot_.resize(bodies.size() + 2);  // rows may be read as eight numbers
  bodies_.back() = Body{};
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      slot_[i] = static_cast<std::uint32_t>(s);
      Body& body = bodies_[s];
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
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::uint32_t next[max_colours + 1] = {};
  std::uint32_t block = 0;
  colour_end_.clear();
  for (std::uint32_t c = 0; c < max_colours && colour_sizes[c] > 0; ++c) {
    next[c] = block * lanes;
    block += static_cast<std::uint32_t>(chunk_count(colour_sizes[c], lanes));
    colour_end_.push_back(block);
  }
  overflow_begin_ = block;
  next[max_colours] = block * lanes;
  block += colour_sizes[max_colours];
  resize_tightly(blocks_, block);
  for (std::int32_t body : *order_)
    for (std::size_t i = row[static_cast<std::size_t>(body)]; i < row[static_cast<std::size_t>(body) + 1]; ++i) {
      const std::uint32_t colour = place_[i];
      place_[i] = next[colour];
      next[colour] += colour == max_colours ? lanes : 1;
    }

  // Neutral content for the lanes that no contact fills: the last block of each colour and the overflow.
  const auto neutral = [&](Block& b) {
    Kind::make_neutral(b);
    for (int l = 0; l < lanes; ++l) b.a[l] = b.b[l] = none;
  };
  for (std::uint32_t end : colour_end_) neutral(blocks_[end - 1]);
  for (std::size_t k = overflow_begin_; k < blocks_.size(); ++k) neutral(blocks_[k]);
}

template <class Kind>
void ContactProblem<Kind>::pack_at(std::size_t i, std::int32_t slot_a, std::int32_t slot_b, const Contact& contact) {
  Block& block = blocks_[place_[i] / lanes];
  const int l = static_cast<int>(place_[i] % lanes);
  Kind::pack(block, l, bodies_[static_cast<std::size_t>(slot_a)], bodies_[static_cast<std::size_t>(slot_b)], contact);
  block.a[l] = slot_a;
  block.b[l] = slot_b;
}

template <class Kind>
void ContactProblem<Kind>::set_shared_motions(std::span<const SharedMotion> motions, std::span<const Sharing<D>> sharings) {
  motions_.assign(motions.begin(), motions.end());
  sharings_.assign(sharings.begin(), sharings.end());
  std::fill(std::begin(change_), std::end(change_), 0.0);  // the biases are those of no change
  for (Sharing<D>& s : sharings_)
    s.direction = Kind::in_frame(blocks_[place_[s.contact] / lanes], place_[s.contact] % lanes, s.direction);
}

// Gives each motion the change of speed change_of(motion, its sharings), and lets its contacts feel it.
template <class Kind>
template <class Change>
void ContactProblem<Kind>::change_shared_motions(Change&& change_of) {
  std::size_t first = 0;
  for (std::size_t m = 0; m < motions_.size(); ++m) {
    std::size_t last = first;
    while (last < sharings_.size() && static_cast<std::size_t>(sharings_[last].motion) == m) ++last;
    const std::span<const Sharing<D>> sharings(sharings_.data() + first, last - first);
    first = last;
    const double change = change_of(m, sharings), step = change - change_[m];
    change_[m] = change;
    for_chunks(sharings.size(), sharing_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (const Sharing<D>& s : sharings.subspan(begin, end - begin)) {
        const std::size_t at = place_[s.contact];
        for (int d = 0; d < D; ++d) blocks_[at / lanes].bias[d][at % lanes] += step * s.direction[d];
      }
    });
  }
}

// Changes of speed from the impulses. One motion after the other: a contact may take part in several.
template <class Kind>
void ContactProblem<Kind>::renew_shared_motions() {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  change_shared_motions([&](std::size_t m, std::span<const Sharing<D>> sharings) {
    const Sum gained = reduce_chunks<Sum>(sharings.size(), sharing_chunk, [&](std::size_t begin, std::size_t end) {
      Sum part;
      for (const Sharing<D>& s : sharings.subspan(begin, end - begin)) {
        const std::size_t at = place_[s.contact];
        for (int d = 0; d < D; ++d) part.value += s.direction[d] * blocks_[at / lanes].impulse[d][at % lanes];
      }
      return part;
    });
    return motions_[m].free_change + motions_[m].inverse_mass * gained.value;
  });
}

template <class Kind>
void ContactProblem<Kind>::take_snapshot() {
  std::copy(std::begin(change_), std::end(change_), std::begin(change_snapshot_));
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) copy_row<velocity_dimension<D>>(bodies_[i].velocity, snapshot_[i].c);
  });
}

// What the sweeps have led to so far becomes what the next one will be compared with; it carries nothing on yet.
template <class Kind>
void ContactProblem<Kind>::start_momentum() {
  constexpr std::size_t rows = Kind::rows;
  resize_tightly(impulse_last_, rows * blocks_.size());
  if (touched_.empty())
    for (std::size_t s = 0; s < body_count(); ++s)
      if (used_[s] != 0) touched_.push_back(static_cast<std::uint32_t>(s));
  resize_tightly(body_last_, touched_.size());
  for_chunks(blocks_.size(), block_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = rows * begin; k < rows * end; ++k)
      copy_row<lanes>(blocks_[k / rows].impulse[k % rows], impulse_last_[k].c);
  });
  for_chunks(touched_.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      copy_row<lanes>(reinterpret_cast<const double*>(&bodies_[touched_[i]]), body_last_[i].c);
  });
  std::copy(std::begin(change_), std::end(change_), std::begin(change_last_));
}

// A sweep from x + momentum (x - x_last), x what the last sweep led to, x_last the one before it; impulses and velocities alike:
// u depends on P linearly, so that u = u_free + A^-1 sum G^T P goes on to hold. Velocities are carried on first; each impulse
// when its contact comes. The masses in the lines of the bodies stay as they are: they do not change from sweep to sweep.
template <class Kind>
Measured ContactProblem<Kind>::sweep_on(double relaxation, double momentum, bool fully) {
  for_chunks(touched_.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    carry_bodies(bodies_.data(), touched_.data(), body_last_.data(), begin, end, momentum);
  });
  change_shared_motions([&](std::size_t m, std::span<const Sharing<D>>) {
    const double last = std::exchange(change_last_[m], change_[m]);
    return change_[m] + momentum * (change_[m] - last);
  });
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  const auto sweep_part = [&](std::size_t begin, std::size_t end) {
    Measured part;
    sweep_blocks_on(bodies_.data(), blocks_.data(), begin, end, none, relaxation, momentum, impulse_last_.data(), fully, part);
    return part;
  };
  Measured total;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end_) {
    total += reduce_chunks<Measured>(last - first, block_chunk,
                                     [&](std::size_t begin, std::size_t end) { return sweep_part(first + begin, first + end); });
    first = last;
  }
  total += sweep_part(overflow_begin_, blocks_.size());
  renew_shared_motions();
  return total;
}

template <class Kind>
void ContactProblem<Kind>::refresh() {
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Velocity v = free_velocity(i);
      copy_row<velocity_dimension<D>>(v.c, bodies_[i].velocity);
    }
  });
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end_) {
    for_chunks(last - first, block_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      apply_blocks(bodies_.data(), blocks_.data(), first + begin, first + end, none);
    });
    first = last;
  }
  apply_blocks(bodies_.data(), blocks_.data(), overflow_begin_, blocks_.size(), none);
  renew_shared_motions();
}

template <class Kind>
void ContactProblem<Kind>::sweep(double relaxation) {
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end_) {
    for_chunks(last - first, block_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      sweep_blocks(bodies_.data(), blocks_.data(), first + begin, first + end, none, relaxation);
    });
    first = last;
  }
  sweep_blocks(bodies_.data(), blocks_.data(), overflow_begin_, blocks_.size(), none, relaxation);
  renew_shared_motions();
}

template <class Kind>
Measured ContactProblem<Kind>::measuring_sweep(double relaxation) {
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  Measured total;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end_) {
    total += reduce_chunks<Measured>(last - first, block_chunk, [&](std::size_t begin, std::size_t end) {
      Measured part;
      sweep_blocks(bodies_.data(), blocks_.data(), first + begin, first + end, none, relaxation, part);
      return part;
    });
    first = last;
  }
  Measured part;
  sweep_blocks(bodies_.data(), blocks_.data(), overflow_begin_, blocks_.size(), none, relaxation, part);
  renew_shared_motions();
  return total += part;
}

template <class Kind>
Measured ContactProblem<Kind>::measure() const {
  return reduce_chunks<Measured>(blocks_.size(), block_chunk, [&](std::size_t begin, std::size_t end) {
    Measured part;
    measure_blocks(bodies_.data(), blocks_.data(), begin, end, part);
    return part;
  });
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
                       const Body& body = bodies_[i];
                       if (body.inverse_mass == 0.0) continue;
                       Velocity difference = other(i);
                       for (int d = 0; d < velocity_dimension<D>; ++d) difference.c[d] = body.velocity[d] - difference.c[d];
                       sum += Kind::kinetic_square(body, difference);
                     }
                     return Sum{sum};
                   }).value);
}

template <class Kind>
double ContactProblem<Kind>::change_since_snapshot() const {
  double shared = 0.0;
  for (std::size_t m = 0; m < motions_.size(); ++m)
    if (motions_[m].inverse_mass > 0.0) shared += std::pow(change_[m] - change_snapshot_[m], 2) / motions_[m].inverse_mass;
  return std::hypot(kinetic_distance([&](std::size_t i) { return snapshot_[i]; }), std::sqrt(shared));
}
template <class Kind>
double ContactProblem<Kind>::contact_momentum() const {
  return kinetic_distance([&](std::size_t i) { return free_velocity(i); });
}

template <class Kind>
auto ContactProblem<Kind>::impulse(std::size_t contact) const -> Vec<D> {
  return Kind::impulse(blocks_[place_[contact] / lanes], place_[contact] % lanes);
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
