// Files of numbers that a scene names: a row of numbers on each line, separated by blanks, commas or semicolons. Empty lines,
// lines that begin with #, a byte-order mark, and one line of words before the first numbers are passed over.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "moreau/scene/read/toml_reader.hpp"

namespace moreau::inline scene {

// A string of the scene that names a file, and what to put in its place for a scene that needs no other file.
struct Inclusion {
  toml::source_region where;
  std::string inline_text;
};

// File names of a scene are relative to `folder`; what is read from files is noted in `inclusions`.
struct NamedFiles {
  std::filesystem::path folder;
  std::vector<Inclusion> inclusions;
};

// The text with all inclusions in place.
std::string with_inclusions(std::string_view text, const std::vector<Inclusion>& inclusions);

// How a file is described to who got it wrong.
struct NumberFile {
  std::string key;         // under which the scene names it
  std::size_t columns;     // numbers in a row
  std::string row_words;   // "two numbers, time and acceleration"
  std::string file_words;  // "a readable file of ..."
  bool or_more = false;    // rows may have more numbers than `columns`
};

// What is wrong with a row, empty if nothing is.
using TakeRow = std::function<std::string(const std::vector<double>&)>;

// Gives every row to `take`. A fault is reported at the key, and the result is then false.
bool read_number_file(TableReader& entry, const NumberFile& what, const std::filesystem::path& file, const TakeRow& take);
void refuse_number_file(TableReader& entry, const NumberFile& what, const std::filesystem::path& file, const std::string& why);

}  // namespace moreau::inline scene
