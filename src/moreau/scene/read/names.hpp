// Things of a scene that others refer to by name.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

class Names {
 public:
  explicit Names(std::string what) : what_(std::move(what)) {}

  // Reads the key `name` of a new entry, `otherwise` if absent (empty: required), and refuses a name already taken.
  std::string declare(TableReader& entry, const std::string& otherwise);
  // Index of the name under `key`. Absent: `otherwise` when given; else the only name there is; else a mistake.
  std::int32_t resolve(TableReader& entry, std::string_view key, std::optional<std::int32_t> otherwise = {}) const;
  std::int32_t find(const std::string& name) const;  // -1: unknown
  // "is "x", which is no material of this scene; did you mean 'y'?"
  std::string unknown(const std::string& name) const;
  Location location(std::size_t index) const { return locations_[index]; }

 private:
  std::string what_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> index_;
  std::vector<Location> locations_;
};

}  // namespace moreau::inline scene
