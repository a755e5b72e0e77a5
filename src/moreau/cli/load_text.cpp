#include "moreau/cli/load_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <stdexcept>

#include "moreau/base/nearest.hpp"
#include "moreau/bodies/body_names.hpp"
#include "moreau/scene/read/region_text.hpp"
#include "moreau/scene/read/toml_reader.hpp"

namespace moreau {

namespace {

template <int D>
[[noreturn]] void refuse(const std::string& text, const Model<D>& model, const std::string& why) {
  std::string accepted = "gravity, acceleration:X,Y, force:BODY:X,Y";
  for (const Piston<D>& piston : model.pistons)
    if (piston.control != PistonControl::velocity) accepted += ", piston:" + piston.name;
  if (model.cell.deforms)
    accepted += D == 2 ? ", cell:xx, cell:xy, cell:yy" : ", cell:xx, cell:xy, cell:xz, cell:yy, cell:yz, cell:zz";
  throw std::runtime_error(fmt::format("--load is '{}': {}; accepted here: {}", text, why, accepted));
}

template <int D>
Vec<D> read_vector(const std::string& text, const std::string& whole, const Model<D>& model) {
  const std::vector<double> n = read_numbers(text);
  if (n.size() != static_cast<std::size_t>(D)) refuse(whole, model, fmt::format("{} numbers were expected", D));
  Vec<D> v;
  for (int d = 0; d < D; ++d) v[d] = n[static_cast<std::size_t>(d)];
  for (int d = 0; d < D; ++d)
    if (!any_number.contains(v[d]))
      refuse(whole, model, fmt::format("{} is no number that is accepted: at most {:g} in magnitude", v[d], largest_number));
  if (!(norm(v) > 0.0)) refuse(whole, model, "the vector is zero");
  return v;
}

// By its name, if that is of one body alone, or by its number.
template <int D>
std::size_t body_called(const std::string& word, const std::string& whole, const Model<D>& model, const Bodies<D>& bodies,
                        const std::vector<NamedBodies>& named) {
  std::optional<std::size_t> body;
  if (const std::vector<NamedBodies> called = stretches_called(named, word); !called.empty()) {
    std::size_t count = 0;
    std::string numbers;
    for (const NamedBodies& stretch : called) {
      count += stretch.count;
      numbers += fmt::format("{}{}{}", numbers.empty() ? "" : ", ", stretch.first,
                             stretch.count > 1 ? fmt::format(" to {}", stretch.first + stretch.count - 1) : "");
    }
    if (count > 1)
      refuse(whole, model,
             fmt::format("'{0}' is {1} bodies, and one is needed: '{0} 1' to '{0} {1}', by their numbers {2}", word, count,
                         numbers));
    body = called[0].first;
  }
  const std::vector<double> number = read_numbers(word);
  if (!body && number.size() == 1 && number[0] >= 0.0 && number[0] == std::floor(number[0]) &&
      number[0] < static_cast<double>(bodies.size()))
    body = static_cast<std::size_t>(number[0]);
  std::vector<std::string> names;
  for (const NamedBodies& n : named)
    if (n.count == 1) names.push_back(n.name);
  if (!body) {
    const std::string near = nearest_word(word, names);
    refuse(whole, model, fmt::format("there is no body '{}'{}", word, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
  }
  if (!bodies.is_free(*body)) refuse(whole, model, fmt::format("body '{}' is not free", word));
  return *body;
}

}  // namespace

template <int D>
statics::Load<D> read_load(const std::string& text, const Model<D>& model, const Bodies<D>& bodies,
                           const std::vector<NamedBodies>& named) {
  statics::Load<D> load;
  load.piston.assign(model.pistons.size(), 0.0);
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon), rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "gravity") {
    if (!(norm(model.gravity) > 0.0)) refuse(text, model, "the scene has no gravity");
    load.gravity = model.gravity;
  } else if (kind == "acceleration") {
    load.gravity = read_vector(rest, text, model);
  } else if (kind == "piston") {
    for (std::size_t p = 0; p < model.pistons.size(); ++p)
      if (model.pistons[p].name == rest) {
        if (model.pistons[p].control == PistonControl::velocity)
          refuse(text, model, fmt::format("piston '{}' has a velocity, no force, in this phase", rest));
        load.piston[p] = 1.0;
        return load;
      }
    refuse(text, model, fmt::format("the scene has no piston '{}'", rest));
  } else if (kind == "cell") {
    const std::string axes = D == 2 ? "xyXY" : "xyzXYZ";  // XY is what xy is
    const auto axis = [&](std::size_t at) {
      const std::size_t found = rest.size() == 2 ? axes.find(rest[at]) : std::string::npos;
      return found == std::string::npos ? found : found % D;
    };
    const std::size_t p = axis(0), q = axis(1);
    if (p == std::string::npos || q == std::string::npos || p > q || !model.cell.deforms || !model.cell.component[p][q].stress)
      refuse(text, model, fmt::format("'{}' is no component of the cell that is given a stress in this phase", rest));
    load.cell.row[p][q] = 1.0;
  } else if (kind == "force") {
    const std::size_t second = rest.rfind(':');
    if (second == std::string::npos) refuse(text, model, "force:BODY:X,Y needs a body and a vector");
    const std::size_t body = body_called(rest.substr(0, second), text, model, bodies, named);
    load.force.assign(bodies.size(), Vec<D>{});
    load.force[body] = read_vector(rest.substr(second + 1), text, model);
  } else {
    refuse(text, model, fmt::format("there is no load '{}'", kind));
  }
  return load;
}

template statics::Load<2> read_load(const std::string&, const Model<2>&, const Bodies<2>&, const std::vector<NamedBodies>&);
template statics::Load<3> read_load(const std::string&, const Model<3>&, const Bodies<3>&, const std::vector<NamedBodies>&);

}  // namespace moreau
