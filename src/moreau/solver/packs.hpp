// The contacts of one kind in packs, colour after colour, and those of all kinds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "moreau/solver/sweep.hpp"

namespace moreau::inline solver {

template <class Kind_, class Real>
struct Packs {
  using Kind = Kind_;
  using Pack = typename Kind::template PackOf<Real>;

  std::vector<Pack> list;
  std::vector<std::uint32_t> colour_end;  // packs of colour c: colour_end[c - 1] ... colour_end[c] - 1
  // Packs from here on may share bodies (mass_splitting.hpp) and are swept in order, on one thread; their 1 / H_NN with the
  // masses as they are.
  std::size_t overflow_begin = 0;
  std::vector<RowOf<Real>> overflow_inverse_normal;
  std::vector<RowOf<Real>> impulse_last;  // what the sweep before the last one led to: impulses as in the packs

  std::size_t first_of(std::size_t colour) const { return colour == 0 ? 0 : colour_end[colour - 1]; }
  std::size_t overflow() const { return list.size() - overflow_begin; }
  std::size_t bytes() const {
    return list.capacity() * sizeof(Pack) + (impulse_last.capacity() + overflow_inverse_normal.capacity()) * sizeof(RowOf<Real>);
  }
};

// In the order of ContactKind.
template <int D, class Real>
class AllPacks {
 public:
  // f(packs of a kind), for each of them.
  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... packs) { (f(packs), ...); }, packs_);
  }
  template <class F>
  void each(F&& f) const {
    std::apply([&](const auto&... packs) { (f(packs), ...); }, packs_);
  }

  // f(packs of that kind)
  template <class F>
  void of(ContactKind kind, F&& f) {
    each([&](auto& packs) {
      if (std::remove_reference_t<decltype(packs)>::Kind::kind == kind) f(packs);
    });
  }
  template <class F>
  void of(ContactKind kind, F&& f) const {
    each([&](const auto& packs) {
      if (std::remove_reference_t<decltype(packs)>::Kind::kind == kind) f(packs);
    });
  }
  template <class Kind>
  Packs<Kind, Real>& get() {
    return std::get<Packs<Kind, Real>>(packs_);
  }
  template <class Kind>
  const Packs<Kind, Real>& get() const {
    return std::get<Packs<Kind, Real>>(packs_);
  }

  // f(kind, pack, lane) where that place is; `kind` an object of the type that describes it.
  template <class F>
  void at(std::uint32_t place, F&& f) {
    of(kind_at(place), [&](auto& packs) {
      using Kind = typename std::remove_reference_t<decltype(packs)>::Kind;
      f(Kind{}, packs.list[index_at(place) / lanes_of<Real>], index_at(place) % lanes_of<Real>);
    });
  }
  template <class F>
  void at(std::uint32_t place, F&& f) const {
    of(kind_at(place), [&](const auto& packs) {
      using Kind = typename std::remove_reference_t<decltype(packs)>::Kind;
      f(Kind{}, packs.list[index_at(place) / lanes_of<Real>], index_at(place) % lanes_of<Real>);
    });
  }

  std::size_t packs_of_colour(std::size_t colour) const {
    std::size_t sum = 0;
    each([&](const auto& packs) { sum += packs.colour_end[colour] - packs.first_of(colour); });
    return sum;
  }
  // f(packs, first, last) for the parts of all kinds that are packs begin ... end - 1 of a colour.
  template <class F>
  void in_colour(std::size_t colour, std::size_t begin, std::size_t end, F&& f) {
    std::size_t before = 0;
    each([&](auto& packs) {
      const std::size_t first = packs.first_of(colour), count = packs.colour_end[colour] - first;
      const std::size_t from = std::max(begin, before), to = std::min(end, before + count);
      if (from < to) f(packs, first + (from - before), first + (to - before));
      before += count;
    });
  }
  bool any_overflow() const {
    bool any = false;
    each([&](const auto& packs) { any |= packs.overflow() > 0; });
    return any;
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    each([&](const auto& packs) { sum += packs.bytes(); });
    return sum;
  }

 private:
  std::tuple<Packs<Round<D>, Real>, Packs<Shaped<D>, Real>, Packs<LawOnRound<D>, Real>, Packs<RollingRound<D>, Real>,
             Packs<Bounded<D>, Real>, Packs<Rolling<D>, Real>>
      packs_;
};

}  // namespace moreau::inline solver
