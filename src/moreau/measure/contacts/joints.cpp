#include "moreau/measure/contacts/joints.hpp"

#include <algorithm>

namespace moreau {

template <int D>
std::vector<Joint<D>> joints_of(const Frame<D>& frame) {
  const ContactRecords<D>& c = frame.contacts;
  std::vector<Joint<D>> joints;
  for (std::size_t begin = 0, end = 0; begin < c.size(); begin = end) {
    const std::size_t a = static_cast<std::size_t>(c.a[begin]);
    const std::int32_t b = c.b[begin];
    Joint<D> joint{a, b, {}, {}, {}};
    double sum = 0.0, strongest = 0.0;
    for (end = begin; end < c.size() && c.a[end] == c.a[begin] && c.b[end] == b; ++end) {
      const double push = dot(c.force[end], c.normal[end]);
      if (!(push > 0.0) || !std::isfinite(push) || !is_finite(c.point[end])) continue;
      if (push > strongest) strongest = push, joint.normal = c.normal[end];
      sum += push;
      joint.force += c.force[end];
      joint.centre += push * c.point[end];
    }
    if (!(sum > 0.0) || !frame.is_block(a) || (!is_wall(b) && !frame.is_block(static_cast<std::size_t>(b)))) continue;
    joint.centre *= 1.0 / sum;
    joints.push_back(joint);
  }
  return joints;
}

template <int D>
std::vector<ThrustSegment<D>> thrust_of(const Frame<D>& frame, const std::vector<Joint<D>>& joints) {
  std::vector<std::vector<const Joint<D>*>> of_body(frame.parameters.size());
  for (const Joint<D>& joint : joints) {
    of_body[joint.a].push_back(&joint);
    if (!is_wall(joint.b)) of_body[static_cast<std::size_t>(joint.b)].push_back(&joint);
  }
  std::vector<ThrustSegment<D>> line;
  for (std::size_t i = 0; i < of_body.size(); ++i) {
    if (frame.parameters.kind[i] != BodyKind::free) continue;
    std::vector<const Joint<D>*> met = of_body[i];
    const auto is_load = [&](const Joint<D>* joint) {
      return !is_wall(joint->b) && frame.parameters.kind[static_cast<std::size_t>(joint->b)] == BodyKind::driven;
    };
    if (met.size() > 2 && met.size() - static_cast<std::size_t>(std::ranges::count_if(met, is_load)) >= 2)
      std::erase_if(met, is_load);
    if (met.size() < 2) continue;
    if (met.size() == 2) {
      line.push_back({met[0]->centre, met[1]->centre});
      continue;
    }
    Vec<D> meeting{};
    double sum = 0.0;
    for (const Joint<D>* joint : met) meeting += norm(joint->force) * joint->centre, sum += norm(joint->force);
    for (const Joint<D>* joint : met) line.push_back({joint->centre, (1.0 / sum) * meeting});
  }
  return line;
}

template std::vector<Joint<2>> joints_of(const Frame<2>&);
template std::vector<Joint<3>> joints_of(const Frame<3>&);
template std::vector<ThrustSegment<2>> thrust_of(const Frame<2>&, const std::vector<Joint<2>>&);
template std::vector<ThrustSegment<3>> thrust_of(const Frame<3>&, const std::vector<Joint<3>>&);

}  // namespace moreau
