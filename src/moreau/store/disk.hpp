// Files that are complete or absent, and files that grow by whole lines. Every failure is a StoreError with the system's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace moreau::inline store {

inline constexpr const char* temporary_suffix = ".tmp";  // beside the final name, so that the rename stays on one file system

// A kill of the program loses nothing that was written; a loss of power may lose what was not forced to the disk. Forcing costs
// milliseconds per file, so what a resumed run can make again, or what will be forced with the next checkpoint, is left for
// later.
enum class Sync { now, later };

// Writes beside `path`, without the rename: the returned file is complete and ready to take the place of `path`.
std::filesystem::path write_beside(const std::filesystem::path& path, std::string_view bytes, Sync sync);
void replace_file(const std::filesystem::path& from, const std::filesystem::path& to, Sync sync);
// Both: after a kill at any moment `path` holds either its old bytes or the new ones.
void write_whole(const std::filesystem::path& path, std::string_view bytes, Sync sync);
// A file that must not be there yet: of several processes that try, one succeeds.
void write_new(const std::filesystem::path& path, std::string_view bytes);
void force_to_disk(const std::filesystem::path& path);  // a file or a folder; absent is fine

// A regular file of at most so many bytes.
std::string read_whole(const std::filesystem::path& path, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
std::string read_start(const std::filesystem::path& path, std::size_t most);  // its first bytes
void remove_file(const std::filesystem::path& path);                          // absent is fine
bool file_exists(const std::filesystem::path& path);
// Makes a folder, unless it is there. A link in its place is refused: what is written or removed in a run lies in its folder.
void make_own_folder(const std::filesystem::path& path);
void refuse_link(const std::filesystem::path& path);

// Each line reaches the system in one write; a line that does not fit (full disk) is taken back before the error is raised. A
// file that is no longer the one of its name is an error too: what is written to it would be lost.
class LineFile {
 public:
  explicit LineFile(std::filesystem::path path);
  LineFile(LineFile&& other) noexcept;
  LineFile& operator=(LineFile&&) = delete;
  ~LineFile();
  bool empty() const;
  void append(std::string_view line);  // without the line end

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace moreau::inline store
