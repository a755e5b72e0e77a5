// The iterate in single precision: contacts keep their places, numbers are the nearest ones in its units, lanes without contact
// stay harmless, and impulses come back to where they were.
#include "moreau/solver/single_form.hpp"

#include <gtest/gtest.h>

#include "moreau/base/random.hpp"

namespace moreau {
namespace {

// Two colours of two packs of round contacts and one of the overflow, two packs of shaped ones in the first colour; the last lane
// of every pack is without contact.
template <int D>
Iterate<D, double> iterate_of(RandomStream& random) {
  Iterate<D, double> iterate;
  iterate.colours = 2;
  iterate.bodies.resize(21);
  iterate.turnings.resize(D == 3 ? 21 : 0);
  const auto fill = [&](auto& body) {
    for (double& v : body.velocity) v = random.uniform(-1e-3, 1e-3);
    body.inverse_mass = random.uniform(1e4, 1e5), body.inverse_rolling = 2.5 * body.inverse_mass;
  };
  for (auto& body : iterate.bodies) fill(body);
  for (auto& turning : iterate.turnings)
    for (double& c : turning.c) c = random.uniform(1e4, 1e5);
  iterate.bodies.back() = {};
  iterate.packs.each([&](auto& packs) {
    using Kind = typename std::remove_reference_t<decltype(packs)>::Kind;
    const bool round = Kind::kind == ContactKind::round, shaped = Kind::kind == ContactKind::shaped;
    packs.colour_end = {round || shaped ? 2u : 0u, round ? 4u : shaped ? 2u : 0u};
    packs.list.resize(round ? 5 : packs.colour_end[1]);
    packs.overflow_begin = packs.colour_end[1];
    if (round) packs.overflow_inverse_normal.assign(1, {{3e-5, 3e-5, 3e-5, 3e-5, 3e-5, 3e-5, 3e-5, 3e-5}});
    for (auto& pack : packs.list) {
      Kind::each_row(
          [&](RowUnit unit, int neutral, double(&row)[lanes]) {
            const double size = unit == RowUnit::velocity       ? 1e-3
                                : unit == RowUnit::impulse      ? 1e-8
                                : unit == RowUnit::mass         ? 1e-5
                                : unit == RowUnit::inverse_mass ? 1e5
                                                                : 1.0;
            for (double& x : row) x = random.uniform(0.5 * size, size);
            row[lanes - 1] = neutral;
          },
          pack);
      for (int l = 0; l < lanes; ++l) pack.a[l] = static_cast<std::int32_t>(random.next() % 20), pack.b[l] = (pack.a[l] + 1) % 20;
      pack.a[lanes - 1] = pack.b[lanes - 1] = iterate.none();
    }
  });
  return iterate;
}

template <int D>
void keeps_places_and_numbers() {
  RandomStream random(1);
  const Iterate<D, double> exact = iterate_of<D>(random);
  const Units units{0x1p-10, 0x1p-16};
  Iterate<D, float> single;
  to_single(exact, units, single);
  ASSERT_EQ(single.bodies.size(), exact.bodies.size());
  for (std::size_t i = 0; i < exact.bodies.size(); ++i) {
    for (int d = 0; d < velocity_dimension<D>; ++d)
      EXPECT_EQ(single.bodies[i].velocity[d], static_cast<float>(exact.bodies[i].velocity[d] / units.velocity));
    EXPECT_EQ(single.bodies[i].inverse_mass, static_cast<float>(exact.bodies[i].inverse_mass * units.mass));
  }
  for (const ContactKind kind : {ContactKind::round, ContactKind::shaped})
    for (std::uint32_t index = 0; index < (kind == ContactKind::round ? 4u : 2u) * lanes; ++index)
      exact.packs.at(place_of(kind, index), [&](auto, const auto& from, std::size_t l) {
        single.packs.at(place_of(kind, index), [&](auto, const auto& to, std::size_t m) {
          EXPECT_EQ(to.a[m], from.a[l]);
          EXPECT_EQ(to.b[m], from.b[l]);
          for (int d = 0; d < D; ++d) {
            EXPECT_EQ(to.impulse[d][m], static_cast<float>(from.impulse[d][l] / units.impulse()));
            EXPECT_EQ(to.bias[d][m], static_cast<float>(from.bias[d][l] / units.velocity));
          }
          const bool empty = from.a[l] == exact.none();
          EXPECT_EQ(to.inverse_normal[m], empty ? 1.0f : static_cast<float>(from.inverse_normal[l] / units.mass));
        });
      });
  // Packs of the overflow are not paired: what they share is put in order pack by pack.
  const Packs<Round<D>, float>& round = single.packs.template get<Round<D>>();
  ASSERT_EQ(round.list.size(), 3u);
  EXPECT_EQ(round.overflow(), 1u);
  for (int l = 0; l < lanes_of<float>; ++l) {
    const auto& from = exact.packs.template get<Round<D>>().list[4];
    EXPECT_EQ(round.list[2].a[l], l < lanes ? from.a[l] : exact.none());
    EXPECT_EQ(round.list[2].impulse[0][l], l < lanes ? static_cast<float>(from.impulse[0][l] / units.impulse()) : 0.0f);
  }
}
TEST(SingleForm, keeps_places_and_numbers) {
  keeps_places_and_numbers<2>();
  keeps_places_and_numbers<3>();
}

template <int D>
void gives_impulses_back() {
  RandomStream random(2);
  Iterate<D, double> exact = iterate_of<D>(random);
  const Iterate<D, double> before = exact;
  Iterate<D, float> single;
  to_single(exact, {0x1p-10, 0x1p-16}, single);
  impulses_from_single(single, exact);
  int compared = 0;
  exact.packs.each([&](const auto& packs) {
    using Kind = typename std::remove_cvref_t<decltype(packs)>::Kind;
    const auto& then = before.packs.template get<Kind>().list;
    for (std::size_t k = 0; k < packs.list.size(); ++k)
      for (int l = 0; l < lanes; ++l)
        for (int d = 0; d < Kind::rows; ++d, ++compared) {
          EXPECT_NEAR(packs.list[k].impulse[d][l], then[k].impulse[d][l], 6e-8 * then[k].impulse[d][l]);
          EXPECT_EQ(packs.list[k].bias[d % D][l], then[k].bias[d % D][l]);  // nothing else changes
        }
  });
  EXPECT_EQ(compared, 7 * lanes * D);
}
TEST(SingleForm, gives_impulses_back_to_where_they_were) {
  gives_impulses_back<2>();
  gives_impulses_back<3>();
}

}  // namespace
}  // namespace moreau
