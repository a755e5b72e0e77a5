#include "moreau/solver/single_form.hpp"

#include <algorithm>

#include "moreau/base/clones.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"

namespace moreau {

namespace {
constexpr std::size_t chunk = 128;
constexpr int halves = lanes_of<float> / lanes;

// Blocks `from` (two, or one and nothing) side by side, their rows multiplied by what the change of units asks for.
template <int D>
void narrow(const RoundBlock<D>* from, int count, const Units& units, std::int32_t none, RoundBlock<D, float>& to) {
  const double impulse = 1.0 / units.impulse(), velocity = 1.0 / units.velocity, mass = 1.0 / units.mass;
  for (int k = 0; k < halves; ++k) {
    const int first = k * lanes;
    const auto put = [&](const double(&row)[lanes], float* out, double factor) {
      for (int l = 0; l < lanes; ++l) out[first + l] = static_cast<float>(factor * row[l]);
    };
    const auto make_neutral = [&](int l) {  // relaxes to zero
      for (int d = 0; d < D; ++d) to.normal[d][l] = to.impulse[d][l] = to.bias[d][l] = 0.0f;
      to.inverse_normal[l] = to.inverse_tangent[l] = 1.0f, to.friction[l] = 0.0f;
      to.a[l] = to.b[l] = none;
    };
    if (k >= count) {
      for (int l = 0; l < lanes; ++l) make_neutral(first + l);
      continue;
    }
    const RoundBlock<D>& block = from[k];
    for (int d = 0; d < D; ++d) {
      put(block.normal[d], to.normal[d], 1.0);
      put(block.impulse[d], to.impulse[d], impulse);
      put(block.bias[d], to.bias[d], velocity);
    }
    put(block.inverse_normal, to.inverse_normal, mass);
    put(block.inverse_tangent, to.inverse_tangent, mass);
    put(block.friction, to.friction, 1.0);
    std::copy(block.a, block.a + lanes, to.a + first);
    std::copy(block.b, block.b + lanes, to.b + first);
    for (int l = 0; l < lanes; ++l)
      if (block.a[l] == none) make_neutral(first + l);  // their 1 / h = 1 is not a mass
  }
}

template <int D>
void widen(const RoundBlock<D, float>& from, int count, double unit, RoundBlock<D>* to) {
  for (int k = 0; k < count; ++k)
    for (int d = 0; d < D; ++d)
      for (int l = 0; l < lanes; ++l) to[k].impulse[d][l] = unit * static_cast<double>(from.impulse[d][k * lanes + l]);
}

// f(block in single precision, first block in double precision, how many) for all.
template <int D, class F>
void for_blocks(std::size_t coloured, std::size_t all, F&& f) {
  const std::size_t pairs = coloured / halves, overflow = all - coloured;
  for_chunks(pairs + overflow, chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      if (k < pairs)
        f(k, halves * k, halves);
      else
        f(k, coloured + (k - pairs), 1);
  });
}
}  // namespace

template <int D>
void to_single(const Iterate<Round<D>>& exact, const Units& units, Iterate<SingleRound<D>>& single) {
  single.units = units;
  single.colour_end.resize(exact.colour_end.size());
  for (std::size_t c = 0; c < exact.colour_end.size(); ++c) single.colour_end[c] = exact.colour_end[c] / halves;
  single.overflow_begin = exact.overflow_begin / halves;
  single.bodies.resize(exact.bodies.size());
  const double velocity = 1.0 / units.velocity;
  for_chunks(exact.bodies.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const RoundBody<D>& from = exact.bodies[i];
      RoundBody<D, float>& to = single.bodies[i];
      for (int d = 0; d < velocity_dimension<D>; ++d) to.velocity[d] = static_cast<float>(velocity * from.velocity[d]);
      to.inverse_mass = static_cast<float>(units.mass * from.inverse_mass);
      to.inverse_rolling = static_cast<float>(units.mass * from.inverse_rolling);
    }
  });
  single.overflow_inverse_normal.resize(exact.overflow_inverse_normal.size());
  for (std::size_t k = 0; k < exact.overflow_inverse_normal.size(); ++k)
    for (int l = 0; l < lanes_of<float>; ++l)
      single.overflow_inverse_normal[k].c[l] =
          l < lanes ? static_cast<float>(exact.overflow_inverse_normal[k].c[l] / units.mass) : 1.0f;
  resize_tightly(single.blocks, single.overflow_begin + (exact.blocks.size() - exact.overflow_begin));
  for_blocks<D>(exact.overflow_begin, exact.blocks.size(), [&](std::size_t k, std::size_t first, int count) {
    narrow<D>(&exact.blocks[first], count, units, exact.none(), single.blocks[k]);
  });
}

template <int D>
void impulses_from_single(const Iterate<SingleRound<D>>& single, Iterate<Round<D>>& exact) {
  for_blocks<D>(exact.overflow_begin, exact.blocks.size(), [&](std::size_t k, std::size_t first, int count) {
    widen<D>(single.blocks[k], count, single.units.impulse(), &exact.blocks[first]);
  });
}

template void to_single<2>(const Iterate<Round<2>>&, const Units&, Iterate<SingleRound<2>>&);
template void to_single<3>(const Iterate<Round<3>>&, const Units&, Iterate<SingleRound<3>>&);
template void impulses_from_single<2>(const Iterate<SingleRound<2>>&, Iterate<Round<2>>&);
template void impulses_from_single<3>(const Iterate<SingleRound<3>>&, Iterate<Round<3>>&);

}  // namespace moreau
