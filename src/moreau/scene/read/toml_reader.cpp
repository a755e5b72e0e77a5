#include "moreau/scene/read/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/base/nearest.hpp"

namespace moreau::inline scene {

TableReader::TableReader(const toml::table& table, std::string path, Mistakes& mistakes)
    : table_(&table), path_(std::move(path)), mistakes_(&mistakes) {}

Location TableReader::location() const { return begin_of(*table_); }

Location TableReader::location_of(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return node ? begin_of(*node) : location();
}

std::string TableReader::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

const toml::node* TableReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  return table_->get(key);
}

bool TableReader::has(std::string_view key) { return find(key) != nullptr; }

bool TableReader::switched_off(std::string_view key) {
  const toml::node* node = find(key);
  return node && node->is_boolean() && !node->as_boolean()->get();
}

bool TableReader::is_table(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return node && node->is_table();
}

bool TableReader::is_array(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return node && node->is_array();
}

bool TableReader::is_text(std::string_view key) const {
  const toml::node* node = table_->get(key);
  return node && node->is_string();
}

std::size_t TableReader::array_size(std::string_view key) const {
  return is_array(key) ? table_->get(key)->as_array()->size() : 0;
}

void TableReader::fail(std::string_view key, const std::string& sentence) {
  mistakes_->add(location_of(key), fmt::format("key '{}' {}", path_of(key), sentence));
}

namespace {
// What belongs to the scene, written below the header of a table, belongs to that table for TOML.
std::string where_strayed(const toml::table& root, std::string_view key) {
  for (const auto& [name, node] : root) {
    const toml::array* array = node.as_array();
    const std::size_t count = array ? array->size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
      const toml::table* table = array ? (*array)[i].as_table() : node.as_table();
      if (!table || !table->get(key)) continue;
      const std::string path = array ? fmt::format("{}[{}]", name.str(), i + 1) : std::string(name.str());
      return fmt::format(" (it stands below the header of '{}' in line {}, and so belongs to that; write it above all headers)",
                         path, begin_of(*table->get(key)).line);
    }
  }
  return {};
}
}  // namespace

void TableReader::fail_missing(std::string_view key, const std::string& accepted) {
  if (!missing_)
    missing_ = fmt::format("key '{}' is missing{}; accepted: {}", path_of(key), path_.empty() ? where_strayed(*table_, key) : "",
                           accepted);
}

const toml::node* TableReader::wanted(std::string_view key, bool required, std::string_view accepted) {
  const toml::node* node = find(key);
  if (!node && required) fail_missing(key, std::string(accepted));
  return node;
}

std::optional<double> TableReader::checked(const toml::node& node, const std::string& path, const Accepted& accepted) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (value && std::isfinite(*value) && accepted.contains(*value)) return value;
  std::string sentence = fmt::format("key '{}' is {}; accepted: {}", path, describe(node), accepted.words);
  if (value && std::isfinite(*value) && (*value > 0.0 || accepted.low < 0.0) && accepted.high == largest_number)
    sentence += fmt::format(", of magnitude {} to {}", smallest_positive, largest_number);
  mistakes_->add(begin_of(node), sentence);
  return {};
}

double TableReader::number(std::string_view key, const Accepted& accepted, std::optional<double> otherwise) {
  const double harmless = otherwise.value_or(accepted.contains(1.0) ? 1.0 : 0.5 * (accepted.low + accepted.high));
  const toml::node* node = wanted(key, !otherwise, accepted.words);
  return node ? checked(*node, path_of(key), accepted).value_or(harmless) : harmless;
}

std::int64_t TableReader::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                  std::optional<std::int64_t> otherwise) {
  const std::int64_t harmless = otherwise.value_or(low);
  const std::string accepted =
      high == INT64_MAX ? fmt::format("an integer >= {}", low) : fmt::format("an integer from {} to {}", low, high);
  const toml::node* node = wanted(key, !otherwise, accepted);
  if (!node) return harmless;
  std::optional<std::int64_t> value;
  if (node->is_integer()) value = node->as_integer()->get();
  if (node->is_floating_point()) {  // 1e6 is a pleasant way to write a count
    const double x = node->as_floating_point()->get();
    if (std::abs(x) < 1e15 && x == std::floor(x)) value = static_cast<std::int64_t>(x);
  }
  if (value && *value >= low && *value <= high) return *value;
  const bool lacks_digits = node->is_floating_point() && std::abs(node->as_floating_point()->get()) >= 1e15;
  fail(key, fmt::format("is {}; accepted: {}{}", describe(*node), accepted,
                        lacks_digits ? fmt::format(", at most {}, with all its digits from 1e15 on", high) : std::string()));
  return harmless;
}

bool TableReader::flag(std::string_view key, bool otherwise) {
  const toml::node* node = find(key);
  if (!node) return otherwise;
  if (node->is_boolean()) return node->as_boolean()->get();
  fail(key, fmt::format("is {}; accepted: true or false", describe(*node)));
  return otherwise;
}

std::string TableReader::text(std::string_view key, std::optional<std::string> otherwise) {
  const toml::node* node = wanted(key, !otherwise, "a string");
  if (!node) return otherwise.value_or("");
  if (node->is_string()) return node->as_string()->get();
  fail(key, fmt::format("is {}; accepted: a string", describe(*node)));
  return otherwise.value_or("");
}

std::size_t TableReader::choice(std::string_view key, const std::vector<std::string>& words,
                                std::optional<std::size_t> otherwise) {
  const toml::node* node = wanted(key, !otherwise, "one of " + quoted_list(words));
  if (!node) return otherwise.value_or(0);
  if (node->is_string()) {
    const auto found = std::find(words.begin(), words.end(), node->as_string()->get());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  const std::string meant = node->is_string() ? nearest_word(node->as_string()->get(), words) : "";
  fail(key, fmt::format("is {}; accepted: one of {}{}", describe(*node), quoted_list(words),
                        meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  return otherwise.value_or(0);
}

std::vector<double> TableReader::numbers(std::string_view key, const Accepted& accepted, std::size_t least_count) {
  const std::string words = fmt::format("an array of at least {} of: {}", least_count, accepted.words);
  std::vector<double> values;
  if (const toml::node* node = wanted(key, true, words)) {
    const toml::array* array = node->as_array();
    if (!array || array->size() < least_count) fail(key, fmt::format("is {}; accepted: {}", describe(*node), words));
    for (std::size_t i = 0; array && i < array->size(); ++i)
      values.push_back(checked((*array)[i], fmt::format("{}[{}]", path_of(key), i + 1), accepted).value_or(1.0));
  }
  while (values.size() < least_count) values.push_back(1.0);
  return values;
}

std::optional<std::vector<double>> TableReader::checked_vector(const toml::node& node, const std::string& path,
                                                               std::size_t dimension) {
  const toml::array* array = node.as_array();
  if (!array || array->size() != dimension) {
    mistakes_->add(begin_of(node),
                   fmt::format("key '{}' is {}; accepted: an array of {} numbers", path, describe(node), dimension));
    return {};
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto value = checked((*array)[i], fmt::format("{}[{}]", path, i + 1), any_number);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

template <int D>
static Vec<D> to_vec(const std::vector<double>& values) {
  Vec<D> v{};
  for (int i = 0; i < D; ++i) v[i] = values[static_cast<std::size_t>(i)];
  return v;
}

template <int D>
Vec<D> TableReader::vector(std::string_view key, std::optional<Vec<D>> otherwise) {
  const toml::node* node = wanted(key, !otherwise, fmt::format("an array of {} numbers", D));
  if (!node) return otherwise.value_or(Vec<D>{});
  const auto values = checked_vector(*node, path_of(key), D);
  return values ? to_vec<D>(*values) : Vec<D>{};
}

template <int D>
Vec<D> TableReader::direction(std::string_view key) {
  Vec<D> any{};
  any[D - 1] = 1.0;
  const toml::node* node = wanted(key, true, fmt::format("an array of {} numbers", D));
  const auto values = node ? checked_vector(*node, path_of(key), D) : std::nullopt;
  if (!values) return any;
  const Vec<D> v = to_vec<D>(*values);
  const double length = norm(v);
  if (length > 1e-100) return (1.0 / length) * v;
  fail(key, "has length zero; accepted: a vector of nonzero length");
  return any;
}

template <int D>
std::vector<Vec<D>> TableReader::vectors(std::string_view key) {
  const std::string words = fmt::format("an array of arrays of {} numbers", D);
  std::vector<Vec<D>> result;
  const toml::node* node = wanted(key, true, words);
  if (!node) return result;
  const toml::array* array = node->as_array();
  if (!array) fail(key, fmt::format("is {}; accepted: {}", describe(*node), words));
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const auto values = checked_vector((*array)[i], fmt::format("{}[{}]", path_of(key), i + 1), D);
    result.push_back(values ? to_vec<D>(*values) : Vec<D>{});
  }
  return result;
}

template <int D>
std::vector<std::vector<Vec<D>>> TableReader::vector_lists(std::string_view key) {
  const std::string words = fmt::format("an array of lists of points of {} numbers", D);
  std::vector<std::vector<Vec<D>>> result;
  const toml::node* node = wanted(key, true, words);
  if (!node) return result;
  const toml::array* array = node->as_array();
  if (!array) fail(key, fmt::format("is {}; accepted: {}", describe(*node), words));
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const toml::array* list = (*array)[i].as_array();
    if (!list) {
      fail(key, fmt::format("has {} as entry {}; accepted: {}", describe((*array)[i]), i + 1, words));
      return result;
    }
    result.emplace_back();
    for (std::size_t k = 0; k < list->size(); ++k) {
      const auto values = checked_vector((*list)[k], fmt::format("{}[{}][{}]", path_of(key), i + 1, k + 1), D);
      result.back().push_back(values ? to_vec<D>(*values) : Vec<D>{});
    }
  }
  return result;
}

std::vector<std::string> TableReader::texts(std::string_view key, std::size_t count) {
  const std::string words = fmt::format("an array of {} strings", count);
  std::vector<std::string> result;
  if (const toml::node* node = wanted(key, true, words)) {
    if (const toml::array* array = node->as_array())
      for (const auto& element : *array)
        if (element.is_string()) result.push_back(element.as_string()->get());
    if (result.size() != count || !node->is_array() || node->as_array()->size() != count) {
      fail(key, fmt::format("is {}; accepted: {}", describe(*node), words));
      result.clear();
    }
  }
  return result;
}

std::optional<TableReader> TableReader::table(std::string_view key, bool required, const std::string& accepted) {
  const toml::node* node = wanted(key, required, accepted);
  if (!node) return {};
  if (node->is_table()) return TableReader(*node->as_table(), path_of(key), *mistakes_);
  fail(key, fmt::format("is {}; accepted: {}", describe(*node), accepted));
  return {};
}

std::vector<TableReader> TableReader::tables(std::string_view key) {
  std::vector<TableReader> readers;
  const toml::node* node = find(key);
  if (!node) return readers;
  if (node->is_table()) {
    readers.emplace_back(*node->as_table(), path_of(key), *mistakes_);
    return readers;
  }
  const toml::array* array = node->as_array();
  if (!array) fail(key, fmt::format("is {}; accepted: tables, written [[{}]]", describe(*node), key));
  for (std::size_t i = 0; array && i < array->size(); ++i) {
    const toml::node& element = (*array)[i];
    const std::string path = fmt::format("{}[{}]", path_of(key), i + 1);
    if (element.is_table())
      readers.emplace_back(*element.as_table(), path, *mistakes_);
    else
      mistakes_->add(begin_of(element),
                     fmt::format("key '{}' is {}; accepted: a table, written [[{}]]", path, describe(element), key));
  }
  return readers;
}

std::string TableReader::one_of(const std::vector<std::string>& keys) {
  std::string given;
  for (const auto& key : keys) {
    if (!has(key)) continue;
    if (!given.empty()) {
      const bool later = location_of(given) < location_of(key);
      fail(later ? key : given,
           fmt::format("stands beside '{}'; accepted: only one of {}", later ? given : key, quoted_list(keys)));
      return given;
    }
    given = key;
  }
  if (given.empty() && !missing_) missing_ = fmt::format("table '{}' lacks one of the keys {}", path_, quoted_list(keys));
  return given;
}

namespace {

// Keys that other programs have and this one cannot: one line why.
std::string why_not(std::string_view key, const std::string& path) {
  for (const std::string_view stiff : {"young", "young_modulus", "stiffness", "poisson", "kn", "kt", "normal_stiffness"})
    if (key == stiff) return "rigid bodies have no stiffness: contacts are exact, not springs (docs/theory.md)";
  if (key == "rate" && path.starts_with("sink")) return "a sink takes every body that comes into its region";
  if (key == "momentum" && path == "solver") return "it is called 'extrapolation'";
  return {};
}

}  // namespace

void TableReader::finish() {
  bool all_known = true;
  for (const auto& [key, node] : *table_) {
    if (std::find(known_.begin(), known_.end(), key.str()) != known_.end()) continue;
    all_known = false;
    Location where = key.source().begin;
    if (where.line == 0) where = begin_of(node);
    const std::string name = shortened(key.str());
    const std::string why = why_not(key.str(), path_);
    mistakes_->add(where, fmt::format("unknown key '{}'; {}", path_of(name), why.empty() ? suggestion(name, known_) : why));
  }
  if (all_known && missing_) mistakes_->add(location(), *missing_);  // a misspelt key says more than the absence of the one meant
}

#define MOREAU_INSTANTIATE(D)                                                      \
  template Vec<D> TableReader::vector<D>(std::string_view, std::optional<Vec<D>>); \
  template std::vector<Vec<D>> TableReader::vectors<D>(std::string_view);          \
  template std::vector<std::vector<Vec<D>>> TableReader::vector_lists<D>(std::string_view);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE
template Vec<2> TableReader::direction<2>(std::string_view);
template Vec<3> TableReader::direction<3>(std::string_view);

}  // namespace moreau::inline scene
