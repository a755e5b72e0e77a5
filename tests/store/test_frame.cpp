#include "moreau/store/frame_file.hpp"
#include "moreau/store/trajectory.hpp"
#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

template <class T>
class Frames : public testing::Test {};
TYPED_TEST_SUITE(Frames, Dimensions);

TYPED_TEST(Frames, frame_comes_back_bit_for_bit) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const Frame<D> frame = sample_frame<D>(200, 500);
  run.write_frame(0, frame);
  EXPECT_EQ(bytes_of(run.read_frame<D>(0)), bytes_of(frame));
  EXPECT_EQ(run.dimension(), D);
}

// Frames one after the other share the file of what does not evolve until something of it changes, and frame 1 is still read.
TYPED_TEST(Frames, constants_are_written_when_they_change) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  Frame<D> frame = sample_frame<D>(20, 30, 1, 3);
  run.write_frame(0, frame);
  frame.state.position[3][0] += 1.0, frame.parameters.kind[2] = BodyKind::removed;
  const Frame<D> second = frame;
  run.write_frame(1, frame);
  frame.parameters.radius[5] *= 2.0;
  run.write_frame(2, frame);
  RunFolder again = RunFolder::open(folder.path / "run");  // knows nothing of what was written
  again.write_frame(3, frame);
  const fs::path frames = folder.path / "run/frames";
  EXPECT_TRUE(fs::exists(frames / "constants_000000.h5") && fs::exists(frames / "constants_000002.h5"));
  EXPECT_FALSE(fs::exists(frames / "constants_000001.h5") || fs::exists(frames / "constants_000003.h5"));
  EXPECT_EQ(bytes_of(run.read_frame<D>(1)), bytes_of(second));
  EXPECT_EQ(bytes_of(run.read_frame<D>(3)), bytes_of(frame));
}

// 100 000 balls at random places with random velocities and turns: nothing of it can be guessed.
TEST(Frames, large_frame_takes_five_megabytes_and_is_as_exact_as_documented) {
  Frame<3> frame;
  RandomStream random(7);
  const std::size_t bodies = 100'000, contacts = 60'000;
  const auto vector = [&](double size) { return Vec<3>{{random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)}}; };
  for (std::size_t i = 0; i < bodies; ++i) {
    BodyParameters<3>& p = frame.parameters;
    p.radius.push_back(random.uniform(0.5, 1.0)), p.mass.push_back(random.uniform(1.0, 2.0)), p.inertia.push_back(random.uniform(1.0, 2.0));
    p.shape.push_back(-1), p.material.push_back(0), p.motion.push_back(-1), p.kind.push_back(BodyKind::free);
    p.birth.push_back(0.0), p.origin.push_back(vector(40.0));
    frame.state.position.push_back(vector(40.0)), frame.state.velocity.push_back(vector(3.0)), frame.state.spin.push_back(vector(3.0));
    frame.state.orientation.push_back({random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 0.1});
    make_unit(frame.state.orientation.back());
  }
  frame.time_step = 1e-3;
  for (std::size_t k = 0; k < contacts; ++k) {
    ContactRecords<3>& c = frame.contacts;
    c.a.push_back(static_cast<std::int32_t>(k)), c.b.push_back(static_cast<std::int32_t>(k + 1 + random.next() % 30'000));
    c.point.push_back(frame.state.position[k]), c.normal.push_back(normalized(vector(1.0))), c.gap.push_back(1e-6 * random.uniform(-1.0, 1.0));
    c.force.push_back(vector(10.0)), c.impulse.push_back(frame.time_step * c.force.back());
    c.relative_velocity.push_back(vector(1.0)), c.status.push_back(static_cast<ContactStatus>(random.next() % 3));
    const auto velocity = [&](std::int32_t body) {
      const std::size_t i = static_cast<std::size_t>(body);
      return frame.state.velocity[i] + cross(frame.state.spin[i], c.point[k] - frame.state.position[i] + 0.5 * frame.time_step * frame.state.velocity[i]);
    };
    c.relative_velocity[k] = velocity(c.a[k]) - velocity(c.b[k]);
  }
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  FrameForm form;
  form.reduced = true;
  run.write_frame(0, frame, form);
  EXPECT_LE(fs::file_size(folder.path / "run/frames/frame_000000.h5"), 5'000'000u);
  EXPECT_LE(fs::file_size(folder.path / "run/frames/constants_000000.h5"), 3'000'000u);
  const Frame<3> read = run.read_frame<3>(0);
  double place = 0.0, speed = 0.0, turn = 0.0, force = 0.0, normal = 0.0, sliding = 0.0, radius = 0.0;
  for (std::size_t i = 0; i < bodies; ++i) {
    place = std::max(place, norm(read.state.position[i] - frame.state.position[i]));
    speed = std::max(speed, norm(read.state.velocity[i] - frame.state.velocity[i]) / norm(frame.state.velocity[i]));
    turn = std::max(turn, std::abs(read.state.orientation[i].x - frame.state.orientation[i].x));
    radius = std::max(radius, std::abs(read.parameters.radius[i] / frame.parameters.radius[i] - 1.0));
  }
  for (std::size_t k = 0; k < contacts; ++k) {
    force = std::max(force, norm(read.contacts.impulse[k] - frame.contacts.impulse[k]) / norm(frame.contacts.impulse[k]));
    normal = std::max(normal, norm(read.contacts.normal[k] - frame.contacts.normal[k]));
    sliding = std::max(sliding, norm(read.contacts.relative_velocity[k] - frame.contacts.relative_velocity[k]));
  }
  EXPECT_LT(place, 1e-8 * 0.5);
  EXPECT_LT(speed, 1.3e-4);
  EXPECT_LT(turn, 1e-3);
  EXPECT_LT(radius, 1.2e-10);
  EXPECT_LT(force, 1.6e-5);
  EXPECT_LT(normal, 4e-6);
  EXPECT_LT(sliding, 2.0 * 2.5e-4 * (3.0 * std::sqrt(3.0)) * (1.0 + 80.0 * std::sqrt(3.0)));  // arms of this frame are as long as it is
}

// Fields that were not asked for are absent, and said to be.
TYPED_TEST(Frames, chosen_fields) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  FrameForm form;
  form.spin = form.orientation = form.contacts = false;
  run.write_frame(0, sample_frame<D>(20, 30), form);
  const Frame<D> read = run.read_frame<D>(0);
  EXPECT_EQ(read.left_out, (std::vector<std::string>{"orientation", "spin", "contacts"}));
  EXPECT_EQ(read.contacts.size(), 0u);
}

TYPED_TEST(Frames, shapes_come_back_bit_for_bit) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t i = 0; i < 4; ++i) {  // more shapes from frame to frame, as a source of blocks would bring them
    const Frame<D> frame = sample_frame<D>(20, 50, i, 3 * i);
    write_frame_file(folder.path / "frame.h5", frame, {});
    EXPECT_EQ(bytes_of(read_frame_file<D>(folder.path / "frame.h5")), bytes_of(frame));
    EXPECT_EQ(read_frame_header(folder.path / "frame.h5").blocks, i > 0);
  }
}

TYPED_TEST(Frames, more_rows_than_one_chunk_come_back) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  const Frame<D> frame = sample_frame<D>(100, 70'000);
  write_frame_file(folder.path / "frame.h5", frame, {});
  EXPECT_EQ(bytes_of(read_frame_file<D>(folder.path / "frame.h5")), bytes_of(frame));
}

TYPED_TEST(Frames, no_contacts_and_no_bodies_come_back) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const Frame<D> empty, without_contacts = sample_frame<D>(3, 0);
  run.write_frame(0, empty);
  run.write_frame(1, without_contacts);
  EXPECT_EQ(bytes_of(run.read_frame<D>(0)), bytes_of(empty));
  EXPECT_EQ(bytes_of(run.read_frame<D>(1)), bytes_of(without_contacts));
}

TYPED_TEST(Frames, bodies_may_grow_from_frame_to_frame) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t i = 0; i < 5; ++i) run.write_frame(i, sample_frame<D>(1 + 3 * i, 4 * i, i));
  EXPECT_EQ(run.frame_count(), 5u);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(bytes_of(run.read_frame<D>(i)), bytes_of(sample_frame<D>(1 + 3 * i, 4 * i, i)));
}

TYPED_TEST(Frames, same_frame_gives_the_same_file) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  write_frame_file(folder.path / "one.h5", sample_frame<D>(20, 30), {});
  sleep(1);  // a time stamp inside would differ now
  write_frame_file(folder.path / "two.h5", sample_frame<D>(20, 30), {});
  EXPECT_TRUE(text_of(folder.path / "one.h5") == text_of(folder.path / "two.h5"));
}

TYPED_TEST(Frames, the_other_dimension_is_refused) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  run.write_frame(0, sample_frame<D>(2, 1));
  EXPECT_NE(error_of([&] { run.read_frame<5 - D>(0); }).find("dimensions"), std::string::npos);
}

TEST(Frame, absent_and_damaged_frames_are_named) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const std::string absent = error_of([&] { run.read_frame<2>(3); });
  EXPECT_NE(absent.find("frame_000003.h5"), std::string::npos) << absent;
  run.write_frame(0, sample_frame<2>(2, 1));
  fs::resize_file(folder.path / "run/frames/frame_000000.h5", 100);
  const std::string damaged = error_of([&] { run.read_frame<2>(0); });
  EXPECT_NE(damaged.find("frame_000000.h5: cannot be read"), std::string::npos) << damaged;
}
