// Opening, building in memory and closing of HDF5 files.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "moreau/base/memory.hpp"
#include "moreau/store/disk.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/hdf5_error.hpp"

namespace moreau::hdf5 {

// The buffer lives in functions that the library calls; at the close of the file it is kept instead of freed. (The library's own
// H5Fget_file_image returns a superblock with a wrong checksum for files of the 1.10 format.)
struct Writer::Image {
  void* bytes = nullptr;
  std::size_t allocated = 0;
  ~Image() { std::free(bytes); }

  static void* allocate(std::size_t size, H5FD_file_image_op_t, void* self) { return static_cast<Image*>(self)->grow(size); }
  static void* reallocate(void*, std::size_t size, H5FD_file_image_op_t, void* self) {
    return static_cast<Image*>(self)->grow(size);
  }
  static herr_t keep(void*, H5FD_file_image_op_t, void*) { return 0; }
  static void* same(void* self) { return self; }
  static herr_t leave(void*) { return 0; }

  void* grow(std::size_t size) {
    void* larger = std::realloc(bytes, size);
    if (larger != nullptr) bytes = larger, allocated = size;
    return larger;
  }
};

namespace {

// Superblock versions 2 and 3 (HDF5 file format specification, section II.A): the end-of-file address is the third of the
// eight-byte addresses that follow twelve bytes of signature and sizes.
constexpr std::size_t end_of_file_offset = 12 + 2 * 8;

Handle file_access() {
  silence_library();
  return {H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
}

// Before a file is begun or opened: where the library (1.10) cannot have its working memory then, it reads what is not there.
void demand_working_memory(const std::string& name) {
  constexpr double needed = 4e6;  // bytes
  if (available_memory() < needed)
    throw MemoryShortage(fmt::format("{} would need {} of memory, and {} can be had", name, bytes_text(needed), bytes_text(available_memory())));
}

}  // namespace

Writer::Writer(const std::filesystem::path& path) : name_(path.string()), image_(std::make_shared<Image>()) {
  demand_working_memory(name_);
  const Handle access = file_access();
  const std::size_t increment = std::size_t{1} << 20;
  H5FD_file_image_callbacks_t callbacks{};
  callbacks.image_malloc = Image::allocate;
  callbacks.image_realloc = Image::reallocate;
  callbacks.image_free = Image::keep;
  callbacks.udata_copy = Image::same;
  callbacks.udata_free = Image::leave;
  callbacks.udata = image_.get();
  const bool ready = H5Pset_fapl_core(access.get(), increment, false) >= 0 &&
                     H5Pset_file_image_callbacks(access.get(), &callbacks) >= 0 &&
                     // The 1.10 format has checksums on all metadata.
                     H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
                     H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG) >= 0;
  const Handle creation{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
  H5Pset_obj_track_times(creation.get(), false);  // of the root group
  // Even in memory the library first looks whether there is a file of that name, opens and reads it: there must not be one.
  const std::string nowhere = "/dev/null/" + path.filename().string();
  if (ready) file_ = {H5Fcreate(nowhere.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
  if (file_.get() < 0) throw_error(name_, "cannot be built in memory");
  Handle root{H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose};
  if (root.get() < 0) throw_error(name_, "cannot be built in memory");
  root_ = std::make_unique<Group>(std::move(root), name_, "");
}

std::string_view Writer::finish() {
  root_.reset();
  if (H5Fclose(file_.release()) < 0) throw_error(name_, "cannot be built in memory");
  std::uint64_t size = 0;
  if (image_->allocated < end_of_file_offset + sizeof size) throw_error(name_, "cannot be built in memory");
  const char* bytes = static_cast<const char*>(image_->bytes);
  std::memcpy(&size, bytes + end_of_file_offset, sizeof size);
  if (size > image_->allocated) throw_error(name_, "cannot be built in memory");
  return {bytes, size};
}

Reader::Reader(const std::filesystem::path& path) {
  if (!file_exists(path)) throw_plain(path.string(), "does not exist");
  if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored)) throw_plain(path.string(), "is not a file");
  demand_working_memory(path.string());
  const Handle usual = file_access(), unlocked = file_access();
#if H5_VERSION_GE(1, 10, 7)
  // Files of a run never change once they have their name, so no lock is needed; and some file systems offer none.
  H5Pset_file_locking(unlocked.get(), false, true);
#endif
  // One library may serve others in this process (h5py). A file that they hold open, perhaps through a link from another file, is
  // opened again only with the flags they have opened it with.
  for (const H5F_close_degree_t degree : {H5F_CLOSE_STRONG, H5F_CLOSE_DEFAULT})
    for (const Handle* access : {&unlocked, &usual}) {
      if (file_.get() >= 0) continue;
      H5Pset_fclose_degree(access->get(), degree);
      file_ = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access->get()), H5Fclose};
    }
  if (file_.get() < 0) throw_error(path.string(), "cannot be read");
  Handle root{H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose};
  if (root.get() < 0) throw_error(path.string(), "cannot be read");
  root_ = std::make_unique<Group>(std::move(root), path.string(), "");
}

}  // namespace moreau::hdf5
