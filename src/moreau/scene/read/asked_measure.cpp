#include "moreau/scene/read/asked_measure.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>
#include <string_view>

#include "moreau/base/nearest.hpp"
#include "moreau/scene/read/region_text.hpp"

namespace moreau::inline scene {

namespace {
// Whether a word of the sentence is `word`.
bool speaks_of(std::string_view sentence, std::string_view word) {
  const auto is_letter = [&](std::size_t i) {
    return i < sentence.size() && std::isalpha(static_cast<unsigned char>(sentence[i])) != 0;
  };
  for (std::size_t at = sentence.find(word); at != std::string_view::npos; at = sentence.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(end)) return true;
  }
  return false;
}
}  // namespace

template <int D>
const measure::Quantity<D>& quantity_named(const std::string& name) {
  if (const auto* quantity = measure::find_quantity<D>(name)) return *quantity;
  std::vector<std::string> names, about;  // all, and those of which the word is spoken
  for (const auto& quantity : measure::quantities<D>()) {
    names.push_back(quantity.name);
    if (name.size() > 2 && speaks_of(quantity.what, name)) about.push_back(quantity.name);
  }
  const std::string hint = !about.empty() ? fmt::format("of '{}' tell {}", name, quoted_list(about)) : suggestion(name, names);
  throw std::runtime_error(
      fmt::format("there is no quantity '{}', and nothing was measured; {} ('moreau measure --list' explains them)", name, hint));
}

void add_regions(measure::Choices& choices, const std::vector<std::string>& texts, int dimension) {
  for (const std::string& text : texts) {
    const auto region = read_region_text(text, dimension);
    if (const auto* sentence = std::get_if<std::string>(&region)) throw std::runtime_error(*sentence);
    choices.regions.push_back(std::get<measure::RegionChoice>(region));
  }
}

void add_strips(measure::Choices& choices, const std::vector<std::string>& texts, int dimension) {
  for (const std::string& text : texts) {
    const std::vector<double> n = read_numbers(text);
    if (n.size() != 4) throw std::runtime_error(fmt::format("--strip is '{}'; accepted: four numbers r1,z1,r2,z2", text));
    const measure::Strip strip{n[0], n[1], n[2], n[3]};
    if (!(strip.length() > 0.0) || (dimension == 3 && (n[0] < 0.0 || n[2] < 0.0 || n[0] + n[2] == 0.0)))
      throw std::runtime_error(fmt::format("--strip is '{}'; accepted: two different points{}", text,
                                           dimension == 3 ? " with r >= 0, not both on the axis" : ""));
    choices.strips.push_back(strip);
  }
}

template <int D>
const measure::RegionChoice* empty_region(const measure::Sample<D>& sample, const measure::Choices& choices) {
  const measure::Domain<D> domain = measure::domain_of(sample);
  for (const measure::RegionChoice& choice : choices.regions) {
    double volume = 0.0;
    const auto parts = measure::resolve(choice, domain, measure::axis_of<D>(choices));
    if (parts.size() >= measure::most_regions)
      throw std::runtime_error(fmt::format("region '{}' has {} parts or more; accepted: a larger width", choice.text, parts.size()));
    for (const auto& region : parts) volume += region.volume();
    if (!(volume > 0.0)) return &choice;
  }
  return nullptr;
}

std::string empty_region_sentence(const measure::RegionChoice& region, double time) {
  return fmt::format("region '{}' is empty: nothing of the sample at t = {:g} lies in it", region.text, time);
}

template const measure::Quantity<2>& quantity_named(const std::string&);
template const measure::Quantity<3>& quantity_named(const std::string&);
template const measure::RegionChoice* empty_region(const measure::Sample<2>&, const measure::Choices&);
template const measure::RegionChoice* empty_region(const measure::Sample<3>&, const measure::Choices&);

}  // namespace moreau::inline scene
