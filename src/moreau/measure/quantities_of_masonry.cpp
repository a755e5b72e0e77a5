// Tables of joints between stones.
#include <cmath>
#include <map>

#include "moreau/bodies/body_names.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "moreau/measure/quantity.hpp"

namespace moreau::measure {

namespace {

template <int D>
std::string other_side(const Sample<D>& sample, std::int32_t b) {
  return is_wall(b) ? sample.walls[static_cast<std::size_t>(wall_index(b))].name : std::to_string(b);
}

// Numbers of two bodies that meet, and what the scene calls them.
template <int D>
void add_pair(RowWriter& row, const Sample<D>& sample, std::size_t a, std::int32_t b) {
  row.add("a", a);
  row.add("b", other_side(sample, b));
  row.add("name_a", name_of_body(sample.named, a));
  row.add("name_b", is_wall(b) ? other_side(sample, b) : name_of_body(sample.named, static_cast<std::size_t>(b)));
}

// What became of the mortar between two bodies, and when the first of its points broke.
struct Mortar {
  std::size_t intact = 0, broken = 0;
  double since = NAN;
  const char* name() const { return broken == 0 ? (intact == 0 ? "none" : "intact") : intact == 0 ? "broken" : "partly"; }
};

template <int D>
std::map<std::pair<std::int32_t, std::int32_t>, Mortar> mortar_of(const Sample<D>& sample) {
  std::map<std::pair<std::int32_t, std::int32_t>, Mortar> all;
  const ContactRecords<D>& contacts = *sample.contacts;
  for (std::size_t c = 0; c < contacts.joint.size(); ++c)
    if (contacts.joint[c] == JointBond::intact) ++all[{contacts.a[c], contacts.b[c]}].intact;
  for (std::size_t k = 0; sample.broken && k < sample.broken->size(); ++k) {
    Mortar& mortar = all[{sample.broken->a[k], sample.broken->b[k]}];
    if (mortar.broken++ == 0) mortar.since = sample.broken->time[k];
  }
  return all;
}

template <int D>
Table joints_table(const Sample<D>& sample, const Sample<D>& before, const Choices& choices) {
  Table table;
  const auto mortar = mortar_of(sample);
  for (const JointOpening<D>& joint : joint_openings(before, sample, choices.opening)) {
    RowWriter row(table);
    add_pair(row, sample, joint.a, joint.b);
    row.add("points", joint.points);
    row.add_vector("place", joint.place, D);
    row.add("opening", joint.widest);
    row.add("least_opening", joint.narrowest);
    row.add("sliding", joint.slid);
    row.add("state", name_of(joint.state));
    const auto found = mortar.find({static_cast<std::int32_t>(joint.a), joint.b});
    const Mortar here = found == mortar.end() ? Mortar{} : found->second;
    row.add("mortar", here.name());
    row.add("broken_points", here.broken);
    row.add("broken_at", here.since);
  }
  return table.rows.empty() ? Table::refused("no two stones touched at the earlier instant") : table;
}

template <int D>
Table broken_joints_table(const Sample<D>& sample, const Sample<D>&, const Choices&) {
  constexpr const char* ways[] = {"opened", "slid", "lost"};
  Table table;
  for (std::size_t k = 0; sample.broken && k < sample.broken->size(); ++k) {
    RowWriter row(table);
    row.add("broken_at", sample.broken->time[k]);
    add_pair(row, sample, static_cast<std::size_t>(sample.broken->a[k]), sample.broken->b[k]);
    row.add_vector("place", sample.broken->point[k], D);
    row.add("how", ways[static_cast<int>(sample.broken->how[k])]);
  }
  return table.rows.empty() ? Table::refused("no joint of mortar has broken") : table;
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
  list.push_back(
      {"broken-joints", "points of mortar that have broken: when, where, how", Needs::one, false, broken_joints_table<D>});
  list.push_back({"joint-summary", "how many joints are whole, slid, open at one end, parted; the widest", Needs::two, false,
                  joint_summary_table<D>});
}

template void add_masonry_quantities(std::vector<Quantity<2>>&);
template void add_masonry_quantities(std::vector<Quantity<3>>&);

}  // namespace moreau::measure
