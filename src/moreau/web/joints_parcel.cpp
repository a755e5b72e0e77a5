#include "moreau/draw/joints.hpp"
#include "moreau/draw/region.hpp"
#include "moreau/measure/joint_openings.hpp"
#include "moreau/web/frame_sample.hpp"

namespace moreau::web {

// Cracks as segments between the two farthest points of a joint, with what has become of it and how far it has opened or slid. In a
// periodic cell there are none: stones that have been folded apart would look like cracks.
template <int D>
std::string joints_parcel(const ShownFrame<D>& shown, const Scene<D>& scene, const ShownFrame<D>* first) {
  const std::vector<Joint<D>> joints = joints_of(shown.inside());
  std::vector<float> thrust, hinges, cracks, widths;
  std::vector<std::uint8_t> states;
  for (const ThrustSegment<D>& s : thrust_of(shown.inside(), joints))
    push_back(thrust, lifted(s.from)), push_back(thrust, lifted(s.to));
  for (const Vec<D>& x : hinges_of(shown.inside(), joints)) push_back(hinges, lifted(x));
  if (first && !shown.frame.lattice.any())
    for (const measure::JointOpening<D>& j : measure::joint_openings(sample_of(*first, scene), sample_of(shown, scene), 1e-3 * shown.size)) {
      if (j.state == measure::JointState::whole || shown.row[j.a] < 0) continue;
      push_back(cracks, lifted(j.from)), push_back(cracks, lifted(j.to));
      states.push_back(static_cast<std::uint8_t>(j.state));
      widths.push_back(static_cast<float>(j.state == measure::JointState::slid ? j.slid : j.widest));
    }
  Parcel parcel(nlohmann::ordered_json::object());
  parcel.add("thrust", thrust, 3);
  parcel.add("hinge", hinges, 3);
  parcel.add("crack", cracks, 3);
  parcel.add("crack_state", states);  // 1 slid, 2 open at one end, 3 parted
  parcel.add("crack_width", widths);
  return parcel.bytes();
}

template std::string joints_parcel(const ShownFrame<2>&, const Scene<2>&, const ShownFrame<2>*);
template std::string joints_parcel(const ShownFrame<3>&, const Scene<3>&, const ShownFrame<3>*);

}  // namespace moreau::web
