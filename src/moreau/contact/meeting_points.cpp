#include "moreau/contact/meeting_points.hpp"

#include <bit>

#include "moreau/base/instruction_set.hpp"
#include "moreau/base/lanes.hpp"

namespace moreau::inline contact {

namespace {

typedef std::int8_t Bytes __attribute__((vector_size(lanes)));

template <int D>
MOREAU_INLINE std::uint64_t meeting(const PointColumns<D>& points, const ReachingPoint<D>& p, std::size_t begin,
                                    std::size_t end) {
  std::uint64_t met = 0;
  for (std::size_t k = begin; k < end; k += lanes) {
    Vec<D, Lanes> apart;
    for (int d = 0; d < D; ++d) apart[d] = p.at[d] - load_unaligned(points.at[d].data() + k);
    const Lanes limit = p.reach + load_unaligned(points.reach.data() + k);
    const auto within = dot(apart, apart) <= limit * limit;
    // A byte per lane, of which a bit each; the product brings the bits together in its highest byte.
    const std::uint64_t hit = std::bit_cast<std::uint64_t>(__builtin_convertvector(within, Bytes)) & 0x0101010101010101;
    met |= ((hit * 0x0102040810204080) >> 56) << (k - begin);
  }
  const std::size_t count = end - begin;
  return count < 64 ? met & ((std::uint64_t{1} << count) - 1) : met;
}

template <int D>
MOREAU_INLINE std::size_t copy(const PointColumns<D>& from, const Stretch* stretch, int stretches, PointColumns<D>& to) {
  std::size_t count = 0;
  for (int s = 0; s < stretches; ++s) {
    const std::size_t begin = stretch[s].begin, length = stretch[s].end - begin;
    for (std::size_t k = 0; k < length; k += lanes) {
      const auto eight = [&](const auto& source, auto& target) {
        __builtin_memcpy(target.data() + count + k, source.data() + begin + k, lanes * sizeof(source[0]));
      };
      for (int d = 0; d < D; ++d) eight(from.at[d], to.at[d]);
      eight(from.reach, to.reach), eight(from.number, to.number);
    }
    count += length;
  }
  return count;
}

}  // namespace

template <int D>
void PointColumns<D>::make_room(std::size_t n) {
  if (number.size() >= n + lanes) return;
  for (auto& column : at) column.resize(n + lanes);
  reach.resize(n + lanes), number.resize(n + lanes);
}

MOREAU_VERSIONS(std::uint64_t, meeting_points,
                (const PointColumns<2>& points, const ReachingPoint<2>& p, std::size_t begin, std::size_t end),
                (points, p, begin, end)) {
  return meeting<2>(points, p, begin, end);
}
MOREAU_VERSIONS(std::uint64_t, meeting_points,
                (const PointColumns<3>& points, const ReachingPoint<3>& p, std::size_t begin, std::size_t end),
                (points, p, begin, end)) {
  return meeting<3>(points, p, begin, end);
}

std::size_t copy_stretches(const PointColumns<2>& from, const Stretch* stretch, int stretches, PointColumns<2>& to) {
  return copy<2>(from, stretch, stretches, to);
}
std::size_t copy_stretches(const PointColumns<3>& from, const Stretch* stretch, int stretches, PointColumns<3>& to) {
  return copy<3>(from, stretch, stretches, to);
}

template struct PointColumns<2>;
template struct PointColumns<3>;

}  // namespace moreau::inline contact
