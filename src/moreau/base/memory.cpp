#include "moreau/base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace moreau::inline base {

namespace {

constexpr double too_little_to_ask = 256.0 * 1024 * 1024;  // bytes that are never refused: asking takes longer than having

// The number after `key` in a file of the kernel, in bytes; infinite if there is none.
double kernel_number(const char* file, const std::string& key, double unit) {
  std::ifstream in(file);
  for (std::string word; in >> word;)
    if (word == key || key.empty()) {
      double number = 0.0;
      if (key.empty()) in.clear(), in.seekg(0);
      if (in >> number) return unit * number;
      break;
    }
  return std::numeric_limits<double>::infinity();
}

double limit_of(int resource) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

// Pages of this process: of its address space (0), of its data (5).
double own_memory(int field) {
  std::ifstream in("/proc/self/statm");
  double pages = 0.0;
  for (int k = 0; k <= field; ++k)
    if (!(in >> pages)) return 0.0;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

double available_memory() {
  const double group = kernel_number("/sys/fs/cgroup/memory.max", "", 1.0);
  double available = kernel_number("/proc/meminfo", "MemAvailable:", 1024.0);
  if (std::isfinite(group)) available = std::min(available, group - kernel_number("/sys/fs/cgroup/memory.current", "", 1.0));
  available = std::min(available, limit_of(RLIMIT_AS) - own_memory(0));
  available = std::min(available, limit_of(RLIMIT_DATA) - own_memory(5));
  return std::max(0.0, available);
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB"};
  double number = bytes / 1000.0;
  std::size_t unit = 0;
  while (number >= 1000.0 && unit + 1 < std::size(units)) number /= 1000.0, ++unit;
  return fmt::format("{:.3g} {}", number, units[unit]);
}

void demand_memory(double bytes, const std::string& what) {
  if (bytes <= too_little_to_ask) return;
  const double available = available_memory();
  if (bytes > available)
    throw MemoryShortage(
        fmt::format("{} would need {} of memory, and {} can be had", what, bytes_text(bytes), bytes_text(available)));
}

std::string memory_sentence(const std::bad_alloc& error) {
  if (dynamic_cast<const MemoryShortage*>(&error) != nullptr) return error.what();
  return fmt::format("the memory does not suffice: {} more can be had", bytes_text(available_memory()));
}

}  // namespace moreau::inline base
