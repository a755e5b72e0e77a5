// A 128-bit hash of bytes (XXH3), fed piece by piece.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

struct XXH3_state_s;

namespace moreau::inline base {

class Hash {
 public:
  Hash();
  ~Hash();
  Hash(const Hash&) = delete;
  Hash& operator=(const Hash&) = delete;

  void bytes(const void* data, std::size_t size);
  template <class T>
  void value(const T& x) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&x, sizeof x);
  }
  template <class T>
  void array(const std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    value(v.size());
    bytes(v.data(), v.size() * sizeof(T));
  }
  std::string hex() const;  // 32 digits

 private:
  XXH3_state_s* state_;
};

}  // namespace moreau::inline base
