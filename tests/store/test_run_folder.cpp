#include <functional>
#include <map>

#include "store/samples.hpp"

using namespace moreau;
using namespace moreau::samples;

namespace {

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.push_back(fs::relative(entry.path(), folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

RunFolder create(const fs::path& path, bool force) {
  return RunFolder::create(path, "title = \"new\"\n", {"0.2.0", "def", 1, 1}, force);
}

// A run with one of everything, and two files of the user.
void full_run(const fs::path& path) {
  RunFolder run = new_run(path);
  run.write_frame(0, sample_frame<2>(3, 2, 42, 1));
  run.write_checkpoint(sample_checkpoint<2>(3, 2));
  run.write_checkpoint(sample_checkpoint<2>(3, 2));
  run.append_series({});
  run.append_measure("load", "step,time,load", "1,0.5,3");
  run.log("said");
  run.write_summary("{}");
  put_text(path / "notes.txt", "mine");
  put_text(path / "frames/mine_000001.h5", "mine");
}

std::map<std::string, std::string> contents_of(const fs::path& folder) {
  std::map<std::string, std::string> contents;
  for (const std::string& name : names_in(folder)) contents[name] = fs::is_directory(folder / name) ? "" : text_of(folder / name);
  return contents;
}

}  // namespace

TEST(RunFolder, new_run_in_a_deep_folder_is_opened_again) {
  TemporaryFolder folder;
  const std::uint64_t seed = std::numeric_limits<std::uint64_t>::max();
  RunFolder::create(folder.path / "a/b/run/", "title = \"x\"\n", {"0.1.0", "abc\xff", seed, 2}, false);
  const RunFolder run = RunFolder::open(folder.path / "a/b/run");
  EXPECT_EQ(run.scene_text(), "title = \"x\"\n");
  EXPECT_EQ(run.provenance().version, "0.1.0");
  EXPECT_EQ(run.provenance().seed, seed);
  EXPECT_EQ(run.provenance().threads, 2);
  EXPECT_EQ(run.frame_count(), 0u);
}

TEST(RunFolder, existing_run_is_refused_and_replaced_by_force) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "run";
  full_run(path);
  const auto before = names_in(path);
  EXPECT_EQ(std::ranges::count(before, "frames/constants_000000.h5"), 1);
  EXPECT_NE(error_of([&] { create(path, false); }).find("already holds a run"), std::string::npos);
  EXPECT_EQ(names_in(path), before);
  create(path, true).write_checkpoint(sample_checkpoint<2>(3, 2));
  EXPECT_EQ(RunFolder::open(path).scene_text(), "title = \"new\"\n");
  EXPECT_EQ(names_in(path),
            (std::vector<std::string>{"checkpoint.h5", "frames", "frames/mine_000001.h5", "notes.txt", "provenance.json", "scene.toml", "trajectory.h5"}));
}

TEST(RunFolder, run_to_be_replaced_is_back_unless_the_new_one_has_a_checkpoint) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "run";
  full_run(path);
  const auto before = contents_of(path);
  {
    RunFolder half = create(path, true);
    EXPECT_FALSE(half.stands());
    half.write_frame(0, sample_frame<3>(4, 2));
    half.append_series({});
  }
  EXPECT_EQ(contents_of(path), before);
  EXPECT_EQ(RunFolder::open(path).scene_text(), "title = \"sample\"\n");
}

// The folder as a kill would leave it at every stage of a replacement: whoever comes next finds the old run or the new one,
// whole.
TEST(RunFolder, replacement_that_was_killed_is_settled_by_who_opens_the_folder) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "run";
  full_run(path);
  const auto old = contents_of(path);
  const auto move = [&](const char* from, const char* to) { fs::rename(path / from, path / to); };
  // Half moved.
  fs::create_directories(path / ".moreau.moving/frames");
  move("frames/frame_000000.h5", ".moreau.moving/frames/frame_000000.h5");
  move("scene.toml", ".moreau.moving/scene.toml");
  EXPECT_EQ(RunFolder::open(path).scene_text(), "title = \"sample\"\n");
  EXPECT_EQ(contents_of(path), old);
  // All moved, and the new run begun; another that finds it so.
  {
    const fs::path copy = folder.path / "copy";
    RunFolder half = create(path, true);
    half.write_frame(0, sample_frame<3>(4, 2));
    fs::copy(path, copy, fs::copy_options::recursive);
    for (const bool force : {false, true})
      EXPECT_NE(error_of([&] { create(path, force); }).find("another moreau is at work"), std::string::npos);
    EXPECT_EQ(RunFolder::open(copy).scene_text(), "title = \"sample\"\n");
    EXPECT_EQ(contents_of(copy), old);
  }
  // The new one stands, the old one half removed.
  create(path, true).write_checkpoint(sample_checkpoint<2>(3, 2));
  const auto fresh = contents_of(path);
  fs::create_directories(path / ".moreau.done");
  put_text(path / ".moreau.done/scene.toml", "title = \"sample\"\n");
  RunFolder reader = RunFolder::open(path);
  EXPECT_TRUE(fs::exists(path / ".moreau.done/scene.toml"));  // who only reads removes nothing
  reader.claim();
  EXPECT_EQ(contents_of(path), fresh);
}

// Folders of the names that a replacement uses, made by another or copied from elsewhere.
TEST(RunFolder, folders_that_no_replacement_has_left_are_refused_and_nothing_is_touched) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "run";
  struct Stray {
    const char* name;
    std::function<void(const fs::path&)> fill;
    const char* said;
    bool read;  // the run beside it can be read all the same
  };
  const auto empty = [](const fs::path&) {};
  const auto mine = [](const fs::path& stray) { put_text(stray / "mine.txt", "mine"); };
  const auto series = [](const fs::path& stray) { put_text(stray / "series.csv", "mine"); };
  const auto scene = [](const fs::path& stray) { put_text(stray / "scene.toml", ""), put_text(stray / "provenance.json", "{}"); };
  const auto all = [](const fs::path& stray) { full_run(stray), fs::remove(stray / "notes.txt"), fs::remove(stray / "frames/mine_000001.h5"); };
  for (const Stray& stray : {Stray{".moreau.replaced", empty, "holds no complete run", false},
                             {".moreau.replaced", mine, "holds no complete run", false},
                             {".moreau.replaced", scene, "lies beside a run that has long begun, for there is its summary.json", false},
                             {".moreau.replaced", all, "lies beside a run that has long begun", false},
                             {".moreau.replaced", [&](const fs::path& to) { all(to), mine(to); }, "holds mine.txt, which is no file of a run", false},
                             {".moreau.moving", mine, "holds mine.txt, which is no file of a run", false},
                             {".moreau.moving", series, "holds series.csv, and so does the folder of the run", false},
                             {".moreau.done", mine, "holds mine.txt, which is no file of a run", true}}) {
    full_run(path);
    fs::create_directory(path / stray.name);
    stray.fill(path / stray.name);
    const auto before = contents_of(path);
    EXPECT_EQ(error_of([&] { RunFolder::open(path).scene_text(); }).empty(), stray.read) << stray.name << stray.said;
    const std::string error = error_of([&] { create(path, true); });
    EXPECT_NE(error.find(stray.said), std::string::npos) << error;
    EXPECT_NE(error.find("nothing was touched; move it elsewhere"), std::string::npos) << error;
    EXPECT_NE(error_of([&] { RunFolder::open(path).claim(); }), "");
    EXPECT_EQ(contents_of(path), before) << stray.name << stray.said;
    fs::remove_all(path);
  }
}

// A new run that has a checkpoint is not removed for one that has none.
TEST(RunFolder, run_without_a_checkpoint_does_not_come_back_over_one_that_has_one) {
  TemporaryFolder folder;
  const fs::path path = folder.path / "run";
  new_run(path).write_checkpoint(sample_checkpoint<2>(3, 2));
  new_run(path / ".moreau.replaced");
  const auto before = contents_of(path);
  EXPECT_NE(error_of([&] { RunFolder::open(path); }).find("has no checkpoint that can be read"), std::string::npos);
  EXPECT_EQ(contents_of(path), before);
}

TEST(RunFolder, files_that_are_links_are_not_written_through) {
  TemporaryFolder folder;
  put_text(folder.path / "precious", "mine");
  for (const char* name : {"series.csv", "log.txt", "checkpoint.h5.tmp", "summary.json.tmp"}) {
    const fs::path path = folder.path / "run";
    {
      RunFolder run = new_run(path);
      fs::create_symlink(folder.path / "precious", path / name);
      error_of([&] { run.append_series({}); });  // refused, or the link replaced by a file
      error_of([&] { run.log("said"); });
      error_of([&] { run.write_checkpoint(sample_checkpoint<2>(3, 2)); });
      error_of([&] { run.write_summary("{}"); });
    }
    EXPECT_EQ(text_of(folder.path / "precious"), "mine") << name;
    fs::remove_all(path);
  }
}

TEST(RunFolder, folder_with_other_things_is_refused_even_by_force) {
  TemporaryFolder folder;
  for (const char* name : {"thesis.tex", "scene.toml", "series.csv", "notes.tmp"}) {
    const fs::path path = folder.path / name / "work";
    fs::create_directories(path);
    put_text(path / name, "precious");
    for (const bool force : {false, true})
      EXPECT_NE(error_of([&] { create(path, force); }).find("holds no run"), std::string::npos) << name;
    EXPECT_EQ(text_of(path / name), "precious");
  }
}

TEST(RunFolder, empty_folder_and_killed_creation_are_taken) {
  TemporaryFolder folder;
  fs::create_directory(folder.path / "empty");
  create(folder.path / "empty", false);
  fs::create_directory(folder.path / "early");
  put_text(folder.path / "early/provenance.json.tmp", "{");
  create(folder.path / "early", false);
  EXPECT_FALSE(fs::exists(folder.path / "early/provenance.json.tmp"));
  create(folder.path / "late", false);
  fs::remove(folder.path / "late/scene.toml");
  create(folder.path / "late", false);
}

TEST(RunFolder, failed_creation_leaves_nothing) {
  TemporaryFolder folder;
  put_text(folder.path / "file", "");
  EXPECT_NE(error_of([&] { create(folder.path / "file", true); }).find("is a file"), std::string::npos);
  EXPECT_NE(error_of([&] { create(folder.path / "file/run", true); }), "");
  const std::string name(300, 'x');  // longer than file systems allow
  EXPECT_NE(error_of([&] { create(folder.path / "a" / name, false); }), "");
  EXPECT_NE(error_of([&] { create("/proc/moreau-run", false); }), "");
}

TEST(RunFolder, what_is_not_a_run_is_not_opened) {
  TemporaryFolder folder;
  EXPECT_NE(error_of([&] { RunFolder::open(folder.path); }).find("is not the folder of a run"), std::string::npos);
  EXPECT_NE(error_of([&] { RunFolder::open(folder.path / "absent"); }).find("does not exist"), std::string::npos);
  create(folder.path / "run", false);
  put_text(folder.path / "run/provenance.json", "{\"version\": 3");
  EXPECT_NE(error_of([&] { RunFolder::open(folder.path / "run").provenance(); }).find("provenance.json: is damaged"),
            std::string::npos);
}

// A run that is killed after frame 5 and step 60, with its checkpoint at frame 3 and step 35, must leave after rewind exactly the
// files of a run that had got no further.
TEST(RunFolder, rewind_leaves_the_files_of_the_shorter_run) {
  TemporaryFolder folder;
  RunFolder shorter = create(folder.path / "short", false), longer = create(folder.path / "long", false);
  const auto advance = [](RunFolder& run, std::uint64_t frames, std::uint64_t steps) {
    for (std::uint64_t i = 0; i < frames; ++i) run.write_frame(i, sample_frame<3>(4 + i, 3 * i, i));
    for (std::uint64_t step = 5; step <= steps; step += 5) {
      StepReport report;
      report.step = step;
      run.append_series(report);
    }
  };
  advance(shorter, 3, 35);
  advance(longer, 5, 60);
  put_text(folder.path / "long/frames/frame_000005.h5.tmp", "half a fr");
  put_text(folder.path / "long/frames/bodies_000005.vtp", "view of a frame that never came");
  put_text(folder.path / "long/series.csv", text_of(folder.path / "long/series.csv") + "65,0.2");
  RunFolder resumed = RunFolder::open(folder.path / "long");
  resumed.rewind(3, 37);
  EXPECT_EQ(resumed.frame_count(), 3u);
  ASSERT_EQ(names_in(folder.path / "long"), names_in(folder.path / "short"));
  for (const std::string& name : names_in(folder.path / "short")) {
    if (name == "provenance.json" || name == "frames") continue;  // the time of the start differs
    EXPECT_TRUE(text_of(folder.path / "long" / name) == text_of(folder.path / "short" / name)) << name;
  }
}

TEST(RunFolder, unreadable_frame_is_left_out_of_the_trajectory_and_told) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  for (std::uint64_t i = 0; i < 3; ++i) run.write_frame(i, sample_frame<2>(2, 1));
  put_text(folder.path / "run/frames/frame_000001.h5", "damaged");
  RunFolder resumed = RunFolder::open(folder.path / "run");
  resumed.rewind(3, 0);
  EXPECT_NE(text_of(folder.path / "run/log.txt").find("frame_000001.h5"), std::string::npos);
}

TEST(RunFolder, log_lines_have_time_stamps) {
  TemporaryFolder folder;
  RunFolder run = new_run(folder.path / "run");
  run.log("begins");
  run.log("ends");
  const std::string log = text_of(folder.path / "run/log.txt");
  ASSERT_EQ(log.size(), 2 * 21 + 6 + 1 + 4 + 1u) << log;  // 2024-01-01T00:00:00Z begins
  EXPECT_EQ(log.substr(19, 8), "Z begins");
}
