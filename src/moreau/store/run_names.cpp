#include "moreau/store/run_names.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "moreau/store/disk.hpp"
#include "moreau/store/measure_file.hpp"
#include "moreau/store/paraview.hpp"
#include "moreau/store/store_error.hpp"
#include "moreau/store/trajectory.hpp"

namespace moreau::inline store {
namespace fs = std::filesystem;
namespace {

// In the order of removal: without its scene a folder no longer counts as a run, and the provenance keeps it recognisable to the
// end, so that a removal that was killed can be taken up again.
std::vector<std::string> names_of_a_run() {
  std::vector<std::string> names{scene_file, next_scene_file, trajectory_file,          series_file, events_file,
                                 log_file,   checkpoint_file, previous_checkpoint_file, summary_file};
  for (const char* view : paraview_views) names.push_back(fmt::format("{}.pvd", view));
  names.push_back(provenance_file);
  return names;
}

// problem_000012.hdf5 and what a kill left of it.
void add_problems(const fs::path& folder, std::vector<fs::path>& found) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(temporary_suffix)) name.resize(name.size() - std::string(temporary_suffix).size());
    const std::string digits = name.substr(std::min<std::size_t>(name.size(), 8), name.find('.') - 8);
    if (name.starts_with("problem_") && !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos &&
        name == "problem_" + digits + ".hdf5")
      found.push_back(entry.path().filename());
  }
}

bool only_temporaries(const fs::path& folder) {
  const std::vector<std::string> names = names_of_a_run();
  return std::all_of(fs::directory_iterator(folder), fs::directory_iterator(), [&](const fs::directory_entry& entry) {
    return entry.path().extension() == temporary_suffix && std::ranges::count(names, entry.path().stem().string()) > 0;
  });
}

// "run/" names the folder "run".
fs::path full_name(const fs::path& folder) {
  const fs::path full = fs::absolute(folder).lexically_normal();
  return full.has_filename() ? full : full.parent_path();
}

void refuse(const fs::path& folder, const char* sentence) { throw StoreError(fmt::format("{}: {}", folder.string(), sentence)); }

}  // namespace

std::string problem_file_of(std::uint64_t step) { return fmt::format("problem_{:06}.hdf5", step); }

bool holds_run(const fs::path& folder) { return file_exists(folder / provenance_file) && file_exists(folder / scene_file); }

fs::path make_folder(const fs::path& folder) {
  try {
    const fs::file_status found = fs::status(folder);  // asked once: another process may be making it
    if (fs::is_directory(found)) return {};
    if (fs::exists(found)) refuse(folder, "is a file; a run needs a folder");
    fs::path made = full_name(folder);
    while (!fs::exists(made.parent_path())) made = made.parent_path();
    fs::create_directories(folder);
    return made;
  } catch (const fs::filesystem_error& error) {
    throw StoreError(fmt::format("{}: cannot be made: {}", folder.string(), error.code().message()));
  }
}

void force_made(const fs::path& folder, const fs::path& made) {
  for (fs::path inner = full_name(folder);; inner = inner.parent_path()) {
    // A folder in which one may make others, but not look, cannot be opened.
    if (::access(inner.parent_path().c_str(), R_OK) == 0) force_to_disk(inner.parent_path());
    if (made.empty() || inner == made) return;
  }
}

void check_free(const fs::path& folder, bool force) {
  try {
    if (fs::is_empty(folder)) return;
    if (holds_run(folder) && !force)
      refuse(folder, "already holds a run; choose another folder, or replace that run with --force");
    // A provenance without a scene is a creation or a removal that was killed: nothing of value.
    if (!file_exists(folder / provenance_file) && !only_temporaries(folder))
      refuse(folder, "is not empty and holds no run; choose another folder, or empty this one");
  } catch (const fs::filesystem_error& error) {
    throw StoreError(fmt::format("{}: cannot be read: {}", folder.string(), error.code().message()));
  }
}

std::vector<fs::path> files_of_run(const fs::path& folder) {
  std::vector<fs::path> found{scene_file};
  for (const fs::path& file : frame_files(folder)) found.push_back(fs::path(frames_folder) / file.filename());
  for (const fs::path& file : measure_files(folder)) found.push_back(fs::path(measures_folder) / file.filename());
  add_problems(folder, found);
  for (const std::string& name : names_of_a_run()) {
    if (name != scene_file) found.emplace_back(name);
    found.emplace_back(name + temporary_suffix);
  }
  std::erase_if(found, [&](const fs::path& file) { return !fs::exists(fs::symlink_status(folder / file)); });
  return found;
}

void refuse_no_files(const fs::path& folder) {
  for (const fs::path& file : files_of_run(folder)) {
    const fs::file_status status = fs::symlink_status(folder / file);
    if (!fs::is_regular_file(status) && !fs::is_symlink(status)) refuse(folder / file, "is not a file");
  }
}

void remove_run(const fs::path& folder) {
  for (const fs::path& file : files_of_run(folder)) remove_file(folder / file);
  std::error_code not_empty;
  fs::remove(folder / frames_folder, not_empty);
  fs::remove(folder / measures_folder, not_empty);
}

void remove_made(const fs::path& folder, const fs::path& made) {
  if (made.empty()) return;
  std::error_code error;
  fs::path inner = full_name(folder);
  while (fs::remove(inner, error) && !error && inner != made) inner = inner.parent_path();
}

}  // namespace moreau::inline store
