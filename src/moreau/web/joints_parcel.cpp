#include <map>

#include "moreau/draw/picture/shown_box.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "moreau/measure/contacts/joints.hpp"
#include "moreau/web/frame_sample.hpp"

namespace moreau::web {

namespace {

// Joints with mortar between bodies that still touch: segments between the two farthest of their points, and whether it holds.
template <int D>
void add_mortar(Parcel& parcel, const ShownFrame<D>& shown) {
  struct Mortar {
    std::vector<Vec<D>> points;
    bool intact = false, broken = false;
  };
  std::map<std::pair<std::int32_t, std::int32_t>, Mortar> all;
  const Frame<D>& frame = shown.inside();
  const ContactRecords<D>& contacts = frame.contacts;
  for (std::size_t c = 0; c < contacts.joint.size(); ++c) {
    if (contacts.joint[c] == JointBond::none || shown.row[static_cast<std::size_t>(contacts.a[c])] < 0) continue;
    Mortar& mortar = all[{contacts.a[c], contacts.b[c]}];
    mortar.points.push_back(contacts.point[c]);
    (contacts.joint[c] == JointBond::intact ? mortar.intact : mortar.broken) = true;
  }
  for (std::size_t k = 0; k < frame.broken.size(); ++k)  // of which the surfaces may have moved on
    if (const auto found = all.find({frame.broken.a[k], frame.broken.b[k]}); found != all.end()) found->second.broken = true;
  std::vector<float> segments;
  std::vector<std::uint8_t> states;
  for (const auto& [pair, mortar] : all) {
    Vec<D> from = mortar.points.front(), to = from;
    for (const Vec<D>& x : mortar.points)
      for (const Vec<D>& y : mortar.points)
        if (norm(y - x) > norm(to - from)) from = x, to = y;
    push_back(segments, lifted(from)), push_back(segments, lifted(to));
    states.push_back(static_cast<std::uint8_t>(mortar.broken ? (mortar.intact ? 2 : 3) : 1));
  }
  parcel.add("mortar", segments, 3);
  parcel.add("mortar_state", states);  // 1 intact, 2 broken in part, 3 broken
}

}  // namespace

// Cracks as segments between the two farthest points of a joint, with what has become of it and how far it has opened and slid. In
// a periodic cell there are none: stones that have been folded apart would look like cracks.
template <int D>
std::string joints_parcel(const ShownFrame<D>& shown, const Scene<D>& scene, const ShownFrame<D>* first) {
  const std::vector<Joint<D>> joints = joints_of(shown.inside());
  std::vector<float> thrust, hinges, cracks, openings, slidings;
  std::vector<std::uint8_t> states;
  for (const ThrustSegment<D>& s : thrust_of(shown.inside(), joints))
    push_back(thrust, lifted(s.from)), push_back(thrust, lifted(s.to));
  for (const Vec<D>& x : hinges_of(shown.inside(), joints)) push_back(hinges, lifted(x));
  if (first && !shown.frame.lattice.any())
    for (const measure::JointOpening<D>& j : measure::joint_openings(sample_of(*first, scene), sample_of(shown, scene))) {
      if (j.state == measure::JointState::whole || shown.row[j.a] < 0) continue;
      push_back(cracks, lifted(j.from)), push_back(cracks, lifted(j.to));
      states.push_back(static_cast<std::uint8_t>(j.state));
      openings.push_back(static_cast<float>(j.widest)), slidings.push_back(static_cast<float>(j.slid));
    }
  Parcel parcel(nlohmann::ordered_json::object());
  parcel.add("thrust", thrust, 3);
  parcel.add("hinge", hinges, 3);
  parcel.add("crack", cracks, 3);
  parcel.add("crack_state", states);  // 1 slid, 2 open at one end, 3 parted
  parcel.add("crack_opening", openings);
  parcel.add("crack_sliding", slidings);
  add_mortar(parcel, shown);
  return parcel.bytes();
}

template std::string joints_parcel(const ShownFrame<2>&, const Scene<2>&, const ShownFrame<2>*);
template std::string joints_parcel(const ShownFrame<3>&, const Scene<3>&, const ShownFrame<3>*);

}  // namespace moreau::web
