#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/scene/nearest.hpp"
#include "moreau/scene/read_model.hpp"
#include "moreau/scene/region_text.hpp"

namespace moreau {

namespace {

// The name becomes that of a file.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string::npos;
}

template <int D>
void read_quantity(TableReader& entry, measure::SampledMeasure& sampled) {
  const bool sound = !entry.mistakes().any();
  sampled.quantity = entry.text("quantity");
  if (sound && entry.mistakes().any()) return;
  const measure::Quantity<D>* quantity = measure::find_quantity<D>(sampled.quantity);
  if (!quantity) {
    std::vector<std::string> names;
    for (const auto& q : measure::quantities<D>())
      if (q.needs == measure::Needs::one) names.push_back(q.name);
    entry.fail("quantity",
               fmt::format("is \"{}\", which is no quantity; {}", sampled.quantity, suggestion(sampled.quantity, names)));
    sampled.quantity = "stress";
  } else if (quantity->needs == measure::Needs::two) {
    entry.fail("quantity",
               fmt::format("is \"{}\", which compares two instants; accepted: quantities of one instant (take this one from the "
                           "frames with 'moreau measure')",
                           sampled.quantity));
  }
}

void add_region(TableReader& entry, const std::string& text, int dimension, measure::Choices& choices) {
  const auto region = read_region_text(text, dimension);
  if (const auto* sentence = std::get_if<std::string>(&region))
    entry.fail("region", fmt::format("is \"{}\": {}", text, *sentence));
  else
    choices.regions.push_back(std::get<measure::RegionChoice>(region));
}

}  // namespace

template <int D>
void read_measures(TableReader& root, Scene<D>& scene) {
  Names names("measure");
  for (auto& entry : root.tables("measure")) {
    measure::SampledMeasure sampled;
    read_quantity<D>(entry, sampled);
    sampled.name = names.declare(entry, sampled.quantity.empty() ? "measure" : sampled.quantity);
    if (entry.has("name") && !is_file_name(sampled.name))
      entry.fail("name", fmt::format("is \"{}\"; accepted: letters, digits, '-' and '_', as it names a file", sampled.name));
    if (!entry.has("name") && std::ranges::any_of(scene.measures, [&](const auto& other) { return other.name == sampled.name; }))
      entry.fail_missing("name", "a name of its own, because another [[measure]] is called '" + sampled.name + "'");
    sampled.every = entry.number("every", positive);
    if (entry.is_array("region"))
      for (const std::string& text : entry.texts("region", entry.array_size("region")))
        add_region(entry, text, D, sampled.choices);
    else if (entry.has("region"))
      add_region(entry, entry.text("region"), D, sampled.choices);
    sampled.choices.kinetic = entry.flag("kinetic", false);
    if (entry.has("axis")) {
      const Vec<2> axis = entry.vector<2>("axis");
      sampled.choices.axis[0] = axis[0], sampled.choices.axis[1] = axis[1];
    }
    sampled.choices.width = entry.number("width", nonnegative, 0.0);
    sampled.choices.classes = static_cast<int>(entry.integer("classes", 0, 10000, 0));
    if (entry.has("born")) {
      const Vec<2> born = entry.vector<2>("born");
      sampled.choices.born[0] = born[0], sampled.choices.born[1] = born[1];
    }
    if (entry.has("strips"))
      for (const std::string& text : entry.texts("strips", entry.array_size("strips"))) {
        const std::vector<double> n = read_numbers(text);
        if (n.size() == 4 && std::hypot(n[2] - n[0], n[3] - n[1]) > 0.0 &&
            (D == 2 || (n[0] >= 0.0 && n[2] >= 0.0 && n[0] + n[2] > 0.0)))
          sampled.choices.strips.push_back({n[0], n[1], n[2], n[3]});
        else
          entry.fail("strips", fmt::format("holds \"{}\"; accepted: \"r1,z1,r2,z2\", two different points{}", text,
                                           D == 3 ? " with r >= 0, not both on the axis" : ""));
      }
    entry.finish();
    scene.measures.push_back(std::move(sampled));
  }
}

template void read_measures<2>(TableReader&, Scene<2>&);
template void read_measures<3>(TableReader&, Scene<3>&);

}  // namespace moreau
