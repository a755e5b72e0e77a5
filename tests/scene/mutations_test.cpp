// The corpus of the fuzzer and thousands of deterministic mutations of it, with any compiler: a scene or SceneError, in bounded
// time.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "moreau/base/random.hpp"
#include "scene/scene_text.hpp"

namespace moreau {
namespace {

const std::filesystem::path root = MOREAU_SOURCE_DIR;

std::vector<std::string> corpus() {
  std::set<std::filesystem::path> files;  // in a fixed order
  for (const char* folder : {"tests/fuzz/corpus/scene", "examples"})
    for (const auto& file : std::filesystem::directory_iterator(root / folder))
      if (file.is_regular_file()) files.insert(file.path());
  std::vector<std::string> texts;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::size_t below(RandomStream& random, std::size_t n) {
  return static_cast<std::size_t>(random.next() % std::max<std::size_t>(n, 1));
}

std::string with_number_replaced(std::string text, RandomStream& random) {
  static const std::vector<std::string> hostile{"nan",
                                                "inf",
                                                "-inf",
                                                "-1",
                                                "0",
                                                "1e308",
                                                "1e-308",
                                                "-1e308",
                                                "1e30",
                                                "1e-30",
                                                "1e15",
                                                "5e-324",
                                                "9223372036854775807",
                                                "-9223372036854775808",
                                                "99999999999999999999",
                                                "50000000",
                                                "1999",
                                                "true",
                                                "\"x\"",
                                                "[]",
                                                "{}",
                                                "[[1]]",
                                                "1979-05-27",
                                                "0x7fffffffffffffff"};
  std::vector<std::size_t> starts;
  for (std::size_t i = 1; i < text.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(text[i])) && std::string(" =[,-").find(text[i - 1]) != std::string::npos)
      starts.push_back(i);
  if (starts.empty()) return text;
  const std::size_t at = starts[below(random, starts.size())];
  const std::size_t end = std::min(text.find_first_not_of("0123456789.e-+", at), text.size());
  return text.substr(0, at) + hostile[below(random, hostile.size())] + text.substr(end);
}

std::string mutated(std::string text, const std::vector<std::string>& all, RandomStream& random) {
  switch (below(random, 7)) {
    case 0:
      if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1u << below(random, 8));
      break;
    case 1:
      text.resize(below(random, text.size() + 1));
      break;
    case 2: {
      const std::string& other = all[below(random, all.size())];
      text = text.substr(0, below(random, text.size() + 1)) + other.substr(below(random, other.size() + 1));
      break;
    }
    case 3: {  // a line left out
      const std::size_t start = text.rfind('\n', below(random, text.size() + 1));
      if (start != std::string::npos) text.erase(start, text.find('\n', start + 1) - start);
      break;
    }
    case 4: {  // a line twice, or elsewhere
      const std::size_t start = text.find('\n', below(random, text.size() + 1));
      if (start != std::string::npos) {
        const std::string line = text.substr(start, text.find('\n', start + 1) - start);
        text.insert(std::min(text.find('\n', below(random, text.size())), text.size()), line);
      }
      break;
    }
    default:
      text = with_number_replaced(std::move(text), random);
      break;
  }
  return text;
}

TEST(Mutations, a_scene_or_a_sentence_and_nothing_else) {
  SceneLimits limits;
  limits.grains = 2000;
  limits.bytes = 1 << 20;
  const auto texts = corpus();
  ASSERT_GE(texts.size(), 10u);
  RandomStream random(2003);
  std::size_t accepted = 0, refused = 0;
  double slowest = 0.0;
  std::string slowest_text;
  for (std::size_t round = 0; round < 20000; ++round) {
    std::string text = texts[round % texts.size()];
    if (round >= texts.size())
      for (std::size_t n = 1 + below(random, 4); n > 0; --n) text = mutated(std::move(text), texts, random);
    const auto begin = std::chrono::steady_clock::now();
    try {
      parse_scene(text, "m.toml", {}, limits);
      ++accepted;
    } catch (const SceneError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind("m.toml:", 0), 0u) << message;
      EXPECT_LT(message.size(), 2000u);
      ++refused;
    } catch (const std::exception& error) {
      FAIL() << "round " << round << ": " << error.what() << "\n" << text;
    }
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (took > slowest) slowest = took, slowest_text = text;
  }
  EXPECT_GT(accepted, 300u);
  EXPECT_GT(refused, 5000u);
  EXPECT_LT(slowest, 10.0) << slowest_text;
  RecordProperty("slowest_ms", static_cast<int>(1000 * slowest));
}

}  // namespace
}  // namespace moreau
