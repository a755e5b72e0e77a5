#include "moreau/cli/load_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/region_text.hpp"

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
  if (!(norm(v) > 0.0)) refuse(whole, model, "the vector is zero");
  return v;
}

}  // namespace

template <int D>
statics::Load<D> read_load(const std::string& text, const Model<D>& model, const Bodies<D>& bodies) {
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
    const std::size_t second = rest.find(':');
    const std::vector<double> body = read_numbers(rest.substr(0, second));
    if (second == std::string::npos || body.size() != 1 || !(body[0] >= 0.0) || body[0] != std::floor(body[0]) ||
        body[0] >= static_cast<double>(bodies.size()) || !bodies.is_free(static_cast<std::size_t>(body[0])))
      refuse(text, model, "force:BODY:X,Y needs the number of a free body");
    load.force.assign(bodies.size(), Vec<D>{});
    load.force[static_cast<std::size_t>(body[0])] = read_vector(rest.substr(second + 1), text, model);
  } else {
    refuse(text, model, fmt::format("there is no load '{}'", kind));
  }
  return load;
}

template statics::Load<2> read_load(const std::string&, const Model<2>&, const Bodies<2>&);
template statics::Load<3> read_load(const std::string&, const Model<3>&, const Bodies<3>&);

}  // namespace moreau
