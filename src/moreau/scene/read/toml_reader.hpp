// Typed access to the tables of a scene file. A mistake is recorded where it stands and reading goes on with a harmless value,
// so that the mistake reported in the end is the first one in the file, whatever the order in which keys are looked at.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/geometry/vec.hpp"
#include "moreau/scene/read/mistakes.hpp"

namespace moreau::inline scene {

// Magnitudes beyond these are refused, so that no volume, inertia or squared distance can overflow or vanish.
inline constexpr double largest_number = 1e30, smallest_positive = 1e-30;

struct Accepted {
  const char* words;
  double low, high;
  bool low_itself, high_itself;
  bool contains(double x) const { return (low_itself ? x >= low : x > low) && (high_itself ? x <= high : x < high); }
};
inline constexpr Accepted any_number{"a finite number", -largest_number, largest_number, true, true};
inline constexpr Accepted positive{"a number > 0", smallest_positive, largest_number, true, true};
inline constexpr Accepted positive_or_off{"a number > 0, or false", smallest_positive, largest_number, true, true};
inline constexpr Accepted nonnegative{"a number >= 0", 0.0, largest_number, true, true};
inline constexpr Accepted fraction{"a number in [0, 1]", 0.0, 1.0, true, true};
inline constexpr Accepted open_fraction{"a number in (0, 1)", 0.0, 1.0, false, false};

class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Mistakes& mistakes);

  // Asking for a key makes it known: keys never asked for are reported by `finish`.
  bool has(std::string_view key);

  // Without `otherwise` the key is required.
  double number(std::string_view key, const Accepted& accepted, std::optional<double> otherwise = {});
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high, std::optional<std::int64_t> otherwise = {});
  bool flag(std::string_view key, bool otherwise);
  std::string text(std::string_view key, std::optional<std::string> otherwise = {});
  // Index of the word given, among the words accepted.
  std::size_t choice(std::string_view key, const std::vector<std::string>& words, std::optional<std::size_t> otherwise = {});
  std::vector<double> numbers(std::string_view key, const Accepted& accepted, std::size_t least_count);
  template <int D>
  Vec<D> vector(std::string_view key, std::optional<Vec<D>> otherwise = {});
  template <int D>
  Vec<D> direction(std::string_view key);  // a vector made of unit length
  template <int D>
  std::vector<Vec<D>> vectors(std::string_view key);
  // Lists of vectors.
  template <int D>
  std::vector<std::vector<Vec<D>>> vector_lists(std::string_view key);
  std::vector<std::string> texts(std::string_view key, std::size_t count);

  // `[key]`, empty if absent and not required.
  std::optional<TableReader> table(std::string_view key, bool required, const std::string& accepted = "a table");
  // `[[key]]` in file order; a single `[key]` is a list of one.
  std::vector<TableReader> tables(std::string_view key);
  // The one key given among several; reports none or more than one.
  std::string one_of(const std::vector<std::string>& keys);

  bool switched_off(std::string_view key);  // the value is `false`

  bool is_table(std::string_view key) const;
  bool is_array(std::string_view key) const;
  bool is_text(std::string_view key) const;
  std::size_t array_size(std::string_view key) const;  // 0 if not an array

  void fail(std::string_view key, const std::string& sentence);  // at the value: "key 'path.key' <sentence>"
  void fail_missing(std::string_view key, const std::string& accepted);
  void finish();  // after the last key has been asked for: reports the missing and the unknown

  Location location() const;
  Location location_of(std::string_view key) const;
  toml::source_region source_of(std::string_view key) const { return table_->get(key)->source(); }  // the key must be there
  std::string path_of(std::string_view key) const;
  const std::string& path() const { return path_; }
  Mistakes& mistakes() const { return *mistakes_; }

 private:
  const toml::node* find(std::string_view key);
  // The node if present; reports absence when required.
  const toml::node* wanted(std::string_view key, bool required, std::string_view accepted);
  std::optional<double> checked(const toml::node& node, const std::string& path, const Accepted& accepted);
  std::optional<std::vector<double>> checked_vector(const toml::node& node, const std::string& path, std::size_t dimension);

  const toml::table* table_;
  std::string path_;
  Mistakes* mistakes_;
  std::vector<std::string> known_;
  std::optional<std::string> missing_;  // what is said of the first absence
};

}  // namespace moreau::inline scene
