#include "moreau/cli/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "moreau/scene/read/mistakes.hpp"

namespace moreau {

namespace {

constexpr std::uint64_t most_seeds = 100'000, most_runs = 1'000'000, most_values = 100'000;

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += c;
  }
  return values;
}

// "0.1:0.5:0.1", "1:4": the numbers of a range, with the end if a step leads to it; nothing if the text is none. Written with
// twelve digits: 0.3, not 0.30000000000000004.
std::optional<std::vector<std::string>> range_of(const std::string& text, const std::string& setting) {
  std::vector<double> part;
  bool whole = true;
  for (const char *at = text.data(), *const end = text.data() + text.size();;) {
    double number = 0.0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
    whole = whole && number == std::floor(number);
    part.push_back(number);
    if (after == end) break;
    if (*after != ':') return std::nullopt;
    at = after + 1;
  }
  if (part.size() < 2 || part.size() > 3) return std::nullopt;
  const double step = part.size() == 3 ? part[2] : 1.0, steps = (part[1] - part[0]) / step;
  if ((part.size() == 2 && !whole) || step == 0.0 || steps < 0.0 || steps > static_cast<double>(most_values))
    throw SceneError(
        fmt::format("--set {}: '{}' is no range; accepted: FIRST:LAST:STEP with a step that leads from the first to "
                    "the last, as 0.1:0.5:0.1, or FIRST:LAST of whole numbers; at most {} values",
                    shortened(setting, 200), text, most_values));
  std::vector<std::string> values;
  for (double k = 0.0; k <= steps + 1e-9; k += 1.0) values.push_back(fmt::format("{:.12g}", part[0] + k * step));
  return values;
}

}  // namespace

SweptKey read_swept_key(const std::string& text) {
  const Setting setting = read_setting(text);
  SweptKey swept{setting.key, {}};
  for (const std::string& value : split_values(setting.value)) {
    if (const auto range = range_of(value, text))
      swept.values.insert(swept.values.end(), range->begin(), range->end());
    else
      swept.values.push_back(read_setting("x=" + value).value);
  }
  for (const std::string& value : swept.values)
    if (value.empty())
      throw SceneError(fmt::format("--set {}: a value is missing; accepted: KEY=VALUE,VALUE,...", shortened(text, 200)));
  return swept;
}

std::vector<std::uint64_t> read_seeds(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  const auto refuse = [&] {
    throw std::runtime_error(
        fmt::format("--seeds is '{}'; accepted: FIRST:LAST, as 1:8, or numbers, as 1,2,5; at most {}", text, most_seeds));
  };
  const auto number = [&](std::string_view word) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value > static_cast<std::uint64_t>(INT64_MAX)) refuse();
    return value;
  };
  if (const std::size_t colon = text.find(':'); colon != std::string::npos) {
    const std::uint64_t first = number(std::string_view(text).substr(0, colon)),
                        last = number(std::string_view(text).substr(colon + 1));
    if (last < first || last - first >= most_seeds) refuse();
    for (std::uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
  } else {
    for (const std::string& word : split_values(text)) seeds.push_back(number(word));
  }
  return seeds;
}

void refuse_repeated(const std::vector<SweptKey>& keys) {
  std::set<std::string> known;
  for (const SweptKey& key : keys) {
    if (!known.insert(key.key).second)
      throw SceneError(key.key == "seed"
                           ? "seeds are given twice; accepted: all of them by one --seeds, or one --set seed="
                           : fmt::format("--set {} is given twice; accepted: all its values after one", shortened(key.key)));
    std::map<std::string, std::string> values;  // by what they mean
    for (const std::string& value : key.values)
      if (const auto [there, first] = values.emplace(plain_value({key.key, value}), value); !first)
        throw SceneError(fmt::format("{} is {} twice{}; accepted: every value once, since the same run is no further sample",
                                     key.key, shortened(value),
                                     there->second == value ? "" : fmt::format(" ({} and {})", there->second, value)));
  }
}

namespace {

std::vector<std::string> plain_values(const SweepPlan& plan, const std::vector<std::string>& run) {
  std::vector<std::string> values;
  for (std::size_t k = 0; k < plan.keys.size(); ++k) values.push_back(plain_value({plan.keys[k].key, run[k]}));
  return values;
}

}  // namespace

SweepPlan plan_of(std::vector<SweptKey> keys, std::string scene) {
  SweepPlan plan{std::move(keys), {}, std::move(scene)};
  double count = 1.0;
  for (const SweptKey& key : plan.keys) count *= static_cast<double>(key.values.size());
  if (count > static_cast<double>(most_runs))
    throw std::runtime_error(fmt::format("the values make {:.4g} runs; accepted: at most {}", count, most_runs));
  for (std::size_t run = 0; run < static_cast<std::size_t>(count); ++run) {
    std::vector<std::string> chosen(plan.keys.size());
    std::size_t left = run;
    for (std::size_t k = plan.keys.size(); k-- > 0;) {
      chosen[k] = plan.keys[k].values[left % plan.keys[k].values.size()];
      left /= plan.keys[k].values.size();
    }
    plan.runs.push_back(std::move(chosen));
  }
  return plan;
}

std::vector<Setting> SweepPlan::settings(std::size_t run) const {
  std::vector<Setting> chosen;
  for (std::size_t k = 0; k < keys.size(); ++k) chosen.push_back({keys[k].key, runs[run][k]});
  return chosen;
}

std::optional<SweepPlan> extended(const SweepPlan& before, const SweepPlan& asked) {
  const auto same_key = [](const SweptKey& a, const SweptKey& b) { return a.key == b.key; };
  if (before.scene != asked.scene || !std::ranges::equal(before.keys, asked.keys, same_key)) return std::nullopt;
  SweepPlan all = before;
  for (std::size_t k = 0; k < all.keys.size(); ++k) {
    std::set<std::string> known;
    for (const std::string& value : before.keys[k].values) known.insert(plain_value({all.keys[k].key, value}));
    for (const std::string& value : asked.keys[k].values)
      if (known.insert(plain_value({all.keys[k].key, value})).second) all.keys[k].values.push_back(value);
  }
  std::set<std::vector<std::string>> known;
  for (const std::vector<std::string>& run : before.runs) known.insert(plain_values(all, run));
  for (const std::vector<std::string>& run : asked.runs)
    if (known.insert(plain_values(all, run)).second) all.runs.push_back(run);
  return all;
}

std::string run_name(std::size_t run) { return fmt::format("{:04}", run + 1); }

nlohmann::ordered_json plan_as_json(const SweepPlan& plan) {
  nlohmann::ordered_json j;
  for (const SweptKey& key : plan.keys) j["keys"].push_back({{"key", key.key}, {"values", key.values}});
  j["runs"] = plan.runs;
  j["scene"] = plan.scene;
  return j;
}

SweepPlan read_plan(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const nlohmann::json j = nlohmann::json::parse(stream, nullptr, false);
  try {
    SweepPlan plan;
    for (const auto& key : j.at("keys")) plan.keys.push_back({key.at("key"), key.at("values")});
    plan.scene = j.at("scene");
    if (!j.at("runs").is_array()) return plan_of(plan.keys, plan.scene);  // of a version that could not extend a sweep
    plan.runs = j.at("runs");
    for (const auto& run : plan.runs)
      if (run.size() != plan.keys.size()) throw std::runtime_error("");
    return plan;
  } catch (const std::exception&) {
    throw std::runtime_error(fmt::format("{} is no plan of a sweep; accepted: another --out, or --force", file.string()));
  }
}

}  // namespace moreau
