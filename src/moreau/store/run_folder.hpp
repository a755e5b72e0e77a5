// One folder per run. Every file is either appended to line by line or written beside its final name and renamed, so that a kill
// at any moment leaves a readable run and a usable checkpoint.
//
//   scene.toml          copy of the scene as it was read
//   provenance.json     version, commit, seed, threads, start time
//   trajectory.h5       one group per frame: external links to frames/*.h5
//   frames/             frame_000000.h5 ...: bodies and contacts (one file each, complete or absent); constants_000000.h5: what
//   does
//                       not evolve, for that frame and those after it
//   series.csv          one row per sampled step: the step report
//   measures/            NAME.csv: what a [[measure]] entry of the scene has sampled
//   log.txt             what was said, with times
//   checkpoint.h5       the complete state; checkpoint.previous.h5 the one before, in case the newest cannot be read
//   summary.json        written at the end, and at an interruption
//
// docs/run-folder.md describes every file. One thread at a time: HDF5 is not thread-safe.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "moreau/course/record.hpp"
#include "moreau/dynamics/frame.hpp"
#include "moreau/dynamics/traffic.hpp"
#include "moreau/store/frame_form.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline store {

struct Provenance {
  std::string version, commit;
  std::uint64_t seed = 0;
  int threads = 1;
};

// How many lines the series, the events and the sampled measures have, by their names seen from the folder.
using TableLines = std::map<std::string, std::uint64_t>;

// A course at rest: it goes on from here as if it had never stopped.
template <int D>
struct Checkpoint : CourseRecord {
  State<D> state;
  std::vector<Frame<D>> references;  // earlier instants with which the next samples of measures are compared
  Signature signature;               // of the file it was read from
  TableLines tables;                 // up to this step; empty in files of before they were counted
};

struct FrameEntry;

class RunFolder {
 public:
  // Refuses a folder that already holds a run unless `force`; with force, that run's files (only files of a run) are put aside,
  // removed once the new run has its first checkpoint, and brought back if it never comes to that. A folder that holds anything
  // else is always refused. A failure leaves nothing that would block the next try. The new run is claimed.
  static RunFolder create(const std::filesystem::path& folder, const std::string& scene_text, const Provenance& provenance,
                          bool force);
  static bool is_run(const std::filesystem::path& folder);
  // Opens an existing run; StoreError if it is not one.
  static RunFolder open(const std::filesystem::path& folder);
  // To be called before writing where several processes may meet: StoreError if another one has claimed this run.
  void claim();
  // False while the run that this one is to replace is kept aside: until the first checkpoint.
  bool stands() const;

  const std::filesystem::path& path() const { return path_; }
  std::string scene_text() const;
  // Another scene.toml, with which the run goes on from this checkpoint, if it has one: killed at any moment, the run has the old
  // scene or the new one, and a checkpoint that belongs to it. Frames from before keep their signature. Only of a claimed run.
  template <int D>
  void change_scene(const std::string& text, const std::optional<Checkpoint<D>>& from);
  Provenance provenance() const;
  // Of this program and the scene as it now is in the folder: what is written from now on is signed with it.
  const Signature& signature() const;

  // Frame file and trajectory.h5. What has not changed since the frame before is left in the file where it is.
  template <int D>
  void write_frame(std::uint64_t number, const Frame<D>& frame, FrameForm form = {});
  std::uint64_t frame_count() const;  // complete frames present, numbered from 0
  template <int D>
  Frame<D> read_frame(std::uint64_t number) const;
  int dimension() const;  // 2 or 3, from the checkpoint or a frame

  void append_series(const StepReport& report, const std::string& phase = "", const Traffic& traffic = {});
  // One sample of a [[measure]]: its rows, joined by line ends; the header is written first when the file is new.
  void append_measure(const std::string& name, const std::string& header, const std::string& rows);
  // One event of the quasi-static engine; the header as above.
  void append_event(const std::string& header, const std::string& row);
  void close_tables();  // the series, the measures and the events; the next row opens its table again
  template <int D>
  void write_checkpoint(const Checkpoint<D>& checkpoint);
  bool has_checkpoint() const;             // readable or not
  Signature checkpoint_signature() const;  // of the newest that can be read; empty texts if there is none
  // The newest that can be read; if that is the previous one, the log says so and why.
  template <int D>
  Checkpoint<D> read_checkpoint() const;
  // Before going on: drop frames and rows of the series that are later than the checkpoint, and the summary of an earlier stop,
  // so that a resumed run leaves the same files as an uninterrupted one. Returns what should be there and is not, as sentences.
  std::vector<std::string> rewind(std::uint64_t frames, std::uint64_t step, const TableLines& tables = {});

  void log(const std::string& line) const;
  void write_summary(const std::string& json);
  bool has_summary() const;

 private:
  struct Session;  // the open series and what is known of the frames; copies of a RunFolder share it
  explicit RunFolder(std::filesystem::path path);
  std::vector<FrameEntry>& known_frames();
  std::uint64_t& lines_of(const std::string& table);  // counted when first asked for
  void settle_scene();  // a change of the scene that was killed
  template <int D>
  std::string constants_for(std::uint64_t number, const Frame<D>& frame, bool reduced);
  std::filesystem::path path_;
  std::shared_ptr<Session> session_;
};

}  // namespace moreau::inline store
