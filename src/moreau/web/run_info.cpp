#include "moreau/web/run_info.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/summary.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/measure_file.hpp"
#include "moreau/store/run_names.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau::web {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t largest_checkpoint = 128ll << 20;  // beyond, reading it while others wait would take too long
constexpr std::int64_t largest_summary = 4 << 20;
constexpr off_t log_bytes = 16384;
constexpr std::size_t most_tables = 64;

using Json = nlohmann::ordered_json;

// The numbers and words of an object, without what is nested in it: a file may nest as deep as it likes.
Json flat(const Json& object) {
  Json result = Json::object();
  if (object.is_object())
    for (const auto& [key, value] : object.items())
      if (value.is_primitive()) result[key] = value;
  return result;
}

Json certificate_in(const Json& summary) {
  if (!summary.contains("run") || !summary.contains("step")) throw StoreError("summary.json: is damaged");
  Json result = flat(summary);
  result["run"] = flat(summary["run"]);
  result["warnings"] = Json::array();
  if (const auto warnings = summary.find("warnings"); warnings != summary.end())
    for (const Json& warning : *warnings) result["warnings"].push_back(flat(warning));
  return result;
}

}  // namespace

FileState state_of(const fs::path& file) {
  struct stat about;
  if (::stat(file.c_str(), &about) != 0) return {};
  return {about.st_ino, about.st_size, about.st_mtim.tv_sec * 1'000'000'000ll + about.st_mtim.tv_nsec};
}

void FrameTimes::refresh() {
  for (std::size_t k = 0;; ++k) {
    const fs::path path = frame_path(run_, k);
    const FileState now = state_of(path);
    if (now.size < 0) {
      entries_.resize(std::min(entries_.size(), k));
      return;
    }
    if (k == entries_.size()) entries_.emplace_back();
    Entry& entry = entries_[k];
    if (entry.file == now) continue;
    entry = {now, 0.0, {}};
    try {
      entry.time = read_frame_header(path).time;
    } catch (const std::exception& e) {
      entry.damage = e.what();
    }
  }
}

nlohmann::ordered_json FrameTimes::times() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Entry& e : entries_) list.push_back(e.damage.empty() ? nlohmann::ordered_json(e.time) : nlohmann::ordered_json());
  return list;
}

nlohmann::ordered_json FrameTimes::damaged() const {
  nlohmann::ordered_json damages = nlohmann::ordered_json::object();
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (!entries_[k].damage.empty()) damages[std::to_string(k)] = entries_[k].damage;
  return damages;
}

void Tables::refresh() {
  tables_.try_emplace("series", run_ / series_file);
  const FileState folder = state_of(run_ / measures_folder);  // changes when a file is added; listing reads them all
  if (!(folder == folder_)) try {
      folder_ = folder;
      for (const fs::path& file : measure_files(run_))
        if (file.extension() == ".csv" && tables_.size() < most_tables) tables_.try_emplace(file.stem().string(), file);
    } catch (const StoreError&) {  // a folder that cannot be read holds no measures
    }
  for (auto& [name, table] : tables_) table.refresh();
}

template <int D>
const nlohmann::ordered_json& Certificates::of(const RunFolder& run, const Scene<D>& scene) {
  const FileState summary_now = state_of(run.path() / summary_file), checkpoint_now = state_of(run.path() / checkpoint_file);
  if (!known_.is_null() && summary_now == summary_ && checkpoint_now == checkpoint_) return known_;
  summary_ = summary_now, checkpoint_ = checkpoint_now;
  try {
    if (summary_now.size > largest_summary)
      throw StoreError(fmt::format("{}: is larger than any summary", (run.path() / summary_file).string()));
    else if (summary_now.size >= 0)
      known_ = certificate_in(Json::parse(read_whole(run.path() / summary_file)));
    else if (checkpoint_now.size < 0)
      known_ = {{"absent", "the run has no checkpoint yet"}};
    else if (checkpoint_now.size > largest_checkpoint)
      known_ = {{"absent", "the checkpoint is too large to be read beside the run; totals come with its end"}};
    else
      known_ = summary(checkpoint_of(run, scene), scene, run.provenance());
  } catch (const std::exception& e) {
    known_ = {{"absent", e.what()}};
  }
  return known_;
}

std::string end_of_log(const fs::path& run) {
  const int descriptor = ::open((run / log_file).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return {};
  std::string text(log_bytes, '\0');
  struct stat about;
  ssize_t got = -1;
  const bool regular = ::fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  if (regular) got = ::pread(descriptor, text.data(), text.size(), std::max<off_t>(0, about.st_size - log_bytes));
  ::close(descriptor);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  if (regular && about.st_size > log_bytes) text.erase(0, text.find('\n') + 1);
  return text;
}

double seconds_since_written(const fs::path& run) {
  const FileState series = state_of(run / series_file);
  if (series.size < 0) return -1.0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::max(0.0, std::chrono::duration<double>(now).count() - 1e-9 * static_cast<double>(series.changed));
}

template const nlohmann::ordered_json& Certificates::of(const RunFolder&, const Scene<2>&);
template const nlohmann::ordered_json& Certificates::of(const RunFolder&, const Scene<3>&);

}  // namespace moreau::web
