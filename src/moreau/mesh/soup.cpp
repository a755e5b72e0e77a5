#include "moreau/mesh/soup.hpp"

#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <cstring>

#include "moreau/mesh/mesh_error.hpp"
#include "moreau/mesh/ply.hpp"
#include "moreau/mesh/whole_text.hpp"

namespace moreau::mesh {
namespace {

// The bytes as a file, and no other file: what a mesh names besides (materials, pictures) is not looked for.
class Bytes : public Assimp::IOStream {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::size_t Read(void* to, std::size_t size, std::size_t count) override {
    if (size == 0) return 0;
    const std::size_t whole = std::min(count, (bytes_.size() - at_) / size);
    if (whole > 0) std::memcpy(to, bytes_.data() + at_, whole * size);
    at_ += whole * size;
    return whole;
  }
  std::size_t Write(const void*, std::size_t, std::size_t) override { return 0; }
  aiReturn Seek(std::size_t offset, aiOrigin origin) override {
    const std::size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : bytes_.size();
    const std::size_t to = origin == aiOrigin_END ? from - std::min(offset, from) : from + offset;
    if (to > bytes_.size()) return aiReturn_FAILURE;
    at_ = to;
    return aiReturn_SUCCESS;
  }
  std::size_t Tell() const override { return at_; }
  std::size_t FileSize() const override { return bytes_.size(); }
  void Flush() override {}

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

class OneFile : public Assimp::IOSystem {
 public:
  OneFile(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}
  bool Exists(const char* file) const override { return file == name_; }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* file, const char*) override { return file == name_ ? new Bytes(bytes_) : nullptr; }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string name_;
  std::string_view bytes_;
};

// Only the reader of the format: the library would otherwise guess among all it knows.
void keep_reader(Assimp::Importer& importer, const std::string& format) {
  std::vector<Assimp::BaseImporter*> others;
  const Assimp::BaseImporter* wanted = importer.GetImporter(importer.GetImporterIndex(format.c_str()));
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i)
    if (importer.GetImporter(i) != wanted) others.push_back(importer.GetImporter(i));
  for (Assimp::BaseImporter* other : others) importer.UnregisterLoader(other);
}

void check_corners(const aiScene& scene) {
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& mesh = *scene.mMeshes[m];
    if (mesh.mNumFaces > 0 && mesh.mVertices == nullptr) throw MeshError("has triangles without corners");
    for (unsigned f = 0; f < mesh.mNumFaces; ++f)
      for (unsigned k = 0; k < mesh.mFaces[f].mNumIndices; ++k)
        if (mesh.mFaces[f].mIndices[k] >= mesh.mNumVertices)
          throw MeshError(fmt::format("has a polygon ({}) with corner {} of {}", f + 1, mesh.mFaces[f].mIndices[k] + 1ull, mesh.mNumVertices));
  }
}

std::string first_line(std::string text) {
  text = text.substr(0, text.find_first_of("\r\n"));
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126; });
  return text.substr(0, 160);
}

// The library knows the file by a name that the user has never seen.
std::string without(std::string text, const std::string& name) {
  if (const std::size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), "it");
  return text;
}

}  // namespace

const std::vector<std::string>& formats() {
  static const std::vector<std::string> known{"stl", "obj", "ply", "off"};
  return known;
}

Soup soup_of(std::string_view bytes, const std::string& format) {
  if (format == "ply") return read_ply(bytes);
  check_whole_text(bytes, format);
  Assimp::Importer importer;
  keep_reader(importer, format);
  const std::string name = "mesh." + format;
  importer.SetIOHandler(new OneFile(name, bytes));  // the importer deletes it
  const aiScene* scene = importer.ReadFile(name, 0);
  if (scene == nullptr)
    throw MeshError(fmt::format("cannot be read as {}: {}", format, without(first_line(importer.GetErrorString()), name)));
  check_corners(*scene);
  Soup soup;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const std::int32_t first = static_cast<std::int32_t>(soup.vertices.size());
    for (unsigned v = 0; v < mesh.mNumVertices; ++v)
      soup.vertices.push_back({{mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z}});
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
      const aiFace& face = mesh.mFaces[f];
      for (unsigned k = 2; k < face.mNumIndices; ++k) {
        const auto corner = [&](unsigned i) { return first + static_cast<std::int32_t>(face.mIndices[i]); };
        if (soup.triangles.size() == most_triangles) throw MeshError(fmt::format("has more than {} triangles", most_triangles));
        soup.triangles.push_back({corner(0), corner(k - 1), corner(k)});
      }
    }
  }
  return soup;
}

}  // namespace moreau::mesh
