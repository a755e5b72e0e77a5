// A text with edits, which knows of every location whether it was there before, and where.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/scene/read/mistakes.hpp"

namespace moreau::inline scene {

class EditedText {
 public:
  explicit EditedText(std::string_view text);
  const std::string& text() const { return text_; }

  // `who` is the number of the edit, by which locations in it are known.
  void replace(const toml::source_region& where, std::string_view by, std::size_t who);
  void insert_line(std::uint32_t before, std::string_view line, std::size_t who);  // lines from 1
  void insert(Location where, std::string_view words, std::size_t who);

  struct Origin {
    std::optional<std::size_t> edit;  // or the location in the text as it was:
    Location location{};
  };
  Origin origin_of(Location location) const;

 private:
  struct Stretch {
    std::uint32_t begin, end;  // columns of the edit in its line
    std::int64_t longer;       // than what it stands for
    std::size_t who;
  };
  struct Line {
    std::uint32_t before = 0;        // number of the line in the text as it was; 0: a line that was inserted
    std::vector<Stretch> stretches;  // in order of columns; of an inserted line one, with all of it
  };
  std::size_t offset(Location location) const;
  std::string text_;
  std::vector<Line> lines_;
};

}  // namespace moreau::inline scene
