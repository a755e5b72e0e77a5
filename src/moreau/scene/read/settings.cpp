#include "moreau/scene/read/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>

#include "moreau/scene/read/edited_text.hpp"
#include "moreau/scene/read/located_error.hpp"

namespace moreau::inline scene {
namespace {

[[noreturn]] void refuse(const Setting& setting, const std::string& why) {
  throw SceneError(fmt::format("--set {}: {}", shortened(setting.text(), 200), why));
}

// One word of a key: "grains[2]" is the second of `grains`, "piston[lid]" the one called so.
struct Step {
  std::string name, entry;
};

std::vector<Step> steps_of(const Setting& setting) {
  std::vector<Step> steps;
  const auto wrong = [&] {
    refuse(setting, fmt::format("'{}' is no key; accepted: words joined by points, as law.friction, grains[2].count or "
                                "piston[lid].stress",
                                shortened(setting.key)));
  };
  std::string word;
  bool inside = false;
  const auto finish = [&] {
    Step step{word, ""};
    if (const std::size_t open = word.find('['); open != std::string::npos) {
      if (word.back() != ']' || open + 2 >= word.size()) wrong();
      step = {word.substr(0, open), word.substr(open + 1, word.size() - open - 2)};
    }
    if (step.name.empty()) wrong();
    for (const char c : step.name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') wrong();
    steps.push_back(std::move(step));
    word.clear();
  };
  for (const char c : setting.key) {
    inside = (inside || c == '[') && c != ']';
    if (c == '.' && !inside)
      finish();
    else
      word += c;
  }
  finish();
  return steps;
}

std::optional<toml::table> parsed(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error&) {
    return {};
  }
}

// A number of a scene that no machine number holds.
bool is_out_of_range(const std::string& value) {
  const char *begin = value.data() + (value.starts_with('+') ? 1 : 0), *end = value.data() + value.size();
  std::int64_t whole = 0;
  const auto integer = std::from_chars(begin, end, whole);
  double number = 0.0;
  const auto real = std::from_chars(begin, end, number);
  return (integer.ptr == end && integer.ec == std::errc::result_out_of_range) ||
         (real.ptr == end && real.ec == std::errc::result_out_of_range);
}

// The value as it is written into a scene: as given where that is TOML, else a word as a text.
std::string written(const Setting& setting) {
  const auto is_value = [](const std::string& value) {
    const auto table = value.find('\n') == std::string::npos ? parsed("x = " + value) : std::nullopt;
    return table && table->size() == 1;
  };
  if (is_value(setting.value)) return setting.value;
  if (is_out_of_range(setting.value))
    refuse(setting,
           "a number out of range; accepted: whole numbers up to 9223372036854775807, others between 2.2e-308 and 1.8e308");
  const bool word = !setting.value.empty() && std::ranges::all_of(setting.value, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '/' || c == '.';
  });
  if (word && !std::isdigit(static_cast<unsigned char>(setting.value[0]))) return '"' + setting.value + '"';
  std::string point = setting.value;
  std::ranges::replace(point, ',', '.');
  const bool comma = point != setting.value && std::ranges::count(point, '.') == 1 && is_value(point);
  refuse(setting, comma ? fmt::format("'{}' is no number; did you mean {}?", setting.value, point)
                        : "this is no value; accepted: a number, true, false, a \"text\", an [array] or a { table }");
}

// The table that stands for this entry of an array of tables.
toml::node* entry_of(toml::node* node, const Step& step, const Setting& setting) {
  toml::array* array = node->as_array();
  if (!array) {
    if (step.entry.empty() || (node->is_table() && step.entry == "1")) return node;
    refuse(setting, fmt::format("'{}' is one table, not a list; accepted: the key without [{}]", step.name, step.entry));
  }
  if (step.entry.empty()) {
    if (array->size() == 1) return array->get(0);
    refuse(setting, fmt::format("'{}' has {} entries; accepted: {}[1] to {}[{}], or a name in the brackets", step.name,
                                array->size(), step.name, step.name, array->size()));
  }
  std::size_t number = 0;
  const char* end = step.entry.data() + step.entry.size();
  if (const auto read = std::from_chars(step.entry.data(), end, number); read.ec == std::errc{} && read.ptr == end) {
    if (number >= 1 && number <= array->size()) return array->get(number - 1);
    refuse(setting, fmt::format("'{}' has {} entries; accepted: numbers from 1", step.name, array->size()));
  }
  for (toml::node& element : *array)
    if (const toml::table* table = element.as_table())
      if (const toml::node* name = table->get("name"); name && name->value<std::string>() == step.entry) return &element;
  refuse(setting, fmt::format("'{}' has no entry with the name '{}'", step.name, shortened(step.entry)));
}

// Where the remainder of a key could be written, one candidate after the other.
using Edit = std::function<void(EditedText&)>;

void set(EditedText& edited, const Setting& setting, std::size_t who) {
  const std::vector<Step> steps = steps_of(setting);
  const std::string value = written(setting);
  std::optional<toml::table> tree = parsed(edited.text());
  if (!tree) return;  // not valid TOML: told when the scene is read
  toml::table value_table = *parsed("x = " + value);
  const toml::node& new_value = *value_table.get("x");

  std::vector<Edit> candidates;
  toml::table* parent = &*tree;
  std::vector<toml::table*> above{parent};
  std::vector<std::size_t> depth{0};  // steps that lead to each of them
  std::size_t k = 0;
  for (; k + 1 < steps.size(); ++k) {
    toml::node* child = parent->get(steps[k].name);
    if (!child) break;
    child = entry_of(child, steps[k], setting);
    if (!child->is_table()) refuse(setting, fmt::format("'{}' is {}, not a table with keys", steps[k].name, describe(*child)));
    parent = child->as_table();
    above.push_back(parent), depth.push_back(k + 1);
  }
  const Step& last = steps.back();
  if (toml::node* old = k + 1 == steps.size() ? parent->get(last.name) : nullptr) {
    if (!last.entry.empty()) old = entry_of(old, last, setting);
    const bool of_headers = old->is_table() ? !old->as_table()->is_inline() : old->is_array_of_tables();
    if (of_headers) refuse(setting, fmt::format("'{}' is a table; accepted: a key of it", setting.key));
    const toml::source_region where = old->source();
    candidates.push_back([=](EditedText& text) { text.replace(where, value, who); });
    if (toml::array* array = last.entry.empty() ? nullptr : parent->get(last.name)->as_array()) {
      for (std::size_t i = 0; i < array->size(); ++i)
        if (array->get(i) == old)
          new_value.visit([&](const auto& v) { array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(i), v); });
    } else {
      new_value.visit([&](const auto& v) { parent->insert_or_assign(last.name, v); });
    }
  } else {
    for (std::size_t i = k; i < steps.size(); ++i)
      if (!steps[i].entry.empty()) refuse(setting, fmt::format("the scene has no '{}'", steps[i].name));
    for (std::size_t level = above.size(); level-- > 0;) {  // in the deepest table that is there, else from further up
      std::string rest;
      for (std::size_t i = depth[level]; i < steps.size(); ++i) rest += (rest.empty() ? "" : ".") + steps[i].name;
      const std::string line = rest + " = " + value;
      const toml::table* table = above[level];
      const Location begin = table->source().begin;
      if (level == 0)
        candidates.push_back([=](EditedText& text) { text.insert_line(1, line, who); });
      else if (table->is_inline())
        candidates.push_back([=, empty = table->empty()](EditedText& text) {
          text.insert({begin.line, begin.column + 1}, " " + line + (empty ? "" : ","), who);
        });
      else if (begin.line > 0)
        candidates.push_back([=](EditedText& text) { text.insert_line(begin.line + 1, line, who); });
    }
    toml::table* target = parent;
    for (std::size_t i = k; i + 1 < steps.size(); ++i)
      target = target->insert(steps[i].name, toml::table{}).first->second.as_table();
    new_value.visit([&](const auto& v) { target->insert_or_assign(last.name, v); });
  }
  for (const Edit& edit : candidates) {
    EditedText trial = edited;
    edit(trial);
    if (const auto read = parsed(trial.text()); read && *read == *tree) {
      edited = std::move(trial);
      return;
    }
  }
  refuse(setting, "the scene has no place for it; accepted: keys that can be added to one of its tables");
}

std::string plain(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) {
    constexpr double exact = 9007199254740992.0;  // 2^53: up to here whole numbers are numbers of the machine
    const double x = number->get();
    return x == std::floor(x) && std::abs(x) <= exact ? fmt::format("{}", static_cast<std::int64_t>(x)) : fmt::format("{}", x);
  }
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  std::string text;
  if (const auto* array = node.as_array()) {
    for (const toml::node& entry : *array) text += (text.empty() ? "" : ", ") + plain(entry);
    return "[" + text + "]";
  }
  if (const auto* table = node.as_table()) {
    for (const auto& [key, entry] : *table) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key.str(), plain(entry));
    return "{" + text + "}";
  }
  if (const auto* word = node.as_string()) return '"' + word->get() + '"';
  std::ostringstream other;  // true, false, dates
  node.visit([&](const auto& value) {
    if constexpr (toml::is_value<decltype(value)>) other << value.get();
  });
  return other.str();
}

EditedText edited_text(std::string_view toml, const std::vector<Setting>& settings) {
  EditedText edited(toml);
  for (std::size_t k = 0; k < settings.size(); ++k) set(edited, settings[k], k);
  return edited;
}

}  // namespace

Setting read_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw SceneError(fmt::format("--set is '{}'; accepted: KEY=VALUE, as law.friction=0.3", shortened(text)));
  const auto trimmed = [](std::string_view s) {
    const std::size_t begin = s.find_first_not_of(" \t"), end = s.find_last_not_of(" \t");
    return begin == std::string_view::npos ? std::string() : std::string(s.substr(begin, end - begin + 1));
  };
  return {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
}

std::string plain_value(const Setting& setting) { return plain(*parsed("x = " + written(setting))->get("x")); }

std::string with_settings(std::string_view toml, const std::vector<Setting>& settings) {
  return edited_text(toml, settings).text();
}

AnyScene parse_scene(std::string_view toml, const std::string& name, const std::filesystem::path& folder,
                     const std::vector<Setting>& settings) {
  if (settings.empty()) return parse_scene(toml, name, folder);
  const EditedText edited = edited_text(toml, settings);
  try {
    return parse_scene(edited.text(), name, folder);
  } catch (const LocatedError& error) {
    const EditedText::Origin origin = edited.origin_of(error.location);
    if (origin.edit) refuse(settings[*origin.edit], error.sentence);
    throw SceneError(fmt::format("{}:{}:{}: {}", name, origin.location.line, origin.location.column, error.sentence));
  }
}

AnyScene read_scene(const std::filesystem::path& file, const std::vector<Setting>& settings) {
  return parse_scene(scene_file_text(file), file.string(), file.parent_path(), settings);
}

}  // namespace moreau::inline scene
