// Runs a harness without libFuzzer, with any compiler: the files of a corpus, then arbitrary bytes and mutations of them, always
// the same ones.   fuzz_NAME ITERATIONS SEED [FILE OR FOLDER ...]
// An input that breaks the harness, or takes a minute, is left in the file fuzz_found.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "fuzz/mutations.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using moreau::fuzz::below;

constexpr unsigned most_seconds = 60;
const std::string* given = nullptr;

void keep_what_was_given(int signal) {
  const int file = ::open("fuzz_found", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::write(file, given->data(), given->size()) < 0) _exit(3);
  ::close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void give(const std::string& bytes) {
  given = &bytes;
  ::alarm(most_seconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  ::alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, keep_what_was_given);
  const unsigned long iterations = std::strtoul(argv[1], nullptr, 10);
  moreau::RandomStream random(std::strtoul(argv[2], nullptr, 10));
  std::set<fs::path> files;  // in a fixed order
  for (int k = 3; k < argc; ++k) {
    if (!fs::is_directory(argv[k]))
      files.insert(argv[k]);
    else
      for (const auto& entry : fs::directory_iterator(argv[k]))
        if (entry.is_regular_file()) files.insert(entry.path());
  }
  std::vector<std::string> corpus;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    give(corpus.back());
  }
  for (unsigned long k = 0; k < iterations; ++k) {
    if (corpus.empty() || below(random, 8) == 0) {
      give(moreau::fuzz::arbitrary(random, below(random, 64)));
      continue;
    }
    std::string text = corpus[below(random, corpus.size())];
    for (std::size_t n = 1 + below(random, 4); n > 0; --n) text = moreau::fuzz::mutated(std::move(text), corpus, random);
    give(text);
  }
  std::printf("%zu files and %lu inputs\n", corpus.size(), iterations);
}
