#include "moreau/store/measure_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "moreau/store/disk.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline store {
namespace fs = std::filesystem;

namespace {

// A file of ours begins with these columns, or with as much of them as a kill left. Files that others put there are not touched.
bool is_ours(const fs::path& path) {
  constexpr std::string_view begin = "step,time,";
  const std::string text = read_start(path, begin.size());
  return begin.substr(0, text.size()) == text;
}

}  // namespace

void cut_rows(const fs::path& path, std::uint64_t step) {
  const std::string text = read_whole(path);
  std::size_t kept = text.find('\n');
  kept = kept == std::string::npos ? 0 : kept + 1;  // an unfinished header goes, and is written again with the next row
  while (kept > 0) {
    const std::size_t end = text.find('\n', kept);
    std::uint64_t row = 0;
    if (end == std::string::npos || std::from_chars(text.data() + kept, text.data() + end, row).ec != std::errc{} || row > step)
      break;
    kept = end + 1;
  }
  if (kept < text.size()) write_whole(path, std::string_view(text).substr(0, kept), Sync::now);
}

std::vector<fs::path> measure_files(const fs::path& run) {
  refuse_link(run / measures_folder);
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(run / measures_folder, error), end; !error && it != end; it.increment(error))
    if ((it->path().extension() == ".csv" || it->path().extension() == temporary_suffix) && is_ours(it->path()))
      files.push_back(it->path());
  if (error && error != std::errc::no_such_file_or_directory)
    throw StoreError(fmt::format("{}: cannot be read: {}", (run / measures_folder).string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

fs::path measure_path(const fs::path& run, const std::string& name) { return run / measures_folder / (name + ".csv"); }

void make_measures_folder(const fs::path& run) { make_own_folder(run / measures_folder); }

void cut_measures(const fs::path& run, std::uint64_t step) {
  for (const fs::path& file : measure_files(run)) {
    if (file.extension() == temporary_suffix)
      remove_file(file);
    else
      cut_rows(file, step);
  }
}

void force_measures_to_disk(const fs::path& run) {
  const std::vector<fs::path> files = measure_files(run);
  for (const fs::path& file : files) force_to_disk(file);
  if (!files.empty()) force_to_disk(files.front().parent_path());  // their names
}

}  // namespace moreau::inline store
