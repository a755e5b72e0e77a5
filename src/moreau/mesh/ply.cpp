#include "moreau/mesh/ply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <sstream>

#include "moreau/mesh/mesh_error.hpp"

namespace moreau::mesh {
namespace {

enum class Coding { ascii, little, big };

struct Type {
  std::string_view name, other;
  int bytes;
  char kind;  // i, u or f
};
constexpr std::array<Type, 8> types{{{"char", "int8", 1, 'i'},
                                     {"uchar", "uint8", 1, 'u'},
                                     {"short", "int16", 2, 'i'},
                                     {"ushort", "uint16", 2, 'u'},
                                     {"int", "int32", 4, 'i'},
                                     {"uint", "uint32", 4, 'u'},
                                     {"float", "float32", 4, 'f'},
                                     {"double", "float64", 8, 'f'}}};

const Type& type_of(const std::string& name) {
  const auto found = std::ranges::find_if(types, [&](const Type& t) { return name == t.name || name == t.other; });
  if (found == types.end()) throw MeshError("has a property of unknown type in its header");
  return *found;
}

struct Property {
  std::string name;
  const Type* type = nullptr;
  const Type* count = nullptr;  // of a list
};
struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

// What follows the header, number by number.
class Numbers {
 public:
  Numbers(std::string_view bytes, Coding coding) : bytes_(bytes), coding_(coding) {}

  double next(const Type& type) {
    if (coding_ == Coding::ascii) return word();
    if (bytes_.size() - at_ < static_cast<std::size_t>(type.bytes)) throw MeshError("ends before its last element");
    char raw[8] = {};
    std::memcpy(raw, bytes_.data() + at_, static_cast<std::size_t>(type.bytes));
    at_ += static_cast<std::size_t>(type.bytes);
    if ((coding_ == Coding::big) != (std::endian::native == std::endian::big)) std::reverse(raw, raw + type.bytes);
    const auto as = [&]<class T>(T value) {
      std::memcpy(&value, raw, sizeof(T));
      return static_cast<double>(value);
    };
    switch (type.bytes) {
      case 1:
        return type.kind == 'i' ? as(std::int8_t{}) : as(std::uint8_t{});
      case 2:
        return type.kind == 'i' ? as(std::int16_t{}) : as(std::uint16_t{});
      case 4:
        return type.kind == 'i' ? as(std::int32_t{}) : type.kind == 'u' ? as(std::uint32_t{}) : as(float{});
      default:
        return as(double{});
    }
  }
  std::size_t left() const { return bytes_.size() - at_; }
  // But for blank lines at the end.
  bool at_end() const { return bytes_.find_first_not_of(" \t\r\n", at_) == std::string_view::npos; }

 private:
  double word() {
    at_ = std::min(bytes_.find_first_not_of(" \t\r\n", at_), bytes_.size());
    const std::size_t end = std::min(bytes_.find_first_of(" \t\r\n", at_), bytes_.size());
    if (at_ == end) throw MeshError("ends before its last element");
    double value = 0.0;
    const auto [stop, error] = std::from_chars(bytes_.data() + at_, bytes_.data() + end, value);
    if (error != std::errc{} || stop != bytes_.data() + end) throw MeshError("has something that is not a number after its header");
    at_ = end;
    return value;
  }

  std::string_view bytes_;
  Coding coding_;
  std::size_t at_ = 0;
};

struct Header {
  Coding coding = Coding::ascii;
  std::vector<Element> elements;
  std::size_t end = 0;  // where the numbers begin
};

Header read_header(std::string_view bytes) {
  if (!bytes.starts_with("ply")) throw MeshError("cannot be read as ply: it does not begin with \"ply\"");
  Header header;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t newline = bytes.find('\n', at);
    if (newline == std::string_view::npos) break;
    std::istringstream line(std::string(bytes.substr(at, newline - at)));
    at = newline + 1;
    std::string word, first, second, third;
    line >> word >> first >> second >> third;
    if (word == "end_header") {
      header.end = at;
      return header;
    }
    if (word == "format") {
      if (first != "ascii" && first != "binary_little_endian" && first != "binary_big_endian")
        throw MeshError("has an unknown format in its header; accepted: ascii, binary_little_endian, binary_big_endian");
      header.coding = first == "ascii" ? Coding::ascii : first == "binary_big_endian" ? Coding::big : Coding::little;
    } else if (word == "element") {
      std::size_t count = 0;
      const auto [stop, error] = std::from_chars(second.data(), second.data() + second.size(), count);
      if (error != std::errc{} || stop != second.data() + second.size()) throw MeshError("has an element without a number in its header");
      header.elements.push_back({first, count, {}});
    } else if (word == "property") {
      if (header.elements.empty()) throw MeshError("has a property before the first element in its header");
      std::vector<Property>& properties = header.elements.back().properties;
      if (first == "list") {
        std::string name;
        line >> name;
        properties.push_back({name, &type_of(third), &type_of(second)});
      } else {
        properties.push_back({second, &type_of(first), nullptr});
      }
    }
  }
  throw MeshError("has no end of its header");
}

}  // namespace

Soup read_ply(std::string_view bytes) {
  const Header header = read_header(bytes);
  Numbers numbers(bytes.substr(header.end), header.coding);
  Soup soup;
  for (const Element& element : header.elements) {
    if (element.properties.empty()) continue;
    // Every element takes a byte at least.
    if (element.count > numbers.left())
      throw MeshError(fmt::format("says that it has {} of '{}', which do not fit into its {} bytes", element.count,
                                  element.name.substr(0, 40), bytes.size()));
    for (std::size_t i = 0; i < element.count; ++i) {
      Vec<3> corner{};
      for (const Property& property : element.properties) {
        if (property.count == nullptr) {
          const double value = numbers.next(*property.type);
          for (int d = 0; d < 3; ++d)
            if (property.name == std::string(1, static_cast<char>('x' + d))) corner[d] = value;
          continue;
        }
        const double count = numbers.next(*property.count);
        if (!(count >= 0.0) || count > static_cast<double>(numbers.left()))
          throw MeshError(fmt::format("has a list of {:g} numbers in element {} of '{}'", count, i + 1, element.name.substr(0, 40)));
        const bool polygon = element.name == "face" && property.name.starts_with("vertex_ind");
        std::int32_t first = 0, last = 0;
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
          const double value = numbers.next(*property.type);
          if (!polygon) continue;
          if (!(value >= 0.0 && value < static_cast<double>(soup.vertices.size())))
            throw MeshError(fmt::format("has a polygon ({}) with corner {:g} of {}", i + 1, value + 1.0, soup.vertices.size()));
          const std::int32_t here = static_cast<std::int32_t>(value);
          if (k == 0) first = here;
          if (k >= 2) {
            if (soup.triangles.size() == most_triangles) throw MeshError(fmt::format("has more than {} triangles", most_triangles));
            soup.triangles.push_back({first, last, here});
          }
          last = here;
        }
      }
      if (element.name == "vertex") soup.vertices.push_back(corner);
    }
  }
  if (!numbers.at_end())
    throw MeshError(fmt::format("has {} bytes more than its header says, after {} corners and {} triangles", numbers.left(),
                                soup.vertices.size(), soup.triangles.size()));
  return soup;
}

}  // namespace moreau::mesh
