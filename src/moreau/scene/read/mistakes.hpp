// The mistakes found in a scene file; the first in the file is the one reported.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace moreau::inline scene {

using Location = toml::source_position;  // line and column, from 1

class Mistakes {
 public:
  explicit Mistakes(std::string file) : file_(std::move(file)) {}
  void add(Location location, const std::string& sentence);
  bool any() const { return found_; }
  void refuse_if_any() const;                                                      // throws SceneError with the first in the file
  [[noreturn]] void refuse(Location location, const std::string& sentence) const;  // throws this one

 private:
  std::string file_, sentence_;
  Location location_{};
  bool found_ = false;
};

// How a value given by the user is repeated in a message: short, on one line.
std::string describe(const toml::node& node);

// At most `longest` bytes and some, cut between characters, without line breaks.
std::string shortened(std::string_view text, std::size_t longest = 40);

// Where a node begins.
Location begin_of(const toml::node& node);

}  // namespace moreau::inline scene
