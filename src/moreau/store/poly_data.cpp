#include "moreau/store/poly_data.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <numeric>

namespace moreau::inline store {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace

void PolyData::add_components(const std::string& name, int components, std::vector<float> values) {
  arrays_.push_back({name, "Float32", components, bytes_of(values)});
}
void PolyData::add(const std::string& name, const std::vector<double>& values) {
  add_components(name, 1, std::vector<float>(values.begin(), values.end()));
}
void PolyData::add(const std::string& name, const std::vector<std::int32_t>& values) {
  arrays_.push_back({name, "Int32", 1, bytes_of(values)});
}
void PolyData::add(const std::string& name, const std::vector<std::uint8_t>& values) {
  arrays_.push_back({name, "UInt8", 1, bytes_of(values)});
}

std::string PolyData::text() const {
  std::vector<std::int32_t> connectivity(points_);
  std::iota(connectivity.begin(), connectivity.end(), 0);

  std::string header, appended;
  const auto declare = [&](const Array& array) {
    header +=
        fmt::format("        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                    array.type, array.name, array.components, appended.size());
    const std::uint64_t size = array.bytes.size();
    appended.append(reinterpret_cast<const char*>(&size), sizeof size);
    appended += array.bytes;
  };
  const auto count = [&](Cells kind) { return cells_ == kind ? ends_.size() : 0; };
  header = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
      "  <PolyData>\n"
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", points_, count(Cells::vertices),
      count(Cells::segments), count(Cells::polygons));
  header += "      <Points>\n";
  declare(arrays_.front());
  const char* owner = cells_ == Cells::polygons ? "CellData" : "PointData";
  header += fmt::format("      </Points>\n      <{}>\n", owner);
  for (std::size_t i = 1; i < arrays_.size(); ++i) declare(arrays_[i]);
  const char* tag = cells_ == Cells::vertices ? "Verts" : cells_ == Cells::segments ? "Lines" : "Polys";
  header += fmt::format("      </{}>\n      <{}>\n", owner, tag);
  declare({"connectivity", "Int32", 1, bytes_of(connectivity)});
  declare({"offsets", "Int32", 1, bytes_of(ends_)});
  header += fmt::format("      </{}>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_", tag);
  return header + appended + "\n  </AppendedData>\n</VTKFile>\n";
}

}  // namespace moreau::inline store
