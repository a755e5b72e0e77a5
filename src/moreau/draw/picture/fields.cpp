#include "moreau/draw/picture/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace moreau::inline draw {

namespace {

// Contacts of each body that transmit a force.
template <int D>
std::vector<double> loaded_contacts(const Frame<D>& frame) {
  std::vector<double> count(frame.parameters.size(), 0.0);
  const ContactRecords<D>& contacts = frame.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (!(norm(contacts.force[c]) > 0.0)) continue;
    count[static_cast<std::size_t>(contacts.a[c])] += 1.0;
    if (!is_wall(contacts.b[c])) count[static_cast<std::size_t>(contacts.b[c])] += 1.0;
  }
  return count;
}

// Trace of sum(force x branch) / volume over D, positive in compression; of a round body the branch is the radius along the
// normal.
template <int D>
std::vector<double> pressures(const Frame<D>& frame) {
  std::vector<double> sum(frame.parameters.size(), 0.0);
  const ContactRecords<D>& contacts = frame.contacts;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const Vec<D>&force = contacts.force[c], normal = contacts.normal[c];
    const auto add = [&](std::size_t i, double sign) {
      const double r = frame.parameters.radius[i];
      if (frame.is_block(i))
        sum[i] += sign * dot(force, frame.state.position[i] - contacts.point[c]) / (D * frame.shape_of(i).volume);
      else
        sum[i] += dot(force, normal) / (D == 2 ? 2.0 * std::numbers::pi * r : 4.0 * std::numbers::pi * r * r);
    };
    add(static_cast<std::size_t>(contacts.a[c]), 1.0);
    if (!is_wall(contacts.b[c])) add(static_cast<std::size_t>(contacts.b[c]), -1.0);
  }
  return sum;
}

template <class Range>
std::vector<double> norms(const Range& vectors) {
  std::vector<double> result;
  result.reserve(vectors.size());
  for (const auto& v : vectors) result.push_back(norm(v));
  return result;
}

}  // namespace

template <int D>
Field body_field(const Frame<D>& frame, const std::string& name) {
  Field field;
  field.name = name;
  const auto& parameters = frame.parameters;
  if (name == "speed") {
    field.value = norms(frame.state.velocity);
    field.unit = "L/T";
    field.from_zero = true;
  } else if (name == "spin") {
    field.unit = "1/T";
    field.heavy_tail = true;
    if constexpr (D == 2) {
      for (const auto& spin : frame.state.spin) field.value.push_back(spin[0]);
      field.symmetric = true;
    } else {
      field.value = norms(frame.state.spin);
      field.from_zero = true;
    }
  } else if (name == "radius") {
    field.value = parameters.radius;
    field.unit = "L";
    if (!frame.shapes.empty()) field.name = "outer radius";
  } else if (name == "birth") {
    field.value = parameters.birth;
    field.name = "birth time";
    field.unit = "T";
  } else if (name == "pressure") {
    field.value = pressures(frame);
    field.unit = D == 2 ? "M/T²" : "M/(L T²)";
    field.from_zero = field.heavy_tail = true;
  } else if (name == "contacts") {
    field.value = loaded_contacts(frame);
    field.from_zero = field.whole = true;
  } else if (name == "material") {
    field.value.assign(parameters.material.begin(), parameters.material.end());
    field.categories = true;
  } else if (name != "none") {
    throw std::runtime_error(
        fmt::format("the colour of a picture is '{}', accepted are speed, spin, radius, birth, pressure, contacts, material, "
                    "arrows (with --arrows or --from), joints (of stones) and none.",
                    name));
  }
  return field;
}

void fit_range(Field& field, const std::vector<char>& shown) {
  std::vector<double> values;
  for (std::size_t i = 0; i < field.value.size(); ++i)
    if (shown[i] && std::isfinite(field.value[i])) values.push_back(field.value[i]);
  field.low = field.high = 0.0;
  field.exceeded = false;
  if (values.empty()) return;
  if (field.symmetric) {
    for (double& value : values) value = std::abs(value);
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  // Cohesion makes negative pressures, which must not fall off the lower end.
  field.low = field.symmetric ? 0.0 : field.from_zero ? std::min(0.0, *least) : *least;
  field.high = std::max(field.low, *most);
  if (field.heavy_tail && values.size() >= 200) {
    const auto percentile = values.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(values.size()));
    std::nth_element(values.begin(), percentile, values.end());
    if (*percentile > field.low && *percentile < 0.8 * field.high) {
      field.high = *percentile;
      field.exceeded = true;
    }
  }
  if (field.high > field.cap) field.high = field.cap, field.exceeded = true;
  if (field.symmetric) field.low = -field.high;
}

double place_on_scale(const Field& field, double value) {
  // A field that is the same everywhere has no scale: zero takes the lowest colour, anything else the middle one. Differences of
  // rounding size count as the same.
  const double span = field.high - field.low;
  if (!(span > 1e-12 * std::max(std::abs(field.low), std::abs(field.high))))
    return field.high == 0.0 ? 0.0 * value : 0.5 + 0.0 * value;
  return (value - field.low) / span;
}

Colour body_colour(const Field& field, std::size_t body) {
  if (field.value.empty()) return {0.80, 0.82, 0.85};
  if (field.categories) return category(static_cast<std::size_t>(std::max(0.0, field.value[body])), field.labels);
  return viridis(place_on_scale(field, field.value[body]));
}

template Field body_field<2>(const Frame<2>&, const std::string&);
template Field body_field<3>(const Frame<3>&, const std::string&);

}  // namespace moreau::inline draw
