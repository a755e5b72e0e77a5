#include "moreau/ranks/sweep_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

namespace moreau::ranks {

void SweepExchange::add(std::vector<Message>& messages, int peer, int tag, std::uint32_t slot) {
  const auto at =
      std::find_if(messages.begin(), messages.end(), [&](const Message& m) { return m.peer == peer && m.tag == tag; });
  if (at != messages.end())
    at->slots.push_back(slot);
  else
    messages.push_back({peer, tag, {slot}});
}

Bytes SweepExchange::written(const VelocityRows& rows, const Message& message) {
  Bytes bytes(rows.bytes * message.slots.size());
  for (std::size_t k = 0; k < message.slots.size(); ++k)
    std::memcpy(bytes.data() + rows.bytes * k, rows.of(message.slots[k]), rows.bytes);
  return bytes;
}

void SweepExchange::plan(Communicator& ranks, const Halo& halo, const ColoursHere& here, std::span<const std::uint8_t> own,
                         std::span<const std::uint32_t> slots) {
  rank_ = ranks.rank();
  slots_.assign(slots.begin(), slots.end());
  keeper_.assign(slots.size(), rank_);
  lay_ways(pushers_of(ranks, halo, here, own));
}

// Who pushes which body: the owner learns it from those who have ghosts, and tells them all.
std::vector<std::vector<SweepExchange::Pusher>> SweepExchange::pushers_of(Communicator& ranks, const Halo& halo,
                                                                          const ColoursHere& here,
                                                                          std::span<const std::uint8_t> own) {
  std::vector<std::vector<Pusher>> pushers(slots_.size());
  std::vector<std::uint8_t> shared(slots_.size(), 0);
  for (const Halo::Peer& peer : halo.peers) {
    for (const std::uint32_t body : peer.mine) shared[body] = 1;
    for (const std::uint32_t body : peer.theirs) shared[body] = 1;
  }
  const auto pusher = [&](std::size_t body) { return Pusher{rank_, here.overflow[body] != 0, here.colours[body]}; };
  const auto pushes = [](const Pusher& p) { return p.colours != 0 || p.overflow; };
  for (std::size_t i = 0; i < slots_.size(); ++i)
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
  Bytes received;
  for (const Halo::Peer& peer : halo.peers) {
    if (peer.theirs.empty()) continue;
    ranks.receive(peer.rank, Tag::down, received);
    Reader reader(received);
    for (const std::uint32_t body : peer.theirs) {
      reader.take_all(pushers[body]);
      keeper_[body] = peer.rank;
    }
  }
  ranks.finish_sends();
  return pushers;
}

std::vector<std::uint8_t> SweepExchange::kept_here(std::size_t slots) const {
  std::vector<std::uint8_t> kept(slots, 0);
  for (std::size_t i = 0; i < keeper_.size(); ++i) kept[slots_[i]] = keeper_[i] == rank_ ? 1 : 0;
  return kept;
}

void SweepExchange::publish(Communicator& ranks, const Halo& halo, const VelocityRows& rows) const {
  std::deque<Bytes> sent;
  Bytes received;
  const auto pass = [&](Tag tag, std::vector<std::uint32_t> Halo::Peer::*from, std::vector<std::uint32_t> Halo::Peer::*to,
                        auto&& goes) {
    for (const Halo::Peer& peer : halo.peers) {
      Bytes& message = sent.emplace_back();
      for (const std::uint32_t body : peer.*from)
        if (goes(body, rank_)) append(message, rows.of(slots_[body]), rows.bytes);
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
