#include "moreau/store/frame_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "moreau/store/disk.hpp"
#include "moreau/store/fields.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/shape_file.hpp"
#include "moreau/store/signature_file.hpp"
#include "moreau/store/soundness.hpp"

namespace moreau {
namespace {

constexpr std::int32_t frame_format = 3, oldest_format = 1;  // 1: round bodies only; 2: no periodic cell

template <class T>
constexpr hdf5::Packing packing_of(const std::vector<T>&) {
  return hdf5::Element<T>::number == hdf5::Number::f64 ? hdf5::Packing::plain : hdf5::Packing::compressed;
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
void write_frame(hdf5::Group& root, const Frame<D>& frame, const Signature& signature) {
  root.write_attribute("frame_format", frame_format);
  root.write_attribute("dimension", std::int32_t{D});
  root.write_attribute("time", frame.time);
  root.write_attribute("step", frame.step);
  root.write_attribute("phase", frame.phase);
  write_signature(root, signature);
  {
    hdf5::Group bodies = root.create("bodies");
    std::vector<std::int32_t> id(frame.parameters.size());
    std::iota(id.begin(), id.end(), 0);
    bodies.write("id", id, hdf5::Packing::compressed);
    const auto write_constant = [&](const char* name, const auto& values) {
      bodies.write(name, values, hdf5::Packing::compressed);
    };
    fields::body_parameters(frame.parameters, write_constant);
    fields::body_state(frame.state, [&](const char* name, const auto& values) { bodies.write(name, values); });
    bodies.write_text("kinds", "0 free, 1 fixed, 2 driven, 3 removed");
  }
  write_shapes(root, frame.shapes);
  {
    hdf5::Group contacts = root.create("contacts");
    const auto write = [&](const char* name, const auto& values) {
      if (std::string_view(name) == "shift" && values.empty()) return;  // no periodic cell
      contacts.write(name, values, packing_of(values));
    };
    fields::contact_records(frame.contacts, write);
    contacts.write_text("statuses", "0 open, 1 stick, 2 slide");
  }
  write_walls(root.create("walls"), frame);
  write_cell(root, frame.lattice);
}

template <int D>
void write_frame_file(const std::filesystem::path& path, const Frame<D>& frame, const Signature& signature) {
  hdf5::Writer file(path);
  write_frame(file.root(), frame, signature);
  write_whole(path, file.finish(), Sync::later);
}

template <int D>
Frame<D> read_frame(const hdf5::Group& root) {
  const FrameHeader header = read_header(root);
  check_dimension(root, header.dimension, D);
  Frame<D> frame;
  frame.time = header.time;
  frame.step = header.step;
  if (root.has_attribute("phase")) root.read_attribute("phase", frame.phase);
  frame.signature = read_signature(root);
  const hdf5::Group bodies = root.open("bodies"), contacts = root.open("contacts");
  std::vector<std::int32_t> id;
  bodies.read("id", id);
  const auto read_body = [&](const char* name, auto& values) { bodies.read(name, values, id.size()); };
  fields::body_parameters(frame.parameters, reads_parameters(bodies, id.size()));
  fields::body_state(frame.state, read_body);
  frame.shapes = read_shapes<D>(root, frame.parameters.shape);
  contacts.read("a", frame.contacts.a);
  fields::contact_records(frame.contacts, [&](const char* name, auto& values) {
    if (std::string_view(name) != "shift") return contacts.read(name, values, frame.contacts.a.size());
    if (contacts.has(name)) contacts.read(name, values, frame.contacts.a.size());
  });
  read_walls(root.open("walls"), frame);
  read_cell(root, frame.lattice);
  check_sound(root, frame);
  return frame;
}

template <int D>
Frame<D> read_frame_file(const std::filesystem::path& path) {
  return read_frame<D>(hdf5::Reader(path).root());
}

FrameHeader read_frame_header(const std::filesystem::path& path) { return read_header(hdf5::Reader(path).root()); }

template void write_frame<2>(hdf5::Group&, const Frame<2>&, const Signature&);
template void write_frame<3>(hdf5::Group&, const Frame<3>&, const Signature&);
template Frame<2> read_frame<2>(const hdf5::Group&);
template Frame<3> read_frame<3>(const hdf5::Group&);
template void write_frame_file<2>(const std::filesystem::path&, const Frame<2>&, const Signature&);
template void write_frame_file<3>(const std::filesystem::path&, const Frame<3>&, const Signature&);
template Frame<2> read_frame_file<2>(const std::filesystem::path&);
template Frame<3> read_frame_file<3>(const std::filesystem::path&);

}  // namespace moreau
