// The names of the files of a run, and what may be done with a folder that is to receive one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline store {

inline constexpr const char* scene_file = "scene.toml";
inline constexpr const char* next_scene_file = "scene.next.toml";  // while a run is told to go on with another scene
inline constexpr const char* provenance_file = "provenance.json";
inline constexpr const char* trajectory_file = "trajectory.h5";
inline constexpr const char* series_file = "series.csv";
inline constexpr const char* events_file = "events.csv";
inline constexpr const char* log_file = "log.txt";
inline constexpr const char* checkpoint_file = "checkpoint.h5";
inline constexpr const char* previous_checkpoint_file = "checkpoint.previous.h5";
inline constexpr const char* summary_file = "summary.json";
// problem_000012.hdf5: the contact problem of step 12, where it was asked for.
std::string problem_file_of(std::uint64_t step);

// A run has a provenance (written first) and a scene (written last).
bool holds_run(const std::filesystem::path& folder);
// The files of a run that are there, in the order of their removal, seen from the folder; files of others are not among them.
std::vector<std::filesystem::path> files_of_run(const std::filesystem::path& folder);
// StoreError if something else than a file or a link has the name of a file of a run: a folder, or a pipe, on which one would wait.
void refuse_no_files(const std::filesystem::path& folder);
// Makes the folder and its parents; returns the topmost that it had to make, or an empty path.
std::filesystem::path make_folder(const std::filesystem::path& folder);
// Forces to the disk that the folder is in its parent, and those that were made with it in theirs.
void force_made(const std::filesystem::path& folder, const std::filesystem::path& made);
// StoreError unless a new run may go here: an empty folder, the rest of a killed creation or removal, or, by force, a run.
void check_free(const std::filesystem::path& folder, bool force);
// Removes files of a run and nothing else, then the folders that are left empty, up to `made` (if any).
void remove_run(const std::filesystem::path& folder);
void remove_made(const std::filesystem::path& folder, const std::filesystem::path& made);

}  // namespace moreau::inline store
