#include "moreau/store/frame_file.hpp"
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
