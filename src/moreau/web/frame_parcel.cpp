#include <cmath>
#include <numbers>

#include "moreau/draw/picture/shown_box.hpp"
#include "moreau/web/frame_parcels.hpp"
#include "moreau/web/places.hpp"

namespace moreau::web {

namespace {

nlohmann::ordered_json list(const Vec<3>& v) { return {v[0], v[1], v[2]}; }

template <int D>
nlohmann::ordered_json walls_of(const Frame<D>& frame) {
  nlohmann::ordered_json walls = nlohmann::ordered_json::array();
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const WallGeometry<3> g = lifted(frame.walls[w].geometry);
    walls.push_back({{"name", frame.walls[w].name},
                     {"shape", g.shape == WallShape::plane  ? "plane"
                               : g.shape == WallShape::mesh ? "mesh"
                                                            : "cylinder"},
                     {"point", list(g.point + lifted(frame.wall_shift[w]))},
                     {"direction", list(g.direction)},
                     {"radius", g.radius}});
    if (frame.walls[w].wears && !frame.wear.empty()) walls.back()["wears"] = true;
    if (g.shape != WallShape::mesh || frame.wall_turn.empty()) continue;
    for (int d = 0; d < D; ++d) walls.back()["turn"].push_back(list(lifted(frame.wall_turn[w].row[d])));
  }
  return walls;
}

template <int D>
nlohmann::ordered_json cell_of(const Lattice<D>& lattice) {
  const Lattice<D> cell = compact(lattice);
  nlohmann::ordered_json vectors = nlohmann::ordered_json::array(), periodic = vectors;
  for (int d = 0; d < D; ++d) {
    vectors.push_back(list(lifted(column(cell.vectors, d))));
    periodic.push_back(cell.periodic[d]);
  }
  return {{"origin", list(lifted(cell.origin))}, {"vectors", vectors}, {"periodic", periodic}};
}

void add_turn(std::vector<float>& turns, const Rotation<2>& r) {
  for (const double q : {std::cos(0.5 * r.angle), 0.0, 0.0, std::sin(0.5 * r.angle)}) turns.push_back(static_cast<float>(q));
}
void add_turn(std::vector<float>& turns, const Rotation<3>& r) {
  for (const double q : {r.w, r.x, r.y, r.z}) turns.push_back(static_cast<float>(q));
}

// In 65536ths of a turn.
std::uint16_t coarse_angle(const Rotation<2>& r) {
  const double turn = r.angle / (2.0 * std::numbers::pi);
  return static_cast<std::uint16_t>(std::min(65535.0, (turn - std::floor(turn)) * 65536.0));
}

}  // namespace

template <int D>
std::string frame_parcel(const ShownFrame<D>& shown, const Scene<D>& scene) {
  const Frame<D>& frame = shown.inside();
  nlohmann::ordered_json header{{"time", frame.time},     {"step", frame.step},       {"dimension", D},
                                {"bodies", shown.bodies}, {"walls", walls_of(frame)}, {"contacts", frame.contacts.size()}};
  if (frame.phase < scene.phases.size()) header["phase"] = scene.phases[frame.phase].name;
  if (!frame.contacts.joint.empty()) header["mortar"] = true;
  if (frame.lattice.any()) header["cell"] = cell_of(frame.lattice);
  std::vector<Vec<3>> positions;
  std::vector<float> turns;
  for (const std::int32_t i : shown.body) {
    const std::size_t body = static_cast<std::size_t>(i);
    positions.push_back(lifted(frame.state.position[body]));
    if (frame.is_block(body)) add_turn(turns, frame.state.orientation[body]);
  }
  Places places = places_of(positions, shown.size);
  if constexpr (D == 2)
    for (std::size_t k = 0; k < shown.body.size(); ++k)
      places.places[4 * k + 3] = coarse_angle(frame.state.orientation[static_cast<std::size_t>(shown.body[k])]);
  Parcel parcel(std::move(header));
  add_places(parcel, "place", places);
  parcel.add("turn", turns, 4);
  return parcel.bytes();
}

template <int D>
std::string bodies_parcel(const ShownFrame<D>& shown) {
  const BodyParameters<D>& p = shown.frame.parameters;
  std::vector<float> radius;
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> shape;
  for (const std::int32_t i : shown.body) {
    const std::size_t body = static_cast<std::size_t>(i);
    radius.push_back(static_cast<float>(p.radius[body]));
    kind.push_back(static_cast<std::uint8_t>(p.kind[body]));
    if (!shown.frame.shapes.empty()) shape.push_back(p.shape[body]);
  }
  Parcel parcel(nlohmann::ordered_json{{"hash", shown.bodies}});
  parcel.add("radius", radius);
  parcel.add("kind", kind);
  parcel.add("shape", shape);                                        // empty: all are round
  if (shown.body.size() < p.size()) parcel.add("body", shown.body);  // absent: a row is its body
  return parcel.bytes();
}

template std::string frame_parcel(const ShownFrame<2>&, const Scene<2>&);
template std::string frame_parcel(const ShownFrame<3>&, const Scene<3>&);
template std::string bodies_parcel(const ShownFrame<2>&);
template std::string bodies_parcel(const ShownFrame<3>&);

}  // namespace moreau::web
