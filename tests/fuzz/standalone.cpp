// Runs a harness without libFuzzer, with any compiler: the files of a corpus, then arbitrary bytes and mutations of them, always
// the same ones.   fuzz_NAME ITERATIONS SEED [FILE OR FOLDER ...]
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "moreau/base/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void give(const std::string& bytes) { LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()); }

std::string arbitrary(moreau::RandomStream& random, std::size_t length) {
  std::string bytes(length, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

std::string mutated(std::string text, moreau::RandomStream& random) {
  const auto place = [&] { return static_cast<std::size_t>(random.next() % (text.size() + 1)); };
  switch (random.next() % 4) {
    case 0:
      text.insert(place(), arbitrary(random, 1 + random.next() % 4));
      break;
    case 1:
      text.erase(place(), random.next() % 16);
      break;
    case 2:
      text.resize(place());
      break;
    default:
      if (!text.empty()) text[place() % text.size()] ^= static_cast<char>(1u << random.next() % 8);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const unsigned long iterations = std::strtoul(argv[1], nullptr, 10);
  moreau::RandomStream random(std::strtoul(argv[2], nullptr, 10));
  std::set<fs::path> files;
  for (int k = 3; k < argc; ++k) {
    if (!fs::is_directory(argv[k]))
      files.insert(argv[k]);
    else
      for (const auto& entry : fs::directory_iterator(argv[k])) files.insert(entry.path());
  }
  std::vector<std::string> corpus;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    give(corpus.back());
  }
  for (unsigned long k = 0; k < iterations; ++k) {
    const bool fresh = corpus.empty() || random.next() % 4 == 0;
    give(fresh ? arbitrary(random, random.next() % 64) : mutated(corpus[random.next() % corpus.size()], random));
  }
  std::printf("%zu files and %lu inputs\n", corpus.size(), iterations);
}
