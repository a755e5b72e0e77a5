#include "moreau/store/replaced_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "moreau/store/checkpoint_file.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/measure_file.hpp"
#include "moreau/store/run_names.hpp"
#include "moreau/store/store_error.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau::inline store {
namespace fs = std::filesystem;
namespace {

constexpr const char* moving_folder = ".moreau.moving";
constexpr const char* aside_folder = ".moreau.replaced";
constexpr const char* done_folder = ".moreau.done";

// A link of that name was not made by this program, and leads who knows where.
bool is_there(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(folder, error));
}

template <class Action>
void on_files(const fs::path& folder, const Action& action) {
  try {
    action();
  } catch (const fs::filesystem_error& error) {
    throw StoreError(fmt::format("{}: the run in it cannot be replaced: {}", folder.string(), error.code().message()));
  }
}

// Each file goes to the same place below `to`. Their new names are on the disk before anything that held the old ones is removed:
// a loss of power finds every file in one of the two places.
void move_files(const fs::path& from, const fs::path& to, const std::vector<fs::path>& files) {
  std::set<fs::path> folders{to};
  for (const fs::path& file : files) {
    const fs::path folder = (to / file).parent_path();
    if (folders.insert(folder).second) fs::create_directories(folder);
    fs::rename(from / file, to / file);
  }
  for (const fs::path& folder : folders) force_to_disk(folder);
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory() || entry.is_symlink()) files.push_back(entry.path().lexically_relative(folder));
  return files;
}

void bring_back(const fs::path& folder, const char* from) {
  move_files(folder / from, folder, files_below(folder / from));
  fs::remove_all(folder / from);
}

void remove_new_and_bring_back(const fs::path& folder) {
  remove_run(folder);
  // Half back is like half moved: a kill in between must not take what is back for the new run.
  fs::rename(folder / aside_folder, folder / moving_folder);
  bring_back(folder, moving_folder);
}

bool has_readable_checkpoint(const fs::path& folder) {
  for (const char* name : {checkpoint_file, previous_checkpoint_file}) {
    try {
      read_checkpoint_signature(folder / name);
      return true;
    } catch (const StoreError&) {  // the previous one may do
    }
  }
  return false;
}

// A folder of one of the three names that this program did not leave so is another's, and so is the run beside it.
void refuse(const fs::path& folder, const std::string& what) {
  throw StoreError(fmt::format("{}: {}; such a folder is made while a run is replaced with --force, and this one is not of that kind: "
                               "nothing was touched; move it elsewhere, or remove it if nothing in it matters",
                               folder.string(), what));
}

void refuse_files_of_others(const fs::path& folder) {
  const std::vector<fs::path> of_run = files_of_run(folder);
  for (const fs::path& file : files_below(folder))
    if (!std::ranges::count(of_run, file)) refuse(folder, fmt::format("holds {}, which is no file of a run", file.string()));
}

void check_moving(const fs::path& folder) {
  const fs::path moving = folder / moving_folder;
  refuse_files_of_others(moving);
  for (const fs::path& file : files_below(moving))
    if (fs::exists(fs::symlink_status(folder / file)))
      refuse(moving, fmt::format("holds {}, and so does the folder of the run", file.string()));
}

// The new run stands with its first checkpoint: it has neither a summary nor a checkpoint before that one.
void check_aside(const fs::path& folder) {
  const fs::path aside = folder / aside_folder;
  if (!holds_run(aside)) refuse(aside, fmt::format("holds no complete run ({} and {} are expected in it)", provenance_file, scene_file));
  refuse_files_of_others(aside);
  for (const char* later : {summary_file, previous_checkpoint_file})
    if (file_exists(folder / later)) refuse(aside, fmt::format("lies beside a run that has long begun, for there is its {}", later));
  if (file_exists(folder / checkpoint_file) && !has_readable_checkpoint(aside))
    refuse(aside, "has no checkpoint that can be read, and lies beside a run that has one");
}

void check_done(const fs::path& folder) {
  refuse_files_of_others(folder / done_folder);
  if (!holds_run(folder) || !has_readable_checkpoint(folder)) refuse(folder / done_folder, "lies beside no run that has a checkpoint");
}

}  // namespace

ReplacedRun::ReplacedRun(fs::path folder) : folder_(std::move(folder)) {
  on_files(folder_, [&] {
    const fs::path moving = folder_ / moving_folder;
    if (!fs::create_directory(moving))  // a link of that name, or what another has left: nothing is put there
      throw fs::filesystem_error("in the way", moving, std::make_error_code(std::errc::file_exists));
    try {
      move_files(folder_, moving, files_of_run(folder_));
      std::error_code not_empty;
      for (const char* emptied : {frames_folder, measures_folder}) fs::remove(folder_ / emptied, not_empty);
      fs::rename(moving, folder_ / aside_folder);
    } catch (...) {
      bring_back(folder_, moving_folder);
      throw;
    }
    force_to_disk(folder_);
  });
  replaced_ = true;
}

ReplacedRun::~ReplacedRun() {
  if (!replaced_) return;
  try {
    on_files(folder_, [&] { remove_new_and_bring_back(folder_); });
  } catch (const StoreError&) {  // the next who opens the folder tries again
  }
}

void ReplacedRun::new_run_stands() {
  replaced_ = false;
  on_files(folder_, [&] {
    fs::rename(folder_ / aside_folder, folder_ / done_folder);
    force_to_disk(folder_);
    fs::remove_all(folder_ / done_folder);
  });
}

bool ReplacedRun::is_pending(const fs::path& folder) { return is_there(folder / moving_folder) || is_there(folder / aside_folder); }

void ReplacedRun::bring_back_killed(const fs::path& folder) {
  on_files(folder, [&] {
    if (is_there(folder / moving_folder)) check_moving(folder), bring_back(folder, moving_folder);
    if (is_there(folder / aside_folder)) check_aside(folder), remove_new_and_bring_back(folder);
  });
}

void ReplacedRun::settle(const fs::path& folder) {
  bring_back_killed(folder);
  on_files(folder, [&] {
    if (is_there(folder / done_folder)) check_done(folder), fs::remove_all(folder / done_folder);
  });
}

}  // namespace moreau::inline store
