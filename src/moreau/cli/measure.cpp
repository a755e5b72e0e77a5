#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "moreau/base/nearest.hpp"
#include "moreau/bodies/body_names.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/outputs.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/measure/motion/motion_field.hpp"
#include "moreau/measure/quantity.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/run.hpp"
#include "moreau/scene/read/asked_measure.hpp"
#include "moreau/scene/read/region_text.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/output_file.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau {

namespace {

using measure::Cell;
using measure::Choices;
using measure::Table;

struct MeasureOptions {
  std::string folder, frame = "now", from, born, axis, plane, csv, json, hdf5;
  std::vector<std::string> quantities, regions, strips, bodies;
  double period = 0.0;
  bool list = false;
  Choices choices;
};

[[noreturn]] void refuse(const std::string& sentence) { throw std::runtime_error(sentence); }

void print_list() {
  fmt::print("quantities of 'moreau measure DIR QUANTITY ...' (definitions: docs/measures.md)\n");
  for (const auto& quantity : measure::quantities<3>())
    fmt::print("  {:<18} {}{}\n", quantity.name, quantity.what, quantity.needs == measure::Needs::two ? " (two frames)" : "");
  fmt::print("regions (--region): {}\n  in the plane: {}\n", accepted_regions(3), accepted_regions(2));
}

std::vector<double> numbers_of(const char* option, const std::string& text, std::size_t count, const char* meaning) {
  const std::vector<double> numbers = read_numbers(text);
  if (numbers.size() != count) refuse(fmt::format("{} is '{}'; accepted: {}", option, text, meaning));
  return numbers;
}

// What the command line says, checked; `dimension` decides which regions are accepted.
Choices choices_of(const MeasureOptions& o, int dimension) {
  Choices choices = o.choices;
  add_regions(choices, o.regions, dimension);
  add_strips(choices, o.strips, dimension);
  if (!o.axis.empty()) {
    const auto n = numbers_of("--axis", o.axis, 2, "two numbers x,y");
    choices.axis[0] = n[0], choices.axis[1] = n[1];
  }
  if (!o.plane.empty()) {
    const std::string meaning = fmt::format("{} numbers: a point of the plane, then its normal", 2 * dimension);
    const auto n = numbers_of("--plane", o.plane, static_cast<std::size_t>(2 * dimension), meaning.c_str());
    double square = 0.0;
    for (int d = 0; d < dimension; ++d) {
      choices.point[d] = n[static_cast<std::size_t>(d)];
      choices.normal[d] = n[static_cast<std::size_t>(dimension + d)];
      square += choices.normal[d] * choices.normal[d];
    }
    if (!(square > 0.0)) refuse(fmt::format("--plane is '{}'; accepted: {}, not zero", o.plane, meaning));
  }
  if (!o.born.empty()) {
    const auto n = numbers_of("--born", o.born, 2, "two times, the earlier first");
    if (!(n[0] < n[1])) refuse(fmt::format("--born is '{}'; accepted: two times, the earlier first", o.born));
    choices.born[0] = n[0], choices.born[1] = n[1];
  }
  return choices;
}

// --body: a name of the scene, or the number of a body.
template <int D>
void add_bodies(Choices& choices, const std::vector<std::string>& texts, const Scene<D>& scene) {
  for (const std::string& text : texts) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) {
      choices.bodies.push_back({text, number, 1});
      continue;
    }
    const std::vector<NamedBodies> stretches = stretches_called(scene.named, text);
    for (const NamedBodies& s : stretches) choices.bodies.push_back({text, s.first, s.count});
    std::vector<std::string> names;
    for (const NamedBodies& named : scene.named) names.push_back(named.name);
    if (stretches.empty())
      refuse(fmt::format("--body is '{}'; {}, or the number of a body", text, suggestion(text, names)));
  }
}

std::uint64_t frame_number(const char* option, const std::string& text, std::uint64_t count) {
  if (text == "last") return count - 1;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse(fmt::format("{} is '{}'; accepted: a number of a frame, 'last'{}", option, text,
                       option == std::string("--frame") ? ", 'all', 'now'" : ""));
  if (number >= count) refuse(fmt::format("frame {} does not exist; the run holds frames 0 to {}", number, count - 1));
  return number;
}

// A frame and the sample that looks at it; not to be copied.
template <int D>
struct Instant {
  Frame<D> frame;
  measure::Sample<D> sample;
  Instant(Frame<D> f, const Scene<D>& scene) : frame(std::move(f)) {
    sample = measure::sample_of(model_of(scene, frame), frame.shapes, frame.time, frame.parameters, frame.state, frame.contacts,
                                frame.wall_shift, frame.lattice);
    sample.named = scene.named, sample.broken = &frame.broken, sample.wear = &frame.wear;
  }
  Instant(const Instant&) = delete;
};

// Where the run stands, if that is later than its last frame: a run that was stopped, or whose frames are far apart.
template <int D>
std::optional<Frame<D>> beyond_frames(const RunFolder& run, const Scene<D>& scene, std::uint64_t last_step) {
  if (!run.has_checkpoint()) return {};
  const Checkpoint<D> checkpoint = checkpoint_of(run, scene);
  if (checkpoint.state.step <= last_step) return {};
  return make_frame(scene.phases[checkpoint.state.phase].model, checkpoint.state);
}

// The earlier frame of quantities that compare two: the one asked for; one period before; or the one before, or the first.
std::uint64_t earlier_frame(const MeasureOptions& o, const std::vector<double>& times, std::uint64_t number, double time) {
  if (o.period > 0.0) {
    const auto found = measure::nearest_instant(times, time - o.period, 0.01 * o.period);
    if (!found)
      refuse(fmt::format("no frame lies one period ({:g}) before t = {:g} to a hundredth of a period", o.period, time));
    return *found;
  }
  if (!o.from.empty()) return frame_number("--from", o.from, times.size());
  if (o.frame == "all") return number > 0 ? number - 1 : 0;
  return 0;
}

void append_rows(Table& all, const Table& one, std::int64_t number, double time) {
  if (all.columns.empty()) {
    all.columns = {"frame", "time"};
    all.columns.insert(all.columns.end(), one.columns.begin(), one.columns.end());
  }
  for (const auto& row : one.rows) {
    std::vector<Cell> cells{number, time};
    cells.insert(cells.end(), row.begin(), row.end());
    all.rows.push_back(std::move(cells));
  }
}

nlohmann::ordered_json json_of(const Table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t k = 0; k < row.size(); ++k) std::visit([&](const auto& value) { object[table.columns[k]] = value; }, row[k]);
    rows.push_back(std::move(object));
  }
  return rows;
}

// One group per quantity, one array per column.
void write_hdf5(const std::filesystem::path& path, const std::vector<std::pair<std::string, Table>>& tables) {
  hdf5::Writer file(path);
  for (const auto& [name, table] : tables) {
    hdf5::Group group = file.root().create(name);
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      std::vector<double> numbers;
      std::vector<std::string> texts;
      for (const auto& row : table.rows) {
        if (const auto* text = std::get_if<std::string>(&row[k]))
          texts.push_back(*text);
        else
          numbers.push_back(std::holds_alternative<double>(row[k]) ? std::get<double>(row[k])
                                                                   : static_cast<double>(std::get<std::int64_t>(row[k])));
      }
      if (texts.empty())
        group.write(table.columns[k], numbers);
      else
        group.write(table.columns[k], texts);
    }
  }
  write_output(path, file.finish());
}

void write_files(const MeasureOptions& o, const std::vector<std::pair<std::string, Table>>& tables) {
  const auto csv_of = [&](const std::string& name) {  // one file per quantity: F itself if there is one, else F-quantity.csv
    std::filesystem::path path(o.csv);
    if (tables.size() > 1) path.replace_filename(path.stem().string() + "-" + name + path.extension().string());
    return path;
  };
  std::vector<std::pair<std::string, std::string>> outputs{{"--json", o.json == "-" ? "" : o.json}, {"--hdf5", o.hdf5}};
  if (!o.csv.empty())
    for (const auto& [name, table] : tables) outputs.emplace_back("--csv", csv_of(name).string());
  demand_different_outputs(outputs);
  if (!o.csv.empty())
    for (const auto& [name, table] : tables) {
      const std::filesystem::path path = csv_of(name);
      write_output(path, measure::to_csv(table));
      fmt::print("wrote {}\n", path.string());
    }
  if (!o.json.empty()) {
    nlohmann::ordered_json all;
    for (const auto& [name, table] : tables) all[name] = json_of(table);
    if (o.json == "-") {
      fmt::print("{}\n", all.dump(2));
    } else {
      write_output(o.json, all.dump(2) + "\n");
      fmt::print("wrote {}\n", o.json);
    }
  }
  if (!o.hdf5.empty()) {
    write_hdf5(o.hdf5, tables);
    fmt::print("wrote {}\n", o.hdf5);
  }
}

// Frames may lack what the scene did not ask for (output.fields). These quantities look at places and velocities alone.
void demand_fields(const std::string& quantity, const std::vector<std::string>& left_out, std::uint64_t frame) {
  static const std::vector<std::string> of_places{
      "velocities",   "velocity-map", "strain-rate",  "displacements", "displacement-map", "strain", "flow", "exits", "fields",
      "axial-fields", "fossil-line",  "fossil-layer", "slope",         "mixing",           "wear"};
  if (left_out.empty() || std::ranges::count(of_places, quantity) > 0) return;
  for (const std::string& field : left_out) {
    if (field != "contacts" && quantity != "bodies" && quantity != "wall-drive" && quantity != "balance") continue;
    if (field == "contacts" && quantity == "bodies") continue;
    refuse(fmt::format("{}: frame {} was written without '{}' (output.fields of the scene); the first frame has everything",
                       quantity, frame, field));
  }
}

// Who left from frame `first` until now is told once, between the two frames that follow one another: times are as exact as frames allow.
template <int D>
Table exits_from_frame_to_frame(const RunFolder& run, const Scene<D>& scene, const measure::Quantity<D>& exits,
                                const Choices& choices, const std::vector<double>& times, std::uint64_t first,
                                const measure::Sample<D>& now) {
  Table all;
  auto before = std::make_unique<Instant<D>>(frame_of(run, scene, first), scene);
  const auto add = [&](const measure::Sample<D>& after) {
    Table table = exits.measure(after, before->sample, choices);
    all.columns = table.columns;
    std::ranges::move(table.rows, std::back_inserter(all.rows));
  };
  for (std::uint64_t k = first + 1; k < times.size() && times[k] < now.time; ++k) {
    auto next = std::make_unique<Instant<D>>(frame_of(run, scene, k), scene);
    add(next->sample);
    before = std::move(next);
  }
  add(now);
  if (all.rows.empty()) all.refusal = fmt::format("no body left between t = {:g} and t = {:g}", times[first], now.time);
  return all;
}

template <int D>
void measure_run(const RunFolder& run, const Scene<D>& scene, const MeasureOptions& o) {
  std::vector<std::string> names = o.quantities.empty() ? measure::usual_quantities() : o.quantities;
  std::vector<const measure::Quantity<D>*> wanted;
  for (const std::string& name : names) wanted.push_back(&quantity_named<D>(name));
  Choices choices = choices_of(o, D);
  add_bodies(choices, o.bodies, scene);
  const std::uint64_t count = run.frame_count();
  if (count == 0) refuse(fmt::format("{} holds no frame to measure", o.folder));
  std::vector<double> times;
  for (std::uint64_t k = 0; k < count; ++k) times.push_back(read_frame_header(frame_path(run.path(), k)).time);
  std::vector<std::uint64_t> frames;
  std::optional<Frame<D>> standing;
  if (o.frame == "all")
    for (std::uint64_t k = 0; k < count; ++k) frames.push_back(k);
  else if (o.frame == "now")
    frames.push_back(count - 1), standing = beyond_frames(run, scene, read_frame_header(frame_path(run.path(), count - 1)).step);
  else
    frames.push_back(frame_number("--frame", o.frame, count));

  const bool pairs = std::ranges::any_of(wanted, [](const auto* q) { return q->needs == measure::Needs::two; });
  std::vector<std::pair<std::string, Table>> tables;
  for (const std::string& name : names) tables.emplace_back(name, Table{});
  std::vector<std::string> refusals(wanted.size());
  const bool beyond = standing.has_value();
  double time = 0.0;
  for (const std::uint64_t number : frames) {
    const Instant<D> now(beyond ? std::move(*standing) : frame_of(run, scene, number), scene);
    time = now.frame.time;
    if (const auto* empty = empty_region(now.sample, choices)) {
      if (frames.size() == 1) refuse(empty_region_sentence(*empty, now.frame.time));
      continue;  // a heap that has yet to grow
    }
    std::unique_ptr<Instant<D>> before;
    const bool first =
        o.frame == "all" && o.period > 0.0 && times[number] - times[0] < 0.99 * o.period;  // nothing to compare with
    if (pairs && !first)
      before = std::make_unique<Instant<D>>(frame_of(run, scene, earlier_frame(o, times, number, time)), scene);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (wanted[k]->needs == measure::Needs::two && !before) continue;
      demand_fields(names[k], now.frame.left_out, number);
      const Table table =
          names[k] == "exits"
              ? exits_from_frame_to_frame(run, scene, *wanted[k], choices, times, earlier_frame(o, times, number, time), now.sample)
              : wanted[k]->measure(now.sample, before ? before->sample : now.sample, choices);
      if (!table.refusal.empty())
        refusals[k] = table.refusal;
      else
        append_rows(tables[k].second, table, beyond ? -1 : static_cast<std::int64_t>(number), time);
    }
  }
  for (std::size_t k = 0; k < wanted.size(); ++k)  // asked for by name, and nowhere to be had
    if (!o.quantities.empty() && tables[k].second.rows.empty() && !refusals[k].empty())
      refuse(fmt::format("{}: {}", names[k], refusals[k]));
  std::erase_if(tables, [](const auto& entry) { return entry.second.rows.empty(); });
  if (tables.empty()) refuse("none of the frames has anything to measure there");
  if (o.csv.empty() && o.json.empty() && o.hdf5.empty())
    for (const auto& [name, table] : tables) {
      if (frames.size() > 1) {
        fmt::print("{}\n{}", name, measure::to_text(table));
        continue;
      }
      Table shown = table;  // the frame and time of all rows, said once
      shown.columns.erase(shown.columns.begin(), shown.columns.begin() + 2);
      for (auto& row : shown.rows) row.erase(row.begin(), row.begin() + 2);
      fmt::print("{}, {}, t = {:.6g}\n{}", name, beyond ? "where the run stands" : fmt::format("frame {}", frames[0]), time,
                 measure::to_text(shown));
    }
  write_files(o, tables);
}

}  // namespace

void add_measure(CLI::App& app, int& status) {
  auto o = std::make_shared<MeasureOptions>();
  CLI::App* command =
      app.add_subcommand("measure", "quantities of a run: stress, fabric, force statistics, ground pressure, rigidity, ...");
  CLI::Option* list = command->add_flag("--list", o->list, "list the quantities and regions, and stop");
  command->add_option("DIR", o->folder, "folder of the run");
  command->add_option("QUANTITY", o->quantities, "names of quantities (default: the usual ones)");
  command->add_option("--frame", o->frame, "number of a frame, last, all, or now: where the run stands, beyond its last frame if it has come further")->capture_default_str();
  command->add_option("--from", o->from,
                      "earlier frame of quantities that compare two (default: the first; with --frame all, the one before)");
  command->add_option("--period", o->period, "compare with the frame one period of the drive earlier (stroboscopic)")
      ->check(positive_number());
  command->add_option("--region", o->regions, "where; may be given several times (see --list)")->allow_extra_args(false);
  command->add_flag("--kinetic", o->choices.kinetic, "stress: also its kinetic part");
  command->add_flag("--walls", o->choices.walls, "fabric, directions, mobilisation: contacts with walls and with fixed and driven bodies, too");
  command->add_option("--axis", o->axis, "x,y of the vertical axis of rings, strips and heaps (default: 0,0)");
  command->add_option("--width", o->choices.width, "width of rings of ground pressure, cells of maps, classes of a layer")
      ->check(positive_number());
  command->add_option("--classes", o->choices.classes, "number of classes of a histogram")->check(CLI::Range(2, 10000));
  command->add_option("--sectors", o->choices.sectors, "sectors of a heap")->check(CLI::Range(2, 360))->capture_default_str();
  command->add_option("--threshold", o->choices.threshold, "contacts carry above this times the mean normal force")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--strip", o->strips, "r1,z1,r2,z2 of a strip; may be given several times")->allow_extra_args(false);
  command->add_option("--body", o->bodies, "name or number of bodies whose history is wanted; may be given several times")
      ->allow_extra_args(false);
  command->add_option("--plane", o->plane,
                      "x,y,nx,ny (3-D: x,y,z,nx,ny,nz): plane through which flow is counted, and its normal");
  command->add_option("--opening", o->choices.opening, "joints open or slid by less count as whole")->check(positive_number());
  command->add_option("--born", o->born, "t1,t2: window of births of a fossil layer");
  command->add_option("--slice", o->choices.slice, "thickness of the slice of a fossil layer")->check(positive_number());
  command->add_option("--contact", o->choices.contacts, "contact whose range of forces is wanted; may be given several times")
      ->allow_extra_args(false);
  command->add_option("--csv", o->csv, "write to this CSV file (several quantities: one file each)");
  command->add_option("--json", o->json, "write to this JSON file; '-' prints");
  command->add_option("--hdf5", o->hdf5, "write to this HDF5 file: one group per quantity, one array per column");
  command->callback([o, list, &status] {
    status = exit_ok;
    if (list->count() > 0) return print_list();
    if (o->folder.empty())
      throw CLI::RequiredError("measure needs the folder of a run; 'moreau measure --list' lists the quantities",
                               CLI::ExitCodes::RequiredError);
    const RunFolder run = RunFolder::open(o->folder);
    std::visit([&]<int D>(const Scene<D>& scene) { measure_run(run, scene, *o); }, scene_of(run));
  });
}

}  // namespace moreau
