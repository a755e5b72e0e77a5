#include "moreau/ranks/mass_parts.hpp"

#include <algorithm>
#include <cstring>

namespace moreau::ranks {

void MassParts::lay_ways(const std::vector<std::vector<Pusher>>& pushers) {
  parts_.assign(slots_.size(), 1), split_.clear(), messages_.clear(), place_.assign(slots_.size(), 0);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (pushers[i].empty()) {
      parts_[i] = keeper_[i] == rank_ ? 1 : 0;
      continue;
    }
    keeper_[i] = std::ranges::min(pushers[i], {}, &Pusher::rank).rank;
    const bool here = std::ranges::count(pushers[i], rank_, &Pusher::rank) > 0;
    parts_[i] = static_cast<std::uint16_t>(here ? pushers[i].size() : 0);
    if (parts_[i] < 2) continue;
    place_[slots_[i]] = static_cast<std::uint32_t>(split_.size());
    split_.push_back(slots_[i]);
    for (const Pusher& other : pushers[i])
      if (other.rank != rank_) add(messages_, other.rank, Tag::part, slots_[i]);
  }
  std::ranges::sort(messages_, {}, &Message::peer);
}

std::vector<std::uint8_t> MassParts::counted_here(std::size_t slots) const {
  std::vector<std::uint8_t> counted(slots, 0);
  for (std::size_t i = 0; i < parts_.size(); ++i) counted[slots_[i]] = parts_[i] > 0 ? 1 : 0;
  return counted;
}

std::vector<std::uint16_t> MassParts::parts(std::size_t slots) const {
  std::vector<std::uint16_t> by_slot(slots, 1);
  for (std::size_t i = 0; i < parts_.size(); ++i) by_slot[slots_[i]] = std::max<std::uint16_t>(1, parts_[i]);
  return by_slot;
}

void MassParts::end_sweep(Communicator& ranks, const VelocityRows& rows) {
  if (rows.number == sizeof(double))
    take_means<double>(ranks, rows);
  else
    take_means<float>(ranks, rows);
}

template <class Real>
void MassParts::take_means(Communicator& ranks, const VelocityRows& rows) {
  const std::size_t numbers = rows.bytes / sizeof(Real);
  std::vector<Bytes> sent;
  for (const Message& message : messages_) sent.push_back(written(rows, message));
  for (std::size_t m = 0; m < messages_.size(); ++m) ranks.send(messages_[m].peer, Tag::part, sent[m]);
  sums_.assign(numbers * split_.size(), 0.0);
  std::vector<Real> row(numbers);
  const auto add_row = [&](std::uint32_t slot, const std::byte* from) {
    std::memcpy(row.data(), from, rows.bytes);
    for (std::size_t d = 0; d < numbers; ++d) sums_[numbers * place_[slot] + d] += static_cast<double>(row[d]);
  };
  bool mine = false;  // has been added
  const auto add_mine = [&] {
    for (const std::uint32_t slot : split_) add_row(slot, rows.of(slot));
    mine = true;
  };
  Bytes received;
  for (const Message& message : messages_) {
    if (!mine && message.peer > rank_) add_mine();
    ranks.receive(message.peer, Tag::part, received);
    for (std::size_t k = 0; k < message.slots.size(); ++k) add_row(message.slots[k], received.data() + rows.bytes * k);
  }
  if (!mine) add_mine();
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (parts_[i] < 2) continue;
    const double* sum = &sums_[numbers * place_[slots_[i]]];
    for (std::size_t d = 0; d < numbers; ++d) row[d] = static_cast<Real>(sum[d] / parts_[i]);
    std::memcpy(rows.of(slots_[i]), row.data(), rows.bytes);
  }
  ranks.finish_sends();
}

}  // namespace moreau::ranks
