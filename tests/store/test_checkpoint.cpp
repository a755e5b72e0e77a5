#include "moreau/engines/simulation.hpp"
#include "moreau/store/checkpoint_file.hpp"
#include "store/block_samples.hpp"
#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

#ifdef MOREAU_SANITIZE
// HDF5 1.10 forgets a few of its own blocks when it meets a damaged file.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
#endif

template <class T>
class Checkpoints : public testing::Test {};
TYPED_TEST_SUITE(Checkpoints, Dimensions);

TYPED_TEST(Checkpoints, every_field_comes_back_bit_for_bit) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const auto checkpoint = sample_checkpoint<D>(300, 900);
  run.write_checkpoint(checkpoint);
  EXPECT_EQ(bytes_of(RunFolder::open(folder.path / "run").read_checkpoint<D>()), bytes_of(checkpoint));
  EXPECT_EQ(run.dimension(), D);
}

TYPED_TEST(Checkpoints, warnings_come_back_in_their_order) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<D>(10, 20);
  checkpoint.warnings.add({WarningKind::travel, 2.5, 1.0, "body 3 at (1, 2) of 'mûr'", 12, 0.012});
  checkpoint.warnings.add({WarningKind::energy, 1.0 / 3.0, 1e-17, "", 40, 0.04});
  checkpoint.warnings.add({WarningKind::energy, 0.5, 1e-16, "", 41, 0.041});
  run.write_checkpoint(checkpoint);
  const auto read = run.read_checkpoint<D>();
  ASSERT_EQ(read.warnings.all().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const Warning &there = read.warnings.all()[i], &here = checkpoint.warnings.all()[i];
    EXPECT_EQ(there.kind, here.kind);
    EXPECT_EQ(there.value, here.value);
    EXPECT_EQ(there.beside, here.beside);
    EXPECT_EQ(there.where, here.where);
    EXPECT_EQ(there.step, here.step);
    EXPECT_EQ(there.time, here.time);
    EXPECT_EQ(there.count, here.count);
  }
  EXPECT_EQ(read.warnings.all()[1].count, 2u);
}

TYPED_TEST(Checkpoints, shapes_and_features_come_back_bit_for_bit) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto checkpoint = sample_checkpoint<D>(40, 100, seed, 7);
    ASSERT_EQ(checkpoint.state.contacts.feature.size(), 100u);
    run.write_checkpoint(checkpoint);
    const auto read = run.read_checkpoint<D>();
    EXPECT_EQ(bytes_of(read), bytes_of(checkpoint));
    EXPECT_EQ(state_hash(read.state), state_hash(checkpoint.state));
  }
  const auto at_first = sample_checkpoint<D>(4, 0, 1, 2);  // shapes, and no contact yet
  run.write_checkpoint(at_first);
  EXPECT_EQ(bytes_of(run.read_checkpoint<D>()), bytes_of(at_first));
}

// A column of boxes joined by mortar and a ball that resists rolling, pushed until joints break: half way through the file, and
// without it.
TYPED_TEST(Checkpoints, resumed_joints_and_couples_are_bit_identical) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  Vec<D> up{}, half;
  up[D - 1] = 1.0;
  for (int d = 0; d < D; ++d) half[d] = 0.25;
  model.gravity = -9.81 * up;
  model.gravity[0] = 5.0;
  model.time_step = 1e-3;
  model.contact_distance = 1e-5;
  model.solver.tolerance = 1e-6, model.solver.max_sweeps = 10000;
  model.materials.push_back({"stone", 1.0});
  model.pair_laws.push_back({.friction = 0.5, .cohesion = 0.1, .joint = {.cohesion = 2.0, .tension = 0.3}, .rolling = 0.05});
  model.walls.push_back({.name = "floor", .geometry = {.shape = WallShape::plane, .point = {}, .direction = up}});
  Bodies<D> bodies;
  bodies.shapes = {box_shape(half)};
  for (int k = 0; k < 3; ++k) bodies.append(homogeneous_block(bodies.shapes[0], 0, (0.25 + 0.5 * k) * up, Rotation<D>{}, 1.0));
  NewBody<D> ball = homogeneous_ball<D>(0.2 * up, 0.2, 1.0);
  ball.position[0] = 3.0;
  bodies.append(ball);

  Simulation<D> whole(model, bodies, 1);
  const std::size_t joints = D == 2 ? 7 : 13;  // of three faces and the ball
  std::size_t left = joints;
  for (int step = 0; step < 200; ++step) left = whole.step().joints;
  EXPECT_LT(left, joints);  // the foot of the column has come loose on one side
  EXPECT_GT(left, 0u);
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  Checkpoint<D> checkpoint;
  checkpoint.state = whole.state();
  run.write_checkpoint(checkpoint);
  Simulation<D> resumed(model, run.read_checkpoint<D>().state);
  ASSERT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
  ASSERT_FALSE(resumed.state().contacts.couple.empty());
  for (int step = 0; step < 100; ++step) whole.step(), resumed.step();
  EXPECT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
}

// Three boxes and a ball tumbling onto a floor and each other: half way through the file, and without it.
TYPED_TEST(Checkpoints, resumed_blocks_are_bit_identical) {
  constexpr int D = TypeParam::value;
  Model<D> model;
  Vec<D> up{}, half;
  up[D - 1] = 1.0;
  for (int d = 0; d < D; ++d) half[d] = 0.1 * (d + 2);
  model.gravity = -9.81 * up;
  model.time_step = 1e-3;
  model.materials.push_back({"stone", 1.0});
  model.pair_laws.push_back({.friction = 0.5});
  model.walls.push_back({.name = "floor", .geometry = {.shape = WallShape::plane, .point = {}, .direction = up}});
  Bodies<D> bodies;
  bodies.shapes = {box_shape(half)};
  for (int k = 0; k < 3; ++k) {
    NewBody<D> block = homogeneous_block(bodies.shapes[0], 0, (0.5 + 0.8 * k) * up, Rotation<D>{}, 1.0);
    block.position[0] = 0.1 * k;
    for (double& s : block.spin.c) s = 0.7 - k;
    bodies.append(block);
  }
  bodies.append(homogeneous_ball<D>(2.8 * up, 0.2, 1.0));

  Simulation<D> whole(model, bodies, 1);
  std::size_t most = 0;
  for (int step = 0; step < 400; ++step) most = std::max(most, whole.step().contacts);
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  Checkpoint<D> checkpoint;
  checkpoint.state = whole.state();
  run.write_checkpoint(checkpoint);
  Simulation<D> resumed(model, run.read_checkpoint<D>().state);
  ASSERT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
  for (int step = 0; step < 400; ++step) {
    most = std::max(most, whole.step().contacts);
    resumed.step();
  }
  EXPECT_EQ(state_hash(resumed.state()), state_hash(whole.state()));
  EXPECT_GT(most, 4u);  // faces met
}

TYPED_TEST(Checkpoints, empty_state_comes_back) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  run.write_checkpoint(Checkpoint<D>{});
  EXPECT_EQ(bytes_of(run.read_checkpoint<D>()), bytes_of(Checkpoint<D>{}));
}

TYPED_TEST(Checkpoints, random_streams_continue_where_they_were) {
  constexpr int D = TypeParam::value;
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<D>(1, 0);
  run.write_checkpoint(checkpoint);
  auto read = run.read_checkpoint<D>();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(read.state.sources[i].random.next(), checkpoint.state.sources[i].random.next());
}

namespace {

// A run with two checkpoints, of steps 10 (previous) and 20 (newest).
struct TwoCheckpoints {
  TwoCheckpoints() {
    old = sample_checkpoint<2>(5, 4, 1), young = sample_checkpoint<2>(6, 7, 2);
    old.state.step = 10, young.state.step = 20;
    run.write_checkpoint(old);
    run.write_checkpoint(young);
  }
  TemporaryFolder folder;
  fs::path path = folder.path / "run", newest = path / "checkpoint.h5", previous = path / "checkpoint.previous.h5";
  RunFolder run = new_run(path);
  Checkpoint<2> old, young;
};

}  // namespace

TEST(Checkpoint, newest_is_taken_when_whole) {
  TwoCheckpoints t;
  EXPECT_EQ(bytes_of(t.run.read_checkpoint<2>()), bytes_of(t.young));
  EXPECT_FALSE(fs::exists(t.path / "log.txt"));
}

TEST(Checkpoint, truncated_newest_falls_back_to_previous_and_says_so) {
  TwoCheckpoints t;
  const std::string whole = text_of(t.newest);
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    put_text(t.newest, whole.substr(0, length));
    ASSERT_EQ(bytes_of(t.run.read_checkpoint<2>()), bytes_of(t.old)) << "truncated to " << length;
  }
  const std::string log = text_of(t.path / "log.txt");
  EXPECT_NE(log.find("taking checkpoint.previous.h5 (step 10) instead"), std::string::npos) << log;
}

// Bytes that no data uses may flip unnoticed; any other flip must be noticed, never believed.
TEST(Checkpoint, flipped_byte_never_gives_a_wrong_state) {
  TwoCheckpoints t;
  const std::string whole = text_of(t.newest);
  std::size_t noticed = 0, tried = 0;
  for (std::size_t i = 0; i < whole.size(); i += 23, ++tried) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    put_text(t.newest, damaged);
    try {
      ASSERT_EQ(bytes_of(read_checkpoint_file<2>(t.newest)), bytes_of(t.young)) << "byte " << i;
    } catch (const StoreError&) {
      ++noticed;
    }
  }
  EXPECT_GT(noticed, tried / 2);
}

TEST(Checkpoint, kill_between_the_two_renames_leaves_the_previous_one) {
  TwoCheckpoints t;
  fs::rename(t.newest, t.path / "checkpoint.h5.tmp");
  EXPECT_EQ(bytes_of(RunFolder::open(t.path).read_checkpoint<2>()), bytes_of(t.old));
}

TEST(Checkpoint, leftover_of_a_killed_write_is_ignored_and_replaced) {
  TwoCheckpoints t;
  put_text(t.path / "checkpoint.h5.tmp", "half a checkp");
  EXPECT_EQ(bytes_of(t.run.read_checkpoint<2>()), bytes_of(t.young));
  t.run.write_checkpoint(t.old);
  EXPECT_EQ(bytes_of(t.run.read_checkpoint<2>()), bytes_of(t.old));
  EXPECT_FALSE(fs::exists(t.path / "checkpoint.h5.tmp"));
}

TEST(Checkpoint, damaged_newest_does_not_push_out_a_good_previous) {
  TwoCheckpoints t;
  put_text(t.newest, "damaged");
  RunFolder resumed = RunFolder::open(t.path);
  ASSERT_EQ(resumed.read_checkpoint<2>().state.step, 10u);
  auto next = t.young;
  next.state.step = 30;
  resumed.write_checkpoint(next);
  EXPECT_EQ(bytes_of(read_checkpoint_file<2>(t.previous)), bytes_of(t.old));
  EXPECT_EQ(bytes_of(read_checkpoint_file<2>(t.newest)), bytes_of(next));
}

TEST(Checkpoint, both_damaged_is_one_sentence_naming_both) {
  TwoCheckpoints t;
  put_text(t.newest, "damaged");
  put_text(t.previous, "damaged too");
  const std::string error = error_of([&] { t.run.read_checkpoint<2>(); });
  EXPECT_NE(error.find("checkpoint.h5: cannot be read"), std::string::npos) << error;
  EXPECT_NE(error.find("checkpoint.previous.h5: cannot be read"), std::string::npos) << error;
}

TEST(Checkpoint, none_and_other_dimension_are_told) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  EXPECT_NE(error_of([&] { run.read_checkpoint<2>(); }).find("has no checkpoint"), std::string::npos);
  EXPECT_NE(error_of([&] { run.dimension(); }).find("dimension is unknown"), std::string::npos);
  run.write_checkpoint(sample_checkpoint<3>(1, 1));
  EXPECT_NE(error_of([&] { run.read_checkpoint<2>(); }).find("3 dimensions where 2"), std::string::npos);
}

TEST(Checkpoint, contact_of_an_absent_body_is_damage) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<2>(3, 2);
  checkpoint.state.contacts.a[1] = 3;
  run.write_checkpoint(checkpoint);
  EXPECT_NE(error_of([&] { run.read_checkpoint<2>(); }).find("contact 1 is between bodies 3"), std::string::npos);
}

TEST(Checkpoint, body_of_an_absent_shape_is_damage) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<2>(3, 2, 42, 2);
  checkpoint.state.bodies.parameters.shape[1] = 2;
  run.write_checkpoint(checkpoint);
  EXPECT_NE(error_of([&] { run.read_checkpoint<2>(); }).find("body 1 has shape 2 of 2"), std::string::npos);
}

TEST(Checkpoint, face_of_an_absent_vertex_is_damage) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<3>(3, 2, 42, 1);
  ConvexPart<3>& part = checkpoint.state.bodies.shapes[0].parts[0];
  part.topology.faces = {{{0, static_cast<std::int32_t>(part.vertices.size())}, {}, 0.0}};
  part.topology.edges.clear();
  run.write_checkpoint(checkpoint);
  EXPECT_NE(error_of([&] { run.read_checkpoint<3>(); }).find("'corner' of the shapes contradicts"), std::string::npos);
}

// With shapes, a contact without its point cannot be recalled.
TEST(Checkpoint, contacts_of_blocks_without_points_are_damage) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  auto checkpoint = sample_checkpoint<2>(3, 2, 42, 1);
  checkpoint.state.contacts.point.clear();
  run.write_checkpoint(checkpoint);
  EXPECT_NE(error_of([&] { run.read_checkpoint<2>(); }).find("point' has 0 rows where 2 are expected"), std::string::npos);
}

// A file as it was written before there were blocks: format 1, without the arrays that came with them.
TEST(Checkpoint, old_run_of_round_bodies_is_read) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const auto checkpoint = sample_checkpoint<2>(5, 7);
  const auto frame = sample_frame<2>(5, 7);
  run.write_checkpoint(checkpoint);
  run.write_frame(0, frame);
  const std::string command = python() +
                              " -c \"import h5py,sys\n"
                              "with h5py.File(sys.argv[1]+'/checkpoint.h5','r+') as f:\n"
                              " f.attrs['checkpoint_format']=1\n"
                              " del f['state/bodies/shape'],f['state/contacts/point'],f['state/contacts/feature']\n"
                              "with h5py.File(sys.argv[1]+'/frames/frame_000000.h5','r+') as f:\n"
                              " f.attrs['frame_format']=1\n"
                              " del f['bodies/shape']\n\" '" +
                              (folder.path / "run").string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  EXPECT_EQ(bytes_of(run.read_checkpoint<2>()), bytes_of(checkpoint));
  EXPECT_EQ(bytes_of(run.read_frame<2>(0)), bytes_of(frame));
}
