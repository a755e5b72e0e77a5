// From sorted pairs to the contacts of the step: which of them were there before, their colours (solver/colouring.hpp, by Jones
// and Plassmann 1993), and where they go in the solver's memory (solver/contact_problem.cpp, lay_out).
#pragma once

#include "moreau/gpu/kinds.hpp"
#include "moreau/gpu/law_row.hpp"
#include "moreau/gpu/search_loops.hpp"
#include "moreau/solver/colouring.hpp"

namespace moreau::gpu {

inline constexpr std::uint8_t most_colours = 64, no_colour = 0xff;  // as Colouring

template <class T>
struct Set {
  T* to;
  T value;
  MOREAU_INLINE void operator()(std::size_t i) const { to[i] = value; }
};

// First contact of each body, from the first bodies of the contacts in order; index: contacts and one more.
struct BeginRows {
  const std::int32_t* a;
  std::uint32_t* row;
  std::size_t contacts, bodies;
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int64_t from = i == 0 ? 0 : std::int64_t{a[i - 1]} + 1,
                       to = i == contacts ? static_cast<std::int64_t>(bodies) : std::int64_t{a[i]};
    for (std::int64_t body = from; body <= to; ++body) row[body] = static_cast<std::uint32_t>(i);
  }
};

template <int D>
struct NamePairs {
  PairList list;
  PairImages<D> images;
  ContactRows<D> now;
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::uint64_t pair = list.pair[i];
    now.a[i] = list.first(pair), now.b[i] = list.second(pair);
    if (now.image != nullptr) now.image[i] = images.image(now.a[i], now.b[i], list.copy(pair));
  }
};

// Number of a contact in a table, -1 if it is not there.
template <int D>
MOREAU_INLINE std::int32_t number_in(const ContactRows<D>& table, std::int32_t a, std::int32_t b, Image image) {
  const std::uint32_t begin = table.row[a], end = table.row[a + 1];
  std::size_t at = begin + first_not_below(table.b + begin, end - begin, b);
  while (at < end && table.b[at] == b && table.image_of(at) < image) ++at;
  return at < end && table.b[at] == b && table.image_of(at) == image ? static_cast<std::int32_t>(at) : -1;
}

// Row of the table of the step before, -1 if it was not there; and its colour then.
template <int D>
struct Recall {
  ContactRows<D> now, before;
  std::int32_t* recalled;
  bool colours_anew;

  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int32_t at = number_in(before, now.a[i], now.b[i], now.image_of(i));
    recalled[i] = at;
    now.colour[i] = at >= 0 && !colours_anew ? before.colour[at] : no_colour;
  }
};

struct Count {
  std::uint64_t number = 0;
  MOREAU_INLINE Count& operator+=(const Count& o) { return number += o.number, *this; }
};
struct CountRecalled {
  const std::int32_t* recalled;
  MOREAU_INLINE void operator()(std::size_t i, Count& sum) const { sum.number += recalled[i] >= 0 ? 1 : 0; }
};

// Of pairs, those that are no contacts of the step; and all contacts of the step as pairs.
template <int D>
struct ListNew {
  PairList list, more;
  PairImages<D> images;
  ContactRows<D> now;
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int32_t a = list.first(list.pair[i]), b = list.second(list.pair[i]);
    const int copy = list.copy(list.pair[i]);
    if (number_in(now, a, b, images.image(a, b, copy)) < 0) more.add(static_cast<std::size_t>(a), b, copy);
  }
};
template <int D>
struct ListKnown {
  PairList list;
  PairImages<D> images;
  ContactRows<D> now;
  MOREAU_INLINE void operator()(std::size_t i) const {
    list.pair[i] = list.number(static_cast<std::size_t>(now.a[i]), now.b[i], images.copy(now.a[i], now.b[i], now.image_of(i)));
  }
};

// The bodies of a contact as colours see them: obstacles are not.
template <int D>
struct ContactEnds {
  BodyRows<D> bodies;
  const std::int32_t *a, *b;
  const Image* image;
  const std::uint64_t* feature;  // null where all bodies are round
  std::uint32_t none;
  MOREAU_INLINE std::uint64_t priority(std::size_t i) const {
    std::uint64_t name = mixed(std::uint64_t{static_cast<std::uint32_t>(a[i])} << 32 | static_cast<std::uint32_t>(b[i]));
    if (image != nullptr) name = mixed(name + static_cast<std::uint64_t>(image[i]));
    return feature == nullptr || bodies.is_round_pair(a[i], b[i]) ? name : mixed(name ^ feature[i]);
  }
  MOREAU_INLINE std::uint32_t first(std::size_t i) const { return bodies.slot[a[i]]; }
  MOREAU_INLINE std::uint32_t second(std::size_t i) const {
    const std::int32_t other = b[i];
    return other < 0 || !bodies.is_free(static_cast<std::size_t>(other)) ? none : bodies.slot[other];
  }
};

// Colours that were kept; those that have none are listed. Kept colours that do not fit each other are counted in `clash`.
template <int D>
struct KeepColours {
  ContactEnds<D> ends;
  const std::uint8_t* colour;
  std::uint64_t* used;
  std::uint32_t *listed, *number, *clash;

  MOREAU_INLINE void operator()(std::size_t i) const {
    if (colour[i] >= most_colours) {
      listed[next_number(number)] = static_cast<std::uint32_t>(i);
      return;
    }
    const std::uint64_t bit = std::uint64_t{1} << colour[i];
    std::uint64_t before = set_bits(used + ends.first(i), bit);
    if (const std::uint32_t second = ends.second(i); second != ends.none) before |= set_bits(used + second, bit);
    if (before & bit) *clash = 1;
  }
};

// A round: each contact bids at its bodies; the first at both takes the lowest colour that is free there.
template <int D>
struct Bid {
  ContactEnds<D> ends;
  const std::uint32_t* listed;
  std::uint64_t* best;  // by slot
  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::size_t i = listed[k];
    const std::uint64_t mine = ends.priority(i);
    lower_to(best + ends.first(i), mine);
    if (const std::uint32_t second = ends.second(i); second != ends.none) lower_to(best + second, mine);
  }
};
template <int D>
struct TakeColour {
  ContactEnds<D> ends;
  const std::uint32_t* listed;
  const std::uint64_t* best;
  std::uint64_t* used;
  std::uint8_t* colour;
  std::uint32_t *left, *number, *overflow;  // those that wait for the next round
  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::uint32_t i = listed[k], first = ends.first(i), second = ends.second(i);
    const std::uint64_t mine = ends.priority(i);
    if (best[first] != mine || (second != ends.none && best[second] != mine)) {
      left[next_number(number)] = i;
      return;
    }
    const std::uint64_t taken = used[first] | (second != ends.none ? used[second] : 0);
    std::uint8_t lowest = 0;
    while (lowest < most_colours && (taken >> lowest & 1) != 0) ++lowest;
    colour[i] = lowest;
    if (lowest == most_colours) {
      *overflow = 1;
      return;
    }
    used[first] |= std::uint64_t{1} << lowest;
    if (second != ends.none) used[second] |= std::uint64_t{1} << lowest;
  }
};
// Bids are forgotten where contacts still wait.
template <int D>
struct ForgetBids {
  ContactEnds<D> ends;
  const std::uint32_t* listed;
  std::uint64_t* best;
  MOREAU_INLINE void operator()(std::size_t k) const {
    const std::size_t i = listed[k];
    best[ends.first(i)] = ~std::uint64_t{0};
    if (const std::uint32_t second = ends.second(i); second != ends.none) best[second] = ~std::uint64_t{0};
  }
};

// All rounds by a crew (chains.hpp). numbers[0]: how many wait; [1]: kept colours clash, and nothing is done; [2]: not all have
// found one; then three that count, in turn, those that a round leaves.
template <int D>
struct ColourRounds {
  ContactEnds<D> ends;
  std::uint32_t *listed, *left, *numbers;
  std::uint64_t *best, *used;
  std::uint8_t* colour;

  template <class Crew>
  MOREAU_INLINE void operator()(Crew& crew) const {
    if (numbers[1] != 0) return;
    std::uint32_t *now = listed, *then = left;
    std::uint32_t waiting = numbers[0];
    for (int round = 0; waiting > 0; ++round) {
      std::uint32_t *const number = numbers + 3 + round % 3, *const next = numbers + 3 + (round + 1) % 3;
      crew.each(waiting, ForgetBids<D>{ends, now, best});
      crew.each(waiting, Bid<D>{ends, now, best});
      crew.each(waiting, TakeColour<D>{ends, now, best, used, colour, then, number, numbers + 2});
      crew.wait();
      waiting = read_through(number);
      crew.each(1, Set<std::uint32_t>{next, 0});
      std::uint32_t* const swapped = now;
      now = then, then = swapped;
    }
  }
};

// Contacts in the order of the bodies in the solver's memory.
struct CountOfSlot {
  const std::int32_t* order;
  const std::uint32_t* row;
  std::uint32_t* count;
  MOREAU_INLINE void operator()(std::size_t s) const { count[s] = row[order[s] + 1] - row[order[s]]; }
};
// Kinds are numbered as in AllKinds; a number for kind and colour, by which contacts are sorted.
inline constexpr std::uint32_t kinds_there = 4, keys_of_kind = most_colours + 1;
MOREAU_INLINE std::uint32_t number_of(ContactKind kind) {
  return kind == ContactKind::round ? 0 : kind == ContactKind::round_law ? 1 : kind == ContactKind::round_rolling ? 2 : 3;
}
template <int D>
struct ListBySlot {
  ContactRows<D> contacts;
  BodyRows<D> bodies;
  PairLaws<D> laws;
  bool only_round;
  const std::uint32_t *slot, *begin;  // by body; by slot
  std::uint32_t *key, *contact;       // in that order
  MOREAU_INLINE void operator()(std::size_t i) const {
    const std::int32_t a = contacts.a[i];
    const std::size_t at = begin[slot[a]] + (i - contacts.row[a]);
    const std::uint32_t colour = contacts.colour[i] < most_colours ? contacts.colour[i] : most_colours;
    const std::int32_t b = contacts.b[i];
    key[at] = only_round ? colour
                         : number_of(bodies.touches_round(a, b) ? laws.of(a, b).kind : ContactKind::shaped) * keys_of_kind + colour;
    contact[at] = static_cast<std::uint32_t>(i);
  }
};
// What the solver asks of contacts that are not round (solver/gauss_seidel.cpp): those of pairs that touch at as many points as there
// are dimensions, or more. The contacts of a pair follow one another among them; all obstacles are one to a body.
struct ShapedContacts {
  std::uint64_t number = 0, of_faces = 0, first = 0;
  MOREAU_INLINE ShapedContacts& operator+=(const ShapedContacts& o) {
    number += o.number, of_faces += o.of_faces, first += o.first;
    return *this;
  }
};
template <int D>
struct CountShaped {
  ContactRows<D> contacts;
  ContactEnds<D> ends;
  MOREAU_INLINE bool is_shaped(std::size_t i) const { return !ends.bodies.touches_round(contacts.a[i], contacts.b[i]); }
  MOREAU_INLINE void operator()(std::size_t i, ShapedContacts& sum) const {
    if (!is_shaped(i)) return;
    ++sum.number, sum.first += i == 0 ? 1 : 0;
    const std::size_t begin = contacts.row[contacts.a[i]], end = contacts.row[contacts.a[i] + 1];
    const std::uint32_t other = ends.second(i);
    int points = 1;
    for (std::size_t k = i; points < D && k-- > begin;) {
      if (!is_shaped(k)) continue;
      if (ends.second(k) != other) break;
      ++points;
    }
    for (std::size_t k = i + 1; points < D && k < end; ++k) {
      if (!is_shaped(k)) continue;
      if (ends.second(k) != other) break;
      ++points;
    }
    sum.of_faces += points >= D ? 1 : 0;
  }
};
// Where each number begins among contacts sorted by it; one more than there are numbers.
struct BeginKeys {
  const std::uint32_t* key;
  std::size_t contacts;
  std::uint32_t* begin;
  MOREAU_INLINE void operator()(std::size_t c) const {
    begin[c] = static_cast<std::uint32_t>(first_not_below(key, contacts, static_cast<std::uint32_t>(c)));
  }
};
// The contact at each place; -1 for lanes without.
struct Places {
  const std::uint32_t *key, *contact;  // sorted
  const std::uint32_t *begin, *first;  // of each key: contact, place
  std::int32_t* at;
  MOREAU_INLINE void operator()(std::size_t r) const {
    const std::uint32_t c = key[r];
    at[first[c] + (r - begin[c])] = static_cast<std::int32_t>(contact[r]);
  }
};

}  // namespace moreau::gpu
