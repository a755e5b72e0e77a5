#include "moreau/scene/read/names.hpp"

#include <fmt/format.h>

#include "moreau/base/nearest.hpp"
#include "moreau/base/printable.hpp"

namespace moreau::inline scene {

std::int32_t Names::find(const std::string& name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? -1 : found->second;
}

std::string Names::declare(TableReader& entry, const std::string& otherwise) {
  const std::string name = otherwise.empty() ? entry.text("name") : entry.text("name", otherwise);
  const std::int32_t taken = find(name);
  if (entry.has("name")) {
    if (name.empty() && !entry.mistakes().any()) entry.fail("name", "is empty; accepted: a string with at least one character");
    if (printable(name) != name)
      entry.fail("name", fmt::format("is \"{}\", with characters that control a terminal or end a line; accepted: a name without these", printable(name)));
    if (taken >= 0 && !name.empty())
      entry.fail("name", fmt::format("is \"{}\", already the name of the {} at line {}; accepted: a name of its own", name, what_,
                                     locations_[static_cast<std::size_t>(taken)].line));
  }
  index_.emplace(name, static_cast<std::int32_t>(names_.size()));
  names_.push_back(name);
  locations_.push_back(entry.location_of("name"));
  return name;
}

std::string Names::unknown(const std::string& name) const {
  return fmt::format("is \"{}\", which is no {} of this scene; {}", name, what_, suggestion(name, names_));
}

std::int32_t Names::resolve(TableReader& entry, std::string_view key, std::optional<std::int32_t> otherwise) const {
  if (!entry.has(key)) {
    if (otherwise) return *otherwise;
    // A scene without any is told so once, not at each entry that would need one.
    if (names_.size() > 1) entry.fail_missing(key, "one of " + quoted_list(names_));
    return 0;
  }
  const bool sound = !entry.mistakes().any();
  const std::string name = entry.text(key);
  const std::int32_t index = find(name);
  if (index < 0 && (sound ? !entry.mistakes().any() : !name.empty())) entry.fail(key, unknown(name));
  return index < 0 ? otherwise.value_or(0) : index;
}

}  // namespace moreau::inline scene
