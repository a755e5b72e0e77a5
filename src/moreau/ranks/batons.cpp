#include "moreau/ranks/batons.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>

namespace moreau::ranks {

namespace {

// The contacts that a rank has with a body, by their colours.
struct Pusher {
  int rank;
  bool overflow;
  std::uint64_t colours;
};
constexpr int stages = Colouring::most + 1;

}  // namespace

void Batons::add(std::vector<Message>& messages, int peer, int tag, std::uint32_t slot) {
  const auto at = std::find_if(messages.begin(), messages.end(), [&](const Message& m) { return m.peer == peer && m.tag == tag; });
  if (at != messages.end())
    at->slots.push_back(slot);
  else
    messages.push_back({peer, tag, {slot}});
}

void Batons::plan(Communicator& ranks, const Halo& halo, const ColoursHere& here, std::span<const std::uint8_t> own,
                  std::span<const std::uint32_t> slots) {
  rank_ = ranks.rank();
  slots_.assign(slots.begin(), slots.end());
  keeper_.assign(slots.size(), rank_);
  first_sends_.clear();
  for (std::vector<Message>& messages : sends_) messages.clear();
  for (std::vector<Message>& messages : receives_) messages.clear();

  // Who pushes which body: the owner learns it from those who have ghosts, and tells them all.
  std::vector<std::vector<Pusher>> pushers(slots.size());
  std::vector<std::uint8_t> shared(slots.size(), 0);
  for (const Halo::Peer& peer : halo.peers) {
    for (const std::uint32_t body : peer.mine) shared[body] = 1;
    for (const std::uint32_t body : peer.theirs) shared[body] = 1;
  }
  const auto pusher = [&](std::size_t body) { return Pusher{rank_, here.overflow[body] != 0, here.colours[body]}; };
  const auto pushes = [](const Pusher& p) { return p.colours != 0 || p.overflow; };
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (shared[i] && own[i] && pushes(pusher(i))) pushers[i].push_back(pusher(i));
  halo.to_owners<Pusher>(ranks, pusher, [&](std::uint32_t body, int, const Pusher& there) {
    if (pushes(there)) pushers[body].push_back(there);
  });
  std::vector<Bytes> sent(halo.peers.size());
  for (std::size_t p = 0; p < halo.peers.size(); ++p) {
    if (halo.peers[p].mine.empty()) continue;
    for (const std::uint32_t body : halo.peers[p].mine) put_all<Pusher>(sent[p], pushers[body]);
    ranks.send(halo.peers[p].rank, Tag::down, sent[p]);
  }
  for (const Halo::Peer& peer : halo.peers) {
    if (peer.theirs.empty()) continue;
    ranks.receive(peer.rank, Tag::down, received_);
    Reader reader(received_);
    for (const std::uint32_t body : peer.theirs) {
      reader.take_all(pushers[body]);
      keeper_[body] = peer.rank;  // unless somebody pushes it
    }
  }
  ranks.finish_sends();

  // From colour to colour. Bodies are taken by increasing number, which is the same order everywhere.
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
  for (std::size_t i = 0; i < slots.size(); ++i) {
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
        if (holder == rank_) add(sends_[last], of_colour[c], last, slots[i]);
        if (of_colour[c] == rank_) expect(holder, last, c, slots[i]);
      }
      holder = of_colour[c], last = c;
    }
    keeper_[i] = holder;
    if (holder == of_colour[first]) continue;
    if (holder == rank_) add(first_sends_, of_colour[first], Tag::new_sweep, slots[i]);
    if (of_colour[first] == rank_) expect(holder, Tag::new_sweep, first, slots[i]);
  }
  for (Arrival& a : arrivals) receives_[a.before].push_back({a.from, a.tag, std::move(a.slots)});
}

std::vector<std::uint8_t> Batons::kept_here(std::size_t slots) const {
  std::vector<std::uint8_t> kept(slots, 0);
  for (std::size_t i = 0; i < keeper_.size(); ++i) kept[slots_[i]] = keeper_[i] == rank_ ? 1 : 0;
  return kept;
}

void Batons::send(Communicator& ranks, const VelocityRows& rows, const Message& message) {
  Bytes& bytes = in_flight_.emplace_back(rows.bytes * message.slots.size());
  for (std::size_t k = 0; k < message.slots.size(); ++k)
    std::memcpy(bytes.data() + rows.bytes * k, rows.of(message.slots[k]), rows.bytes);
  ranks.send(message.peer, message.tag, bytes);
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

// To the owners, where these are not the keepers, and from there to all ghosts.
void Batons::publish(Communicator& ranks, const Halo& halo, const VelocityRows& rows) const {
  std::deque<Bytes> sent;
  Bytes received;
  const auto pass = [&](Tag tag, std::vector<std::uint32_t> Halo::Peer::*from, std::vector<std::uint32_t> Halo::Peer::*to, auto&& goes) {
    for (const Halo::Peer& peer : halo.peers) {
      Bytes& message = sent.emplace_back();
      for (const std::uint32_t body : peer.*from)
        if (goes(body, rank_)) message.insert(message.end(), rows.of(slots_[body]), rows.of(slots_[body]) + rows.bytes);
      if (!message.empty()) ranks.send(peer.rank, tag, message);
    }
    for (const Halo::Peer& peer : halo.peers) {
      std::vector<std::uint32_t> bodies;
      for (const std::uint32_t body : peer.*to)
        if (goes(body, peer.rank)) bodies.push_back(body);
      if (bodies.empty()) continue;
      ranks.receive(peer.rank, tag, received);
      for (std::size_t k = 0; k < bodies.size(); ++k)
        std::memcpy(rows.of(slots_[bodies[k]]), received.data() + rows.bytes * k, rows.bytes);
    }
  };
  pass(Tag::up, &Halo::Peer::theirs, &Halo::Peer::mine, [&](std::uint32_t body, int from) { return keeper_[body] == from; });
  pass(Tag::down, &Halo::Peer::mine, &Halo::Peer::theirs, [](std::uint32_t, int) { return true; });
  ranks.finish_sends();
}

}  // namespace moreau::ranks
