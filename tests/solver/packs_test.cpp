// Packs of all kinds: a contact is found where its place says, and the packs of a colour are handed out once, however they are
// cut.
#include "moreau/solver/packs.hpp"

#include <gtest/gtest.h>

#include <map>

namespace moreau {
namespace {

constexpr ContactKind all_kinds[] = {ContactKind::round,         ContactKind::shaped,     ContactKind::round_law,
                                     ContactKind::round_rolling, ContactKind::shaped_law, ContactKind::shaped_rolling};

TEST(Place, keeps_kind_and_index) {
  for (const ContactKind kind : all_kinds)
    for (const std::uint32_t index : {0u, 1u, 7u, 8u, 123456789u, (1u << kind_shift) - 1}) {
      EXPECT_EQ(kind_at(place_of(kind, index)), kind);
      EXPECT_EQ(index_at(place_of(kind, index)), index);
    }
  EXPECT_EQ(place_of(ContactKind::round, 5), 5u);  // round contacts have no kind in their places: their loops look at indices
}

// Packs per colour of each kind; kinds that a colour does not have included.
constexpr std::uint32_t counts[contact_kinds][3] = {{4, 0, 2}, {2, 2, 0}, {0, 0, 0}, {0, 6, 2}, {2, 0, 0}, {0, 0, 2}};

template <int D, class Real>
AllPacks<D, Real> filled() {
  AllPacks<D, Real> packs;
  packs.each([&](auto& of_kind) {
    using Kind = typename std::remove_reference_t<decltype(of_kind)>::Kind;
    std::uint32_t end = 0;
    for (const std::uint32_t count : counts[static_cast<int>(Kind::kind)]) of_kind.colour_end.push_back(end += count);
    of_kind.list.resize(end), of_kind.overflow_begin = end;
    for (std::uint32_t k = 0; k < end; ++k)
      for (int l = 0; l < lanes_of<Real>; ++l)
        of_kind.list[k].a[l] =
            static_cast<std::int32_t>(place_of(Kind::kind, k * lanes_of<Real> + static_cast<std::uint32_t>(l)));
  });
  return packs;
}

template <int D, class Real>
void finds_contacts() {
  AllPacks<D, Real> packs = filled<D, Real>();
  for (const ContactKind kind : all_kinds) {
    const std::uint32_t end =
        counts[static_cast<int>(kind)][0] + counts[static_cast<int>(kind)][1] + counts[static_cast<int>(kind)][2];
    for (std::uint32_t index = 0; index < end * lanes_of<Real>; ++index) {
      const std::uint32_t place = place_of(kind, index);
      int visits = 0;
      packs.at(place, [&](auto described, auto& pack, std::size_t lane) {
        EXPECT_EQ(decltype(described)::kind, kind);
        EXPECT_EQ(static_cast<std::uint32_t>(pack.a[lane]), place);
        ++visits;
      });
      std::as_const(packs).at(place, [&](auto, const auto& pack, std::size_t lane) {
        EXPECT_EQ(static_cast<std::uint32_t>(pack.a[lane]), place);
        ++visits;
      });
      EXPECT_EQ(visits, 2);
    }
  }
}
TEST(Packs, hold_a_contact_where_its_place_says) {
  finds_contacts<2, double>();
  finds_contacts<3, double>();
  finds_contacts<2, float>();
  finds_contacts<3, float>();
}

TEST(Packs, of_a_colour_are_handed_out_once_however_they_are_cut) {
  AllPacks<3, double> packs = filled<3, double>();
  for (std::size_t colour = 0; colour < 3; ++colour) {
    std::size_t whole = 0;
    for (const auto& count : counts) whole += count[colour];
    EXPECT_EQ(packs.packs_of_colour(colour), whole);
    for (const std::size_t part : {1u, 2u, 3u, 5u, 100u}) {
      std::map<std::uint32_t, int> seen;  // by the place of the first contact
      std::uint32_t last_kind = 0;
      for (std::size_t begin = 0; begin < whole; begin += part)
        packs.in_colour(colour, begin, std::min(begin + part, whole), [&](auto& of_kind, std::size_t first, std::size_t last) {
          using Kind = typename std::remove_reference_t<decltype(of_kind)>::Kind;
          EXPECT_GE(static_cast<std::uint32_t>(Kind::kind), last_kind);  // in the order of the kinds
          last_kind = static_cast<std::uint32_t>(Kind::kind);
          EXPECT_GE(first, of_kind.first_of(colour));
          EXPECT_LE(last, of_kind.colour_end[colour]);
          for (std::size_t k = first; k < last; ++k) ++seen[static_cast<std::uint32_t>(of_kind.list[k].a[0])];
        });
      EXPECT_EQ(seen.size(), whole);
      for (const auto& [place, times] : seen) EXPECT_EQ(times, 1) << place;
    }
  }
  EXPECT_FALSE(packs.any_overflow());
  packs.get<Shaped<3>>().list.resize(5);
  EXPECT_TRUE(packs.any_overflow());
}

}  // namespace
}  // namespace moreau
