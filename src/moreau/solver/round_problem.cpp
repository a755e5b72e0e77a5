#include "moreau/solver/round_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau {

namespace {
constexpr std::size_t block_chunk = 64;  // 512 contacts, about 10 us of work: enough to pay for handing it to a thread
constexpr std::size_t body_chunk = 2048;
}  // namespace

template <int D>
typename RoundProblem<D>::Measured& RoundProblem<D>::Measured::operator+=(const Measured& o) {
  residual_squares += o.residual_squares;
  residual_max = std::max(residual_max, o.residual_max);
  impulse_squares += o.impulse_squares;
  impulse_sum += o.impulse_sum;
  return *this;
}

template <int D>
void RoundProblem<D>::set_bodies(const Bodies<D>& bodies, const std::vector<std::int32_t>& order, const Vec<D>& gained) {
  input_ = &bodies;
  order_ = &order;
  gained_ = gained;
  slot_.resize(bodies.size());
  bodies_.resize(bodies.size() + 1);
  snapshot_.resize(bodies.size());
  bodies_.back() = MovingBody<D>{};
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      slot_[i] = static_cast<std::uint32_t>(s);
      MovingBody<D>& body = bodies_[s];
      body = {};
      if (!bodies.is_free(i)) continue;
      const double r = bodies.parameters.radius[i];
      body.inverse_mass = 1.0 / bodies.parameters.mass[i];
      body.inverse_rolling = r * r / bodies.parameters.inertia[i];
    }
  });
}

template <int D>
typename RoundProblem<D>::Velocity RoundProblem<D>::velocity(const MovingBody<D>& body) {
  Velocity v;
  for (int d = 0; d < D; ++d) v.c[d] = body.velocity[d];
  for (int d = 0; d < spin_dimension<D>; ++d) v.c[D + d] = body.rim[d];
  return v;
}

template <int D>
typename RoundProblem<D>::Velocity RoundProblem<D>::free_velocity(std::size_t slot) const {
  Velocity v{};
  const std::size_t i = static_cast<std::size_t>((*order_)[slot]);
  if (!input_->is_free(i)) return v;
  const double r = input_->parameters.radius[i];
  for (int d = 0; d < D; ++d) v.c[d] = input_->state.velocity[i][d] + gained_[d];
  for (int d = 0; d < spin_dimension<D>; ++d) v.c[D + d] = r * input_->state.spin[i][d];
  return v;
}

// From the colours in place_ to blocks and lanes.
template <int D>
void RoundProblem<D>::lay_out(std::span<const std::uint32_t> colour_sizes, const std::vector<std::uint32_t>& row) {
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
  const auto neutral = [&](ContactBlock<D>& b) {
    b = ContactBlock<D>{};
    for (int l = 0; l < lanes; ++l) b.inverse_normal[l] = b.inverse_tangent[l] = 1.0, b.a[l] = b.b[l] = none;
  };
  for (std::uint32_t end : colour_end_) neutral(blocks_[end - 1]);
  for (std::size_t k = overflow_begin_; k < blocks_.size(); ++k) neutral(blocks_[k]);
}

template <int D>
void RoundProblem<D>::pack(std::size_t i, std::int32_t slot_a, std::int32_t slot_b, const RoundContact<D>& contact) {
  ContactBlock<D>& block = blocks_[place_[i] / lanes];
  const int l = static_cast<int>(place_[i] % lanes);
  const MovingBody<D>&body_a = bodies_[static_cast<std::size_t>(slot_a)], &body_b = bodies_[static_cast<std::size_t>(slot_b)];
  const double normal = body_a.inverse_mass + body_b.inverse_mass;
  for (int d = 0; d < D; ++d) {
    block.normal[d][l] = contact.normal[d];
    block.impulse[d][l] = contact.impulse[d];
    block.bias[d][l] = contact.bias[d];
  }
  block.inverse_normal[l] = 1.0 / normal;
  block.inverse_tangent[l] = 1.0 / (normal + body_a.inverse_rolling + body_b.inverse_rolling);
  block.friction[l] = contact.friction;
  block.a[l] = slot_a;
  block.b[l] = slot_b;
}

template <int D>
void RoundProblem<D>::take_snapshot() {
  for_chunks(snapshot_.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = velocity(bodies_[i]);
  });
}

template <int D>
void RoundProblem<D>::refresh() {
  for_chunks(snapshot_.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Velocity v = free_velocity(i);
      for (int d = 0; d < D; ++d) bodies_[i].velocity[d] = v.c[d];
      for (int d = 0; d < spin_dimension<D>; ++d) bodies_[i].rim[d] = v.c[D + d];
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
}

template <int D>
void RoundProblem<D>::sweep(double relaxation) {
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end_) {
    for_chunks(last - first, block_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
      sweep_blocks(bodies_.data(), blocks_.data(), first + begin, first + end, none, relaxation);
    });
    first = last;
  }
  sweep_blocks(bodies_.data(), blocks_.data(), overflow_begin_, blocks_.size(), none, relaxation);
}

template <int D>
typename RoundProblem<D>::Measured RoundProblem<D>::measuring_sweep(double relaxation) {
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
  return total += part;
}

template <int D>
typename RoundProblem<D>::Measured RoundProblem<D>::measure() const {
  return reduce_chunks<Measured>(blocks_.size(), block_chunk, [&](std::size_t begin, std::size_t end) {
    Measured part;
    measure_blocks(bodies_.data(), blocks_.data(), begin, end, part);
    return part;
  });
}

// Kinetic norm of u minus another velocity field: sqrt(sum m |dv|^2 + I |dspin|^2).
template <int D>
template <class Other>
double RoundProblem<D>::kinetic_distance(Other&& other) const {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  return std::sqrt(reduce_chunks<Sum>(snapshot_.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
                     double sum = 0.0;
                     for (std::size_t i = begin; i < end; ++i) {
                       const MovingBody<D>& body = bodies_[i];
                       if (body.inverse_mass == 0.0) continue;
                       const Velocity x = velocity(body), y = other(i);
                       double v = 0.0, s = 0.0;
                       for (int d = 0; d < D; ++d) v += (x.c[d] - y.c[d]) * (x.c[d] - y.c[d]);
                       for (int d = D; d < D + spin_dimension<D>; ++d) s += (x.c[d] - y.c[d]) * (x.c[d] - y.c[d]);
                       sum += v / body.inverse_mass + s / body.inverse_rolling;
                     }
                     return Sum{sum};
                   }).value);
}

template <int D>
double RoundProblem<D>::change_since_snapshot() const {
  return kinetic_distance([&](std::size_t i) { return snapshot_[i]; });
}
template <int D>
double RoundProblem<D>::contact_momentum() const {
  return kinetic_distance([&](std::size_t i) { return free_velocity(i); });
}

template <int D>
Vec<D> RoundProblem<D>::impulse(std::size_t contact) const {
  const ContactBlock<D>& block = blocks_[place_[contact] / lanes];
  Vec<D> p;
  for (int d = 0; d < D; ++d) p[d] = block.impulse[d][place_[contact] % lanes];
  return p;
}

template class RoundProblem<2>;
template class RoundProblem<3>;

}  // namespace moreau
