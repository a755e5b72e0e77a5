#include "moreau/solver/round_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "moreau/base/parallel.hpp"
#include "moreau/solver/sweep.hpp"

namespace moreau {

namespace {
constexpr std::size_t block_chunk = 64;  // 512 contacts, about 10 us of work: enough to pay for handing it to a thread
constexpr std::size_t body_chunk = 2048;
constexpr std::uint32_t max_colours = 64;  // one bit each in `used_`
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
void RoundProblem<D>::set_bodies(std::size_t count) {
  free_.resize(count + 1);
  bodies_.resize(count + 1);
  snapshot_.resize(count + 1);
  free_[count] = bodies_[count] = snapshot_[count] = MovingBody<D>{};
}

// Greedy: each contact, in table order, takes the lowest colour that neither of its bodies has. A body with more than 64 contacts
// sends the surplus to the overflow, which is swept one contact at a time.
template <int D>
void RoundProblem<D>::colour_contacts(std::size_t count) {
  const std::int32_t none = static_cast<std::int32_t>(bodies_.size()) - 1;
  used_.assign(bodies_.size(), 0);
  colour_.resize(count), place_.resize(count);
  std::vector<std::uint32_t> size(max_colours + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t a = static_cast<std::size_t>(first_[i]), b = static_cast<std::size_t>(second_[i]);
    const std::uint64_t taken = used_[a] | (second_[i] == none ? 0 : used_[b]);
    const std::uint32_t c = static_cast<std::uint32_t>(std::countr_one(taken));
    if (c < max_colours) {
      const std::uint64_t bit = std::uint64_t{1} << c;
      used_[a] |= bit;
      if (second_[i] != none) used_[b] |= bit;
    }
    colour_[i] = c;
    ++size[c];
  }

  std::vector<std::uint32_t> next(max_colours + 1, 0);
  std::uint32_t block = 0;
  colour_end_.clear();
  for (std::uint32_t c = 0; c < max_colours && size[c] > 0; ++c) {
    next[c] = block * lanes;
    block += static_cast<std::uint32_t>(chunk_count(size[c], lanes));
    colour_end_.push_back(block);
  }
  overflow_begin_ = block;
  next[max_colours] = block * lanes;
  block += size[max_colours];
  blocks_.resize(block);
  for (std::size_t i = 0; i < count; ++i) {
    place_[i] = next[colour_[i]];
    next[colour_[i]] += colour_[i] == max_colours ? lanes : 1;
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
void RoundProblem<D>::pack(std::size_t i, const RoundContact<D>& contact) {
  ContactBlock<D>& block = blocks_[place_[i] / lanes];
  const int l = static_cast<int>(place_[i] % lanes);
  const MovingBody<D>&a = free_[static_cast<std::size_t>(first_[i])], &b = free_[static_cast<std::size_t>(second_[i])];
  const double normal = a.inverse_mass + b.inverse_mass;
  for (int d = 0; d < D; ++d) {
    block.normal[d][l] = contact.normal[d];
    block.impulse[d][l] = contact.impulse[d];
    block.bias[d][l] = contact.bias[d];
  }
  block.inverse_normal[l] = 1.0 / normal;
  block.inverse_tangent[l] = 1.0 / (normal + a.inverse_rolling + b.inverse_rolling);
  block.friction[l] = contact.friction;
  block.a[l] = first_[i];
  block.b[l] = second_[i];
}

template <int D>
static void copy(const std::vector<MovingBody<D>>& from, std::vector<MovingBody<D>>& to) {
  for_chunks(from.size(), body_chunk,
             [&](std::size_t, std::size_t begin, std::size_t end) { std::copy(&from[begin], &from[begin] + (end - begin), &to[begin]); });
}

template <int D>
void RoundProblem<D>::take_snapshot() {
  copy<D>(bodies_, snapshot_);
}

template <int D>
void RoundProblem<D>::refresh() {
  copy<D>(free_, bodies_);
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

namespace {

// Kinetic norm of the difference of two velocity fields: sqrt(sum m |dv|^2 + I |dspin|^2).
template <int D>
double kinetic_distance(const std::vector<MovingBody<D>>& x, const std::vector<MovingBody<D>>& y) {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  return std::sqrt(reduce_chunks<Sum>(x.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
                     double sum = 0.0;
                     for (std::size_t i = begin; i < end; ++i) {
                       if (x[i].inverse_mass == 0.0) continue;
                       double v = 0.0, s = 0.0;
                       for (int d = 0; d < D; ++d) v += (x[i].velocity[d] - y[i].velocity[d]) * (x[i].velocity[d] - y[i].velocity[d]);
                       for (int d = 0; d < spin_dimension<D>; ++d) s += (x[i].rim[d] - y[i].rim[d]) * (x[i].rim[d] - y[i].rim[d]);
                       sum += v / x[i].inverse_mass + (x[i].inverse_rolling > 0.0 ? s / x[i].inverse_rolling : 0.0);
                     }
                     return Sum{sum};
                   }).value);
}

}  // namespace

template <int D>
double RoundProblem<D>::change_since_snapshot() const {
  return kinetic_distance<D>(bodies_, snapshot_);
}
template <int D>
double RoundProblem<D>::contact_momentum() const {
  return kinetic_distance<D>(bodies_, free_);
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
