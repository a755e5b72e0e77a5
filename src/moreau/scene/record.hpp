// A recorded acceleration: two columns, time and acceleration, from a file or written in the scene itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "moreau/scene/toml_reader.hpp"

namespace moreau {

struct Record {
  std::vector<double> times, accelerations;
};

// A string of the scene that names a file, and what to put in its place for a scene that needs no other file.
struct Inclusion {
  toml::source_region where;
  std::string inline_text;
};

inline constexpr std::size_t most_record_points = 1'000'000;

// The key `record`: a file name relative to `folder`, or a table with 'times' and 'accelerations'. A file has two numbers on each
// line, separated by blanks or a comma; empty lines, lines that begin with #, and words before the first numbers are passed over.
Record read_record(TableReader& entry, const std::filesystem::path& folder, std::vector<Inclusion>& inclusions);

// The text with all inclusions in place.
std::string with_inclusions(std::string_view text, const std::vector<Inclusion>& inclusions);

}  // namespace moreau
