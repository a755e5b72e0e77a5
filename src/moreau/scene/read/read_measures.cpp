#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "moreau/base/nearest.hpp"
#include "moreau/bodies/body_names.hpp"
#include "moreau/scene/read/read_model.hpp"
#include "moreau/scene/read/region_text.hpp"

namespace moreau::inline scene {

namespace {

// The name becomes that of a file.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string::npos;
}

// What passes between two samples is told once, and its rate is that of the time between them.
bool counts_what_passes(const std::string& quantity) { return quantity == "flow" || quantity == "exits"; }

template <int D>
void read_quantity(TableReader& entry, measure::SampledMeasure& sampled) {
  const bool sound = !entry.mistakes().any();
  sampled.quantity = entry.text("quantity");
  if (sound && entry.mistakes().any()) return;
  const measure::Quantity<D>* quantity = measure::find_quantity<D>(sampled.quantity);
  if (!quantity) {
    std::vector<std::string> names;
    for (const auto& q : measure::quantities<D>()) names.push_back(q.name);
    entry.fail("quantity",
               fmt::format("is \"{}\", which is no quantity; {}", sampled.quantity, suggestion(sampled.quantity, names)));
    sampled.quantity = "stress";
    return;
  }
  if (quantity->needs == measure::Needs::two) {
    const bool since_last = entry.has("motion") || counts_what_passes(sampled.quantity);
    using Since = measure::SampledMeasure::Since;
    sampled.since =
        std::array{Since::start, Since::last,
                   Since::phase}[static_cast<std::size_t>(entry.choice("since", {"start", "last", "phase"}, since_last ? 1 : 0))];
  }
}

// Period of a motion that repeats itself, 0 of others.
template <int D>
double period_of(const Motion<D>& motion) {
  if (motion.kind == MotionKind::sinusoid || motion.kind == MotionKind::swing) return 1.0 / motion.frequency;
  if (motion.kind == MotionKind::rotation && motion.rate != 0.0) return 2.0 * std::numbers::pi / std::abs(motion.rate);
  return 0.0;
}

// `every`; or `motion`, with `periods` and `phase`: always at the same point of the motion.
template <int D>
void read_times(TableReader& entry, const Scene<D>& scene, measure::SampledMeasure& sampled) {
  if (entry.one_of({"every", "motion"}) != "motion") {
    if (entry.has("every")) sampled.every = entry.number("every", positive);
    return;
  }
  const std::string name = entry.text("motion");
  const double periods = static_cast<double>(entry.integer("periods", 1, 1'000'000'000, 1));
  const double phase = entry.number("phase", {"a number in [0, 1)", 0.0, 1.0, true, false}, 0.0);
  const auto& motions = scene.model.motions;
  const auto found = std::ranges::find_if(motions, [&](const auto& motion) { return motion.name == name; });
  sampled.every = 1.0;
  if (entry.mistakes().any()) return;
  if (found == motions.end()) return entry.fail("motion", fmt::format("is \"{}\", which is no motion of this scene", name));
  const double period = period_of(*found);
  if (!(period > 0.0))
    return entry.fail("motion",
                      fmt::format("is \"{}\", which does not repeat itself; accepted: a sinusoid, a swing or a rotation", name));
  sampled.every = periods * period;
  sampled.offset = phase * period;
}

void add_region(TableReader& entry, const std::string& text, int dimension, measure::Choices& choices) {
  const auto region = read_region_text(text, dimension);
  if (const auto* sentence = std::get_if<std::string>(&region))
    entry.fail("region", fmt::format("is \"{}\": {}", text, *sentence));
  else
    choices.regions.push_back(std::get<measure::RegionChoice>(region));
}

// bodies = ["arch.key", ...]: names of the scene.
template <int D>
void read_bodies(TableReader& entry, const Scene<D>& scene, measure::Choices& choices) {
  if (!entry.has("bodies")) return;
  for (const std::string& name : entry.texts("bodies", entry.array_size("bodies"))) {
    const std::vector<NamedBodies> stretches = stretches_called(scene.named, name);
    for (const NamedBodies& s : stretches) choices.bodies.push_back({name, s.first, s.count});
    std::vector<std::string> names;
    for (const NamedBodies& named : scene.named) names.push_back(named.name);
    if (stretches.empty() && !entry.mistakes().any())
      entry.fail("bodies", fmt::format("holds \"{}\", which is no name of bodies; {}", name, suggestion(name, names)));
  }
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
    read_times(entry, scene, sampled);
    if (entry.has("average")) sampled.average = entry.number("average", positive);
    if (sampled.average > sampled.every && !entry.mistakes().any())
      entry.fail("average",
                 fmt::format("is {:g}; accepted: at most the time between samples, {:g}", sampled.average, sampled.every));
    if (entry.is_array("region"))
      for (const std::string& text : entry.texts("region", entry.array_size("region")))
        add_region(entry, text, D, sampled.choices);
    else if (entry.has("region"))
      add_region(entry, entry.text("region"), D, sampled.choices);
    sampled.choices.kinetic = entry.flag("kinetic", false);
    sampled.choices.walls = entry.flag("walls", false);
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
    read_bodies(entry, scene, sampled.choices);
    if (auto plane = entry.table("plane", false, "a table with 'point' and 'normal'")) {
      const Vec<D> point = plane->vector<D>("point", Vec<D>{}), normal = plane->direction<D>("normal");
      for (int d = 0; d < D; ++d) sampled.choices.point[d] = point[d], sampled.choices.normal[d] = normal[d];
      plane->finish();
    }
    sampled.choices.opening = entry.number("opening", nonnegative, 0.0);
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

}  // namespace moreau::inline scene
