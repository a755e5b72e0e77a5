#include "moreau/scene/generate/mesh_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

#include "moreau/base/base64.hpp"
#include "moreau/base/deflate.hpp"
#include "moreau/base/signature.hpp"
#include "moreau/mesh/soup.hpp"

namespace moreau::inline scene {
namespace {

constexpr std::uintmax_t most_bytes = 256u << 20;
constexpr const char* accepted = "accepted: the name of a readable file of triangles (.stl, .obj, .ply or .off)";

MeshFile read_copy(TableReader table) {
  MeshFile file{"holds a copy of a mesh", {}, {}, {}};
  file.format = mesh::formats()[table.choice("format", mesh::formats())];
  file.digest = table.text("digest");
  const auto size = static_cast<std::uint64_t>(table.integer("bytes", 1, static_cast<std::int64_t>(most_bytes)));
  const std::string data = table.text("data");
  table.finish();
  if (table.mistakes().any()) return file;
  const auto bytes = bytes_of_base64(data);
  // Bytes are deflated a thousand times at most: no short text asks for much memory.
  if (bytes && size / 1100 <= bytes->size()) file.bytes = inflated(*bytes, size);
  if (file.bytes.empty() || digest_of_scene(file.bytes) != file.digest) {
    table.fail("data", "is not the mesh whose digest is given; accepted: a copy made by moreau, as it was written");
    file.bytes.clear();
  }
  return file;
}

}  // namespace

MeshFile read_mesh_file(TableReader& entry, NamedFiles& files) {
  if (entry.is_table("mesh")) return read_copy(*entry.table("mesh", true));
  const std::string name = entry.text("mesh");
  if (name.empty()) {
    if (!entry.mistakes().any()) entry.fail("mesh", fmt::format("is empty; {}", accepted));
    return {};
  }
  const std::filesystem::path path = files.folder / name;
  MeshFile file{fmt::format("names {}", path.string()), path.extension().string(), {}, {}};
  const auto refuse = [&](const std::string& why) {
    return entry.fail("mesh", fmt::format("{}, which {}; {}", file.words, why, accepted)), MeshFile{};
  };
  if (!file.format.empty()) file.format.erase(0, 1);
  std::ranges::transform(file.format, file.format.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (std::ranges::find(mesh::formats(), file.format) == mesh::formats().end())
    return refuse(fmt::format("ends with \".{}\"", shortened(file.format)));
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return refuse("does not exist");
  if (!std::filesystem::is_regular_file(status)) return refuse("is no file");
  if (std::filesystem::file_size(path, error) > most_bytes) return refuse(fmt::format("is larger than {} bytes", most_bytes));
  std::ifstream stream(path, std::ios::binary);
  file.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream && file.bytes.empty()) return refuse("cannot be opened");
  if (file.bytes.empty()) return refuse("is empty");
  file.digest = digest_of_scene(file.bytes);
  files.inclusions.push_back(
      {entry.source_of("mesh"), fmt::format("{{ format = \"{}\", digest = \"{}\", bytes = {}, data = \"{}\" }}", file.format,
                                            file.digest, file.bytes.size(), base64(deflated(file.bytes)))});
  return file;
}

}  // namespace moreau::inline scene
