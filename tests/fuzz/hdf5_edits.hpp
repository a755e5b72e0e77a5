// Hostile HDF5 files: a valid file, edited as arbitrary bytes say. The edits go through the library, so that all checksums are
// right and the reader of the program meets what it has to judge itself: values, ranges, missing things.
#pragma once

#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace moreau::fuzz {

namespace fs = std::filesystem;

// A folder in memory where there is one.
inline fs::path scratch() {
  struct Folder {
    fs::path path = (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
                    ("moreau-fuzz-" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

inline void write_bytes(const fs::path& path, const void* data, std::size_t size) {
  std::ofstream(path, std::ios::binary).write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

inline std::string bytes_in(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Takes numbers off the front of the bytes; zeros once they are used up.
class Dice {
 public:
  Dice(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  template <class T>
  T next() {
    T value{};
    const std::size_t n = std::min(sizeof value, size_);
    std::memcpy(&value, data_, n);
    data_ += n, size_ -= n;
    return value;
  }
  bool empty() const { return size_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

inline double hostile_number(Dice& dice) {
  static const double known[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0,    -0.0,   1.0,  -1.0, 0.5,
                                 2.0,          1e308,    -1e308,    1e-308, 5e-324, 1e30, 1e300};
  const std::uint8_t choice = dice.next<std::uint8_t>();
  if (choice < 192) return known[choice % std::size(known)];
  return dice.next<double>();
}

inline std::int64_t hostile_integer(Dice& dice) {
  static const std::int64_t known[] = {0,
                                       1,
                                       -1,
                                       2,
                                       -2,
                                       3,
                                       17,
                                       -67,
                                       255,
                                       100000,
                                       1000000,
                                       600000000,
                                       2147483647,
                                       -2147483647 - 1,
                                       std::numeric_limits<std::int64_t>::max(),
                                       std::numeric_limits<std::int64_t>::min()};
  const std::uint8_t choice = dice.next<std::uint8_t>();
  if (choice < 192) return known[choice % std::size(known)];
  return dice.next<std::int64_t>();
}

// The names of all arrays, groups and attributes of a file.
struct Contents {
  std::vector<std::string> sets, links;
  std::vector<std::pair<std::string, std::string>> attributes;  // object, name

  explicit Contents(const fs::path& file) {
    const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const auto visit = [](hid_t root, const char* name, const H5O_info_t* info, void* self) -> herr_t {
      Contents& all = *static_cast<Contents*>(self);
      if (std::strcmp(name, ".") != 0) all.links.emplace_back(name);
      if (info->type == H5O_TYPE_DATASET) all.sets.emplace_back(name);
      const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
      for (hsize_t k = 0; k < info->num_attrs; ++k) {
        char text[256] = {};
        H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, k, text, sizeof text, H5P_DEFAULT);
        all.attributes.emplace_back(name, text);
      }
      H5Oclose(object);
      return 0;
    };
    H5Ovisit(id, H5_INDEX_NAME, H5_ITER_INC, visit, this);
    H5Fclose(id);
  }
};

// One number of an array or attribute; `read` and `write` are given the type in memory.
template <class Read, class Write>
void edit_numbers(hid_t type, hssize_t count, Dice& dice, const Read& read, const Write& write) {
  if (count <= 0 || count > 1 << 20) return;
  const auto at = static_cast<std::size_t>(dice.next<std::uint32_t>() % static_cast<std::uint64_t>(count));
  if (H5Tget_class(type) == H5T_FLOAT) {
    std::vector<double> values(static_cast<std::size_t>(count));
    if (read(H5T_NATIVE_DOUBLE, values.data()) < 0) return;
    values[at] = hostile_number(dice);
    write(H5T_NATIVE_DOUBLE, values.data());
  } else if (H5Tget_class(type) == H5T_INTEGER) {
    std::vector<std::int64_t> values(static_cast<std::size_t>(count));
    if (read(H5T_NATIVE_INT64, values.data()) < 0) return;
    values[at] = hostile_integer(dice);
    write(H5T_NATIVE_INT64, values.data());
  }
}

inline void edit_once(hid_t file, const Contents& contents, Dice& dice) {
  const std::uint8_t what = dice.next<std::uint8_t>();
  const auto choose = [&](const auto& list) -> const auto& { return list[dice.next<std::uint16_t>() % list.size()]; };
  if (what < 160 && !contents.sets.empty()) {
    const hid_t set = H5Dopen2(file, choose(contents.sets).c_str(), H5P_DEFAULT);
    if (set < 0) return;
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    edit_numbers(
        type, H5Sget_simple_extent_npoints(space), dice,
        [&](hid_t memory, void* values) { return H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values); },
        [&](hid_t memory, const void* values) { return H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values); });
    H5Tclose(type), H5Sclose(space), H5Dclose(set);
  } else if (what < 230 && !contents.attributes.empty()) {
    const auto& [object, name] = choose(contents.attributes);
    const hid_t attribute = H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return;
    const hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    edit_numbers(
        type, H5Sget_simple_extent_npoints(space), dice,
        [&](hid_t memory, void* values) { return H5Aread(attribute, memory, values); },
        [&](hid_t memory, const void* values) { return H5Awrite(attribute, memory, values); });
    H5Tclose(type), H5Sclose(space), H5Aclose(attribute);
  } else if (what < 245 && !contents.links.empty()) {
    H5Ldelete(file, choose(contents.links).c_str(), H5P_DEFAULT);
  } else if (contents.sets.size() > 1) {  // one array in the place of another
    const std::string &from = choose(contents.sets), &to = choose(contents.sets);
    if (from == to || H5Ldelete(file, to.c_str(), H5P_DEFAULT) < 0) return;
    H5Lcreate_hard(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  }
}

// The valid file, edited; or, for bytes that begin with an odd number, plainly damaged in one place.
inline void write_edited(const fs::path& path, const std::string& valid, const Contents& contents, Dice& dice) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (dice.next<std::uint8_t>() % 16 == 15) {
    std::string damaged = valid;
    for (int k = 0; k < 4 && !dice.empty(); ++k)
      damaged[dice.next<std::uint32_t>() % damaged.size()] ^= static_cast<char>(dice.next<std::uint8_t>());
    return write_bytes(path, damaged.data(), damaged.size());
  }
  write_bytes(path, valid.data(), valid.size());
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) return;
  do edit_once(file, contents, dice);
  while (!dice.empty());
  H5Fclose(file);
}

}  // namespace moreau::fuzz
