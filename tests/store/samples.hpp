// Runs, frames and checkpoints with arbitrary but reproducible content, and their comparison bit for bit.
#pragma once

#include <cmath>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "moreau/base/random.hpp"
#include "moreau/store/fields.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::samples {

namespace fs = std::filesystem;

// A folder of its own for each test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "moreau-store-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

inline std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void put_text(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline RunFolder new_run(const fs::path& path) {
  return RunFolder::create(path, "title = \"sample\"\n", {"0.1.0", "abc", 7, 2}, false);
}

// The interpreter of the system, because python3-vtk9 and python3-h5py belong to it; another can be named for other systems.
inline std::string python() {
  const char* named = std::getenv("MOREAU_PYTHON");
  return named ? named : "/usr/bin/python3";
}

struct Filler {
  RandomStream random{42};
  void operator()(double& x) { x = random.uniform(-1.0, 1.0); }
  void operator()(std::int32_t& x) { x = static_cast<std::int32_t>(random.next()); }
  void operator()(std::uint8_t& x) { x = static_cast<std::uint8_t>(random.next()); }
  void operator()(std::size_t& x) { x = random.next(); }
  void operator()(std::int64_t& x) { x = static_cast<std::int64_t>(random.next()); }
  void operator()(bool& x) { x = (random.next() & 1) != 0; }
  void operator()(BodyKind& x) { x = static_cast<BodyKind>(random.next() % 3); }
  void operator()(ContactStatus& x) { x = static_cast<ContactStatus>(random.next() % 3); }
  void operator()(ContactCondition& x) { x.bits = static_cast<std::uint8_t>(random.next() % 7); }
  void operator()(JointBond& x) { x = static_cast<JointBond>(random.next() % 3); }
  void operator()(JointBreak& x) { x = static_cast<JointBreak>(random.next() % 3); }
  void operator()(Rotation<2>& x) { (*this)(x.angle); }
  void operator()(Rotation<3>& x) { (*this)(x.w), (*this)(x.x), (*this)(x.y), (*this)(x.z); }
  template <int N>
  void operator()(Vec<N>& x) {
    for (double& c : x.c) (*this)(c);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    for (T& value : values) (*this)(value);
  }
};

// A visitor for the lists of fields.hpp.
inline auto fills(Filler& filler, std::size_t rows) {
  return [&filler, rows](const char*, auto& values) { values.resize(rows), filler(values); };
}
inline auto fills(Filler& filler) {
  return [&filler](const char*, auto& value) { filler(value); };
}
// Of a list, the numbers alone, or the arrays alone.
template <bool numbers, class Visit>
auto only(const Visit& visit) {
  return [&visit]<class T>(const char* name, T& value) {
    if constexpr (std::is_arithmetic_v<std::remove_const_t<T>> == numbers) visit(name, value);
  };
}

inline void fill_topology(Filler&, ConvexPart<2>&) {}
inline void fill_topology(Filler& filler, ConvexPart<3>& part) {
  const std::uint64_t faces = filler.random.next() % 4;
  const auto vertex = [&] { return static_cast<std::int32_t>(filler.random.next() % part.vertices.size()); };
  for (std::uint64_t f = 0; f < faces; ++f) {
    PolyhedronFace face;
    filler(face.normal), filler(face.offset);
    for (std::uint64_t c = 3 + filler.random.next() % 3; c > 0; --c) face.vertices.push_back(vertex());
    part.topology.faces.push_back(face);
  }
  for (std::uint64_t e = 0; e < 2 * faces; ++e) {
    const auto face = [&] { return static_cast<std::int32_t>(filler.random.next() % faces); };
    part.topology.edges.push_back({{vertex(), vertex()}, {face(), face()}});
  }
}

// Arbitrary numbers in the form of shapes: one to three parts, balls among them.
template <int D>
std::vector<Shape<D>> sample_shapes(Filler& filler, std::size_t count) {
  std::vector<Shape<D>> shapes(count);
  for (Shape<D>& shape : shapes) {
    filler(shape.volume), filler(shape.gyration), filler(shape.reach);
    shape.volume = 0.1 + std::abs(shape.volume), shape.reach = 0.1 + std::abs(shape.reach);
    shape.parts.resize(1 + filler.random.next() % 3);
    for (ConvexPart<D>& part : shape.parts) {
      filler(part.radius), filler(part.centre), filler(part.reach);
      part.radius = std::abs(part.radius), part.reach = std::abs(part.reach);
      part.vertices.resize(1 + filler.random.next() % 6);
      filler(part.vertices), fill_topology(filler, part);
    }
  }
  return shapes;
}

// Bodies without a shape among them.
inline void number_shapes(std::vector<std::int32_t>& shape_of_body, std::size_t shapes) {
  for (std::size_t i = 0; i < shape_of_body.size(); ++i) shape_of_body[i] = static_cast<std::int32_t>(i % (shapes + 1)) - 1;
}

inline void make_unit(Rotation<2>&) {}
inline void make_unit(Rotation<3>& q) {
  const double norm = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q.w /= norm, q.x /= norm, q.y /= norm, q.z /= norm;
}

// Arbitrary, but such as a run may have: readers refuse anything else (store/soundness.hpp).
template <int D>
void make_sound(BodyParameters<D>& p, BodyState<D>& s) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (double* positive : {&p.radius[i], &p.mass[i], &p.inertia[i]}) *positive = 0.1 + std::abs(*positive);
    p.material[i] &= 0xfff;
    p.motion[i] = p.kind[i] == BodyKind::driven ? p.motion[i] & 0xfff : -1;
    make_unit(s.orientation[i]);
  }
}

template <int D>
void fill_broken(Filler& filler, BrokenJoints<D>& broken, std::size_t bodies) {
  fields::broken_joints(broken, fills(filler, bodies > 0 ? 4 : 0));
  for (std::size_t i = 0; i < broken.size(); ++i) broken.a[i] = static_cast<std::int32_t>(i % bodies), broken.b[i] = -1;
}

template <int D>
Frame<D> sample_frame(std::size_t bodies, std::size_t contacts, std::uint64_t seed = 42, std::size_t shapes = 0) {
  Filler filler{RandomStream(seed)};
  Frame<D> frame;
  filler(frame.time), filler(frame.step);
  fields::body_parameters(frame.parameters, fills(filler, bodies));
  fields::body_state(frame.state, fills(filler, bodies));
  fields::contact_records(frame.contacts, fills(filler, contacts));
  fill_broken(filler, frame.broken, bodies);
  frame.wear.resize(3), filler(frame.wear), filler(frame.time_step), frame.time_step = std::abs(frame.time_step);
  frame.shapes = sample_shapes<D>(filler, shapes);
  number_shapes(frame.parameters.shape, shapes);
  make_sound(frame.parameters, frame.state);
  frame.time = std::abs(frame.time);
  for (std::size_t i = 0; i < contacts; ++i) {
    frame.contacts.a[i] = static_cast<std::int32_t>(i % bodies);
    frame.contacts.b[i] = i % 3 == 0 ? ~static_cast<std::int32_t>(i % 2) : static_cast<std::int32_t>((i + 1) % bodies);
    if (frame.contacts.a[i] == frame.contacts.b[i]) frame.contacts.b[i] = -1;
    frame.contacts.normal[i] = normalized(frame.contacts.normal[i]);
  }
  frame.walls.resize(2);
  frame.walls[0].name = "floor";
  frame.walls[1].name =
      "Trommel \xc3\xa4u\xc3\x9f"
      "en";
  for (Wall<D>& wall : frame.walls)
    filler(wall.geometry.point), filler(wall.geometry.direction), filler(wall.geometry.radius), filler(wall.material),
        filler(wall.motion), wall.geometry.radius = std::abs(wall.geometry.radius), wall.material &= 0xfff, wall.motion &= 0xfff;
  frame.walls[1].geometry.shape = WallShape::cylinder;
  frame.wall_shift.resize(2);
  filler(frame.wall_shift);
  filler(frame.phase);
  filler(frame.lattice.origin);  // a cell that holds all bodies, so that none is folded
  for (int d = 0; d < D; ++d) {
    frame.lattice.origin[d] -= 2.5;
    filler(frame.lattice.vectors.row[d][d]);
    frame.lattice.vectors.row[d][d] += 7.0;
    frame.lattice.periodic[d] = d != 1;
  }
  return frame;
}

// With the doubles that text or arithmetic would lose: minus zero, denormals, the largest, and NaN with a payload where nothing
// depends on it.
template <int D>
Checkpoint<D> sample_checkpoint(std::size_t bodies, std::size_t contacts, std::uint64_t seed = 42, std::size_t shapes = 0) {
  using Limits = std::numeric_limits<double>;
  Filler filler{RandomStream(seed)};
  Checkpoint<D> checkpoint;
  State<D>& state = checkpoint.state;
  fields::state(state, only<true>(fills(filler)));
  fields::body_parameters(state.bodies.parameters, fills(filler, bodies));
  fields::body_state(state.bodies.state, fills(filler, bodies));
  fields::contact_table(state.contacts, fills(filler, contacts));
  fill_broken(filler, state.broken, bodies);
  state.wear.resize(3), filler(state.wear);
  state.bodies.shapes = sample_shapes<D>(filler, shapes);
  number_shapes(state.bodies.parameters.shape, shapes);
  if (shapes == 0) state.contacts.point.clear(), state.contacts.feature.clear();
  for (std::size_t i = bodies; i-- > 0;) state.order.push_back(static_cast<std::int32_t>(i));
  make_sound(state.bodies.parameters, state.bodies.state);
  state.time = 1.0 + std::abs(state.time), state.step &= 0xfffffff, state.impulse_time_step = std::abs(state.impulse_time_step);
  for (std::size_t i = 0; i < contacts; ++i) {  // in order, some with the walls and some with bodies of higher numbers
    const std::size_t a = i * bodies / contacts, first = (a * contacts + bodies - 1) / bodies;
    state.contacts.a[i] = static_cast<std::int32_t>(a);
    state.contacts.b[i] = static_cast<std::int32_t>(i - first) - 1000;
  }
  for (Image& image : state.contacts.image) image %= Image{1} << 62;
  for (std::uint8_t& colour : state.contacts.colour) colour %= 65;
  for (ContactCondition& condition : state.contacts.condition) condition.bits = static_cast<std::uint8_t>(condition.bits % 3);
  fields::energy(state.energy, fills(filler));
  state.phase_start = std::abs(state.phase_start), state.travelled = std::abs(state.travelled);
  state.left_overlap = std::abs(state.left_overlap);
  state.pistons.resize(2), state.motion_starts.resize(3);
  for (PistonState& p : state.pistons) filler(p.displacement), filler(p.speed), filler(p.phase_displacement);
  Integration<D>& kept = state.integration;
  fields::integration(kept, only<false>(fills(filler, bodies)));
  kept.piston_acceleration.resize(2), kept.piston_jerk.resize(2), kept.cell_remainder.resize(D), kept.gradient_rate.resize(D);
  filler(kept.step), filler(kept.dissipated_power), filler(kept.wall_power);
  filler(kept.piston_acceleration), filler(kept.piston_jerk), filler(kept.cell_remainder), filler(kept.gradient_rate);
  for (MotionStart<D>& m : state.motion_starts) filler(m.time), filler(m.offset);
  for (Matrix<D>* m : {&state.cell.vectors, &state.cell.rate, &state.cell.phase_vectors})
    for (Vec<D>& row : m->row) filler(row);
  for (std::uint64_t i = 0; i < 3; ++i) {
    state.sources.push_back({filler.random.next() % (bodies + 1), 0.0, RandomStream(i)});
    filler(state.sources.back().mass), state.sources.back().mass = std::abs(state.sources.back().mass);
    state.sources.back().random.next();
  }
  StepReport& report = checkpoint.report;
  fields::report(report, fills(filler));
  fields::certificate(report.certificate, fills(filler));
  fields::energy(report.energy, fills(filler));
  fields::timings(report.timings, fills(filler));
  fields::totals(checkpoint.totals, fills(filler));
  fields::energy_watch(checkpoint.energy_watch, fills(filler));
  fields::record(static_cast<CourseRecord&>(checkpoint), fills(filler));
  checkpoint.frames %= 10;
  checkpoint.next_frame = Limits::infinity(), checkpoint.next_series = std::abs(checkpoint.next_series);
  const double odd[] = {-0.0, Limits::denorm_min(), Limits::min(), Limits::max()};
  for (std::size_t i = 0; i < std::min<std::size_t>(bodies, 4); ++i) state.bodies.state.velocity[i][0] = odd[i];
  report.max_speed = std::nan("77");
  if (bodies > 0)
    for (std::uint64_t k = 0; k < 2; ++k) checkpoint.references.push_back(sample_frame<D>(bodies, contacts, seed + k, shapes));
  return checkpoint;
}

// Every field one after the other as bytes. Structs without padding only: numbers, vectors, rotations.
class Bytes {
 public:
  template <class T>
  void operator()(const char*, const T& value) const {
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& values) const {
    (*this)(name, values.size());
    for (const T& value : values) (*this)(name, value);
  }
  mutable std::string text;
};

inline void add_topology(const Bytes&, const PartTopology<2>&) {}
inline void add_topology(const Bytes& bytes, const PartTopology<3>& topology) {
  bytes("faces", topology.faces.size()), bytes("edges", topology.edges.size());
  for (const PolyhedronFace& face : topology.faces)
    bytes("vertices", face.vertices), bytes("normal", face.normal), bytes("offset", face.offset);
  for (const PolyhedronEdge& edge : topology.edges) bytes("vertices", edge.vertices), bytes("faces", edge.faces);
}

template <int D>
void add_shapes(const Bytes& bytes, const std::vector<Shape<D>>& shapes) {
  bytes("shapes", shapes.size());
  for (const Shape<D>& shape : shapes) {
    bytes("volume", shape.volume), bytes("gyration", shape.gyration), bytes("reach", shape.reach),
        bytes("parts", shape.parts.size());
    for (const ConvexPart<D>& part : shape.parts) {
      bytes("vertices", part.vertices), bytes("radius", part.radius), bytes("centre", part.centre), bytes("reach", part.reach);
      add_topology(bytes, part.topology);
    }
  }
}

template <int D>
std::string bytes_of(const Frame<D>& frame) {
  Bytes bytes;
  bytes("time", frame.time), bytes("step", frame.step);
  fields::body_parameters(frame.parameters, bytes);
  fields::body_state(frame.state, bytes);
  add_shapes(bytes, frame.shapes);
  fields::contact_records(frame.contacts, bytes);
  fields::broken_joints(frame.broken, bytes);
  bytes("wear", frame.wear), bytes("time_step", frame.time_step);
  bytes("shift", frame.wall_shift);
  bytes("phase", frame.phase), bytes("cell", frame.lattice.vectors), bytes("origin", frame.lattice.origin);
  for (bool periodic : frame.lattice.periodic) bytes("periodic", periodic);
  for (const Wall<D>& wall : frame.walls) {
    bytes.text += wall.name;
    bytes("shape", wall.geometry.shape), bytes("point", wall.geometry.point), bytes("direction", wall.geometry.direction);
    bytes("radius", wall.geometry.radius), bytes("material", wall.material), bytes("motion", wall.motion);
  }
  return bytes.text;
}

template <int D>
std::string bytes_of(const Checkpoint<D>& checkpoint) {
  Bytes bytes;
  const State<D>& state = checkpoint.state;
  fields::record(static_cast<const CourseRecord&>(checkpoint), bytes);
  fields::state(state, only<true>(bytes));
  fields::body_parameters(state.bodies.parameters, bytes);
  fields::body_state(state.bodies.state, bytes);
  add_shapes(bytes, state.bodies.shapes);
  fields::contact_table(state.contacts, bytes);
  fields::broken_joints(checkpoint.state.broken, bytes);
  bytes("wear", checkpoint.state.wear);
  bytes("order", state.order);
  fields::energy(state.energy, bytes);
  fields::integration(state.integration, bytes);
  for (const SourceState& source : state.sources) bytes("emitted", source.emitted), bytes("random", source.random.state());
  bytes("pistons", state.pistons), bytes("motion_starts", state.motion_starts), bytes("cell", state.cell);
  fields::report(checkpoint.report, bytes);
  fields::certificate(checkpoint.report.certificate, bytes);
  fields::energy(checkpoint.report.energy, bytes);
  fields::timings(checkpoint.report.timings, bytes);
  fields::totals(checkpoint.totals, bytes);
  fields::energy_watch(checkpoint.energy_watch, bytes);
  for (const Frame<D>& frame : checkpoint.references) bytes.text += bytes_of(frame);
  return bytes.text;
}

// The sentence of the StoreError that `action` raises; empty if it raises none.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const StoreError& error) {
    return error.what();
  }
  return {};
}

template <int D>
struct Dimension {
  static constexpr int value = D;
};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;

}  // namespace moreau::samples
