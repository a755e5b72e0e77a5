// Reads a run back with the VTK and h5py of Python: other programs must see what was written.
#include <nlohmann/json.hpp>

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
          {"normal", rows(frame.contacts.normal)},
          {"force", rows(frame.contacts.force)},
          {"gap", frame.contacts.gap},
          {"walls", frame.walls.size()}};
}

}  // namespace

TYPED_TEST(ParaView, python_reads_what_was_written) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto frames = nlohmann::json::array();
  for (std::uint64_t i = 0; i < 4; ++i) {
    Frame<D> frame = i == 0 ? Frame<D>{} : sample_frame<D>(5 * i, i == 1 ? 0 : 8 * i, i);
    frame.time = 0.1 * static_cast<double>(i);
    run.write_frame(i, frame);
    frames.push_back(expected(frame));
  }
  put_text(folder.path / "expected.json", nlohmann::json{{"dimension", D}, {"frames", frames}}.dump());
  const fs::path script = fs::path(__FILE__).parent_path() / "read_paraview.py";
  const std::string command = python() + " '" + script.string() + "' '" +
                              (folder.path / "run").string() + "' '" + (folder.path / "expected.json").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}
