#include "moreau/store/paraview.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/dynamics/worn_faces.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/store_error.hpp"
#include "moreau/store/surface.hpp"

namespace moreau::inline store {
namespace {

template <class T>
std::vector<std::uint8_t> codes(const std::vector<T>& values) {
  std::vector<std::uint8_t> result;
  result.reserve(values.size());
  for (const T value : values) result.push_back(static_cast<std::uint8_t>(value));
  return result;
}

// Those of the given numbers, in their order.
template <class T>
std::vector<T> rows(const std::vector<T>& values, const std::vector<std::int32_t>& numbers) {
  std::vector<T> result;
  result.reserve(numbers.size());
  for (const std::int32_t i : numbers) result.push_back(values[static_cast<std::size_t>(i)]);
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

constexpr int chords_per_turn = 24;  // of rounded corners and edges

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
  std::vector<std::int32_t> id;  // of the bodies that are there
  std::vector<double> speed;
  // Subtracted in double precision: small displacements survive the single precision of the file.
  std::vector<Vec<D>> displacement;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (parameters.kind[i] == BodyKind::removed) continue;
    id.push_back(static_cast<std::int32_t>(i));
    speed.push_back(norm(state.velocity[i]));
    displacement.push_back(state.position[i] - parameters.origin[i]);
  }
  std::vector<Vec<D>> place = rows(state.position, id);
  if (frame.lattice.any()) {
    const Lattice<D> cell = compact(frame.lattice);
    for (Vec<D>& x : place) x = cell.folded(x);
  }
  PolyData view(place, PolyData::Cells::vertices);
  view.add("radius", rows(parameters.radius, id));
  view.add("speed", speed);
  view.add("velocity", rows(state.velocity, id));
  view.add("spin", rows(state.spin, id));
  view.add("displacement", displacement);
  add_orientation(view, rows(state.orientation, id));
  view.add("id", id);
  view.add("material", rows(parameters.material, id));
  view.add("kind", codes(rows(parameters.kind, id)));
  view.add("mass", rows(parameters.mass, id));
  view.add("birth", rows(parameters.birth, id));
  view.add("shape", rows(parameters.shape, id));
  return view;
}

template <int D>
PolyData blocks_view(const Frame<D>& frame) {
  std::vector<Vec<D>> points;
  std::vector<std::int32_t> ends, part, owner;  // per polygon
  for (std::size_t i = 0; i < frame.parameters.size(); ++i) {
    if (!frame.is_block(i) || frame.parameters.kind[i] == BodyKind::removed) continue;
    const Pose<D> at = frame.pose_of(i);
    const auto& parts = frame.shape_of(i).parts;
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (const std::vector<Vec<D>>& polygon : surface_of(parts[p], at, chords_per_turn)) {
        points.insert(points.end(), polygon.begin(), polygon.end());
        ends.push_back(static_cast<std::int32_t>(points.size()));
        part.push_back(static_cast<std::int32_t>(p)), owner.push_back(static_cast<std::int32_t>(i));
      }
  }
  const auto of_owner = [&](const auto& values) { return rows(values, owner); };
  std::vector<double> speed;
  std::vector<Vec<D>> displacement;
  for (const std::int32_t i : owner) {
    const std::size_t body = static_cast<std::size_t>(i);
    speed.push_back(norm(frame.state.velocity[body]));
    displacement.push_back(frame.state.position[body] - frame.parameters.origin[body]);
  }
  PolyData view(points, ends);
  view.add("id", owner);
  view.add("part", part);
  view.add("shape", of_owner(frame.parameters.shape));
  view.add("material", of_owner(frame.parameters.material));
  view.add("kind", codes(of_owner(frame.parameters.kind)));
  view.add("speed", speed);
  view.add("velocity", of_owner(frame.state.velocity));
  view.add("spin", of_owner(frame.state.spin));
  view.add("displacement", displacement);
  view.add("mass", of_owner(frame.parameters.mass));
  view.add("birth", of_owner(frame.parameters.birth));
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
  if (!contacts.joint.empty()) view.add("joint", codes(contacts.joint));
  view.add("a", contacts.a);
  view.add("b", contacts.b);
  return view;
}

// Between round bodies one segment, on which the contact lies; of a block the way from its centre to the contact.
template <int D>
PolyData forces_view(const Frame<D>& frame) {
  const ContactRecords<D>& contacts = frame.contacts;
  const ForceParts parts = force_parts(contacts);
  std::vector<Vec<D>> ends;
  std::vector<double> normal, tangential;
  std::vector<ContactStatus> status;
  const auto add = [&](const Vec<D>& from, const Vec<D>& to, std::size_t i) {
    ends.push_back(from), ends.push_back(to);
    normal.push_back(parts.normal[i]), tangential.push_back(parts.tangential[i]), status.push_back(contacts.status[i]);
  };
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t a = static_cast<std::size_t>(contacts.a[i]), b = static_cast<std::size_t>(contacts.b[i]);
    const bool wall = is_wall(contacts.b[i]);
    const Vec<D>&from = frame.state.position[a], to = wall ? contacts.point[i] : frame.touching_centre(i);
    if (wall || (!frame.is_block(a) && !frame.is_block(b)))
      add(from, to, i);
    else
      add(from, contacts.point[i], i), add(contacts.point[i], to, i);
  }
  PolyData view(ends, PolyData::Cells::segments);
  view.add("normal_force", twice(normal));
  view.add("tangential_force", twice(tangential));
  view.add("status", twice(codes(status)));
  return view;
}

template <int D>
PolyData broken_joints_view(const Frame<D>& frame) {
  PolyData view(frame.broken.point, PolyData::Cells::vertices);
  view.add("time", frame.broken.time);
  view.add("how", codes(frame.broken.how));
  view.add("a", frame.broken.a);
  view.add("b", frame.broken.b);
  return view;
}

// Triangles, in the plane segments as polygons of two corners, where the walls are at the time of the frame.
template <int D>
PolyData meshes_view(const Frame<D>& frame) {
  std::vector<Vec<D>> points;
  std::vector<std::int32_t> ends, number;
  std::vector<double> wear;
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const WallGeometry<D>& wall = frame.walls[w].geometry;
    if (wall.shape != WallShape::mesh || !wall.mesh) continue;
    const Pose<D> at = frame.pose_of_wall(w);
    for (const MeshFace<D>& face : wall.mesh->mesh.faces) {
      for (const std::int32_t corner : face)
        points.push_back(at.place(wall.mesh->mesh.vertices[static_cast<std::size_t>(corner)]));
      ends.push_back(static_cast<std::int32_t>(points.size())), number.push_back(static_cast<std::int32_t>(w));
    }
    const std::vector<double> worn = wear_per_area(frame, w);
    wear.insert(wear.end(), worn.begin(), worn.end());
    wear.resize(ends.size(), 0.0);
  }
  PolyData view(points, ends);
  view.add("wall", number);
  if (!frame.wear.empty()) view.add("wear", wear);
  return view;
}

std::string collection_text(const std::vector<ViewInstant>& instants) {
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
  for (const ViewInstant& instant : instants)
    text += fmt::format("    <DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}\"/>\n", instant.time, instant.file);
  return text + "  </Collection>\n</VTKFile>\n";
}

namespace {
constexpr const char* data_folder = "data";
}

ParaViewFolder::ParaViewFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_ / data_folder, error);
  if (error) throw StoreError(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
}

template <int D>
void ParaViewFolder::add(std::uint64_t number, const Frame<D>& frame) {
  const Frame<D> inside = folded(frame);
  put("bodies", number, frame.time, bodies_view(frame));
  if (std::ranges::count(frame.left_out, "contacts") == 0) {
    put("contacts", number, frame.time, contacts_view(inside));
    put("forces", number, frame.time, forces_view(inside));
  }
  if (!frame.shapes.empty()) put("blocks", number, frame.time, blocks_view(frame));
  if (frame.broken.size() > 0) put("broken_joints", number, frame.time, broken_joints_view(frame));
  if (std::ranges::any_of(frame.walls, [](const Wall<D>& w) { return w.geometry.mesh != nullptr; }))
    put("walls", number, frame.time, meshes_view(frame));
}

std::vector<std::string> ParaViewFolder::finish() {
  std::vector<std::string> names;
  for (const auto& [view, instants] : instants_) {
    names.push_back(view + ".pvd");
    write_whole(folder_ / names.back(), collection_text(instants), Sync::later);
  }
  return names;
}

void ParaViewFolder::put(const std::string& view, std::uint64_t number, double time, const PolyData& content) {
  const std::string file = fmt::format("{}/{}_{:06}.vtp", data_folder, view, number);
  write_whole(folder_ / file, content.text(), Sync::later);
  instants_[view].push_back({time, file});
}

template void ParaViewFolder::add(std::uint64_t, const Frame<2>&);
template void ParaViewFolder::add(std::uint64_t, const Frame<3>&);
template PolyData bodies_view<2>(const Frame<2>&);
template PolyData bodies_view<3>(const Frame<3>&);
template PolyData blocks_view<2>(const Frame<2>&);
template PolyData blocks_view<3>(const Frame<3>&);
template PolyData contacts_view<2>(const Frame<2>&);
template PolyData contacts_view<3>(const Frame<3>&);
template PolyData forces_view<2>(const Frame<2>&);
template PolyData forces_view<3>(const Frame<3>&);
template PolyData broken_joints_view<2>(const Frame<2>&);
template PolyData broken_joints_view<3>(const Frame<3>&);
template PolyData meshes_view<2>(const Frame<2>&);
template PolyData meshes_view<3>(const Frame<3>&);

}  // namespace moreau::inline store
