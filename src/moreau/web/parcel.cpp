#include "moreau/web/parcel.hpp"

#include <bit>

namespace moreau::web {

static_assert(std::endian::native == std::endian::little);

void Parcel::add_bytes(const std::string& name, const char* type, std::size_t components, std::size_t rows, const void* data,
                       std::size_t size) {
  header_["arrays"].push_back(
      {{"name", name}, {"type", type}, {"components", components}, {"rows", rows}, {"offset", data_.size()}});
  data_.append(static_cast<const char*>(data), size);
  data_.resize((data_.size() + 7) / 8 * 8);
}

std::string Parcel::bytes() const {
  std::string header = text_of(header_);
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint32_t length = static_cast<std::uint32_t>(header.size());
  std::string result = "MRV1";
  result.reserve(8 + header.size() + data_.size());
  result.append(reinterpret_cast<const char*>(&length), sizeof length);
  return result.append(header).append(data_);
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace moreau::web
