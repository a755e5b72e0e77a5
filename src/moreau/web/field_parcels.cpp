#include "moreau/web/field_parcels.hpp"

#include <algorithm>

#include "moreau/bodies/body_names.hpp"
#include "moreau/draw/picture/fields.hpp"
#include "moreau/draw/picture/shown_box.hpp"

namespace moreau::web {

const std::vector<FieldName>& field_names() {
  static const std::vector<FieldName> names = {
      {"speed", "L/T", "L/T", "length of the velocity"},
      {"spin", "1/T", "1/T", "length of the angular velocity"},
      {"displacement", "L", "L", "distance from where the body appeared"},
      {"pressure", "M/(L T²)", "M/T²", "mean stress in the body, positive in compression"},
      {"contacts", "", "", "contacts of the body that transmit a force"},
      {"radius", "L", "L", "of a block, that of the ball that holds it", true},
      {"mass", "M", "M", "", true},
      {"birth", "T", "T", "when the body appeared", true},
      {"material", "", "", "", true},
      {"kind", "", "", "free, fixed or driven", true},
      {"name", "", "", "bodies to which the scene gives a name", true},
      {"number", "", "", "of the body", true},
  };
  return names;
}

namespace {

// Place of the narrowest name of each of `count` bodies in names_of_bodies, from 1; 0: no name.
template <int D>
std::vector<std::size_t> named_places(const Scene<D>& scene, std::size_t count) {
  std::vector<std::size_t> place(count, 0), bodies(count, 0);
  const std::vector<NameOfBodies> names = names_of_bodies(scene.named);
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::size_t all = 0;
    for (const NamedBodies& s : names[k].stretches) all += s.count;
    for (const NamedBodies& s : names[k].stretches)
      for (std::size_t i = s.first; i < s.first + s.count && i < count; ++i)
        if (place[i] == 0 || all < bodies[i]) place[i] = k + 1, bodies[i] = all;
  }
  return place;
}

template <int D>
Field field_of(const Frame<D>& frame, const Scene<D>& scene, const std::string& name) {
  Field field;
  field.name = name;
  const std::size_t n = frame.parameters.size();
  const auto fill = [&](const auto& value) {
    for (std::size_t i = 0; i < n; ++i) field.value.push_back(static_cast<double>(value(i)));
  };
  if (name == "displacement") {
    fill([&](std::size_t i) { return norm(frame.state.position[i] - frame.parameters.origin[i]); });
    field.from_zero = field.heavy_tail = true;
  } else if (name == "mass") {
    field.value = frame.parameters.mass;
  } else if (name == "number") {
    fill([](std::size_t i) { return i; });
    field.whole = true;
  } else if (name == "kind") {
    fill([&](std::size_t i) { return static_cast<int>(frame.parameters.kind[i]); });
    field.categories = true;
  } else if (name == "name") {
    fill([places = named_places(scene, n)](std::size_t i) { return places[i]; });
    field.categories = true;
  } else {
    field = body_field(frame, name);
  }
  return field;
}

// What categories are called, from 0.
template <int D>
nlohmann::ordered_json category_names(const Scene<D>& scene, const std::string& name) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  if (name == "material")
    for (const Material& m : scene.model.materials) names.push_back(m.name);
  if (name == "kind") names = {"free", "fixed", "driven"};
  if (name == "name") {
    names.push_back("(no name)");
    for (const NameOfBodies& b : names_of_bodies(scene.named)) names.push_back(b.name);
  }
  return names;
}

}  // namespace

template <int D>
std::string field_parcel(const ShownFrame<D>& shown, const Scene<D>& scene, const std::string& name) {
  const auto known = std::ranges::find(field_names(), name, &FieldName::name);
  if (known == field_names().end()) return {};
  Field field = field_of(shown.frame, scene, name);
  std::vector<char> free;
  std::vector<float> values;
  for (std::size_t i = 0; i < shown.row.size(); ++i) free.push_back(shown.frame.parameters.kind[i] == BodyKind::free);
  if (std::ranges::count(free, 1) == 0)
    for (std::size_t i = 0; i < shown.row.size(); ++i) free[i] = shown.row[i] >= 0;
  fit_range(field, free);
  for (const std::int32_t i : shown.body) values.push_back(static_cast<float>(field.value[static_cast<std::size_t>(i)]));
  nlohmann::ordered_json header{
      {"name", name}, {"low", field.low}, {"high", field.high}, {"whole", field.whole}, {"exceeded", field.exceeded}};
  if (field.categories) header["categories"] = category_names(scene, name);
  Parcel parcel(std::move(header));
  parcel.add("value", values);
  return parcel.bytes();
}

template <int D>
std::string vectors_parcel(const ShownFrame<D>& shown, const std::string& name, const ShownFrame<D>* before) {
  if (std::ranges::find(vector_names, name) == std::end(vector_names)) return {};
  std::vector<float> vectors;
  for (const std::int32_t i : shown.body) {
    const std::size_t body = static_cast<std::size_t>(i);
    Vec<D> v = shown.frame.state.velocity[body];
    if (name == "displacement") {
      const Vec<D>& now = shown.frame.state.position[body];
      v = {};
      if (!before)
        v = now - shown.frame.parameters.origin[body];
      else if (body < before->frame.state.size())
        v = now - before->frame.state.position[body];
    }
    for (int d = 0; d < 3; ++d) vectors.push_back(static_cast<float>(lifted(v)[d]));
  }
  Parcel parcel(nlohmann::ordered_json{{"name", name}});
  parcel.add("vector", vectors, 3);
  return parcel.bytes();
}

template std::string field_parcel(const ShownFrame<2>&, const Scene<2>&, const std::string&);
template std::string field_parcel(const ShownFrame<3>&, const Scene<3>&, const std::string&);
template std::string vectors_parcel(const ShownFrame<2>&, const std::string&, const ShownFrame<2>*);
template std::string vectors_parcel(const ShownFrame<3>&, const std::string&, const ShownFrame<3>*);

}  // namespace moreau::web
