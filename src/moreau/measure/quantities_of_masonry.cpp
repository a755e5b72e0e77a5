// Tables of joints between stones.
#include "moreau/measure/joint_openings.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

template <int D>
std::string other_side(const Sample<D>& sample, std::int32_t b) {
  return is_wall(b) ? sample.walls[static_cast<std::size_t>(wall_index(b))].name : std::to_string(b);
}

template <int D>
Table joints_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  Table table;
  for (const JointOpening<D>& joint : joint_openings(before, sample, choices.opening)) {
    RowWriter row(table);
    row.add("a", joint.a);
    row.add("b", other_side(sample, joint.b));
    row.add("points", joint.points);
    row.add_vector("place", joint.place, D);
    row.add("opening", joint.widest);
    row.add("least_opening", joint.narrowest);
    row.add("sliding", joint.slid);
    row.add("state", name_of(joint.state));
  }
  return table.rows.empty() ? Table::refused("no two stones touched at the earlier instant") : table;
}

template <int D>
Table joint_summary_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  std::size_t count[4] = {0, 0, 0, 0};
  double widest = 0.0, slid = 0.0;
  const auto joints = joint_openings(before, sample, choices.opening);
  if (joints.empty()) return Table::refused("no two stones touched at the earlier instant");
  for (const JointOpening<D>& joint : joints) {
    ++count[static_cast<int>(joint.state)];
    widest = std::max(widest, joint.widest), slid = std::max(slid, joint.slid);
  }
  Table table;
  RowWriter row(table);
  row.add("joints", joints.size());
  for (int k = 0; k < 4; ++k) row.add(name_of(static_cast<JointState>(k)), count[k]);
  row.add("widest", widest);
  row.add("farthest_slid", slid);
  return table;
}

}  // namespace

template <int D>
void add_masonry_quantities(std::vector<Quantity<D>>& list) {
  list.push_back(
      {"joints", "every joint between stones: how far it has opened and slid (crack width)", Needs::two, false, joints_table<D>});
  list.push_back({"joint-summary", "how many joints are whole, slid, open at one end, parted; the widest", Needs::two, false,
                  joint_summary_table<D>});
}

template void add_masonry_quantities(std::vector<Quantity<2>>&);
template void add_masonry_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
