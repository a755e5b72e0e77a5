// measures/NAME.csv: what a [[measure]] entry of the scene has sampled. Columns: step, time, then those of the quantity; a sample
// may take several rows. Like the series, a file is cut back to the checkpoint before a run goes on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace moreau::inline store {

inline constexpr const char* measures_folder = "measures";

std::filesystem::path measure_path(const std::filesystem::path& run, const std::string& name);
void make_measures_folder(const std::filesystem::path& run);
// Drops rows later than `step` and unfinished ones: of a file whose rows begin with their step, and in all files of measures.
void cut_rows(const std::filesystem::path& file, std::uint64_t step);
void cut_measures(const std::filesystem::path& run, std::uint64_t step);
void force_measures_to_disk(const std::filesystem::path& run);
std::vector<std::filesystem::path> measure_files(const std::filesystem::path& run);  // those of the run, with temporary ones

}  // namespace moreau::inline store
