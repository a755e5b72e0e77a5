#include "moreau/scene/read/mistakes.hpp"

#include <fmt/format.h>

#include "moreau/scene/read/located_error.hpp"

namespace moreau::inline scene {

Location begin_of(const toml::node& node) {
  const Location location = node.source().begin;
  return location.line == 0 ? Location{1, 1} : location;  // the root, and tables made by dotted keys, may have none
}

std::string shortened(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (out.size() >= longest && (byte & 0xC0) != 0x80) return out + "...";  // cut before a character, not inside one
    out += byte < 0x20 || byte == 0x7F ? ' ' : text[i];
  }
  return out;
}

void Mistakes::add(Location location, const std::string& sentence) {
  if (found_ && !(location < location_)) return;
  found_ = true;
  location_ = location;
  sentence_ = sentence;
}

void Mistakes::refuse_if_any() const {
  if (found_) refuse(location_, sentence_);
}

void Mistakes::refuse(Location location, const std::string& sentence) const {
  // Names given by the user may be long, and hold line breaks.
  const std::string said = shortened(sentence, 1500);
  throw LocatedError(fmt::format("{}:{}:{}: {}", file_, location.line, location.column, said), location, said);
}

std::string describe(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return '"' + shortened(node.as_string()->get()) + '"';
    case toml::node_type::integer:
      return fmt::format("{}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return fmt::format("{}", node.as_floating_point()->get());
    case toml::node_type::boolean:
      return node.as_boolean()->get() ? "true" : "false";
    case toml::node_type::array:
      return fmt::format("an array of {}", node.as_array()->size());
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

}  // namespace moreau::inline scene
