#include "moreau/solver/shared_pack.hpp"

#include <algorithm>
#include <bit>

#include "moreau/solver/contact_kind.hpp"

namespace moreau::inline solver {

namespace {

// Of a kind of contact: which motions the packs take part in, and where the first of each lies.
struct PacksOfKind {
  std::vector<std::uint16_t> motions;  // a bit each
  std::vector<std::uint32_t> first;
};
static_assert(most_shared_motions <= 16);

}  // namespace

template <int D>
void gather_shared_packs(std::span<const Sharing<D>> sharings, std::vector<SharedPack<D>>& packs) {
  packs.clear();
  if (sharings.empty()) return;
  PacksOfKind kinds[contact_kinds];
  for (const Sharing<D>& s : sharings) {
    auto& motions = kinds[static_cast<int>(kind_at(s.contact))].motions;
    const std::size_t pack = index_at(s.contact) / lanes;
    if (pack >= motions.size()) motions.resize(std::max(pack + 1, 2 * motions.size()), 0);
    motions[pack] = static_cast<std::uint16_t>(motions[pack] | 1u << s.motion);
  }
  std::uint32_t count = 0;
  for (PacksOfKind& of : kinds) {
    of.first.reserve(of.motions.size());
    for (const std::uint16_t motions : of.motions) of.first.push_back(count), count += static_cast<std::uint32_t>(std::popcount(motions));
  }
  packs.resize(count);
  for (const Sharing<D>& s : sharings) {
    const PacksOfKind& of = kinds[static_cast<int>(kind_at(s.contact))];
    const std::uint32_t index = index_at(s.contact), lane = index % lanes;
    const unsigned before = of.motions[index / lanes] & ((1u << s.motion) - 1u);
    SharedPack<D>& pack = packs[of.first[index / lanes] + static_cast<std::uint32_t>(std::popcount(before))];
    pack.place = s.contact - lane, pack.motion = s.motion;
    for (int d = 0; d < D; ++d) pack.direction[d].c[lane] = s.direction[d];
  }
}

template void gather_shared_packs<2>(std::span<const Sharing<2>>, std::vector<SharedPack<2>>&);
template void gather_shared_packs<3>(std::span<const Sharing<3>>, std::vector<SharedPack<3>>&);

}  // namespace moreau::inline solver
