#include "moreau/cli/sweep_plan.hpp"

#include <fmt/format.h>

#include <charconv>

#include "moreau/scene/mistakes.hpp"

namespace moreau {

namespace {

constexpr std::uint64_t most_seeds = 100'000;

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

}  // namespace

SweptKey read_swept_key(const std::string& text) {
  const Setting setting = read_setting(text);
  SweptKey swept{setting.key, {}};
  for (const std::string& value : split_values(setting.value)) swept.values.push_back(read_setting("x=" + value).value);
  for (const std::string& value : swept.values)
    if (value.empty()) throw SceneError(fmt::format("--set {}: a value is missing; accepted: KEY=VALUE,VALUE,...", shortened(text, 200)));
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
    const std::uint64_t first = number(std::string_view(text).substr(0, colon)), last = number(std::string_view(text).substr(colon + 1));
    if (last < first || last - first >= most_seeds) refuse();
    for (std::uint64_t seed = first; seed <= last; ++seed) seeds.push_back(seed);
  } else {
    for (const std::string& word : split_values(text)) seeds.push_back(number(word));
  }
  return seeds;
}

std::size_t SweepPlan::runs() const {
  std::size_t count = 1;
  for (const SweptKey& key : keys) count *= key.values.size();
  return count;
}

std::vector<Setting> SweepPlan::settings(std::size_t run) const {
  std::vector<Setting> chosen(keys.size());
  for (std::size_t k = keys.size(); k-- > 0;) {
    chosen[k] = {keys[k].key, keys[k].values[run % keys[k].values.size()]};
    run /= keys[k].values.size();
  }
  return chosen;
}

std::string run_name(std::size_t run) { return fmt::format("{:04}", run + 1); }

nlohmann::ordered_json plan_as_json(const SweepPlan& plan, const std::string& scene_text) {
  nlohmann::ordered_json j;
  j["runs"] = plan.runs();
  for (const SweptKey& key : plan.keys) j["keys"].push_back({{"key", key.key}, {"values", key.values}});
  j["scene"] = scene_text;
  return j;
}

}  // namespace moreau
