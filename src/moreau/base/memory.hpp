// Memory that is refused before it is asked for. Where the system promises more than it has, a program that believes it is
// killed.
#pragma once

#include <new>
#include <string>
#include <utility>

namespace moreau::inline base {

// One sentence: what needs how much.
class MemoryShortage : public std::bad_alloc {
 public:
  explicit MemoryShortage(std::string sentence) : sentence_(std::move(sentence)) {}
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

// Bytes that can still be had: what the machine has free, within the limits on this process.
double available_memory();

// Refuses so many bytes if they are more than can be had; `what` needs them: "the candidates for contacts".
void demand_memory(double bytes, const std::string& what);

// 2.5 GB, 640 MB
std::string bytes_text(double bytes);

// A sentence for a user, whichever of the two it is.
std::string memory_sentence(const std::bad_alloc& error);

}  // namespace moreau::inline base
