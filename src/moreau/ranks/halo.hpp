// Which bodies of ours other ranks have copies of (ghosts), and which of theirs are here; and values of bodies sent along these
// lists.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/ranks/communicator.hpp"

namespace moreau::ranks {

enum Tag : int {
  first_colour = 0,
  new_sweep = 64,
  up = 65,
  down = 66,
  part = 67
};  // below new_sweep: batons that leave after that colour

struct Halo {
  // Bodies by their numbers here, increasing; so are their names, and both sides list the same bodies.
  struct Peer {
    int rank;
    std::vector<std::uint32_t> mine, theirs;
  };
  std::vector<Peer> peers;

  // T of every ghost goes to its owner: put(body, rank it came from, T) there.
  template <class T, class Get, class Put>
  void to_owners(Communicator& ranks, Get&& get, Put&& put_value) const {
    pass<T>(ranks, Tag::up, &Peer::theirs, &Peer::mine, get, put_value);
  }
  // T of every body of ours that others have goes to them.
  template <class T, class Get, class Put>
  void to_ghosts(Communicator& ranks, Get&& get, Put&& put_value) const {
    pass<T>(ranks, Tag::down, &Peer::mine, &Peer::theirs, get, put_value);
  }

 private:
  template <class T, class Get, class Put>
  void pass(Communicator& ranks, Tag tag, std::vector<std::uint32_t> Peer::*from, std::vector<std::uint32_t> Peer::*to, Get& get,
            Put& put_value) const {
    std::vector<Bytes> sent(peers.size());
    for (std::size_t p = 0; p < peers.size(); ++p) {
      if ((peers[p].*from).empty()) continue;
      for (const std::uint32_t body : peers[p].*from) put(sent[p], T(get(body)));
      ranks.send(peers[p].rank, tag, sent[p]);
    }
    Bytes message;
    for (const Peer& peer : peers) {
      if ((peer.*to).empty()) continue;
      ranks.receive(peer.rank, tag, message);
      Reader reader(message);
      for (const std::uint32_t body : peer.*to) put_value(body, peer.rank, reader.take<T>());
    }
    ranks.finish_sends();
  }
};

}  // namespace moreau::ranks
