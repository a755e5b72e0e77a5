#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "moreau/cli/command.hpp"
#include "moreau/cli/draw_plots.hpp"
#include "moreau/draw/picture.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/scene/nearest.hpp"
#include "moreau/scene/region_text.hpp"

namespace moreau {

namespace {

// The choices of a plot, checked.
measure::Choices plot_choices(const std::string& plot, const std::vector<std::string>& regions, int dimension,
                              measure::Choices choices) {
  if (std::ranges::count(plot_names, plot) == 0)
    throw std::runtime_error(fmt::format("there is no plot '{}'; {}", plot, suggestion(plot, plot_names)));
  for (const std::string& text : regions) {
    const auto region = read_region_text(text, dimension);
    if (const auto* sentence = std::get_if<std::string>(&region)) throw std::runtime_error(*sentence);
    choices.regions.push_back(std::get<measure::RegionChoice>(region));
  }
  return choices;
}

template <int D>
Frame<D> last_frame(const RunFolder& run, const Scene<D>& scene) {
  Checkpoint<D> checkpoint = checkpoint_of(run, scene);
  const std::uint64_t phase = checkpoint.state.phase;
  return make_frame(Simulation<D>(scene.phases[phase].model, std::move(checkpoint.state)));
}

}  // namespace

void add_draw(CLI::App& app, int& status) {
  struct Options {
    std::string folder, file;
    std::int64_t frame = 0;
    double slice = 0.0;
    bool forces = false, no_forces = false;
    PictureOptions picture;
    std::string plot;
    std::vector<std::string> regions;
    std::vector<double> axis;
    measure::Choices choices;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("draw", "a picture of a run: grains, blocks, contact forces as line widths, colour by a field");
  command->add_option("DIR", o->folder, "folder of the run")->required();
  command->add_option("-o,--output", o->file, "picture.png or picture.svg (default: picture.png in the folder of the run)");
  CLI::Option* frame = command->add_option("--frame", o->frame, "number of a saved frame (default: the latest state)")
                           ->check(CLI::Range(0, 999999999));
  command->add_option("--colour,--color", o->picture.colour, "speed, spin, radius, birth, pressure, contacts, material or none")
      ->capture_default_str();
  command->add_option("--view", o->picture.view, "3-D: perspective, front, side or top")->capture_default_str();
  CLI::Option* slice = command->add_option("--slice", o->slice, "3-D: only grains within this distance of the middle plane")
                           ->check(positive_number());
  command->add_option("--width", o->picture.width, "pixels")->capture_default_str();
  CLI::Option* forces = command->add_flag("--forces", o->forces, "draw contact forces also where grains hide them");
  command->add_flag("--no-forces", o->no_forces, "do not draw contact forces")->excludes(forces);
  command->add_flag("--thrust", o->picture.thrust, "draw the line along which the force passes from block to block");
  command->add_flag("--hinges", o->picture.hinges, "mark joints of blocks whose whole force passes at one end");
  CLI::Option* plot = command->add_option(
      "--plot", o->plot,
      "instead of grains: forces (distribution with fit), ground-pressure (versus radius) or rose (contact directions)");
  command->add_option("--region", o->regions, "plots: where (see moreau measure --list)")->allow_extra_args(false)->needs(plot);
  command->add_option("--classes", o->choices.classes, "plots: number of classes")->check(CLI::Range(2, 10000))->needs(plot);
  command->add_option("--ring", o->choices.width, "plots: width of the rings of ground pressure")
      ->check(positive_number())
      ->needs(plot);
  command->add_option("--axis", o->axis, "plots: x y of the vertical axis")->expected(2)->needs(plot);
  command->callback([o, frame, slice, &status] {
    const RunFolder run = RunFolder::open(o->folder);
    if (o->forces) o->picture.forces = true;
    if (o->no_forces) o->picture.forces = false;
    if (slice->count() > 0) o->picture.slice = o->slice;
    const std::filesystem::path file =
        o->file.empty() ? run.path() / (o->plot.empty() ? "picture.png" : o->plot + ".png") : std::filesystem::path(o->file);
    if (o->axis.size() == 2) o->choices.axis[0] = o->axis[0], o->choices.axis[1] = o->axis[1];
    std::visit(
        [&]<int D>(const Scene<D>& scene) {
          if (frame->count() > 0 && static_cast<std::uint64_t>(o->frame) >= run.frame_count())
            throw std::runtime_error(fmt::format("frame {} does not exist; {} holds frames 0 to {}", o->frame, o->folder,
                                                 static_cast<long long>(run.frame_count()) - 1));
          o->picture.title = scene.title;
          const Frame<D> f =
              frame->count() > 0 ? run.read_frame<D>(static_cast<std::uint64_t>(o->frame)) : last_frame(run, scene);
          if (o->plot.empty())
            draw_frame(f, o->picture, file);
          else
            draw_measure(o->plot,
                         measure::sample_of(model_of(scene, f), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift,
                                            f.lattice),
                         plot_choices(o->plot, o->regions, D, o->choices), scene.title, o->picture.width, file);
        },
        scene_of(run));
    fmt::print("wrote {}\n", file.string());
    status = exit_ok;
  });
}

}  // namespace moreau
