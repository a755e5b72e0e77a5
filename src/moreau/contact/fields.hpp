// The columns of the contact table, and one row of it.
#pragma once

#include "moreau/bodies/fields.hpp"
#include "moreau/contact/contact_table.hpp"

namespace moreau::inline contact {

// What a table has not is zero.
template <int D>
struct TableRow {
  std::int32_t a = 0, b = 0;
  double gap = 0.0;
  Vec<D> normal{}, impulse{}, point{};
  std::uint64_t feature = 0;
  Image image = 0;
  ContactCondition condition;
  Spin<D> couple{};
  std::uint8_t colour = 0;
  Vec<D> spring{};
  double deepest = 0.0, apart = 0.0, area = 0.0;
};

}  // namespace moreau::inline contact

namespace moreau::fields {

template <class Table, class Visit>
void contact_table(Table& all, const Visit& visit) {
  using Row = TableRow<decltype(dimension_of(all))::value>;
  const auto each = columns(visit);
  auto& [a, b, gap, normal, impulse, point, feature, image, condition, area, couple, colour, spring, deepest, apart] = all;
  each("a", a, &Row::a), each("b", b, &Row::b), each("gap", gap, &Row::gap), each("normal", normal, &Row::normal);
  each("impulse", impulse, &Row::impulse), each("point", point, &Row::point), each("feature", feature, &Row::feature);
  each("image", image, &Row::image), each("condition", condition, &Row::condition), each("couple", couple, &Row::couple);
  each("colour", colour, &Row::colour), each("spring", spring, &Row::spring), each("deepest", deepest, &Row::deepest);
  each("apart", apart, &Row::apart), each("area", area, &Row::area);
}

}  // namespace moreau::fields
