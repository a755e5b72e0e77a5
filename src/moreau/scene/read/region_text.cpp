#include "moreau/scene/read/region_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "moreau/base/nearest.hpp"

namespace moreau::inline scene {

namespace {

using Choice = measure::RegionChoice;
using Kind = Choice::Kind;

struct Form {
  const char* name;
  Kind kind;
  bool has_axis;            // an axis letter comes first
  std::size_t least, most;  // count of numbers; 0 for `box`, which has two corners
  const char* numbers;      // in words
};

constexpr Form forms[] = {
    {"all", Kind::all, false, 0, 0, "nothing"},
    {"bulk", Kind::bulk, false, 1, 1, "a distance from the walls > 0, as in bulk:0.1"},
    {"skin", Kind::skin, false, 1, 1, "a distance from the walls > 0, as in skin:0.1"},
    {"box", Kind::box, false, 0, 0, ""},
    {"layer", Kind::layer, false, 2, 2, "two heights, the lower first, as in layer:0,0.1"},
    {"layers", Kind::layers, false, 1, 1, "a thickness > 0, as in layers:0.1"},
    {"slice", Kind::slice, true, 2, 2, "an axis and two coordinates, the smaller first, as in slice:x,0,0.1"},
    {"slices", Kind::slices, true, 1, 1, "an axis and a thickness > 0, as in slices:x,0.1"},
    {"ring", Kind::ring, false, 2, 4, "two radii, the smaller first, as in ring:0,0.1, and in space perhaps two heights"},
    {"rings", Kind::rings, false, 1, 1, "a width > 0, as in rings:0.1"},
    {"squares", Kind::squares, false, 1, 1, "a width > 0, as in squares:0.1"},
};

bool increasing_pairs(const std::vector<double>& n) {
  for (std::size_t k = 0; k + 1 < n.size(); k += 2)
    if (!(n[k] < n[k + 1])) return false;
  return true;
}

bool good_numbers(const Choice& choice, int dimension) {
  const std::vector<double>& n = choice.numbers;
  switch (choice.kind) {
    case Kind::all:
      return true;
    case Kind::box:
      for (std::size_t d = 0; d < static_cast<std::size_t>(dimension); ++d)
        if (!(n[d] < n[static_cast<std::size_t>(dimension) + d])) return false;
      return true;
    case Kind::ring:
      return n[0] >= 0.0 && increasing_pairs(n) && (n.size() == 2 || (n.size() == 4 && dimension == 3));
    case Kind::layer:
    case Kind::slice:
      return increasing_pairs(n);
    default:
      return n[0] > 0.0;
  }
}

}  // namespace

std::vector<double> read_numbers(const std::string& text) {
  std::vector<double> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    double value = 0.0;
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || !std::isfinite(value)) return {};
    numbers.push_back(value);
    at = next;
    while (at != end && *at == ' ') ++at;
    if (at == end) return numbers;
    if (*at++ != ',') return {};
  }
}

std::string accepted_regions(int dimension) {
  return fmt::format(
      "all, bulk:D, skin:D, box:{0}, layer:{1}0,{1}1, layers:W, slice:x,X0,X1, slices:x,W, ring:R0,R1{2}, rings:W, squares:W",
      dimension == 2 ? "X0,Y0,X1,Y1" : "X0,Y0,Z0,X1,Y1,Z1", dimension == 2 ? "Y" : "Z", dimension == 2 ? "" : "[,Z0,Z1]");
}

std::variant<Choice, std::string> read_region_text(const std::string& text, int dimension) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  const Form* form = nullptr;
  std::vector<std::string> names;
  for (const Form& f : forms) {
    names.emplace_back(f.name);
    if (name == f.name) form = &f;
  }
  if (!form) return fmt::format("there is no region '{}'; {}", name, suggestion(name, names));
  Choice choice;
  choice.kind = form->kind, choice.text = text;
  const std::string wanted = form->kind == Kind::box ? fmt::format("{} numbers, the low corner and the high one, as in box:{}",
                                                                   2 * dimension, dimension == 2 ? "0,0,1,1" : "0,0,0,1,1,1")
                                                     : form->numbers;
  const std::string refusal = fmt::format("region '{}' needs {}", text, wanted);
  if (form->has_axis) {
    const std::string axes = dimension == 2 ? "xy" : "xyz";
    const std::size_t axis = rest.empty() ? std::string::npos : axes.find(rest[0]);
    if (axis == std::string::npos || rest.size() < 2 || rest[1] != ',') return refusal;
    choice.axis = static_cast<int>(axis);
    rest = rest.substr(2);
  }
  if (!rest.empty()) choice.numbers = read_numbers(rest);
  const std::size_t least = form->kind == Kind::box ? 2 * static_cast<std::size_t>(dimension) : form->least;
  const std::size_t most = form->kind == Kind::box ? least : form->most;
  if (choice.numbers.size() < least || choice.numbers.size() > most || (colon != std::string::npos && most == 0) ||
      !good_numbers(choice, dimension))
    return refusal;
  return choice;
}

}  // namespace moreau::inline scene
