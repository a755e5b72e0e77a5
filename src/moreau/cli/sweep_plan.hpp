// The runs of a sweep: every combination of the values given, for every seed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "moreau/scene/settings.hpp"

namespace moreau {

struct SweptKey {
  std::string key;
  std::vector<std::string> values;
};

// "law.friction=0.1,0.2,0.3": commas within brackets, braces and quotes belong to a value. Throws SceneError.
SweptKey read_swept_key(const std::string& text);
// "1:8" or "1,2,5". Throws std::runtime_error.
std::vector<std::uint64_t> read_seeds(const std::string& text);

struct SweepPlan {
  std::vector<SweptKey> keys;  // the seeds last, under "seed"

  std::size_t runs() const;
  std::vector<Setting> settings(std::size_t run) const;  // the last key changes fastest
};

// "0001" ...
std::string run_name(std::size_t run);

// What a sweep is: the same plan for the same scene goes on where it was left.
nlohmann::ordered_json plan_as_json(const SweepPlan& plan, const std::string& scene_text);

}  // namespace moreau
