#include "moreau/store/checkpoint_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/store/disk.hpp"
#include "moreau/store/fields.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/shape_file.hpp"
#include "moreau/store/signature_file.hpp"
#include "moreau/store/soundness.hpp"

namespace moreau::inline store {
namespace {

// 1: round bodies only; 2: no pistons, cell, phases, conditions and couples of contacts
constexpr std::int32_t checkpoint_format = 3, oldest_format = 1;

auto writes_numbers(hdf5::Group& group) {
  return [&group](const char* name, const auto& value) { group.write_attribute(name, value); };
}
// Of the state, the numbers that stand by themselves. Those of the phase are with the drives.
auto numbers_of_state(bool of_phase, const auto& visit) {
  return [of_phase, &visit]<class T>(const char* name, T& value) {
    const std::string_view phase[] = {"phase", "phase_start", "travelled"};
    if constexpr (std::is_arithmetic_v<std::remove_const_t<T>>)
      if (of_phase == (std::ranges::find(phase, name) != std::end(phase))) visit(name, value);
  };
}
auto writes_arrays(hdf5::Group& group) {
  return [&group](const char* name, const auto& values) { group.write(name, values); };
}
// Checkpoints written before overlaps were left by contacts that yield have none.
auto reads_numbers(const hdf5::Group& group) {
  return [&group](const char* name, auto& value) {
    if (name != std::string_view("left_overlap") || group.has_attribute(name)) group.read_attribute(name, value);
  };
}
// The elastic energy of checkpoints written before there were contacts that yield is zero.
auto reads_energy(const hdf5::Group& group) {
  return [&group](const char* name, double& value) {
    if (name != std::string_view("elastic") || group.has_attribute(name)) group.read_attribute(name, value);
  };
}
// Of checkpoints written before steps were made on graphics cards, or by ranks with fast sweeps, none was. Those that do not count their
// own steps are taken to have made all.
auto reads_totals(const hdf5::Group& group) {
  return [&group](const char* name, auto& value) {
    const std::string_view word = name;
    const bool may_miss = word == "card_steps" || word == "card_swept_steps" || word == "fast_steps" || word == "steps";
    if (!may_miss || group.has_attribute(name)) group.read_attribute(name, value);
  };
}
auto reads_arrays(const hdf5::Group& group, std::size_t rows) {
  return [&group, rows](const char* name, auto& values) { group.read(name, values, rows); };
}

// Points and features are there if some body is not round or some wall a mesh, one row per contact; conditions and couples if
// some law needs them, colours once sweeps have given them.
template <int D>
void read_contacts(const hdf5::Group& group, State<D>& state) {
  ContactTable<D>& table = state.contacts;
  group.read("a", table.a);
  const std::size_t rows = table.size(), with_points = state.bodies.all_round() ? 0 : rows;
  fields::contact_table(table, [&](const char* name, auto& values) {
    const std::string_view array = name;
    if (array == "image" || array == "condition" || array == "area" || array == "couple" || array == "colour" ||
        array == "spring" || array == "deepest" || array == "apart") {
      if (group.has(name)) group.read(name, values);
      if (!values.empty() && values.size() != rows)
        group.damaged(fmt::format("is damaged: '{}' has {} rows for {} contacts", name, values.size(), rows));
    } else if (array != "point" && array != "feature")
      group.read(name, values, rows);
    else if (with_points > 0)
      group.read(name, values, rows);
    else if (group.has(name)) {
      group.read(name, values);
      if (!values.empty() && values.size() != rows)
        group.damaged(fmt::format("is damaged: '{}' has {} rows for {} contacts", name, values.size(), rows));
    }
  });
}

// Pistons, cell, motions that a phase has begun anew, and the phase.
template <int D>
void write_drives(hdf5::Group group, const State<D>& state) {
  fields::state(state, numbers_of_state(true, writes_numbers(group)));
  std::vector<double> displacement, speed, at_phase, time, angle;
  const auto rows = [](const Matrix<D>& m) { return std::vector<Vec<D>>(m.row, m.row + D); };
  std::vector<Vec<D>> offset;
  for (const PistonState& p : state.pistons)
    displacement.push_back(p.displacement), speed.push_back(p.speed), at_phase.push_back(p.phase_displacement);
  for (const MotionStart<D>& m : state.motion_starts)
    time.push_back(m.time), offset.push_back(m.offset), angle.push_back(m.angle);
  group.write("piston_displacement", displacement), group.write("piston_speed", speed);
  group.write("piston_phase_displacement", at_phase);
  group.write("motion_time", time), group.write("motion_offset", offset), group.write("motion_angle", angle);
  group.write("cell_vectors", rows(state.cell.vectors)), group.write("cell_rate", rows(state.cell.rate));
  group.write("cell_phase_vectors", rows(state.cell.phase_vectors));
}

template <int D>
void read_drives(const hdf5::Group& group, State<D>& state) {
  fields::state(state, numbers_of_state(true, reads_numbers(group)));
  std::vector<double> displacement, speed, at_phase, time, angle;
  std::vector<Vec<D>> offset;
  group.read("piston_displacement", displacement), group.read("piston_speed", speed, displacement.size());
  group.read("piston_phase_displacement", at_phase, displacement.size());
  group.read("motion_time", time), group.read("motion_offset", offset, time.size());
  angle.assign(time.size(), 0.0);  // of checkpoints written before walls could turn
  if (group.has("motion_angle")) group.read("motion_angle", angle, time.size());
  const auto read_rows = [&](const char* name, Matrix<D>& m) {
    std::vector<Vec<D>> rows;
    group.read(name, rows, D);
    std::copy(rows.begin(), rows.end(), m.row);
  };
  read_rows("cell_vectors", state.cell.vectors), read_rows("cell_rate", state.cell.rate);
  read_rows("cell_phase_vectors", state.cell.phase_vectors);
  for (std::size_t i = 0; i < displacement.size(); ++i) state.pistons.push_back({displacement[i], speed[i], at_phase[i]});
  for (std::size_t i = 0; i < time.size(); ++i) state.motion_starts.push_back({time[i], offset[i], angle[i]});
}

template <int D>
void write_state(hdf5::Group group, const State<D>& state) {
  fields::state(state, numbers_of_state(false, writes_numbers(group)));
  hdf5::Group bodies = group.create("bodies"), contacts = group.create("contacts"), energy = group.create("energy");
  fields::body_parameters(state.bodies.parameters, writes_arrays(bodies));
  fields::body_state(state.bodies.state, writes_arrays(bodies));
  write_shapes(group, state.bodies.shapes);
  fields::contact_table(state.contacts, writes_arrays(contacts));
  if (!state.wear.empty()) group.write("wear", state.wear);
  if (state.broken.size() > 0) {
    hdf5::Group broken = group.create("broken_joints");
    fields::broken_joints(state.broken, writes_arrays(broken));
  }
  group.write("order", state.order);
  fields::energy(state.energy, writes_numbers(energy));
  hdf5::Group sources = group.create("sources");
  std::vector<std::uint64_t> emitted;
  std::vector<double> mass;
  std::vector<std::array<std::uint64_t, 4>> random;
  for (const auto& [source_emitted, source_mass, source_random] : state.sources) {
    emitted.push_back(source_emitted), mass.push_back(source_mass);
    random.push_back(source_random.state());
  }
  sources.write("emitted", emitted), sources.write("mass", mass);
  sources.write("random", random);
  write_drives(group.create("drives"), state);
  if (state.integration.acceleration.empty()) return;
  hdf5::Group integration = group.create("integration");
  fields::integration(state.integration, [&]<class T>(const char* name, const T& values) {
    if constexpr (std::is_arithmetic_v<T>)
      integration.write_attribute(name, values);
    else
      integration.write(name, values);
  });
}

template <int D>
void read_state(const hdf5::Group& group, State<D>& state) {
  fields::state(state, numbers_of_state(false, reads_numbers(group)));
  const hdf5::Group bodies = group.open("bodies"), contacts = group.open("contacts"), energy = group.open("energy");
  bodies.read("radius", state.bodies.parameters.radius);
  const std::size_t n = state.bodies.size();
  fields::body_parameters(state.bodies.parameters, reads_parameters(bodies, n));
  fields::body_state(state.bodies.state, reads_arrays(bodies, n));
  state.bodies.shapes = read_shapes<D>(group, state.bodies.parameters.shape);
  read_contacts(contacts, state);
  if (group.has("wear")) group.read("wear", state.wear);
  if (group.has("broken_joints")) {
    const hdf5::Group broken = group.open("broken_joints");
    broken.read("time", state.broken.time);
    fields::broken_joints(state.broken, reads_arrays(broken, state.broken.time.size()));
  }
  group.read("order", state.order);
  fields::energy(state.energy, reads_energy(energy));
  const hdf5::Group sources = group.open("sources");
  std::vector<std::uint64_t> emitted;
  std::vector<double> mass;
  std::vector<std::array<std::uint64_t, 4>> random;
  sources.read("emitted", emitted);
  sources.read("random", random, emitted.size());
  mass.assign(emitted.size(), 0.0);  // of checkpoints written before rates could be of mass
  if (sources.has("mass")) sources.read("mass", mass, emitted.size());
  state.sources.resize(emitted.size());
  for (std::size_t i = 0; i < emitted.size(); ++i) {
    state.sources[i].emitted = emitted[i], state.sources[i].mass = mass[i];
    state.sources[i].random.restore(random[i]);
  }
  if (group.has("drives")) read_drives(group.open("drives"), state);
  if (group.has("integration")) {
    const hdf5::Group integration = group.open("integration");
    fields::integration(state.integration, [&]<class T>(const char* name, T& values) {
      if constexpr (std::is_arithmetic_v<T>)
        integration.read_attribute(name, values);
      else
        integration.read(name, values);
    });
  }
  check_sound(group, state);
}

void write_report(hdf5::Group group, const StepReport& report) {
  fields::report(report, writes_numbers(group));
  hdf5::Group certificate = group.create("certificate"), energy = group.create("energy"), timings = group.create("timings");
  fields::certificate(report.certificate, writes_numbers(certificate));
  fields::energy(report.energy, writes_numbers(energy));
  fields::timings(report.timings, writes_numbers(timings));
}

void read_report(const hdf5::Group& group, StepReport& report) {
  fields::report(report, reads_numbers(group));
  const hdf5::Group certificate = group.open("certificate"), energy = group.open("energy"), timings = group.open("timings");
  fields::certificate(report.certificate, reads_numbers(certificate));
  fields::energy(report.energy, reads_energy(energy));
  fields::timings(report.timings, reads_numbers(timings));
}

void write_warnings(hdf5::Group group, const Warnings& warnings, const EnergyWatch& watch) {
  std::vector<std::string> kind, where;
  std::vector<double> value, beside, time;
  std::vector<std::uint64_t> step, count;
  for (const Warning& w : warnings.all()) {
    kind.push_back(name_of(w.kind)), where.push_back(w.where);
    value.push_back(w.value), beside.push_back(w.beside), time.push_back(w.time);
    step.push_back(w.step), count.push_back(w.count);
  }
  group.write("kind", kind), group.write("where", where);
  group.write("value", value), group.write("beside", beside), group.write("time", time);
  group.write("step", step), group.write("count", count);
  fields::energy_watch(watch, writes_numbers(group));
}

void read_warnings(const hdf5::Group& group, Warnings& warnings, EnergyWatch& watch) {
  std::vector<std::string> kind, where;
  std::vector<double> value, beside, time;
  std::vector<std::uint64_t> step, count;
  group.read("kind", kind), group.read("where", where);
  const std::size_t n = kind.size();
  if (where.size() != n) group.damaged(fmt::format("is damaged: {} warnings have {} places", n, where.size()));
  group.read("value", value, n), group.read("beside", beside, n), group.read("time", time, n);
  group.read("step", step, n), group.read("count", count, n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::optional<WarningKind> known = warning_kind_of(kind[i]);
    if (!known) group.damaged(fmt::format("has a warning of the kind '{}', which this version does not know", kind[i]));
    warnings.add({*known, value[i], beside[i], where[i], step[i], time[i], count[i]});
  }
  fields::energy_watch(watch, reads_numbers(group));
}

int read_header(const hdf5::Group& root) {
  std::int32_t format = 0, dimension = 0;
  root.read_attribute("checkpoint_format", format);
  if (format < oldest_format || format > checkpoint_format)
    root.damaged(
        fmt::format("has checkpoint format {} where this version reads {} to {}", format, oldest_format, checkpoint_format));
  root.read_attribute("dimension", dimension);
  return dimension;
}

}  // namespace

template <int D>
std::filesystem::path write_checkpoint_beside(const std::filesystem::path& path, const Checkpoint<D>& checkpoint,
                                              const Signature& signature, const TableLines& tables) {
  hdf5::Writer file(path);
  hdf5::Group& root = file.root();
  root.write_attribute("checkpoint_format", checkpoint_format);
  root.write_attribute("dimension", std::int32_t{D});
  write_signature(root, signature);
  fields::record(static_cast<const CourseRecord&>(checkpoint), writes_numbers(root));
  write_state(root.create("state"), checkpoint.state);
  write_report(root.create("report"), checkpoint.report);
  {
    hdf5::Group totals = root.create("totals");
    fields::totals(checkpoint.totals, writes_numbers(totals));
  }
  write_warnings(root.create("warnings"), checkpoint.warnings, checkpoint.energy_watch);
  if (!tables.empty()) {
    std::vector<std::string> name;
    std::vector<std::uint64_t> lines;
    for (const auto& [table, count] : tables) name.push_back(table), lines.push_back(count);
    hdf5::Group group = root.create("tables");
    group.write("name", name), group.write("lines", lines);
  }
  if (!checkpoint.averages.empty()) {
    hdf5::Group averages = root.create("averages");
    for (std::size_t k = 0; k < checkpoint.averages.size(); ++k) {
      hdf5::Group average = averages.create(fmt::format("{:04}", k));
      average.write_attribute("count", checkpoint.averages[k].count);
      average.write("mean", checkpoint.averages[k].mean);
      average.write("spread", checkpoint.averages[k].spread);
    }
  }
  if (!checkpoint.references.empty()) {
    hdf5::Group references = root.create("references");
    for (std::size_t k = 0; k < checkpoint.references.size(); ++k) {
      hdf5::Group reference = references.create(fmt::format("{:04}", k));
      write_frame(reference, checkpoint.references[k], checkpoint.references[k].signature);
    }
  }
  return write_beside(path, file.finish(), Sync::now);
}

template <int D>
Checkpoint<D> read_checkpoint_file(const std::filesystem::path& path) {
  const hdf5::Reader file(path);
  const hdf5::Group& root = file.root();
  if (const int found = read_header(root); found != D)
    root.damaged(fmt::format("holds a run in {} dimensions where {} are expected", found, D));
  Checkpoint<D> checkpoint;
  checkpoint.signature = read_signature(root);
  fields::record(static_cast<CourseRecord&>(checkpoint), reads_numbers(root));
  read_state(root.open("state"), checkpoint.state);
  read_report(root.open("report"), checkpoint.report);
  const hdf5::Group totals = root.open("totals");
  fields::totals(checkpoint.totals, reads_totals(totals));
  if (!totals.has_attribute("steps")) checkpoint.totals.steps = checkpoint.state.step;
  if (root.has("warnings")) read_warnings(root.open("warnings"), checkpoint.warnings, checkpoint.energy_watch);
  check_course(root, checkpoint);
  if (root.has("tables")) {
    const hdf5::Group tables = root.open("tables");
    std::vector<std::string> name;
    std::vector<std::uint64_t> lines;
    tables.read("name", name), tables.read("lines", lines, name.size());
    for (std::size_t k = 0; k < name.size(); ++k) checkpoint.tables[name[k]] = lines[k];
  }
  if (root.has("averages")) {
    const hdf5::Group averages = root.open("averages");
    for (const std::string& name : averages.names()) {
      const hdf5::Group average = averages.open(name);
      measure::RunningMean& read = checkpoint.averages.emplace_back();
      average.read_attribute("count", read.count);
      average.read("mean", read.mean);
      average.read("spread", read.spread, read.mean.size());
    }
  }
  if (root.has("references")) {
    const hdf5::Group references = root.open("references");
    for (const std::string& name : references.names()) checkpoint.references.push_back(read_frame<D>(references.open(name)));
  }
  return checkpoint;
}

int read_checkpoint_dimension(const std::filesystem::path& path) { return read_header(hdf5::Reader(path).root()); }
Signature read_checkpoint_signature(const std::filesystem::path& path) { return read_signature(hdf5::Reader(path).root()); }

template std::filesystem::path write_checkpoint_beside<2>(const std::filesystem::path&, const Checkpoint<2>&, const Signature&,
                                                           const TableLines&);
template std::filesystem::path write_checkpoint_beside<3>(const std::filesystem::path&, const Checkpoint<3>&, const Signature&,
                                                           const TableLines&);
template Checkpoint<2> read_checkpoint_file<2>(const std::filesystem::path&);
template Checkpoint<3> read_checkpoint_file<3>(const std::filesystem::path&);

}  // namespace moreau::inline store
