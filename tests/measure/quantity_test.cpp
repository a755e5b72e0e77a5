// Regions as chosen by users, tables, and the list of quantities.
#include "moreau/measure/quantity.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "measure/small_sample.hpp"
#include "moreau/measure/packing/solid_fraction.hpp"

namespace moreau::measure {
namespace {

using Kind = RegionChoice::Kind;

double total_volume(const std::vector<Region<2>>& regions) {
  double sum = 0.0;
  for (const Region<2>& r : regions) sum += r.volume();
  return sum;
}

TEST(RegionChoice, families_of_regions_fill_the_sample_and_share_its_matter) {
  const SmallSample<2> s = lattice_under_stress(7, 1, 1, 0);
  const Domain<2> domain = domain_of(s.sample());
  for (const RegionChoice& choice :
       {RegionChoice{Kind::layers, "layers:1.5", {1.5}}, RegionChoice{Kind::slices, "slices:x,2", {2.0}, 0},
        RegionChoice{Kind::rings, "rings:1.3", {1.3}}, RegionChoice{Kind::squares, "squares:1", {1.0}}}) {
    const auto regions = resolve(choice, domain, Vec<2>{{3.2, 3.6}});
    EXPECT_GT(regions.size(), 2u);
    EXPECT_NEAR(total_volume(regions), 49.0, 1e-9) << choice.text;
    double matter = 0.0;
    for (const Region<2>& region : regions) matter += solid_fraction(s.sample(), region).matter;
    EXPECT_NEAR(matter, 49 * std::numbers::pi / 4, 1e-9) << choice.text;  // each point of a cut disc counts once
  }
}

TEST(RegionChoice, what_is_counted_by_bodies_has_those_in_flight) {
  SmallSample<2> s;
  const auto floor = s.plane({{0, 0}}, {{0, 1}});
  s.contact(s.body({{1, 1}}, 1.0), floor, 1.0);
  s.contact(s.body({{4, 2}}, 2.0), floor, 1.0);
  s.body({{2, 40}}, 1.0), s.body({{-30, 9}}, 2.0), s.body({{90, 1}}, 2.0);
  const Sample<2> sample = s.sample();
  for (const bool named : {false, true}) {
    Choices choices;
    if (named) choices.regions = {RegionChoice{}};
    const auto regions = regions_of_bodies(sample, choices);
    ASSERT_EQ(regions.size(), 1u);
    for (const Vec<2>& x : s.bodies().state.position) EXPECT_TRUE(regions[0].contains(x));
    EXPECT_EQ(regions[0].volume(), domain_of(sample).whole().volume());
    const Table mixing = find_quantity<2>("mixing")->measure(sample, sample, choices);
    ASSERT_EQ(mixing.rows.size(), 2u);
    EXPECT_EQ(std::get<double>(mixing.rows[0][3]), 0.4) << "share of the small ones";
    EXPECT_EQ(find_quantity<2>("velocities")->measure(sample, sample, choices).rows.size(), 5u);
  }
  Choices layer;
  layer.regions = {RegionChoice{Kind::layer, "layer:0,5", {0.0, 5.0}}};
  EXPECT_FALSE(regions_of_bodies(sample, layer)[0].contains({{2, 40}}));
}

TEST(RegionChoice, single_regions_are_cut_to_the_sample) {
  const SmallSample<2> s = lattice_under_stress(4, 1, 1, 0);
  const Domain<2> domain = domain_of(s.sample());
  const auto volume = [&](const RegionChoice& choice) { return total_volume(resolve(choice, domain, Vec<2>{})); };
  EXPECT_NEAR(volume({Kind::all, "all", {}}), 16.0, 1e-12);
  EXPECT_NEAR(volume({Kind::bulk, "bulk:1", {1.0}}), 4.0, 1e-12);
  EXPECT_NEAR(volume({Kind::skin, "skin:1", {1.0}}), 12.0, 1e-12);
  EXPECT_NEAR(volume({Kind::layer, "layer:1,2", {1.0, 2.0}}), 4.0, 1e-12);
  EXPECT_NEAR(volume({Kind::slice, "slice:x,1,3", {1.0, 3.0}, 0}), 8.0, 1e-12);
  EXPECT_NEAR(volume({Kind::box, "box:1,1,2,3", {1.0, 1.0, 2.0, 3.0}}), 2.0, 1e-12);
  EXPECT_NEAR(volume({Kind::ring, "ring:1,2", {1.0, 2.0}}), std::numbers::pi * 3 / 4, 1e-12);  // about the corner: a quarter
  EXPECT_EQ(volume({Kind::bulk, "bulk:3", {3.0}}), 0.0);
}

TEST(RegionChoice, ring_in_space_between_two_heights) {
  SmallSample<3> s;
  const auto floor = s.plane({{0, 0, 0}}, {{0, 0, 1}});
  s.cylinder({{0, 0, 0}}, 2.0);
  s.contact(s.body({{0, 0, 0.5}}, 0.5), floor, 1.0);
  const Domain<3> domain = domain_of(s.sample());
  const auto one = [&](std::vector<double> numbers) {
    return resolve({Kind::ring, "ring", std::move(numbers)}, domain, Vec<3>{})[0].volume();
  };
  EXPECT_NEAR(one({1.0, 2.0}), std::numbers::pi * 3.0, 1e-12);  // the sample is 1 high
  EXPECT_NEAR(one({1.0, 5.0, 0.2, 0.7}), std::numbers::pi * 3.0 * 0.5, 1e-12);
}

TEST(Table, text_csv_and_columns) {
  Table table;
  for (const double x : {0.1, 1e-300}) {
    RowWriter row(table);
    row.add("name", "a, \"b\"");
    row.add("count", 3);
    row.add("x", x);
    row.add_vector("v", Vec<2>{{1, 2}}, 2);
  }
  EXPECT_EQ(to_csv(table), "name,count,x,v_x,v_y\n\"a, \"\"b\"\"\",3,0.1,1,2\n\"a, \"\"b\"\"\",3,1e-300,1,2\n");
  EXPECT_NE(to_text(table, 1).find("1 more rows"), std::string::npos);
  Table one;
  RowWriter(one).add("pressure", 2.5);
  EXPECT_EQ(to_text(one), "  pressure  2.5\n");
}

TEST(Quantity, names_are_unique_explained_and_the_same_in_plane_and_space) {
  std::set<std::string> names;
  for (const auto& q : quantities<2>()) {
    EXPECT_TRUE(names.insert(q.name).second) << q.name;
    EXPECT_GT(q.what.size(), 10u) << q.name;
    EXPECT_NE(find_quantity<3>(q.name), nullptr) << q.name;
  }
  EXPECT_EQ(quantities<2>().size(), quantities<3>().size());
  for (const std::string& name : usual_quantities()) EXPECT_TRUE(names.count(name)) << name;
  EXPECT_EQ(find_quantity<2>("no such"), nullptr);
}

TEST(Quantity, every_one_gives_rows_as_wide_as_its_header_or_a_reason) {
  const SmallSample<2> s = lattice_under_stress(4, 2, 3, 0.5);
  Choices choices;
  choices.strips = {{2.0, 0.5, 2.0, 3.5}, {0.5, 2.0, 3.5, 2.0}};
  for (const auto& q : quantities<2>()) {
    const Table table = q.measure(s.sample(), s.sample(), choices);
    EXPECT_TRUE(table.refusal.empty() != table.rows.empty()) << q.name;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << q.name;
  }
  const SmallSample<3> empty;  // nothing at all: no crash, an empty table or a reason
  for (const auto& q : quantities<3>()) q.measure(empty.sample(), empty.sample(), choices);
}

}  // namespace
}  // namespace moreau::measure
