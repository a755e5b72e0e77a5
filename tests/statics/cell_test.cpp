// Isostatic equilibria in periodic cells: everything could shift together along them, so one body is held.
#include "moreau/statics/rank.hpp"
#include "statics/cell_packing.hpp"

namespace moreau::statics {

TEST(CellPacking, is_finished_to_as_many_contacts_as_freedoms_less_those_of_one_body) {
  for (const bool sheared : {false, true})
    for (const std::uint64_t seed : {1, 2, 3}) {
      Packing<2> p = packing_in_cell(7, seed, sheared);
      const Finish f = finish(p.model, p.state, p.load());
      ASSERT_TRUE(f.isostatic) << seed << " " << f.reason;
      EXPECT_EQ(f.contacts, 2 * (49 - static_cast<int>(f.loose) - 1) + (sheared ? 3 : 2));
      EXPECT_LT(f.residual, 1e-11);
      EXPECT_EQ(surplus_at_rest(p.model, p.state, p.load()), 0);
      // Of the body that is held too, and the stress of the contacts is the one asked for.
      std::vector<Vec<2>> resultant(p.state.bodies.size(), Vec<2>{});
      Matrix<2> moment{};
      const std::vector<Pair> pairs = pushing_pairs(p.state);
      const auto contacts = contacts_of(p.model, p.state, std::span<const Pair>(pairs));
      const ContactTable<2>& table = p.state.contacts;
      ASSERT_EQ(pairs.size(), table.size());
      for (std::size_t i = 0; i < table.size(); ++i) {
        const Vec<2> force = (1.0 / p.state.impulse_time_step) * table.impulse[i];
        resultant[static_cast<std::size_t>(table.a[i])] += force;
        resultant[static_cast<std::size_t>(table.b[i])] -= force;
        for (const int d : {0, 1}) moment.row[d] += force[d] * contacts[i].branch;
      }
      for (const Vec<2>& r : resultant) EXPECT_LT(norm(r), 1e-10);
      const double volume = p.state.cell.vectors.row[0][0] * p.state.cell.vectors.row[1][1];
      EXPECT_NEAR(moment.row[0][0] / volume, 1.0, 1e-10);
      EXPECT_NEAR(moment.row[1][1] / volume, 1.0, 1e-10);
      EXPECT_NEAR(sheared ? moment.row[0][1] / volume : 0.0, 0.0, 1e-10);
      const auto list = list_of(p.model, p.state, pairs, p.load());
      const Degrees degrees = degrees_of(matrix_of(p.model, p.state, list));
      EXPECT_EQ(degrees.hyperstatic(), 0);
      EXPECT_EQ(degrees.hypostatic(), 0);
    }
}

// With walls in the last direction everything can still shift along the others.
template <int D>
void check_between_walls(int side) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Packing<D> p = packing_between_walls<D>(side, seed);
    const Finish f = finish(p.model, p.state, p.load());
    ASSERT_TRUE(f.isostatic) << seed << " " << f.reason;
    const int carrying = static_cast<int>(p.state.bodies.size() - f.loose);
    EXPECT_GT(carrying, static_cast<int>(p.state.bodies.size()) / 2);
    EXPECT_EQ(f.contacts, D * carrying + 1 - (D - 1));
    EXPECT_LT(f.residual, 1e-11);
    EXPECT_EQ(surplus_at_rest(p.model, p.state, p.load()), 0);
    std::vector<Vec<D>> resultant(p.state.bodies.size(), Vec<D>{});
    double on_walls = 0.0;
    const ContactTable<D>& table = p.state.contacts;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const Vec<D> force = (1.0 / p.state.impulse_time_step) * table.impulse[i];
      resultant[static_cast<std::size_t>(table.a[i])] += force;
      if (is_wall(table.b[i]))
        on_walls += norm(force);
      else
        resultant[static_cast<std::size_t>(table.b[i])] -= force;
    }
    for (const Vec<D>& r : resultant) EXPECT_LT(norm(r), 1e-10);  // of the body that is held too
    EXPECT_NEAR(on_walls, 2.0 * std::pow(side, D - 1), 1e-9);     // stress 1 on two faces
    Neighbours<D> neighbours;
    for (const auto& c : contacts_within(p.model, p.state, neighbours, 0.0)) EXPECT_GT(c.gap, -1e-11);
    // All freedoms: what is left are the shifts.
    const std::vector<Pair> pairs = pushing_pairs(p.state);
    const Freedoms<D> all = freedoms_of_pairs(p.model, p.state, std::span<const Pair>(pairs), p.load());
    const auto contacts = contacts_of(p.model, p.state, std::span<const Pair>(pairs));
    const Degrees degrees = degrees_of(contact_matrix<D>(all, p.state.bodies.parameters.radius, contacts));
    EXPECT_EQ(degrees.hyperstatic(), 0);
    EXPECT_EQ(degrees.hypostatic(), D - 1);
  }
}
TEST(CellPacking, between_walls_is_finished_to_the_freedoms_less_the_shifts_along_the_cell) {
  check_between_walls<2>(7);
  check_between_walls<3>(4);
}

TEST(CellPacking, a_load_along_the_cell_that_nothing_holds_is_refused) {
  Packing<2> p = packing_between_walls<2>(5, 1);
  p.model.gravity = {{0.1, -1.0}};
  const Finish f = finish(p.model, p.state, p.load());
  EXPECT_FALSE(f.isostatic);
  EXPECT_EQ(f.reason, "the load pushes everything along x, where the cell is periodic and nothing holds it");
}

}  // namespace moreau::statics
