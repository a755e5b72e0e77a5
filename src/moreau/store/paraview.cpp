#include "moreau/store/paraview.hpp"

#include <fmt/format.h>

namespace moreau {
namespace {

template <class T>
std::vector<std::uint8_t> codes(const std::vector<T>& values) {
  std::vector<std::uint8_t> result;
  result.reserve(values.size());
  for (const T value : values) result.push_back(static_cast<std::uint8_t>(value));
  return result;
}

void add_orientation(PolyData& view, const std::vector<Rotation<2>>& orientation) {
  std::vector<double> angle;
  for (const auto& r : orientation) angle.push_back(r.angle);
  view.add("angle", angle);
}

void add_orientation(PolyData& view, const std::vector<Rotation<3>>& orientation) {
  std::vector<float> quaternion;
  for (const auto& r : orientation)
    for (const double q : {r.w, r.x, r.y, r.z}) quaternion.push_back(static_cast<float>(q));
  view.add_components("orientation", 4, std::move(quaternion));
}

struct ForceParts {
  std::vector<double> normal, tangential;
};

// Normal part positive in compression.
template <int D>
ForceParts force_parts(const ContactRecords<D>& contacts) {
  ForceParts parts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double normal = dot(contacts.force[i], contacts.normal[i]);
    parts.normal.push_back(normal);
    parts.tangential.push_back(norm(contacts.force[i] - normal * contacts.normal[i]));
  }
  return parts;
}

// Both ends of a segment carry the value of its contact, so that tubes can take their radius from it.
template <class T>
std::vector<T> twice(const std::vector<T>& values) {
  std::vector<T> result;
  result.reserve(2 * values.size());
  for (const T& value : values) result.push_back(value), result.push_back(value);
  return result;
}

}  // namespace

template <int D>
PolyData bodies_view(const Frame<D>& frame) {
  const BodyParameters<D>& parameters = frame.parameters;
  const BodyState<D>& state = frame.state;
  const std::size_t n = state.size();
  std::vector<std::int32_t> id(n);
  std::vector<double> speed(n);
  // Subtracted in double precision: small displacements survive the single precision of the file.
  std::vector<Vec<D>> displacement(n);
  for (std::size_t i = 0; i < n; ++i) {
    id[i] = static_cast<std::int32_t>(i);
    speed[i] = norm(state.velocity[i]);
    displacement[i] = state.position[i] - parameters.origin[i];
  }
  PolyData view(state.position, PolyData::Cells::vertices);
  view.add("radius", parameters.radius);
  view.add("speed", speed);
  view.add("velocity", state.velocity);
  view.add("spin", state.spin);
  view.add("displacement", displacement);
  add_orientation(view, state.orientation);
  view.add("id", id);
  view.add("material", parameters.material);
  view.add("kind", codes(parameters.kind));
  view.add("mass", parameters.mass);
  view.add("birth", parameters.birth);
  return view;
}

template <int D>
PolyData contacts_view(const Frame<D>& frame) {
  const ContactRecords<D>& contacts = frame.contacts;
  const ForceParts parts = force_parts(contacts);
  PolyData view(contacts.point, PolyData::Cells::vertices);
  view.add("normal_force", parts.normal);
  view.add("tangential_force", parts.tangential);
  view.add("force", contacts.force);
  view.add("normal", contacts.normal);
  view.add("relative_velocity", contacts.relative_velocity);
  view.add("gap", contacts.gap);
  view.add("status", codes(contacts.status));
  view.add("a", contacts.a);
  view.add("b", contacts.b);
  return view;
}

template <int D>
PolyData forces_view(const Frame<D>& frame) {
  const ContactRecords<D>& contacts = frame.contacts;
  const ForceParts parts = force_parts(contacts);
  std::vector<Vec<D>> ends;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ends.push_back(frame.state.position[static_cast<std::size_t>(contacts.a[i])]);
    ends.push_back(is_wall(contacts.b[i]) ? contacts.point[i] : frame.state.position[static_cast<std::size_t>(contacts.b[i])]);
  }
  PolyData view(ends, PolyData::Cells::segments);
  view.add("normal_force", twice(parts.normal));
  view.add("tangential_force", twice(parts.tangential));
  view.add("status", twice(codes(contacts.status)));
  return view;
}

std::string collection_text(const std::vector<ViewInstant>& instants) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  for (const ViewInstant& instant : instants)
    text += fmt::format("    <DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}\"/>\n", instant.time, instant.file);
  return text + "  </Collection>\n</VTKFile>\n";
}

template PolyData bodies_view<2>(const Frame<2>&);
template PolyData bodies_view<3>(const Frame<3>&);
template PolyData contacts_view<2>(const Frame<2>&);
template PolyData contacts_view<3>(const Frame<3>&);
template PolyData forces_view<2>(const Frame<2>&);
template PolyData forces_view<3>(const Frame<3>&);

}  // namespace moreau
