#include "moreau/store/frame_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numeric>

#include "moreau/store/disk.hpp"
#include "moreau/store/fields.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/reduced_frame.hpp"
#include "moreau/store/shape_file.hpp"
#include "moreau/store/signature_file.hpp"
#include "moreau/store/soundness.hpp"

namespace moreau::inline store {
namespace {

// 1: round bodies only; 2: no periodic cell; 3: everything in full, constants in every frame
constexpr std::int32_t frame_format = 4, oldest_format = 1;

// Of the parameters of bodies, the one that may change from frame to frame.
bool evolves(std::string_view parameter) { return parameter == "kind"; }

// Arrays of contacts that are not always there: without a cell, without joints, without couples; and of a reduced frame.
bool is_optional(std::string_view field, bool reduced) {
  return field == "shift" || field == "joint" || field == "couple" || field == "relative_spin" || (reduced && (field == "impulse" || field == "relative_velocity"));
}

template <int D>
void write_walls(hdf5::Group group, const Frame<D>& frame) {
  std::vector<std::string> name;
  std::vector<std::uint8_t> shape;
  std::vector<Vec<D>> point, direction;
  std::vector<double> radius;
  std::vector<std::int32_t> material, motion;
  for (const Wall<D>& wall : frame.walls) {
    name.push_back(wall.name);
    shape.push_back(static_cast<std::uint8_t>(wall.geometry.shape));
    point.push_back(wall.geometry.point);
    direction.push_back(wall.geometry.direction);
    radius.push_back(wall.geometry.radius);
    material.push_back(wall.material);
    motion.push_back(wall.motion);
  }
  group.write("name", name), group.write("shape", shape), group.write("point", point), group.write("direction", direction);
  group.write("radius", radius), group.write("material", material), group.write("motion", motion);
  group.write("shift", frame.wall_shift);
  std::vector<Vec<D>> turn;  // the rows of the matrices, one behind the other; absent if no wall turns
  for (const Matrix<D>& m : frame.wall_turn) turn.insert(turn.end(), m.row, m.row + D);
  if (!turn.empty()) group.write("turn", turn);
}

template <int D>
void read_walls(const hdf5::Group& group, Frame<D>& frame) {
  std::vector<std::string> name;
  std::vector<std::uint8_t> shape;
  std::vector<Vec<D>> point, direction;
  std::vector<double> radius;
  std::vector<std::int32_t> material, motion;
  group.read("name", name);
  const std::size_t n = name.size();
  group.read("shape", shape, n), group.read("point", point, n), group.read("direction", direction, n);
  group.read("radius", radius, n), group.read("material", material, n), group.read("motion", motion, n);
  group.read("shift", frame.wall_shift, n);
  if (group.has("turn")) {
    std::vector<Vec<D>> turn;
    group.read("turn", turn, D * n);
    frame.wall_turn.resize(n);
    for (std::size_t i = 0; i < turn.size(); ++i) frame.wall_turn[i / D].row[i % D] = turn[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    frame.walls.push_back(
        {name[i], {static_cast<WallShape>(shape[i]), point[i], direction[i], radius[i]}, material[i], motion[i]});
}

// The group is there only if there is a periodic cell. Row d of `vectors` is the d-th vector of the cell.
template <int D>
void write_cell(hdf5::Group& root, const Lattice<D>& lattice) {
  if (!lattice.any()) return;
  hdf5::Group group = root.create("cell");
  std::vector<Vec<D>> vectors(D), origin{lattice.origin};
  for (int d = 0; d < D; ++d)
    for (int i = 0; i < D; ++i) vectors[static_cast<std::size_t>(d)][i] = lattice.vectors.row[i][d];
  group.write("vectors", vectors), group.write("origin", origin);
  group.write("periodic", std::vector<std::uint8_t>(lattice.periodic, lattice.periodic + D));
}

template <int D>
void read_cell(const hdf5::Group& root, Lattice<D>& lattice) {
  if (!root.has("cell")) return;
  const hdf5::Group group = root.open("cell");
  std::vector<Vec<D>> vectors, origin;
  std::vector<std::uint8_t> periodic;
  group.read("vectors", vectors, D), group.read("origin", origin, 1), group.read("periodic", periodic, D);
  lattice.origin = origin[0];
  for (int d = 0; d < D; ++d) {
    lattice.periodic[d] = periodic[static_cast<std::size_t>(d)] != 0;
    for (int i = 0; i < D; ++i) lattice.vectors.row[i][d] = vectors[static_cast<std::size_t>(d)][i];
  }
}

// What does not evolve may be in another file of the same folder, named by the frame. The links that the frame holds are for
// other programs.
template <int D>
void read_parameters(const hdf5::Group& root, const hdf5::Group& bodies, std::size_t rows, Frame<D>& frame) {
  const std::string constants = root.read_text("constants");
  if (constants.empty()) {
    fields::body_parameters(frame.parameters, reads_parameters(bodies, rows));
    frame.shapes = read_shapes<D>(root, frame.parameters.shape);
    return;
  }
  if (frame_of_constants(constants) < 0) root.damaged(fmt::format("is damaged: its constants are in '{}'", constants));
  const hdf5::Reader file(std::filesystem::path(root.file()).parent_path() / constants);
  const hdf5::Group others = file.root().open("bodies");
  fields::body_parameters(frame.parameters, [&](const char* name, auto& values) {
    reads_parameters(evolves(name) ? bodies : others, rows)(name, values);
  });
  frame.shapes = read_shapes<D>(file.root(), frame.parameters.shape);
}

void check_dimension(const hdf5::Group& root, int found, int expected) {
  if (found != expected) root.damaged(fmt::format("holds a frame in {} dimensions where {} are expected", found, expected));
}

FrameHeader read_header(const hdf5::Group& root) {
  FrameHeader header;
  std::int32_t format = 0;
  root.read_attribute("frame_format", format);
  if (format < oldest_format || format > frame_format)
    root.damaged(fmt::format("has frame format {} where this version reads {} to {}", format, oldest_format, frame_format));
  root.read_attribute("time", header.time);
  if (!std::isfinite(header.time)) root.damaged(fmt::format("is damaged: its time is {}", header.time));
  root.read_attribute("step", header.step);
  root.read_attribute("dimension", header.dimension);
  header.blocks = root.has("shapes");
  return header;
}

}  // namespace

template <int D>
void write_constants(hdf5::Group& root, const Frame<D>& frame) {
  hdf5::Group bodies = root.create("bodies");
  fields::body_parameters(frame.parameters, [&](const char* name, const auto& values) {
    if (!evolves(name)) bodies.write(name, values, hdf5::Packing::compressed);
  });
  write_shapes(root, frame.shapes);
}

template <int D>
void write_frame(hdf5::Group& root, const Frame<D>& exact, const Signature& signature, const FrameForm& form) {
  std::vector<Vec<D>> surface_velocity;
  Frame<D> rounded;
  if (form.reduced) rounded = exact, reduce(rounded, surface_velocity);
  const Frame<D>& frame = form.reduced ? rounded : exact;
  root.write_attribute("frame_format", frame_format);
  root.write_attribute("dimension", std::int32_t{D});
  root.write_attribute("time", frame.time);
  root.write_attribute("step", frame.step);
  root.write_attribute("phase", frame.phase);
  root.write_attribute("time_step", frame.time_step);
  root.write_attribute("reduced", form.reduced);
  if (!form.constants.empty()) root.write_text("constants", form.constants);
  write_signature(root, signature);
  {
    hdf5::Group bodies = root.create("bodies");
    const auto write = [&](const char* name, const auto& values) { bodies.write(name, values, hdf5::Packing::compressed); };
    std::vector<std::int32_t> id(frame.parameters.size());
    std::iota(id.begin(), id.end(), 0);
    write("id", id);
    fields::body_parameters(frame.parameters, [&](const char* name, const auto& values) {
      if (form.constants.empty() || evolves(name)) return write(name, values);
      bodies.link_external(name, form.constants, fmt::format("/bodies/{}", name));
    });
    fields::body_state(frame.state, [&]<class T>(const char* name, const std::vector<T>& values) {
      const std::string_view field = name;
      if (field == "spin" && !form.spin) return;
      if (field == "orientation" && !form.orientation && frame.shapes.empty()) return;
      write(name, values);
    });
    bodies.write_text("kinds", "0 free, 1 fixed, 2 driven, 3 removed");
  }
  if (form.constants.empty())
    write_shapes(root, frame.shapes);
  else if (!frame.shapes.empty())
    root.link_external("shapes", form.constants, "/shapes");
  if (form.contacts) {
    hdf5::Group contacts = root.create("contacts");
    fields::contact_records(frame.contacts, [&](const char* name, const auto& values) {
      if (values.empty() && is_optional(name, form.reduced)) return;
      contacts.write(name, values, hdf5::Packing::compressed);
    });
    if (form.reduced) contacts.write("surface_velocity", surface_velocity, hdf5::Packing::compressed);
    contacts.write_text("statuses", "0 open, 1 stick, 2 slide");
    if (!frame.contacts.joint.empty()) contacts.write_text("joints", "0 none, 1 intact, 2 broken");
  }
  if (frame.broken.size() > 0) {
    hdf5::Group broken = root.create("broken_joints");
    fields::broken_joints(frame.broken,
                          [&](const char* name, const auto& values) { broken.write(name, values, hdf5::Packing::compressed); });
    broken.write_text("hows", "0 opened, 1 slid, 2 lost");
  }
  if (!frame.wear.empty()) root.write("wear", frame.wear, hdf5::Packing::compressed);
  write_walls(root.create("walls"), frame);
  write_cell(root, frame.lattice);
}

template <int D>
void write_frame_file(const std::filesystem::path& path, const Frame<D>& frame, const Signature& signature,
                      const FrameForm& form) {
  hdf5::Writer file(path);
  write_frame(file.root(), frame, signature, form);
  write_whole(path, file.finish(), Sync::later);
}

template <int D>
void write_constants_file(const std::filesystem::path& path, const Frame<D>& frame, bool reduced) {
  std::vector<Vec<D>> unused;
  Frame<D> kept;
  kept.parameters = frame.parameters, kept.state = frame.state, kept.shapes = frame.shapes;
  if (reduced) reduce(kept, unused);
  hdf5::Writer file(path);
  write_constants(file.root(), kept);
  write_whole(path, file.finish(), Sync::later);
}

template <int D>
Frame<D> read_frame(const hdf5::Group& root) {
  const FrameHeader header = read_header(root);
  check_dimension(root, header.dimension, D);
  Frame<D> frame;
  frame.time = header.time;
  frame.step = header.step;
  bool reduced = false;
  if (root.has_attribute("phase")) root.read_attribute("phase", frame.phase);
  if (root.has_attribute("time_step")) root.read_attribute("time_step", frame.time_step);
  if (root.has_attribute("reduced")) root.read_attribute("reduced", reduced);
  frame.signature = read_signature(root);
  const hdf5::Group bodies = root.open("bodies");
  std::vector<std::int32_t> id;
  bodies.read("id", id);
  const std::size_t n = id.size();
  read_parameters(root, bodies, n, frame);
  fields::body_state(frame.state, [&]<class T>(const char* name, std::vector<T>& values) {
    const bool needed = std::string_view(name) == "position" || std::string_view(name) == "velocity";
    if (needed || bodies.has(name)) return bodies.read(name, values, n);
    frame.left_out.emplace_back(name), values.assign(n, T{});
  });
  std::vector<Vec<D>> surface_velocity;
  if (root.has("contacts")) {
    const hdf5::Group contacts = root.open("contacts");
    contacts.read("a", frame.contacts.a);
    const std::size_t m = frame.contacts.a.size();
    fields::contact_records(frame.contacts, [&](const char* name, auto& values) {
      if (!is_optional(name, reduced) || contacts.has(name)) contacts.read(name, values, m);
    });
    if (reduced) contacts.read("surface_velocity", surface_velocity, m);
  } else {
    frame.left_out.emplace_back("contacts");
  }
  if (root.has("broken_joints")) {
    const hdf5::Group broken = root.open("broken_joints");
    broken.read("time", frame.broken.time);
    fields::broken_joints(frame.broken,
                          [&](const char* name, auto& values) { broken.read(name, values, frame.broken.time.size()); });
  }
  if (root.has("wear")) root.read("wear", frame.wear);
  read_walls(root.open("walls"), frame);
  read_cell(root, frame.lattice);
  check_indices(root, frame);
  if (reduced) restore(frame, surface_velocity);
  check_sound(root, frame);
  return frame;
}

template <int D>
Frame<D> read_frame_file(const std::filesystem::path& path) {
  return read_frame<D>(hdf5::Reader(path).root());
}

FrameHeader read_frame_header(const std::filesystem::path& path) { return read_header(hdf5::Reader(path).root()); }

std::int64_t frame_of_constants(const std::string& filename) {
  constexpr std::string_view prefix = "constants_", ending = ".h5";
  std::int64_t number = -1;
  const char *begin = filename.data() + prefix.size(), *end = filename.data() + filename.size();
  if (!filename.starts_with(prefix) || !filename.ends_with(ending)) return -1;
  const auto [rest, error] = std::from_chars(begin, end, number);
  return error == std::errc{} && rest - begin >= 6 && rest + ending.size() == end ? number : -1;
}

#define MOREAU_INSTANTIATE(D)                                                                                        \
  template void write_frame(hdf5::Group&, const Frame<D>&, const Signature&, const FrameForm&);                      \
  template Frame<D> read_frame(const hdf5::Group&);                                                                  \
  template void write_frame_file(const std::filesystem::path&, const Frame<D>&, const Signature&, const FrameForm&); \
  template void write_constants_file(const std::filesystem::path&, const Frame<D>&, bool);                           \
  template Frame<D> read_frame_file(const std::filesystem::path&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline store
