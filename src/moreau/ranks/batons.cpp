#include "moreau/ranks/batons.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace moreau::ranks {

namespace {
constexpr int stages = Colouring::most + 1;
}

// From colour to colour. Bodies are taken by increasing number, which is the same order everywhere.
void Batons::lay_ways(const std::vector<std::vector<Pusher>>& pushers) {
  first_sends_.clear();
  for (std::vector<Message>& messages : sends_) messages.clear();
  for (std::vector<Message>& messages : receives_) messages.clear();
  struct Arrival {
    int from, tag, before;
    std::vector<std::uint32_t> slots;
  };
  std::vector<Arrival> arrivals;
  const auto expect = [&](int from, int tag, int before, std::uint32_t slot) {
    auto at = std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& a) { return a.from == from && a.tag == tag; });
    if (at == arrivals.end()) at = arrivals.insert(arrivals.end(), {from, tag, before, {}});
    at->slots.push_back(slot), at->before = std::min(at->before, before);
  };
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (pushers[i].empty()) continue;
    std::int32_t of_colour[stages];
    std::fill(std::begin(of_colour), std::end(of_colour), -1);
    for (const Pusher& by : pushers[i]) {
      for (std::uint64_t left = by.colours; left != 0; left &= left - 1) of_colour[std::countr_zero(left)] = by.rank;
      if (by.overflow) of_colour[Colouring::most] = by.rank;
    }
    int first = -1, last = -1, holder = -1;
    for (int c = 0; c < stages; ++c) {
      if (of_colour[c] < 0) continue;
      if (first < 0) first = c;
      if (holder >= 0 && holder != of_colour[c]) {
        if (holder == rank_) add(sends_[last], of_colour[c], last, slots_[i]);
        if (of_colour[c] == rank_) expect(holder, last, c, slots_[i]);
      }
      holder = of_colour[c], last = c;
    }
    keeper_[i] = holder;
    if (holder == of_colour[first]) continue;
    if (holder == rank_) add(first_sends_, of_colour[first], Tag::new_sweep, slots_[i]);
    if (of_colour[first] == rank_) expect(holder, Tag::new_sweep, first, slots_[i]);
  }
  for (Arrival& a : arrivals) receives_[a.before].push_back({a.from, a.tag, std::move(a.slots)});
}

void Batons::send(Communicator& ranks, const VelocityRows& rows, const Message& message) {
  ranks.send(message.peer, message.tag, in_flight_.emplace_back(written(rows, message)));
}

void Batons::begin_sweep(Communicator& ranks, const VelocityRows& rows, bool afresh) {
  afresh_ = afresh;
  if (afresh) return;
  for (const Message& message : first_sends_) send(ranks, rows, message);
}

void Batons::before_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) {
  for (const Message& message : receives_[colour]) {
    if (afresh_ && message.tag == Tag::new_sweep) continue;
    ranks.receive(message.peer, message.tag, received_);
    for (std::size_t k = 0; k < message.slots.size(); ++k)
      std::memcpy(rows.of(message.slots[k]), received_.data() + rows.bytes * k, rows.bytes);
  }
}

void Batons::after_colour(Communicator& ranks, const VelocityRows& rows, std::size_t colour) {
  for (const Message& message : sends_[colour]) send(ranks, rows, message);
}

}  // namespace moreau::ranks
