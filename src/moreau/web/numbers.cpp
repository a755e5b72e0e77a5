#include "moreau/web/numbers.hpp"

#include "moreau/bodies/body_names.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/web/field_parcels.hpp"

namespace moreau::web {

namespace {

using Json = nlohmann::ordered_json;

template <int N>
Json list(const Vec<N>& v) {
  Json numbers = Json::array();
  for (int d = 0; d < N; ++d) numbers.push_back(v[d]);
  return numbers;
}
Json turn(const Rotation<2>& r) { return r.angle; }
Json turn(const Rotation<3>& r) { return Json::array({r.w, r.x, r.y, r.z}); }

template <int D>
bool is_there(const ShownFrame<D>& shown, std::int64_t body) {
  return body >= 0 && body < static_cast<std::int64_t>(shown.row.size()) && shown.row[static_cast<std::size_t>(body)] >= 0;
}

template <int D>
std::string partner_name(const Frame<D>& frame, const Scene<D>& scene, std::int32_t b) {
  if (!is_wall(b)) return name_of_body(scene.named, static_cast<std::size_t>(b));
  return static_cast<std::size_t>(wall_index(b)) < frame.walls.size() ? frame.walls[static_cast<std::size_t>(wall_index(b))].name
                                                                      : "";
}

}  // namespace

template <int D>
Json body_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t number) {
  if (number < 0) return {};
  if (!is_there(shown, number))
    return {{"body", number}, {"time", shown.frame.time}, {"absent", "the body is not in this frame"}};
  constexpr const char* kinds[] = {"free", "fixed", "driven", "removed"};
  const std::size_t i = static_cast<std::size_t>(number);
  const Frame<D>& f = shown.frame;
  const BodyParameters<D>& p = f.parameters;
  Json j{{"body", number}, {"time", f.time}};
  if (const std::string name = name_of_body(scene.named, i); !name.empty()) j["name"] = name;
  j["kind"] = kinds[static_cast<int>(p.kind[i])];
  j["material"] = scene.model.materials[static_cast<std::size_t>(p.material[i])].name;
  j["radius"] = p.radius[i], j["mass"] = p.mass[i], j["inertia"] = p.inertia[i];
  j["position"] = list(f.state.position[i]), j["orientation"] = turn(f.state.orientation[i]);
  j["velocity"] = list(f.state.velocity[i]), j["speed"] = norm(f.state.velocity[i]);
  j["spin"] = list(f.state.spin[i]);
  j["displacement"] = norm(f.state.position[i] - p.origin[i]);
  j["birth"] = p.birth[i], j["origin"] = list(p.origin[i]);
  j["pressure"] = body_field(f, "pressure").value[i];
  j["contacts"] = body_field(f, "contacts").value[i];
  return j;
}

template <int D>
Json pair_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t a, std::int64_t b) {
  const Frame<D>& f = shown.frame;
  const bool wall = b < 0 && -b - 1 < static_cast<std::int64_t>(f.walls.size());
  if (a < 0 || (b < 0 && !wall)) return {};
  if (!is_there(shown, a) || (!wall && !is_there(shown, b)))
    return {{"a", a}, {"b", b}, {"time", f.time}, {"absent", "the bodies are not in this frame"}};
  constexpr const char* statuses[] = {"open", "stick", "slide"};
  const ContactRecords<D>& c = f.contacts;
  Json points = Json::array();
  double normal_sum = 0.0, tangential_sum = 0.0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (!((c.a[k] == a && c.b[k] == b) || (c.a[k] == b && c.b[k] == a))) continue;
    const double push = dot(c.force[k], c.normal[k]), slide = norm(c.force[k] - push * c.normal[k]);
    normal_sum += push, tangential_sum += slide;
    points.push_back({{"point", list(c.point[k])},
                      {"normal", list(c.normal[k])},
                      {"force", list(c.force[k])},
                      {"normal_force", push},
                      {"friction_force", slide},
                      {"gap", c.gap[k]},
                      {"relative_velocity", list(c.relative_velocity[k])},
                      {"status", statuses[static_cast<int>(c.status[k])]}});
  }
  Json j{{"time", f.time}, {"a", a}, {"b", b}};
  if (const std::string name = name_of_body(scene.named, static_cast<std::size_t>(a)); !name.empty()) j["name_a"] = name;
  if (const std::string name = partner_name(f, scene, static_cast<std::int32_t>(b)); !name.empty()) j["name_b"] = name;
  j["normal_force"] = normal_sum, j["friction_force"] = tangential_sum, j["points"] = points;
  return j;
}

template Json body_numbers(const ShownFrame<2>&, const Scene<2>&, std::int64_t);
template Json body_numbers(const ShownFrame<3>&, const Scene<3>&, std::int64_t);
template Json pair_numbers(const ShownFrame<2>&, const Scene<2>&, std::int64_t, std::int64_t);
template Json pair_numbers(const ShownFrame<3>&, const Scene<3>&, std::int64_t, std::int64_t);

}  // namespace moreau::web
