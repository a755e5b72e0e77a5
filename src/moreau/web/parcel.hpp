// What the page gets instead of HDF5: a header in JSON and arrays of numbers, as they lie in memory (little endian).
//
//   bytes 0-3   "MRV1"
//   bytes 4-7   length of the header, a multiple of 8
//   header      JSON, padded with blanks; "arrays": [{name, type, components, rows, offset}], offsets from the end of the header
//   arrays      each begins at a multiple of 8, so that the page can look at them in place
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace moreau::web {

class Parcel {
 public:
  explicit Parcel(nlohmann::ordered_json header) : header_(std::move(header)) { header_["arrays"] = nlohmann::json::array(); }

  // `values` holds rows of so many numbers.
  template <class T>
  void add(const std::string& name, const std::vector<T>& values, std::size_t components = 1) {
    add_bytes(name, type_name<T>(), components, values.size() / components, values.data(), values.size() * sizeof(T));
  }
  std::string bytes() const;

 private:
  template <class T>
  static constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return "u8";
    if constexpr (std::is_same_v<T, std::uint16_t>) return "u16";
    if constexpr (std::is_same_v<T, std::int32_t>) return "i32";
    if constexpr (std::is_same_v<T, float>) return "f32";
    if constexpr (std::is_same_v<T, double>) return "f64";
  }
  void add_bytes(const std::string& name, const char* type, std::size_t components, std::size_t rows, const void* data,
                 std::size_t size);

  nlohmann::ordered_json header_;
  std::string data_;
};

// JSON as text; bytes of a file that are no UTF-8 are replaced, not refused.
std::string text_of(const nlohmann::ordered_json& json);

}  // namespace moreau::web
