// Reads a run back with the VTK and h5py of Python: other programs must see what was written.
#include <nlohmann/json.hpp>

#include "moreau/store/paraview.hpp"
#include "store/block_samples.hpp"
#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

template <class T>
class ParaView : public testing::Test {};
TYPED_TEST_SUITE(ParaView, Dimensions);

namespace {

template <int N>
nlohmann::json rows(const std::vector<Vec<N>>& values) {
  auto json = nlohmann::json::array();
  for (const Vec<N>& v : values) json.push_back(v.c);
  return json;
}

template <int D>
nlohmann::json expected(const Frame<D>& frame) {
  return {{"time", frame.time},
          {"step", frame.step},
          {"position", rows(frame.state.position)},
          {"velocity", rows(frame.state.velocity)},
          {"spin", rows(frame.state.spin)},
          {"radius", frame.parameters.radius},
          {"a", frame.contacts.a},
          {"b", frame.contacts.b},
          {"point", rows(frame.contacts.point)},
          {"shift", rows(frame.contacts.shift)},
          {"normal", rows(frame.contacts.normal)},
          {"force", rows(frame.contacts.force)},
          {"gap", frame.contacts.gap},
          {"walls", frame.walls.size()}};
}

bool reads(const char* script, const fs::path& run, const nlohmann::json& expected) {
  put_text(run.parent_path() / "expected.json", expected.dump());
  const std::string command = python() + " '" + (fs::path(MOREAU_STORE_TESTS) / script).string() + "' '" + run.string() + "' '" +
                              (run.parent_path() / "expected.json").string() + "'";
  return std::system(command.c_str()) == 0;
}

struct PartVolume {
  double sharp, rounded;  // without and with the rounding
};

// Steiner: the content of a body and of all within r of it.
PartVolume box_volume(const Vec<2>& half, double r) {
  const double a = 2.0 * half[0], b = 2.0 * half[1];
  return {a * b, a * b + 2.0 * (a + b) * r + std::numbers::pi * r * r};
}
PartVolume box_volume(const Vec<3>& half, double r) {
  const double a = 2.0 * half[0], b = 2.0 * half[1], c = 2.0 * half[2], pi = std::numbers::pi;
  return {a * b * c, a * b * c + 2.0 * (a * b + b * c + c * a) * r + pi * (a + b + c) * r * r + 4.0 / 3.0 * pi * r * r * r};
}
template <int D>
PartVolume capsule_volume(double length, double r) {
  const double pi = std::numbers::pi;
  return {0.0, D == 2 ? 2.0 * length * r + pi * r * r : pi * r * r * length + 4.0 / 3.0 * pi * r * r * r};
}

nlohmann::json json_of(const Rotation<2>& r) { return r.angle; }
nlohmann::json json_of(const Rotation<3>& r) { return {r.w, r.x, r.y, r.z}; }

}  // namespace

TYPED_TEST(ParaView, python_reads_what_was_written) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  ParaViewFolder views(folder.path / "run/views");
  auto frames = nlohmann::json::array();
  for (std::uint64_t i = 0; i < 4; ++i) {
    Frame<D> frame = i == 0 ? Frame<D>{} : sample_frame<D>(5 * i, i == 1 ? 0 : 8 * i, i);
    frame.time = 0.1 * static_cast<double>(i);
    run.write_frame(i, frame);
    views.add(i, run.read_frame<D>(i));
    frames.push_back(expected(frame));
  }
  EXPECT_EQ(views.finish(), (std::vector<std::string>{"bodies.pvd", "broken_joints.pvd", "contacts.pvd", "forces.pvd"}));
  EXPECT_TRUE(reads("read_paraview.py", folder.path / "run", {{"dimension", D}, {"frames", frames}}));
}

// A grain, a box, a rounded box, a cluster of two boxes and a ball, a capsule: turned and moved, the box twice.
TYPED_TEST(ParaView, blocks_are_seen_where_they_are) {
  constexpr int D = TypeParam::value;
  Vec<D> half, shift{}, nowhere{};
  for (int d = 0; d < D; ++d) half[d] = 0.3 + 0.2 * d;
  shift[0] = 2.0 * half[0];
  const std::vector<Shape<D>> shapes = {
      box_shape(half), shape_of<D>({box_part(half, nowhere, 0.2)}, 1.0),
      shape_of<D>({box_part(half, -0.5 * shift), box_part(half, 0.5 * shift), ball<D>(shift, 0.25)}, 1.0),
      shape_of<D>({capsule<D>(-shift, shift, 0.4)}, 1.0)};
  const double length = 2.0 * norm(shift);
  const std::vector<std::vector<PartVolume>> volumes = {
      {box_volume(half, 0.0)},
      {box_volume(half, 0.2)},
      {box_volume(half, 0.0), box_volume(half, 0.0), capsule_volume<D>(0.0, 0.25)},
      {capsule_volume<D>(length, 0.4)}};

  Frame<D> frame = sample_frame<D>(6, 0);
  frame.shapes = shapes;
  frame.parameters.shape = {-1, 0, 1, 0, 2, 3};
  for (Rotation<D>& r : frame.state.orientation)
    if constexpr (D == 3) r = turned(Rotation<3>{}, {{5.0 * r.x, 5.0 * r.y, 5.0 * r.z}}, 1.0);
  TemporaryFolder folder;
  ParaViewFolder views(folder.path / "run/views");
  views.add(0, frame), views.finish();
  auto bodies = nlohmann::json::array();
  for (std::size_t i = 1; i < 6; ++i) {
    const std::size_t s = static_cast<std::size_t>(frame.parameters.shape[i]);
    auto parts = nlohmann::json::array();
    for (std::size_t p = 0; p < shapes[s].parts.size(); ++p)
      parts.push_back({{"vertices", rows(shapes[s].parts[p].vertices)},
                       {"radius", shapes[s].parts[p].radius},
                       {"sharp_volume", volumes[s][p].sharp},
                       {"volume", volumes[s][p].rounded}});
    bodies.push_back({{"id", i},
                      {"parts", parts},
                      {"position", frame.state.position[i].c},
                      {"orientation", json_of(frame.state.orientation[i])},
                      {"shape", s},
                      {"material", frame.parameters.material[i]},
                      {"kind", frame.parameters.kind[i]},
                      {"mass", frame.parameters.mass[i]},
                      {"birth", frame.parameters.birth[i]},
                      {"speed", norm(frame.state.velocity[i])}});
  }
  EXPECT_TRUE(reads("read_blocks.py", folder.path / "run", {{"dimension", D}, {"time", frame.time}, {"bodies", bodies}}));
}

// a o-->x<--o b: the force on a block goes through the contact, that between grains along the centres.
TEST(ParaView, force_on_a_block_goes_from_its_centre_to_the_contact) {
  Frame<2> frame = sample_frame<2>(3, 2);
  frame.shapes = {box_shape<2>({{1.0, 1.0}})};
  frame.parameters.shape = {-1, 0, -1};
  frame.contacts.a = {0, 0}, frame.contacts.b = {1, 2};
  TemporaryFolder folder;
  ParaViewFolder(folder.path / "views").add(0, frame);
  const std::string view = text_of(folder.path / "views/data/forces_000000.vtp");
  EXPECT_NE(view.find("NumberOfPoints=\"6\" NumberOfVerts=\"0\" NumberOfLines=\"3\""), std::string::npos);
}
