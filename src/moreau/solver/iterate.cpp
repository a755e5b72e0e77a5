#include "moreau/solver/iterate.hpp"

#include <cstring>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau {

namespace {
// Blocks that a thread takes at a time. Small in single precision, in which most sweeps are made: threads then share a colour
// half and half, whatever its length, and find most bodies in their own caches from colour to colour.
template <class Real>
constexpr std::size_t block_chunk = sizeof(Real) == sizeof(float) ? 8 : 64;
constexpr std::size_t body_chunk = 256;

Measured in_units_of_the_problem(Measured m, const Units& units) {
  m.residual_squares *= units.velocity * units.velocity;
  m.residual_max *= units.velocity;
  m.impulse_squares *= units.velocity * units.velocity;
  m.impulse_sum *= units.velocity;
  m.correction_energy *= units.impulse() * units.velocity;
  return m;
}
}  // namespace

template <class Kind>
template <class Part, class Crowded>
Measured Iterate<Kind>::over_colours(Part&& part, Crowded&& crowded) {
  Measured total;
  std::size_t first = 0;
  for (std::uint32_t last : colour_end) {
    total += reduce_chunks<Measured>(last - first, block_chunk<Real>, [&](std::size_t begin, std::size_t end) {
      Measured measured;
      part(first + begin, first + end, measured);
      return measured;
    });
    first = last;
  }
  Measured measured;
  if (overflow_begin < blocks.size()) crowded(measured);
  return in_units_of_the_problem(total += measured, units);
}

template <class Kind>
template <class Part>
void Iterate<Kind>::for_colours(Part&& part) {
  std::size_t first = 0;
  for (std::uint32_t last : colour_end) {
    for_chunks(last - first, block_chunk<Real>,
               [&](std::size_t, std::size_t begin, std::size_t end) { part(first + begin, first + end); });
    first = last;
  }
}

template <class Kind>
void Iterate<Kind>::sweep_overflow(double relaxation, double momentum, RowOf<Real>* last, bool fully, Measured& measured) {
  sweep_crowded(bodies.data(), blocks.data(), overflow_begin, blocks.size(), none(), relaxation, momentum, last, fully, measured);
  if (fully) weigh_overflow(measured);
}

// H_N P_N with the masses as they are: the blocks have them split.
template <class Kind>
void Iterate<Kind>::weigh_overflow(Measured& measured) const {
  const auto normal_impulse = [](const Block& block, std::size_t l) {
    if constexpr (requires { block.coupling; }) return block.impulse[0][l];  // in the frame of the contact
    Real p{};
    for (std::size_t d = 0; d < Kind::dimension; ++d) p += block.normal[d][l] * block.impulse[d][l];
    return p;
  };
  measured.impulse_squares = measured.impulse_sum = 0.0;
  for (std::size_t k = overflow_begin; k < blocks.size(); ++k)
    for (std::size_t l = 0; l < lanes_of<Real>; ++l) {
      const Real h = overflow_inverse_normal[k - overflow_begin].c[l];
      const double weight = static_cast<double>(normal_impulse(blocks[k], l) / h);
      measured.impulse_squares += weight * weight;
      measured.impulse_sum += weight;
    }
}

template <class Kind>
void Iterate<Kind>::sweep(double relaxation) {
  for_colours([&](std::size_t begin, std::size_t end) {
    sweep_blocks(bodies.data(), blocks.data(), begin, end, overflow_begin, none(), relaxation);
  });
  Measured unused;
  sweep_overflow(relaxation, 0.0, nullptr, false, unused);
}

template <class Kind>
Measured Iterate<Kind>::measuring_sweep(double relaxation) {
  return over_colours(
      [&](std::size_t begin, std::size_t end, Measured& measured) {
        sweep_blocks(bodies.data(), blocks.data(), begin, end, overflow_begin, none(), relaxation, measured);
      },
      [&](Measured& measured) { sweep_overflow(relaxation, 0.0, nullptr, true, measured); });
}

template <class Kind>
Measured Iterate<Kind>::sweep_on(double relaxation, double momentum, bool fully) {
  return over_colours(
      [&](std::size_t begin, std::size_t end, Measured& measured) {
        sweep_blocks_on(bodies.data(), blocks.data(), begin, end, overflow_begin, none(), relaxation, momentum,
                        impulse_last_.data(), fully, measured);
      },
      [&](Measured& measured) { sweep_overflow(relaxation, momentum, impulse_last_.data(), fully, measured); });
}

template <class Kind>
void Iterate<Kind>::apply() {
  for_colours([&](std::size_t begin, std::size_t end) { apply_blocks(bodies.data(), blocks.data(), begin, end, none()); });
  apply_crowded(bodies.data(), blocks.data(), overflow_begin, blocks.size(), none());
}

template <class Kind>
Measured Iterate<Kind>::measure() const {
  Measured total = reduce_chunks<Measured>(overflow_begin, block_chunk<Real>, [&](std::size_t begin, std::size_t end) {
    Measured part;
    measure_blocks(bodies.data(), blocks.data(), begin, end, part);
    return part;
  });
  Measured part;
  measure_blocks(bodies.data(), blocks.data(), overflow_begin, blocks.size(), part);
  weigh_overflow(part);
  return in_units_of_the_problem(total += part, units);
}

template <class Kind>
void Iterate<Kind>::start_momentum(std::span<const std::uint32_t> touched) {
  constexpr std::size_t rows = Kind::rows;
  resize_tightly(impulse_last_, rows * blocks.size());
  for_chunks(blocks.size(), block_chunk<Real>, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = rows * begin; k < rows * end; ++k)
      std::memcpy(impulse_last_[k].c, blocks[k / rows].impulse[k % rows], sizeof(RowOf<Real>));
  });
  copy_bodies(touched, body_last_);
}

template <class Kind>
void Iterate<Kind>::copy_bodies(std::span<const std::uint32_t> touched, std::vector<BodyRow<Real>>& to) const {
  resize_tightly(to, touched.size());
  for_chunks(touched.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) std::memcpy(to[i].c, &bodies[touched[i]], sizeof(BodyRow<Real>));
  });
}

template <class Kind>
void Iterate<Kind>::start_changes(std::span<const std::uint32_t> touched) {
  copy_bodies(touched, body_then_);
}

template <class Kind>
double Iterate<Kind>::change(std::span<const std::uint32_t> touched) requires std::same_as<Real, float> {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  const Sum sum = reduce_chunks<Sum>(touched.size(), body_chunk, [&](std::size_t begin, std::size_t end) {
    return Sum{kinetic_change(bodies.data(), touched.data(), body_then_.data(), begin, end)};
  });
  return sum.value * (units.mass * units.velocity * units.velocity);
}

template <class Kind>
void Iterate<Kind>::carry(std::span<const std::uint32_t> touched, double momentum) {
  for_chunks(touched.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    carry_bodies(bodies.data(), touched.data(), body_last_.data(), begin, end, momentum);
  });
}

template class Iterate<Round<2>>;
template class Iterate<Round<3>>;
template class Iterate<SingleRound<2>>;
template class Iterate<SingleRound<3>>;
template class Iterate<Rigid<2>>;
template class Iterate<Rigid<3>>;
template class Iterate<Bounded<2>>;
template class Iterate<Bounded<3>>;
template class Iterate<Rolling<2>>;
template class Iterate<Rolling<3>>;

}  // namespace moreau
