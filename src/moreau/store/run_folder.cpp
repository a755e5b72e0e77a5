#include "moreau/store/run_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "moreau/base/hash.hpp"
#include "moreau/store/checkpoint_file.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/fields.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/lock.hpp"
#include "moreau/store/measure_file.hpp"
#include "moreau/store/reduced_frame.hpp"
#include "moreau/store/replaced_run.hpp"
#include "moreau/store/run_names.hpp"
#include "moreau/store/series.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau::inline store {
namespace fs = std::filesystem;

struct RunFolder::Session {
  std::optional<std::vector<FrameEntry>> frames;  // read from the folder when first needed
  std::optional<SeriesFile> series;
  std::map<std::string, LineFile> measures;
  TableLines tables;
  std::optional<LineFile> events;
  std::string constants;  // file of the last frame's constants, and a digest of them; empty: not yet known
  std::string constants_digest;
  std::vector<std::uint64_t> unforced_frames;  // written since the last checkpoint, perhaps not yet on the disk
  bool unforced_trajectory = true;             // the list of frames, in the same way
  bool newest_checkpoint_damaged = false;
  std::optional<Signature> signature;
  std::optional<Lock> lock;
  std::optional<ReplacedRun> replaced;  // until the new run stands; after the lock, so that it is settled under it
};

namespace {

constexpr int most_tries = 100;                        // to make a folder that others remove again
constexpr std::uint64_t most_scene_bytes = 64u << 20;  // more than the scene reader takes
constexpr std::uint64_t most_provenance_bytes = 1u << 20;

std::string now() {
  using Clock = std::chrono::system_clock;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(Clock::to_time_t(Clock::now())));
}

template <int D>
std::string constants_digest(const Frame<D>& frame) {
  Hash hash;
  fields::body_parameters(frame.parameters, [&](const char* name, const auto& column) {
    if (std::string_view(name) != "kind") hash.array(column);  // bodies that leave change theirs
  });
  for (const Shape<D>& shape : frame.shapes) {
    hash.value(shape.volume), hash.value(shape.gyration);
    for (const ConvexPart<D>& part : shape.parts) hash.array(part.vertices), hash.value(part.radius);
  }
  return hash.hex();
}

std::string provenance_text(const Provenance& provenance) {
  return nlohmann::ordered_json{{"program", "moreau"},
                                {"run_format", 1},
                                {"version", provenance.version},
                                {"commit", provenance.commit},
                                {"seed", provenance.seed},
                                {"threads", provenance.threads},
                                {"started", now()}}
             .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

}  // namespace

RunFolder::RunFolder(fs::path path) : path_(std::move(path)), session_(std::make_shared<Session>()) {}

// Nothing is looked at or touched before the folder is locked, and what a failure removes is what was written here.
RunFolder RunFolder::create(const fs::path& folder, const std::string& scene_text, const Provenance& provenance, bool force) {
  RunFolder run(folder);
  Session& session = *run.session_;
  fs::path made;
  for (int tries = 1; !session.lock; ++tries) {
    made = make_folder(folder);
    try {
      session.lock.emplace(folder);
    } catch (const FolderGone&) {  // removed by a creation that failed
      if (tries == most_tries) throw;
    }
  }
  ReplacedRun::settle(folder);
  check_free(folder, force);
  if (holds_run(folder))
    session.replaced.emplace(folder);
  else
    remove_run(folder);
  try {
    write_new(folder / provenance_file, provenance_text(provenance));
  } catch (...) {
    session.replaced.reset();
    remove_made(folder, made);
    throw;
  }
  try {
    write_trajectory(folder, {});
    write_whole(folder / scene_file, scene_text, Sync::now);
    force_made(folder, made);
  } catch (...) {
    try {
      remove_run(folder);
      session.replaced.reset();
      remove_made(folder, made);
    } catch (const StoreError&) {  // the first failure is the one to tell
    }
    throw;
  }
  return run;
}

bool RunFolder::is_run(const fs::path& folder) { return holds_run(folder); }

RunFolder RunFolder::open(const fs::path& folder) {
  if (!file_exists(folder)) throw StoreError(fmt::format("{}: does not exist", folder.string()));
  if (ReplacedRun::is_pending(folder))  // a replacement at work, which settles itself, or one that was killed
    if (const std::optional<Lock> lock = Lock::if_free(folder)) ReplacedRun::bring_back_killed(folder);
  if (file_exists(folder / next_scene_file))
    if (const std::optional<Lock> lock = Lock::if_free(folder)) RunFolder(folder).settle_scene();
  if (!holds_run(folder))
    throw StoreError(fmt::format("{}: is not the folder of a run ({} and {} are expected in it)", folder.string(),
                                 provenance_file, scene_file));
  return RunFolder(folder);
}

void RunFolder::claim() {
  if (session_->lock) return;
  session_->lock.emplace(path_);
  ReplacedRun::settle(path_);
  refuse_no_files(path_);
  if (file_exists(path_ / next_scene_file)) settle_scene();
}

bool RunFolder::stands() const { return !session_->replaced; }

std::string RunFolder::scene_text() const { return read_whole(path_ / scene_file, most_scene_bytes); }

// The checkpoint decides which of the two scenes holds: it bears the digest of one of them, and is itself replaced in one step.
template <int D>
void RunFolder::change_scene(const std::string& text, const std::optional<Checkpoint<D>>& from) {
  write_whole(path_ / next_scene_file, text, Sync::now);
  session_->signature = own_signature(text);
  if (from) write_checkpoint(*from);
  replace_file(path_ / next_scene_file, path_ / scene_file, Sync::now);
}

void RunFolder::settle_scene() {
  const fs::path next = path_ / next_scene_file;
  try {
    refuse_link(next);
    if (own_signature(read_whole(next, most_scene_bytes)).scene == checkpoint_signature().scene)
      return replace_file(next, path_ / scene_file, Sync::now);
  } catch (const StoreError&) {  // not ours, or torn
  }
  remove_file(next);
}

Provenance RunFolder::provenance() const {
  const fs::path path = path_ / provenance_file;
  try {
    const auto json = nlohmann::json::parse(read_whole(path, most_provenance_bytes));
    return {json.at("version"), json.at("commit"), json.at("seed"), json.at("threads")};
  } catch (const nlohmann::json::exception&) {
    throw StoreError(
        fmt::format("{}: is damaged; version, commit, seed and threads of the run are expected in it", path.string()));
  }
}

const Signature& RunFolder::signature() const {
  if (!session_->signature) session_->signature = own_signature(scene_text());
  return *session_->signature;
}

Signature RunFolder::checkpoint_signature() const {
  for (const char* name : {checkpoint_file, previous_checkpoint_file}) {
    try {
      if (file_exists(path_ / name)) return read_checkpoint_signature(path_ / name);
    } catch (const StoreError&) {  // the previous one may do
    }
  }
  return {};
}

// Frames n and n - 1 share the file of their constants if these are the same, bit for bit, as they are stored. After a resume the
// last frame is read once to know.
template <int D>
std::string RunFolder::constants_for(std::uint64_t number, const Frame<D>& frame, bool reduced) {
  Frame<D> kept;
  kept.parameters = frame.parameters, kept.state = frame.state, kept.shapes = frame.shapes;
  std::vector<Vec<D>> unused;
  if (reduced) reduce(kept, unused);
  if (session_->constants.empty() && number > 0 && file_exists(frame_path(path_, number - 1))) {
    try {
      const hdf5::Reader before(frame_path(path_, number - 1));
      session_->constants = before.root().read_text("constants");
      session_->constants_digest = constants_digest(moreau::read_frame<D>(before.root()));
    } catch (const StoreError&) {  // damaged: this frame begins anew
      session_->constants.clear();
    }
  }
  const std::string digest = constants_digest(kept);
  if (number == 0 || session_->constants.empty() || digest != session_->constants_digest)
    session_->constants = constants_name(number);
  session_->constants_digest = digest;
  return session_->constants;
}

template <int D>
void RunFolder::write_frame(std::uint64_t number, const Frame<D>& frame, FrameForm form) {
  std::vector<FrameEntry>& frames = known_frames();
  if (!frames.empty() && !file_exists(frame_path(path_, frames.back().number)))
    throw StoreError(
        fmt::format("{}: was removed while the run was being written", frame_path(path_, frames.back().number).string()));
  form.constants = constants_for(number, frame, form.reduced);
  const FrameEntry entry = write_frame_files(path_, number, frame, signature(), form);
  session_->unforced_frames.push_back(number);
  const auto place = std::ranges::lower_bound(frames, number, {}, &FrameEntry::number);
  if (place != frames.end() && place->number == number)
    *place = entry;
  else
    frames.insert(place, entry);
  write_trajectory(path_, frames);
  session_->unforced_trajectory = true;
}

std::vector<FrameEntry>& RunFolder::known_frames() {
  if (!session_->frames) {
    std::vector<std::string> unreadable;
    session_->frames = list_frames(path_, unreadable);
    for (const std::string& sentence : unreadable) log("frame left out of the trajectory: " + sentence);
  }
  return *session_->frames;
}

std::uint64_t RunFolder::frame_count() const {
  std::uint64_t count = 0;
  while (file_exists(frame_path(path_, count))) ++count;
  return count;
}

template <int D>
Frame<D> RunFolder::read_frame(std::uint64_t number) const {
  return read_frame_file<D>(frame_path(path_, number));
}

int RunFolder::dimension() const {
  for (const char* name : {checkpoint_file, previous_checkpoint_file}) {
    try {
      if (file_exists(path_ / name)) return read_checkpoint_dimension(path_ / name);
    } catch (const StoreError&) {  // the next source may do
    }
  }
  if (frame_count() > 0) return read_frame_header(frame_path(path_, 0)).dimension;
  throw StoreError(fmt::format("{}: has neither a readable checkpoint nor a frame, so its dimension is unknown", path_.string()));
}

void RunFolder::append_series(const StepReport& report, const std::string& phase, const Traffic& traffic) {
  if (!session_->series) session_->series.emplace(path_ / series_file);
  std::uint64_t& lines = lines_of(series_file);
  session_->series->append(report, phase, traffic);
  ++lines;
}

std::uint64_t& RunFolder::lines_of(const std::string& table) {
  const auto [lines, is_new] = session_->tables.try_emplace(table, 0);
  if (is_new && file_exists(path_ / table)) {
    const std::string text = read_whole(path_ / table);
    lines->second = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  }
  return lines->second;
}

void RunFolder::append_measure(const std::string& name, const std::string& header, const std::string& rows) {
  auto file = session_->measures.find(name);
  if (file == session_->measures.end()) {
    make_measures_folder(path_);
    file = session_->measures.emplace(name, LineFile(measure_path(path_, name))).first;
  }
  std::uint64_t& lines = lines_of(measure_path({}, name).string());
  if (file->second.empty()) file->second.append(header), ++lines;
  if (rows.empty()) return;  // none yet: the names of the columns alone
  file->second.append(rows);
  lines += 1 + static_cast<std::uint64_t>(std::ranges::count(rows, '\n'));
}

void RunFolder::append_event(const std::string& header, const std::string& row) {
  if (!session_->events) session_->events.emplace(path_ / events_file);
  std::uint64_t& lines = lines_of(events_file);
  if (session_->events->empty()) session_->events->append(header), ++lines;
  session_->events->append(row), ++lines;
}

void RunFolder::close_tables() {
  session_->series.reset();
  session_->measures.clear();
  session_->events.reset();
}

// A checkpoint vouches for the frames and rows before it, so these reach the disk first. Between the two renames there is only
// the previous checkpoint: reading falls back to it. A damaged newest one must not push out a good previous one.
template <int D>
void RunFolder::write_checkpoint(const Checkpoint<D>& checkpoint) {
  for (const std::uint64_t frame : session_->unforced_frames) force_frame_to_disk(path_, frame);
  session_->unforced_frames.clear();
  if (session_->unforced_trajectory) force_trajectory_to_disk(path_);
  session_->unforced_trajectory = false;
  force_to_disk(path_ / series_file);
  force_to_disk(path_ / events_file);
  force_measures_to_disk(path_);
  const fs::path newest = path_ / checkpoint_file;
  const fs::path written = write_checkpoint_beside(newest, checkpoint, signature(), session_->tables);
  if (file_exists(newest) && !session_->newest_checkpoint_damaged)
    replace_file(newest, path_ / previous_checkpoint_file, Sync::later);
  replace_file(written, newest, Sync::now);
  session_->newest_checkpoint_damaged = false;
  if (session_->replaced) {
    session_->replaced->new_run_stands();
    session_->replaced.reset();
  }
}

bool RunFolder::has_checkpoint() const {
  return file_exists(path_ / checkpoint_file) || file_exists(path_ / previous_checkpoint_file);
}

template <int D>
Checkpoint<D> RunFolder::read_checkpoint() const {
  const fs::path newest = path_ / checkpoint_file, previous = path_ / previous_checkpoint_file;
  if (!has_checkpoint())
    throw StoreError(fmt::format("{}: has no checkpoint; the run stopped before its first one", path_.string()));
  std::string cause;
  try {
    return read_checkpoint_file<D>(newest);
  } catch (const StoreError& error) {
    cause = error.what();
    if (!file_exists(previous)) throw;
  }
  try {
    Checkpoint<D> checkpoint = read_checkpoint_file<D>(previous);
    session_->newest_checkpoint_damaged = true;
    try {
      log(fmt::format("{}; taking {} (step {}) instead", cause, previous_checkpoint_file, checkpoint.state.step));
    } catch (const StoreError&) {  // a folder that cannot be written can still be read
    }
    return checkpoint;
  } catch (const StoreError& error) {
    throw StoreError(fmt::format("{}; and {}", cause, error.what()));
  }
}

std::vector<std::string> RunFolder::rewind(std::uint64_t frames, std::uint64_t step, const TableLines& tables) {
  std::vector<FrameEntry>& known = known_frames();
  std::erase_if(known, [frames](const FrameEntry& entry) { return entry.number >= frames; });
  std::vector<std::string> missing;
  if (known.size() < frames)
    missing.push_back(fmt::format("{} of the {} frames before step {} are missing", frames - known.size(), frames, step));
  if (step > 0 && !file_exists(path_ / series_file))
    missing.push_back(fmt::format("{} is missing; it begins anew after step {}", series_file, step));
  write_trajectory(path_, known);
  session_->unforced_trajectory = true;
  remove_frames_from(path_, frames);
  session_->constants.clear();
  close_tables();
  cut_series(path_ / series_file, step);
  cut_measures(path_, step);
  if (file_exists(path_ / events_file)) cut_rows(path_ / events_file, step);
  session_->tables.clear();
  for (const auto& [table, lines] : tables) {
    const std::uint64_t found = lines_of(table);
    if (found >= lines || (table == series_file && !file_exists(path_ / series_file))) continue;  // the latter was said
    missing.push_back(fmt::format("{} has {} of its {} lines up to step {}; it goes on after that step", table, found, lines, step));
  }
  for (const std::string& sentence : missing) log(sentence);
  remove_file(path_ / summary_file);
  return missing;
}

void RunFolder::log(const std::string& line) const { LineFile(path_ / log_file).append(fmt::format("{} {}", now(), line)); }

void RunFolder::write_summary(const std::string& json) { write_whole(path_ / summary_file, json, Sync::now); }

bool RunFolder::has_summary() const { return file_exists(path_ / summary_file); }

template void RunFolder::write_frame<2>(std::uint64_t, const Frame<2>&, FrameForm);
template void RunFolder::write_frame<3>(std::uint64_t, const Frame<3>&, FrameForm);
template Frame<2> RunFolder::read_frame<2>(std::uint64_t) const;
template Frame<3> RunFolder::read_frame<3>(std::uint64_t) const;
template void RunFolder::change_scene<2>(const std::string&, const std::optional<Checkpoint<2>>&);
template void RunFolder::change_scene<3>(const std::string&, const std::optional<Checkpoint<3>>&);
template void RunFolder::write_checkpoint<2>(const Checkpoint<2>&);
template void RunFolder::write_checkpoint<3>(const Checkpoint<3>&);
template Checkpoint<2> RunFolder::read_checkpoint<2>() const;
template Checkpoint<3> RunFolder::read_checkpoint<3>() const;

}  // namespace moreau::inline store
