#include "moreau/draw/plot/columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

namespace moreau::inline draw {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::runtime_error(sentence); }

// Cells of a line; quotes hold commas, and are doubled inside quotes.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += c, ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

double number_of(const std::string& cell) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  const bool whole = error == std::errc{} && end == cell.data() + cell.size() && !cell.empty();
  return whole ? value : std::numeric_limits<double>::quiet_NaN();
}

// sum = product { (+|-) product }, product = factor { (*|/) factor }, factor = number | name | name ( sum ) | ( sum ) | - factor
class Formula {
 public:
  Formula(const std::string& text, const Columns& columns) : text_(text), columns_(columns) {}

  std::vector<double> value() {
    std::vector<double> result = sum();
    skip();
    if (at_ < text_.size()) fail(fmt::format("'{}' stands where an operation or the end is expected", text_.substr(at_)));
    return result;
  }

 private:
  using Values = std::vector<double>;

  [[noreturn]] void fail(const std::string& why) { refuse(fmt::format("the formula '{}' cannot be read: {}.", text_, why)); }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  template <class F>
  static Values combined(Values a, const Values& b, F&& f) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = f(a[i], b[i]);
    return a;
  }

  Values sum() {
    Values result = product();
    for (;;) {
      if (take('+'))
        result = combined(result, product(), [](double x, double y) { return x + y; });
      else if (take('-'))
        result = combined(result, product(), [](double x, double y) { return x - y; });
      else
        return result;
    }
  }

  Values product() {
    Values result = factor();
    for (;;) {
      if (take('*'))
        result = combined(result, factor(), [](double x, double y) { return x * y; });
      else if (take('/'))
        result = combined(result, factor(), [](double x, double y) { return x / y; });
      else
        return result;
    }
  }

  Values factor() {
    if (++depth_ > 200) fail("it is nested too deep");
    struct Leave {
      int& depth;
      ~Leave() { --depth; }
    } leave{depth_};
    if (take('-')) {
      Values result = factor();
      for (double& x : result) x = -x;
      return result;
    }
    if (take('(')) return bracketed();
    skip();
    if (at_ >= text_.size()) fail("it ends where a number or a column is expected");
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(c) || c == '.') return number();
    if (std::isalpha(c) || c == '_') return named();
    fail(fmt::format("'{}' stands where a number or a column is expected", text_[at_]));
  }

  Values bracketed() {
    Values result = sum();
    if (!take(')')) fail("a bracket is not closed");
    return result;
  }

  Values number() {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("a number in it cannot be read");
    at_ = static_cast<std::size_t>(end - text_.data());
    return Values(columns_.row.size(), value);
  }

  Values named() {
    std::size_t end = at_;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_' || text_[end] == '.'))
      ++end;
    const std::string name = text_.substr(at_, end - at_);
    at_ = end;
    if (take('(')) return applied(name, bracketed());
    const std::size_t column = columns_.find(name);
    Values result;
    for (const auto& row : columns_.row) result.push_back(number_of(row[column]));
    return result;
  }

  // One number of all rows that have one, the same for every row.
  static double summary(const std::string& name, Values values) {
    if (name == "last") return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.back();
    std::erase_if(values, [](double x) { return std::isnan(x); });
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const std::size_t n = values.size();
    if (name == "min") return values.front();
    if (name == "max") return values.back();
    if (name == "median") return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
    double mean = 0.0, square = 0.0;
    for (const double x : values) mean += x / static_cast<double>(n);
    for (const double x : values) square += (x - mean) * (x - mean) / static_cast<double>(n);
    return name == "mean" ? mean : std::sqrt(square);
  }

  Values applied(const std::string& name, Values values) {
    for (const char* of_all : {"mean", "last", "max", "min", "sd", "median"})
      if (name == of_all) return Values(values.size(), summary(name, values));
    static const std::map<std::string, double (*)(double)> functions = {
        {"abs", [](double x) { return std::abs(x); }},
        {"sqrt", [](double x) { return std::sqrt(x); }},
        {"log", [](double x) { return std::log(x); }},
        {"exp", [](double x) { return std::exp(x); }},
    };
    const auto found = functions.find(name);
    if (found == functions.end()) fail(fmt::format("there is no function '{}', accepted are abs, sqrt, log, exp, mean, last, max, min, sd and median", name));
    for (double& x : values) x = found->second(x);
    return values;
  }

  std::string text_;
  const Columns& columns_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::size_t Columns::find(const std::string& column) const {
  const auto found = std::find(name.begin(), name.end(), column);
  if (found == name.end())
    refuse(fmt::format("there is no column '{}' in {}; its columns are {}.", column, file, fmt::join(name, ", ")));
  return static_cast<std::size_t>(found - name.begin());
}

Columns read_columns(const std::filesystem::path& file) {
  std::ifstream stream;
  if (std::filesystem::is_regular_file(file)) stream.open(file);  // a pipe would wait for its writer
  std::string line;
  if (!stream.is_open() || !std::getline(stream, line))
    refuse(fmt::format("{} cannot be read; accepted: a CSV file with names in its first line.", file.string()));
  Columns columns;
  columns.file = file.string();
  columns.name = cells_of(line);
  for (std::size_t number = 2; std::getline(stream, line); ++number) {
    if (line.empty()) continue;
    columns.row.push_back(cells_of(line));
    if (columns.row.back().size() != columns.name.size())
      refuse(fmt::format("{}:{} has {} cells; accepted: {}, as many as there are columns.", file.string(), number,
                         columns.row.back().size(), columns.name.size()));
  }
  return columns;
}

Condition read_condition(const std::string& text) {
  const std::size_t at = text.find_first_of("=<>");
  const auto refuse_text = [&] {
    refuse(fmt::format("--only is '{}'; accepted: COLUMN=VALUE, or COLUMN<NUMBER with <, <=, > or >=", text));
  };
  if (at == std::string::npos || at == 0) refuse_text();
  std::size_t end = at + 1;
  if (text[at] != '=' && end < text.size() && text[end] == '=') ++end;
  const auto trimmed = [](std::string word) {
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    return word;
  };
  const Condition condition{trimmed(text.substr(0, at)), text.substr(at, end - at), trimmed(text.substr(end))};
  if (condition.sign != "=" && !std::isfinite(number_of(condition.value))) refuse_text();
  return condition;
}

Columns only(const Columns& columns, const Condition& condition) {
  const std::size_t k = columns.find(condition.column);
  Columns kept{columns.file, columns.name, {}};
  const double bound = number_of(condition.value);
  const auto holds = [&](const std::string& cell) {
    const double x = number_of(cell);
    // Times are sums of steps, and miss the number that is meant by roundings.
    const bool same = std::abs(x - bound) <= 1e-9 * std::max(std::abs(x), std::abs(bound));
    if (condition.sign == "<") return x < bound && !same;
    if (condition.sign == "<=") return x <= bound || same;
    if (condition.sign == ">") return x > bound && !same;
    if (condition.sign == ">=") return x >= bound || same;
    return cell == condition.value || same;
  };
  for (const auto& row : columns.row)
    if (holds(row[k])) kept.row.push_back(row);
  if (kept.row.empty())
    refuse(condition.sign == "="
               ? fmt::format("no row of {} has '{}' in its column '{}'.", columns.file, condition.value, condition.column)
               : fmt::format("no row of {} has {} {} {}.", columns.file, condition.column, condition.sign, condition.value));
  return kept;
}

Columns joined(const Columns& first, const Columns& second) {
  const auto by_step = [](const Columns& columns) {
    const std::size_t k = columns.find("step");
    std::map<double, std::size_t> rows;
    for (std::size_t i = 0; i < columns.row.size(); ++i)
      if (!rows.emplace(number_of(columns.row[i][k]), i).second)
        refuse(fmt::format("{} has several rows of step {}; accepted: one of each, chosen with --only COLUMN=VALUE.",
                           columns.file, columns.row[i][k]));
    return rows;
  };
  const auto a = by_step(first), b = by_step(second);
  Columns result{first.file + " and " + second.file, first.name, {}};
  std::vector<std::size_t> added;
  for (std::size_t k = 0; k < second.name.size(); ++k)
    if (std::find(first.name.begin(), first.name.end(), second.name[k]) == first.name.end())
      added.push_back(k), result.name.push_back(second.name[k]);
  for (const auto& [step, i] : a) {
    const auto match = b.find(step);
    if (match == b.end()) continue;
    result.row.push_back(first.row[i]);
    for (const std::size_t k : added) result.row.back().push_back(second.row[match->second][k]);
  }
  if (result.row.empty()) refuse(fmt::format("{} and {} have no step in common.", first.file, second.file));
  return result;
}

std::string repeated_step(const Columns& columns) {
  const auto step = std::find(columns.name.begin(), columns.name.end(), "step");
  if (step == columns.name.end()) return {};
  std::set<std::string> seen;
  for (const auto& row : columns.row)
    if (const std::string& at = row[static_cast<std::size_t>(step - columns.name.begin())]; !seen.insert(at).second) return at;
  return {};
}

std::vector<NamedColumns> by_name(const Columns& columns) {
  std::vector<NamedColumns> parts = {{"", columns}};
  const auto is_apart = [&] {
    return std::all_of(parts.begin(), parts.end(), [](const auto& part) { return repeated_step(part.columns).empty(); });
  };
  for (std::size_t k = 0; k < columns.name.size() && !is_apart(); ++k) {
    const auto is_text = [&](const auto& row) { return !row[k].empty() && std::isnan(number_of(row[k])) && row[k] != "nan"; };
    if (columns.name[k] == "phase" || !std::any_of(columns.row.begin(), columns.row.end(), is_text)) continue;
    std::vector<NamedColumns> finer;
    for (const NamedColumns& part : parts) {
      std::map<std::string, std::size_t> place;
      for (const auto& row : part.columns.row) {
        const auto [found, is_new] = place.emplace(row[k], finer.size());
        if (is_new)
          finer.push_back({part.name + (part.name.empty() ? "" : ", ") + row[k], {columns.file, columns.name, {}}});
        finer[found->second].columns.row.push_back(row);
      }
    }
    if (finer.size() == parts.size()) continue;  // the same name everywhere, which need not be written
    parts = std::move(finer);
  }
  return parts;
}

namespace {

// By the texts in some columns, in the order in which they first occur.
std::vector<NamedColumns> divided(const NamedColumns& part, const std::vector<std::size_t>& keys) {
  std::vector<NamedColumns> finer;
  std::map<std::vector<std::string>, std::size_t> place;
  for (const auto& row : part.columns.row) {
    std::vector<std::string> values;
    for (const std::size_t k : keys) values.push_back(row[k]);
    const auto [found, is_new] = place.emplace(values, finer.size());
    if (is_new) finer.push_back({part.name, {part.columns.file, part.columns.name, {}}});
    finer[found->second].columns.row.push_back(row);
  }
  return finer;
}

bool names(const std::string& formula, const std::string& column) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  for (std::size_t at = formula.find(column); at != std::string::npos; at = formula.find(column, at + 1)) {
    const std::size_t end = at + column.size();
    if ((at == 0 || !is_part(formula[at - 1])) && (end == formula.size() || !is_part(formula[end]))) return true;
  }
  return false;
}

// The first columns that together tell all rows apart, without those of them that are not needed for it.
std::vector<std::size_t> telling_apart(const Columns& columns) {
  const auto apart = [&](const std::vector<std::size_t>& keys) {
    std::set<std::vector<std::string>> seen;
    for (const auto& row : columns.row) {
      std::vector<std::string> values;
      for (const std::size_t k : keys) values.push_back(row[k]);
      if (!seen.insert(values).second) return false;
    }
    return true;
  };
  std::vector<std::size_t> keys = {columns.find("step")};
  for (std::size_t k = 0; k < columns.name.size() && !apart(keys); ++k)
    if (columns.name[k] != "step" && columns.name[k] != "time" && columns.name[k] != "phase") keys.push_back(k);
  if (!apart(keys)) return {};
  for (std::size_t k = keys.size(); k-- > 1;) {
    std::vector<std::size_t> fewer = keys;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (apart(fewer)) keys = std::move(fewer);
  }
  return keys;
}

std::string rounded(const std::string& cell) {
  const double x = number_of(cell);
  return std::isnan(x) ? cell : fmt::format("{:.4g}", x);
}

}  // namespace

std::vector<NamedColumns> by_instant(const std::vector<NamedColumns>& parts, const std::string& x,
                                     const std::vector<std::string>& y) {
  std::vector<NamedColumns> all;
  for (const NamedColumns& part : parts) {
    const Columns& columns = part.columns;
    if (repeated_step(columns).empty()) {
      all.push_back(part);
      continue;
    }
    std::vector<std::size_t> keys = telling_apart(columns);
    if (keys.empty())
      refuse(fmt::format(
          "{} has several rows of step {} that no column tells apart, through which no curve can go; accepted: --points, "
          "or one of each, chosen with --only COLUMN=VALUE",
          columns.file, repeated_step(columns)));
    // The curve goes along one of them.
    const auto along = std::find_if(keys.begin() + 1, keys.end(), [&](std::size_t k) {
      return names(x, columns.name[k]) || std::ranges::any_of(y, [&](const std::string& f) { return names(f, columns.name[k]); });
    });
    keys.erase(along == keys.end() ? keys.end() - 1 : along);
    std::vector<NamedColumns> finer = divided(part, keys);
    const auto time = std::find(columns.name.begin(), columns.name.end(), "time");
    for (const std::size_t k : keys) {
      const bool differ = std::ranges::any_of(columns.row, [&](const auto& row) { return row[k] != columns.row[0][k]; });
      if (!differ) continue;
      const bool instant = columns.name[k] == "step";
      const std::size_t shown = instant && time != columns.name.end() ? static_cast<std::size_t>(time - columns.name.begin()) : k;
      for (NamedColumns& one : finer)
        one.name += fmt::format("{}{} = {}", one.name.empty() ? "" : ", ", instant && shown != k ? "t" : columns.name[k],
                                rounded(one.columns.row[0][shown]));
    }
    for (NamedColumns& one : finer) all.push_back(std::move(one));
  }
  return all;
}

std::vector<double> evaluate(const std::string& formula, const Columns& columns) { return Formula(formula, columns).value(); }

}  // namespace moreau::inline draw
