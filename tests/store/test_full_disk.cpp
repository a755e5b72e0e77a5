// A limit on the size of files stands for a full disk: the same failing writes, without the rights to mount one.
#include <sys/resource.h>

#include <csignal>

#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

namespace {

class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

template <class Action>
std::string error_on_full_disk(rlim_t bytes, const Action& action) {
  const FullDisk full(bytes);
  return error_of(action);
}

}  // namespace

TEST(FullDisk, checkpoint_fails_with_a_sentence_and_the_last_one_stays) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  const auto small = sample_checkpoint<3>(5, 5);
  run.write_checkpoint(small);
  for (const rlim_t bytes : {0, 1, 5000, 30000}) {
    const std::string error = error_on_full_disk(bytes, [&] { run.write_checkpoint(sample_checkpoint<3>(2000, 2000)); });
    EXPECT_NE(error.find("checkpoint.h5: cannot be written: File too large"), std::string::npos) << error;
    EXPECT_EQ(bytes_of(run.read_checkpoint<3>()), bytes_of(small));
    EXPECT_FALSE(fs::exists(folder.path / "run/checkpoint.h5.tmp"));
  }
  run.write_checkpoint(sample_checkpoint<3>(2000, 2000));  // there is room again
  EXPECT_EQ(run.read_checkpoint<3>().state.bodies.size(), 2000u);
}

TEST(FullDisk, frame_fails_and_the_trajectory_stays) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  run.write_frame(0, sample_frame<2>(5, 5));
  const std::string before = text_of(folder.path / "run/trajectory.h5");
  const std::string error = error_on_full_disk(4000, [&] { run.write_frame(1, sample_frame<2>(500, 500)); });
  EXPECT_NE(error.find("cannot be written: File too large"), std::string::npos) << error;
  EXPECT_EQ(run.frame_count(), 1u);
  EXPECT_EQ(text_of(folder.path / "run/trajectory.h5"), before);
  run.write_frame(1, sample_frame<2>(500, 500));
  EXPECT_EQ(run.frame_count(), 2u);
}

TEST(FullDisk, row_of_the_series_is_whole_or_absent) {
  TemporaryFolder folder;
  const fs::path csv = folder.path / "run/series.csv";
  RunFolder run = new_run(folder.path / "run");
  run.append_series({});
  const std::string before = text_of(csv);
  const std::string error = error_on_full_disk(before.size() + 10, [&] { run.append_series({}); });
  EXPECT_NE(error.find("series.csv: cannot be written: File too large"), std::string::npos) << error;
  EXPECT_EQ(text_of(csv), before);
}

TEST(FullDisk, failed_creation_leaves_no_folder) {
  TemporaryFolder folder;
  for (const rlim_t bytes : {0, 20, 300}) {
    const std::string error = error_on_full_disk(bytes, [&] { new_run(folder.path / "a/b/run"); });
    EXPECT_NE(error.find("cannot be written"), std::string::npos) << error;
    EXPECT_TRUE(fs::is_empty(folder.path));
  }
  new_run(folder.path / "a/b/run");
}
