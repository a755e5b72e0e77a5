#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "moreau/base/nearest.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/draw_curves.hpp"
#include "moreau/cli/draw_plots.hpp"
#include "moreau/cli/frame_choice.hpp"
#include "moreau/cli/movie.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/draw/picture/contact_sheet.hpp"
#include "moreau/measure/column_unit.hpp"
#include "moreau/measure/contacts/joint_openings.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/scene/read/region_text.hpp"

namespace moreau {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::runtime_error(sentence); }

struct Options {
  std::vector<std::string> folders;   // several for curves
  std::vector<std::string> of_space;  // options given that only mean something in space
  std::string folder, file, phase;
  std::int64_t frame = -1, since = -1, sheet = 0;  // -1: not given
  std::string frames;
  bool forces = false, no_forces = false;
  std::string arrows, title, range;
  bool no_title = false, colour_given = false;
  PictureOptions picture;
  std::string movie;
  double pictures_per_second = 25.0;
  std::string plot;
  std::vector<std::string> regions, strips;
  std::vector<double> axis, look_at;
  measure::Choices choices;
  CurveOptions curves;
};

// The choices of a plot, checked.
measure::Choices plot_choices(const Options& o, int dimension) {
  if (std::ranges::count(plot_names, o.plot) == 0)
    refuse(fmt::format("there is no plot '{}'; {}", o.plot, suggestion(o.plot, plot_names)));
  measure::Choices choices = o.choices;
  for (const std::string& text : o.regions) {
    const auto region = read_region_text(text, dimension);
    if (const auto* sentence = std::get_if<std::string>(&region)) refuse(*sentence);
    choices.regions.push_back(std::get<measure::RegionChoice>(region));
  }
  for (const std::string& text : o.strips) {
    const std::vector<double> n = read_numbers(text);
    const bool sound =
        n.size() == 4 && (n[0] != n[2] || n[1] != n[3]) && (dimension == 2 || (n[0] >= 0.0 && n[2] >= 0.0 && n[0] + n[2] > 0.0));
    if (!sound) refuse(fmt::format("--strip is '{}'; accepted: r1,z1,r2,z2 of two different points", text));
    choices.strips.push_back({n[0], n[1], n[2], n[3]});
  }
  return choices;
}

// The latest state: the checkpoint, or while the run goes on the newest frame, if that came after it.
template <int D>
Frame<D> last_frame(const RunFolder& run, const Scene<D>& scene) {
  Checkpoint<D> checkpoint = checkpoint_of(run, scene);
  if (const std::uint64_t frames = run.frame_count(); frames > 0) {
    Frame<D> newest = frame_of(run, scene, frames - 1);
    if (newest.step > checkpoint.state.step) return newest;
  }
  const std::uint64_t phase = checkpoint.state.phase;
  return make_frame(scene.phases[phase].model, checkpoint.state);
}

// All frames, those of --frames, or `sheet` of them spread evenly from the first to the last.
std::vector<std::uint64_t> frames_of(const Options& o, std::uint64_t count) {
  if (count == 0) refuse(fmt::format("{} holds no frames", o.folder));
  if (!o.frames.empty()) return chosen_frames(o.frames, count);
  std::vector<std::uint64_t> chosen;
  const std::uint64_t wanted = o.sheet > 0 ? std::min<std::uint64_t>(static_cast<std::uint64_t>(o.sheet), count) : count;
  for (std::uint64_t k = 0; k < wanted; ++k) chosen.push_back(wanted == 1 ? count - 1 : k * (count - 1) / (wanted - 1));
  return chosen;
}

void check_frame(const Options& o, std::int64_t frame, std::uint64_t count) {
  if (frame >= 0 && static_cast<std::uint64_t>(frame) >= count)
    refuse(fmt::format("frame {} does not exist; {} holds frames 0 to {}", frame, o.folder, static_cast<long long>(count) - 1));
}

// Velocities, or displacements of the bodies that were there in both frames.
template <int D>
BodyVectors velocities_of(const Frame<D>& frame) {
  BodyVectors vectors{"velocity", {}};
  for (const Vec<D>& v : frame.state.velocity) vectors.vector.push_back(lifted(v));
  return vectors;
}
template <int D>
BodyVectors displacements_of(const Frame<D>& before, const Frame<D>& after) {
  BodyVectors vectors{"displacement", std::vector<Vec<3>>(after.state.size())};
  for (std::size_t i = 0; i < std::min(before.state.size(), after.state.size()); ++i)
    vectors.vector[i] = lifted(after.state.position[i] - before.state.position[i]);
  return vectors;
}

// The farthest that a joint of each body has opened or slid since an earlier frame.
template <int D>
std::vector<double> cracks_since(const Scene<D>& scene, const Frame<D>& before, const Frame<D>& after) {
  const auto sample = [&](const Frame<D>& f) {
    return measure::sample_of(model_of(scene, f), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
  };
  const measure::Sample<D> first = sample(before), now = sample(after);
  std::vector<double> crack(after.parameters.size(), 0.0);
  for (const auto& joint : measure::joint_openings(first, now)) {
    const double width = std::max(joint.widest, joint.slid);
    crack[joint.a] = std::max(crack[joint.a], width);
    if (!is_wall(joint.b)) crack[static_cast<std::size_t>(joint.b)] = std::max(crack[static_cast<std::size_t>(joint.b)], width);
  }
  return crack;
}

// Engines without velocities, and packings that rest: speeds would be one colour, or show what the solver has left. A body is at
// rest that moves at a millionth of the speed it would have after falling through its radius.
template <int D>
bool is_at_rest(const Frame<D>& frame, double gravity) {
  for (std::size_t i = 0; i < frame.state.size(); ++i)
    if (frame.parameters.kind[i] == BodyKind::free &&
        norm(frame.state.velocity[i]) > 1e-6 * std::sqrt(2.0 * gravity * frame.parameters.radius[i]))
      return false;
  return !frame.contacts.a.empty();
}

template <int D>
class Drawing {
 public:
  Drawing(const Options& o, const RunFolder& run, const Scene<D>& scene) : o_(o), run_(run), scene_(scene), picture_(o.picture) {
    picture_.title = o.no_title ? "" : o.title.empty() ? scene.title : o.title;
    picture_.units = units_of(scene.text);
    if (scene.model.tilt.acts())
      picture_.tilted = [&scene](std::uint64_t phase, double time) -> std::optional<TiltedGravity> {
        const Model<D>& model = scene.phases[std::min<std::size_t>(phase, scene.phases.size() - 1)].model;
        if (!(norm(model.gravity) > 0.0)) return {};
        return TiltedGravity{lifted(normalized(model.gravity_at(time))), model.tilt.angle(time)};
      };
    for (const Material& material : scene.model.materials) picture_.material_names.push_back(material.name);
    if (!o.range.empty()) {
      const std::vector<double> n = read_numbers(o.range);
      if (n.size() != 2 || !(n[0] < n[1])) refuse(fmt::format("--range is '{}'; accepted: two numbers LOW,HIGH", o.range));
      picture_.range = {n[0], n[1]};
    }
    if (o.picture.colour == "arrows" && o.arrows.empty())
      refuse("--colour arrows needs arrows; accepted: --arrows velocity, or --from N for displacements");
    for (const std::int64_t frame : {o.frame, o.since}) check_frame(o, frame, run.frame_count());
    if (D == 2)
      for (const std::string& option : o.of_space) fmt::print(stderr, "note: {} does nothing in the plane\n", option);
    if (scene.bodies.all_round() && (o.picture.thrust || o.picture.hinges))
      fmt::print(stderr, "note: {} is about blocks, and the scene has none\n", o.picture.thrust ? "--thrust" : "--hinges");
    if (o.since >= 0) since_ = frame_of(run, scene, static_cast<std::uint64_t>(o.since));
    if (!o.colour_given && o.curves.y.empty() && o.plot.empty() && is_at_rest(shown_last(), norm(scene.model.gravity)))
      picture_.colour = "contacts";
    if (cracks()) {
      if (scene.bodies.all_round()) refuse("--colour joints is about stones, and the scene has none");
      if (run.frame_count() == 0) refuse(fmt::format("{} holds no frame with which joints could be compared", o.folder));
      whole_ = since_ ? *since_ : frame_of(run, scene, 0);
    }
  }

  void draw(const std::filesystem::path& file) {
    if (!o_.curves.y.empty()) {
      CurveOptions curves = o_.curves;
      if (curves.x_label.empty()) curves.x_label = with_unit({curves.x});
      if (curves.y_label.empty()) curves.y_label = with_unit(curves.y);
      return draw_curves(std::vector<std::filesystem::path>(o_.folders.begin(), o_.folders.end()), curves, picture_.title,
                         picture_.width, file);
    }
    if (!o_.movie.empty()) return film(file);
    if (o_.sheet > 0 || !o_.frames.empty()) return sheet(file);
    const Frame<D> f = o_.frame >= 0 ? frame_of(run_, scene_, static_cast<std::uint64_t>(o_.frame)) : last_frame(run_, scene_);
    if (!o_.plot.empty())
      return draw_measure(
          o_.plot,
          measure::sample_of(model_of(scene_, f), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice),
          plot_choices(o_, D), picture_.title, picture_.width, file);
    draw_frame(f, with_arrows(f, nullptr), file);
  }

 private:
  // Formulas with their unit, where all are columns of one, and the scene names its units.
  std::string with_unit(const std::vector<std::string>& formulas) const {
    const std::string letters = measure::unit_of_column(formulas[0], D), unit = in_units(letters, picture_.units);
    const bool one = std::ranges::all_of(formulas, [&](const std::string& f) { return measure::unit_of_column(f, D) == letters; });
    const bool named = !letters.empty() && unit.find_first_of("LMT") == std::string::npos;
    return fmt::format("{}{}", fmt::join(formulas, ", "), one && named ? fmt::format(" [{}]", unit) : "");
  }

  // The frame asked for; of a sheet or film the last saved one, which needs no checkpoint.
  Frame<D> shown_last() const {
    const bool many = o_.sheet > 0 || !o_.frames.empty() || !o_.movie.empty();
    if (o_.frame >= 0) return frame_of(run_, scene_, static_cast<std::uint64_t>(o_.frame));
    return many && run_.frame_count() > 0 ? frame_of(run_, scene_, run_.frame_count() - 1) : last_frame(run_, scene_);
  }

  // Displacements are since the frame of --from, else since the one before in the sheet or film.
  PictureOptions with_arrows(const Frame<D>& frame, const Frame<D>* before) const {
    PictureOptions picture = picture_;
    if (cracks()) picture.arrows.crack = cracks_since(scene_, *whole_, frame);
    if (cracks() && o_.arrows.empty()) return picture;
    const std::vector<double> crack = picture.arrows.crack;
    add_arrows(picture, frame, before);
    picture.arrows.crack = crack;
    return picture;
  }

  void add_arrows(PictureOptions& picture, const Frame<D>& frame, const Frame<D>* before) const {
    if (o_.arrows == "velocity")
      picture.arrows = velocities_of(frame);
    else if (since_)
      picture.arrows = displacements_of(*since_, frame);
    else if (before && o_.arrows == "displacement")
      picture.arrows = displacements_of(*before, frame);
    else if (o_.arrows == "displacement" && o_.sheet == 0 && o_.frames.empty() && o_.movie.empty())
      refuse("--arrows displacement needs --from N, the frame from which displacements count");
  }

  bool cracks() const { return o_.picture.colour == "joints"; }

  void sheet(const std::filesystem::path& file) {
    std::vector<Frame<D>> frames;
    for (const std::uint64_t k : frames_of(o_, run_.frame_count())) frames.push_back(frame_of(run_, scene_, k));
    std::vector<BodyVectors> vectors;
    if (!o_.arrows.empty() || since_ || cracks())
      for (std::size_t i = 0; i < frames.size(); ++i)
        vectors.push_back(with_arrows(frames[i], i > 0 ? &frames[i - 1] : nullptr).arrows);
    draw_sheet(frames, vectors, picture_, file);
  }

  void film(const std::filesystem::path& file) {
    if (file.extension() != ".mp4")
      refuse(fmt::format("--movie is '{}'; accepted: the name of a file that ends in .mp4", o_.movie));
    const std::vector<std::uint64_t> numbers = frames_of(o_, run_.frame_count());
    std::optional<Frame<D>> before;
    bool looked = false;
    make_movie(file, numbers.size(), o_.pictures_per_second, [&](std::size_t i, const std::filesystem::path& png) {
      if (!std::exchange(looked, true)) {  // once ffmpeg is known to be there
        CommonScales scales;
        std::optional<Frame<D>> last;
        for (const std::uint64_t k : numbers) {
          Frame<D> frame = frame_of(run_, scene_, k);
          scales.look_at(frame, with_arrows(frame, last ? &*last : nullptr));
          last = std::move(frame);
        }
        scales.apply(picture_);
      }
      Frame<D> frame = frame_of(run_, scene_, numbers[i]);
      draw_frame(frame, with_arrows(frame, before ? &*before : nullptr), png);
      before = std::move(frame);
    });
  }

  const Options& o_;
  const RunFolder& run_;
  const Scene<D>& scene_;
  PictureOptions picture_;
  std::optional<Frame<D>> since_, whole_;  // whole_: with which joints are compared
};

std::string default_name(const Options& o) {
  if (!o.curves.y.empty()) return "curve.png";
  if (!o.plot.empty()) return o.plot + ".png";
  return o.sheet > 0 || !o.frames.empty() ? "sheet.png" : "picture.png";
}

void add_curve_options(CLI::App* command, Options& o) {
  CLI::Option* y = command->add_option("--y", o.curves.y, "curve: a column of --data, or a formula over columns; may be repeated")
                       ->allow_extra_args(false);
  command->add_option("--x", o.curves.x, "curve: the same for the other axis")->capture_default_str()->needs(y);
  command
      ->add_option("--data", o.curves.data,
                   "curve: CSV file in the folder of the run (default: series.csv); several are "
                   "joined by their column step")
      ->allow_extra_args(false)
      ->needs(y);
  command->add_option("--only", o.curves.only, "curve: rows to keep, as region=bulk or \"time>28\"; may be repeated")
      ->allow_extra_args(false)
      ->needs(y);
  command->add_option("--phase", o.phase, "curve: rows of this phase alone")->needs(y);
  command->add_option("--label", o.curves.labels, "curve: its name; may be repeated, in the order of runs and of --y")
      ->needs(y)
      ->allow_extra_args(false);
  command->add_option("--x-label", o.curves.x_label, "curve: what is written at the axis, with its unit")->needs(y);
  command->add_option("--y-label", o.curves.y_label, "curve: the same")->needs(y);
  command->add_flag("--log-x", o.curves.log_x, "curve: logarithmic axis")->needs(y);
  command->add_flag("--log-y", o.curves.log_y, "curve: logarithmic axis")->needs(y);
  command->add_flag("--points", o.curves.points, "curve: dots instead of lines")->needs(y);
}

void add_plot_options(CLI::App* command, Options& o) {
  CLI::Option* plot = command->add_option("--plot", o.plot,
                                          "instead of grains: forces (distribution with fit), ground-pressure (versus radius), "
                                          "rose (contact directions) or strips (force across each --strip)");
  command->add_option("--region", o.regions, "plots: where (see moreau measure --list)")->allow_extra_args(false)->needs(plot);
  command->add_option("--classes", o.choices.classes, "plots: number of classes")->check(CLI::Range(2, 10000))->needs(plot);
  command->add_option("--ring", o.choices.width, "plots: width of the rings of ground pressure")
      ->check(positive_number())
      ->needs(plot);
  command->add_option("--strip", o.strips, "plots: r1,z1,r2,z2 of a strip; may be given several times")
      ->allow_extra_args(false)
      ->needs(plot);
  command->add_option("--axis", o.axis, "plots: x y of the vertical axis")->expected(2)->needs(plot);
}

}  // namespace

void add_draw(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "draw",
      "a picture of a run: grains, blocks, contact forces as line widths, colour by a field, arrows; sheets, films, curves");
  command->add_option("DIR", o->folders, "folder of the run; several for curves of one picture")->required();
  command->add_option("-o,--output", o->file, "picture.png, .pdf or .svg (default: picture.png in the folder of the run)");
  command->add_option("--frame", o->frame, "number of a saved frame (default: the latest state)")
      ->check(CLI::Range(0, 999999999));
  CLI::Option* colour = command->add_option(
      "--colour,--color", o->picture.colour,
      "speed, spin, radius, birth, pressure, contacts, material, arrows (their length), joints (the farthest that a joint "
      "of the stone has opened or slid since the first frame, or --from) or none (default: speed, or contacts where nothing moves)");
  command->add_option("--range", o->range, "LOW,HIGH: values at the ends of the colours (default: those of the picture)");
  command->add_option(
      "--colour-label,--color-label", o->picture.colour_label,
      "what is written at the colours, as \"speed [m/s]\" (default: the field, in lengths L, masses M and times T)");
  CLI::Option* title = command->add_option("--title", o->title, "heading (default: the title of the scene)");
  command->add_flag("--no-title", o->no_title, "no heading")->excludes(title);
  command->add_option("--arrows", o->arrows, "velocity, or displacement since another frame")
      ->check(CLI::IsMember({"velocity", "displacement"}));
  command->add_option("--from", o->since, "draw displacements since this earlier frame")->check(CLI::Range(0, 999999999));
  CLI::Option* view =
      command->add_option("--view", o->picture.view, "3-D: perspective, front, side or top")->capture_default_str();
  std::vector<CLI::Option*> of_camera = {
      command->add_option("--azimuth", o->picture.azimuth, "3-D, perspective: from where, degrees from the front to the right"),
      command->add_option("--elevation", o->picture.elevation, "3-D, perspective: degrees above the horizontal"),
      command->add_option("--field-of-view", o->picture.field_of_view,
                          "3-D, perspective: its opening, degrees; larger: from nearer by")};
  for (CLI::Option* option : of_camera) option->capture_default_str();
  command->add_option("--zoom", o->picture.zoom, "larger than what fits by this factor")->capture_default_str();
  command->add_option("--look-at", o->look_at, "x y (3-D: x y z) of the middle of the picture")->expected(2, 3);
  CLI::Option* slice = command->add_option("--slice", o->picture.slice, "3-D: only grains within this distance of a plane")
                           ->check(positive_number());
  command->add_option("--slice-at", o->picture.slice_at, "3-D: where this plane is along the sight (default: in the middle)")
      ->needs(slice);
  command->add_option("--width", o->picture.width, "pixels")->capture_default_str();
  CLI::Option* forces = command->add_flag("--forces", o->forces, "draw contact forces also where grains hide them");
  command->add_flag("--no-forces", o->no_forces, "do not draw contact forces")->excludes(forces);
  command->add_flag("--no-wear{false}", o->picture.wear, "do not draw the wear of meshes");
  command->add_flag("--thrust", o->picture.thrust, "draw the line along which the force passes from block to block");
  command->add_flag("--hinges", o->picture.hinges, "mark joints of blocks whose whole force passes at one end");
  command->add_option("--sheet", o->sheet, "this many frames, from the first to the last, in one picture")
      ->check(CLI::Range(1, 100));
  command->add_option("--frames", o->frames, "frames of a sheet or film: 0,5,9 or FIRST:LAST:STEP");
  command->add_option("--movie", o->movie, "film.mp4 of the frames; needs the program ffmpeg");
  command->add_option("--fps", o->pictures_per_second, "pictures per second of a film")
      ->capture_default_str()
      ->check(positive_number());
  add_plot_options(command, *o);
  add_curve_options(command, *o);
  command->callback([o, view, slice, of_camera, colour, &status] {
    o->colour_given = colour->count() > 0;
    if (view->count() > 0) o->of_space.push_back("--view");
    for (const CLI::Option* option : of_camera)
      if (option->count() > 0) o->of_space.push_back(option->get_name());
    if (slice->count() > 0) o->of_space.push_back("--slice");
    if (o->folders.size() > 1 && o->curves.y.empty())
      refuse(fmt::format("draw shows one run, not {}; accepted: several with --y, for curves of one picture", o->folders.size()));
    if (!o->phase.empty()) o->curves.only.push_back("phase=" + o->phase);
    for (const std::string& folder : o->folders) {
      const RunFolder each = RunFolder::open(folder);  // each is one
      if (!o->curves.y.empty()) demand_unchanged(each);
    }
    o->folder = o->folders.front();
    const RunFolder run = RunFolder::open(o->folder);
    if (o->forces) o->picture.forces = true;
    if (o->no_forces) o->picture.forces = false;
    if (o->since >= 0 && o->arrows.empty() && o->picture.colour != "joints") o->arrows = "displacement";
    if (!o->look_at.empty()) {
      if (!std::ranges::all_of(o->look_at, [](double x) { return std::isfinite(x); }))
        refuse(fmt::format("--look-at is '{}'; accepted: finite numbers", fmt::join(o->look_at, " ")));
      o->look_at.resize(3, 0.0);
      o->picture.look_at = Vec<3>{{o->look_at[0], o->look_at[1], o->look_at[2]}};
    }
    if (o->axis.size() == 2) o->choices.axis[0] = o->axis[0], o->choices.axis[1] = o->axis[1];
    const std::filesystem::path file = !o->movie.empty() ? std::filesystem::path(o->movie)
                                       : o->file.empty() ? run.path() / default_name(*o)
                                                         : std::filesystem::path(o->file);
    std::visit([&]<int D>(const Scene<D>& scene) { Drawing<D>(*o, run, scene).draw(file); }, scene_of(run));
    fmt::print("wrote {}\n", file.string());
    status = exit_ok;
  });
}

}  // namespace moreau
