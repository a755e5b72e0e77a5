#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "moreau/cli/command.hpp"
#include "moreau/cli/few_touch.hpp"
#include "moreau/cli/load_text.hpp"
#include "moreau/cli/moving_supports.hpp"
#include "moreau/cli/outputs.hpp"
#include "moreau/cli/state_of.hpp"
#include "moreau/cli/statics_report.hpp"
#include "moreau/draw/picture/picture.hpp"
#include "moreau/dynamics/frame.hpp"
#include "moreau/engines/geometric/small_perturbations.hpp"
#include "moreau/scene/units.hpp"
#include "moreau/statics/finish.hpp"
#include "moreau/store/output_file.hpp"

namespace moreau {

namespace {

struct StaticsOptions {
  std::string what, forces, picture;
  std::vector<std::string> loads, settings;
  double threshold = 1e-6;
  int pivots = 0;
  double friction = -1.0;  // of all pairs; negative: that of the scene
  bool finish = false, json = false;
};

template <int D>
void draw(const Model<D>& model, const State<D>& state, const StaticsReport<D>& report, const Scene<D>& scene,
          const StaticsOptions& o) {
  PictureOptions picture;
  picture.title = scene.title;
  picture.units = units_of(scene.text);
  picture.forces = true;
  picture.colour = "contacts";
  if (!report.failure.empty()) {
    picture.arrows = {"motion", {}};  // a velocity up to a factor, of no unit
    for (const Vec<D>& v : report.failure) picture.arrows.vector.push_back(lifted(v));
    picture.colour = "arrows";
  }
  draw_frame(make_frame(model, state), picture, o.picture);
  if (!o.json) fmt::print("  wrote {}\n", o.picture);
}

// The staircase with fixed normals, load against displacement of the pistons.
template <int D>
nlohmann::ordered_json staircase(const Model<D>& model, const State<D>& state, const statics::Load<D>& load,
                                 const statics::Load<D>& unit, const StaticsOptions& o) {
  double diameter = 0.0;
  for (std::size_t i = 0; i < state.bodies.size(); ++i) diameter = std::max(diameter, 2.0 * state.bodies.parameters.radius[i]);
  geometric::SmallPerturbations<D> steps(model, state, load, load + unit, 0.5 * diameter);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  double at = 0.0;
  for (int k = 0; k < o.pivots && at < 1.0; ++k) {
    const geometric::Pivot pivot = steps.next(at);
    if (!pivot.moved) break;
    nlohmann::ordered_json entry{{"load", pivot.at},
                                 {"opened", {pivot.opened.a, pivot.opened.b}},
                                 {"closed", {pivot.closed.a, pivot.closed.b}},
                                 {"opening", pivot.length}};
    const statics::Freedoms<D>& freedoms = steps.freedoms();
    for (std::size_t p = 0; p < freedoms.piston.size(); ++p)
      entry["displacement " + model.pistons[freedoms.piston[p]].name] =
          steps.displacement()[freedoms.column_of_piston(static_cast<int>(p))];
    if (pivot.endless) entry["endless"] = true;
    list.push_back(entry);
    if (!o.json) {
      std::string moved;
      for (std::size_t p = 0; p < freedoms.piston.size(); ++p)
        moved += fmt::format("; {} has moved by {:.4g}", model.pistons[freedoms.piston[p]].name,
                             steps.displacement()[freedoms.column_of_piston(static_cast<int>(p))]);
      fmt::print("  pivot {:<13}at {:.6g} of the load the contact of {} opens{}{}\n", list.size(), pivot.at,
                 text_of(pivot.opened),
                 pivot.endless ? fmt::format(" by {:.3g}, and none closes: the motion has no end", pivot.length)
                               : fmt::format(" by {:.3g} until that of {} closes", pivot.length, text_of(pivot.closed)),
                 moved);
    }
    if (pivot.endless) break;
    at = pivot.at;
  }
  return list;
}

template <int D>
int report_statics(const Model<D>& of_scene, State<D> state, const Scene<D>& scene, const Instant& instant,
                   const StaticsOptions& o) {
  Model<D> model = of_scene;
  if (o.friction >= 0.0)
    for (PairLaw& law : model.pair_laws) {
      if (law.static_friction > 0.0 || law.cross_friction > 0.0 || !law.friction_at_speed.empty())
        throw std::runtime_error(o.what + " has a law with more than one coefficient of friction; accepted with --friction: laws with one");
      law.friction = o.friction;
    }
  const statics::Load<D> load = statics::load_at(model, state, state.time);
  nlohmann::ordered_json j;
  if (o.finish) {
    const statics::Finish f = statics::finish(model, state, load);
    if (!f.isostatic) throw std::runtime_error(fmt::format("{}: --finish found no isostatic equilibrium: {}", o.what, f.reason));
    j["finish"] = {{"programs", f.programs}, {"pivots", f.pivots}, {"residual", f.residual}, {"largest_gap", f.largest_gap}};
    if (!o.json)
      fmt::print("finished by {} linear program{}: residual {:.1e} of the mean force, gaps below {:.1e}\n", f.programs,
                 f.programs == 1 ? "" : "s", f.residual, f.largest_gap);
  }
  statics::Load<D> unit;
  for (const std::string& text : o.loads) unit = unit + read_load(text, model, state.bodies, scene.named);
  const StaticsReport<D> report = examine(model, state, load, o.loads.empty() ? nullptr : &unit, o.threshold);
  if (!report.refusal.empty())
    throw std::runtime_error(instant.run.empty() ? fmt::format("{}: {}; run it first, or give --finish", o.what, report.refusal)
                                                 : fmt::format("{}: {} {}", o.what, report.refusal, instant.words()));
  j.update(json_of(report));
  instant.note(j);
  if (!o.json) print(report);
  if (const std::string few = few_touch(model, state, std::max(report.touching, report.contacts.size())); !few.empty()) {
    j["few_touch"] = few;
    if (!o.json) fmt::print("  {}\n", few);
  }
  if (!o.json && !instant.run.empty()) fmt::print("  {} {}\n", instant.run, instant.words());
  if (const std::string moving = moving_supports(model, state); !moving.empty()) {
    j["moving"] = moving;
    if (!o.json) fmt::print("  {}\n", moving);
  }
  if (o.pivots > 0) {
    if (!report.isostatic || o.loads.empty())
      throw std::runtime_error("--pivots needs --load, and an isostatic list (give --finish)");
    if (report.touching > 0)
      throw std::runtime_error(
          "--pivots: the load acts on something that the isostatic list does not hold, which moves at once; accepted: loads on bodies, "
          "pistons and components of the cell that contacts of the list hold");
    j["pivots"] = staircase(model, state, load, unit, o);
  }
  if (o.json) fmt::print("{}\n", j.dump(2));
  if (!o.forces.empty()) {
    write_output(o.forces, csv_of(report));
    if (!o.json) fmt::print("  wrote {}\n", o.forces);
  }
  if (!o.picture.empty()) draw(model, state, report, scene, o);
  return exit_ok;
}

}  // namespace

void add_statics(CLI::App& app, int& status) {
  auto o = std::make_shared<StaticsOptions>();
  CLI::App* command = app.add_subcommand(
      "statics", "what a packing can bear where it stands: degrees of indeterminacy, forces, supported loads, motion at failure");
  command->add_option("WHAT", o->what, "the folder of a run (its latest state), or a scene file with --finish")->required();
  command
      ->add_option("--load", o->loads,
                   "load that grows: piston:NAME, gravity, acceleration:X,Y, cell:xx, force:BODY:X,Y; several add up")
      ->allow_extra_args(false);
  add_settings_option(*command, o->settings);
  command->add_flag("--finish", o->finish, "first bring it to an exact isostatic equilibrium (round bodies without friction)");
  command->add_option("--friction", o->friction, "take this coefficient for all contacts instead of those of the scene, in a run too")
      ->check(CLI::Range(0.0, 1e6));
  command->add_option("--pivots", o->pivots, "follow the load through so many changes of the list, with normals kept fixed")
      ->check(CLI::Range(1, 100000));
  command->add_option("--threshold", o->threshold, "contacts carry above this times the mean normal force")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--forces", o->forces, "write forces, their change with the load, and self-stresses to this CSV file");
  command->add_option("--draw", o->picture, "draw forces and the velocity at failure to this PNG or SVG file");
  command->add_flag("--json", o->json, "as JSON");
  command->callback([o, &status] {
    demand_different_outputs({{"--forces", o->forces}, {"--draw", o->picture}});
    status = with_state_of(o->what, settings_of(o->settings),
                           [&](const auto& model, const auto& state, const auto& scene, const Instant& instant) {
                             return report_statics(model, state, scene, instant, *o);
                           });
  });
}

}  // namespace moreau
