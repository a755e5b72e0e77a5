// The runs of a sweep: every combination of the values given, for every seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "moreau/scene/read/settings.hpp"

namespace moreau {

struct SweptKey {
  std::string key;
  std::vector<std::string> values;
};

// "law.friction=0.1,0.2,0.3": commas within brackets, braces and quotes belong to a value; "0.1:0.5:0.1" are the numbers from 0.1
// to 0.5 in steps of 0.1, "1:4" whole numbers. Throws SceneError.
SweptKey read_swept_key(const std::string& text);
// "1:8" or "1,2,5". Throws std::runtime_error.
std::vector<std::uint64_t> read_seeds(const std::string& text);

struct SweepPlan {
  std::vector<SweptKey> keys;                  // the seeds last, under "seed"
  std::vector<std::vector<std::string>> runs;  // the values of each, in the order of their names
  std::string scene;                           // text of the file

  std::vector<Setting> settings(std::size_t run) const;
};

// Runs that are the same would count as samples. SceneError if a key is given twice, or a value of a key, in whatever spelling.
void refuse_repeated(const std::vector<SweptKey>& keys);

// Every combination of the values of the keys; the last key changes fastest.
SweepPlan plan_of(std::vector<SweptKey> keys, std::string scene);

// The runs of `before`, then those of `asked` that it lacks, in whatever spelling: runs keep their names. Nothing if the two are
// of other scenes or keys.
std::optional<SweepPlan> extended(const SweepPlan& before, const SweepPlan& asked);

// "0001" ...
std::string run_name(std::size_t run);

// What is kept in the folder of a sweep.
nlohmann::ordered_json plan_as_json(const SweepPlan& plan);
// Throws std::runtime_error in the name of the file.
SweepPlan read_plan(const std::filesystem::path& file);

}  // namespace moreau
