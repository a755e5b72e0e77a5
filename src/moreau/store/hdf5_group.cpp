// Arrays, texts and attributes of one group.
#include <fmt/format.h>

#include <algorithm>

#include "moreau/store/hdf5.hpp"
#include "moreau/store/hdf5_error.hpp"

namespace moreau::hdf5 {
namespace {

// On disk always little-endian, whatever the machine.
hid_t disk_type(Number number) {
  switch (number) {
    case Number::f64:
      return H5T_IEEE_F64LE;
    case Number::i32:
      return H5T_STD_I32LE;
    case Number::i64:
      return H5T_STD_I64LE;
    case Number::u64:
      return H5T_STD_U64LE;
    case Number::u8:
      return H5T_STD_U8LE;
  }
  return -1;
}

hid_t memory_type(Number number) {
  switch (number) {
    case Number::f64:
      return H5T_NATIVE_DOUBLE;
    case Number::i32:
      return H5T_NATIVE_INT32;
    case Number::i64:
      return H5T_NATIVE_INT64;
    case Number::u64:
      return H5T_NATIVE_UINT64;
    case Number::u8:
      return H5T_NATIVE_UINT8;
  }
  return -1;
}

Handle text_type(std::size_t length) {
  Handle type{H5Tcopy(H5T_C_S1), H5Tclose};
  H5Tset_size(type.get(), std::max<std::size_t>(length, 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

constexpr unsigned effort = 4;  // of compression, 1 to 9: 3 % smaller than 1, at twice the time

// Checksums (and compression) need chunks; chunks of 2^16 rows keep both the index and the buffers small.
Handle layout(hsize_t rows, int components, Packing packing) {
  Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_obj_track_times(properties.get(), false);
  if (rows == 0) return properties;
  const hsize_t chunk[2] = {std::min<hsize_t>(rows, hsize_t{1} << 16), static_cast<hsize_t>(components)};
  H5Pset_chunk(properties.get(), components == 1 ? 1 : 2, chunk);
  if (packing == Packing::compressed) {
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), effort);
  }
  H5Pset_fletcher32(properties.get());
  return properties;
}

Handle space_of(hsize_t rows, int components) {
  const hsize_t size[2] = {rows, static_cast<hsize_t>(components)};
  return {H5Screate_simple(components == 1 ? 1 : 2, size, nullptr), H5Sclose};
}

Handle create_set(hid_t group, const std::string& name, hid_t type, const Handle& space, const Handle& properties) {
  return {H5Dcreate2(group, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose};
}

// How groups and arrays are opened: within their file. A stranger's file may link to any other that the user can read.
Handle within_the_file(hid_t kind) {
  Handle access{H5Pcreate(kind), H5Pclose};
  const auto refuse = [](const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) -> herr_t { return -1; };
  H5Pset_elink_cb(access.get(), refuse, nullptr);
  return access;
}

Handle open_set(hid_t group, const std::string& name) {
  return {H5Dopen2(group, name.c_str(), within_the_file(H5P_DATASET_ACCESS).get()), H5Dclose};
}

// The numbers of an array may lie in other files: as raw bytes, or as pieces of their arrays.
bool lies_elsewhere(hid_t set) {
  const Handle properties{H5Dget_create_plist(set), H5Pclose};
  return H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) > 0;
}

constexpr int deepest = 32;  // groups within groups

Handle group_without_times() {
  Handle properties{H5Pcreate(H5P_GROUP_CREATE), H5Pclose};
  H5Pset_obj_track_times(properties.get(), false);
  return properties;
}

}  // namespace

void Group::fail(const std::string& name, const char* what) const {
  throw_error(file_, fmt::format("'{}{}' {}", path_, name, what));
}

void Group::damaged(const std::string& sentence) const { throw_plain(file_, sentence); }

void Group::wrong_length(const std::string& name, std::size_t found, std::size_t expected) const {
  damaged(fmt::format("is damaged: '{}{}' has {} rows where {} are expected", path_, name, found, expected));
}

Group Group::create(const std::string& name) {
  Handle id{H5Gcreate2(id_.get(), name.c_str(), H5P_DEFAULT, group_without_times().get(), H5P_DEFAULT), H5Gclose};
  if (id.get() < 0) fail(name, "cannot be created");
  return {std::move(id), file_, path_ + name + "/"};
}

Group Group::open(const std::string& name) const {
  Handle id{H5Gopen2(id_.get(), name.c_str(), within_the_file(H5P_GROUP_ACCESS).get()), H5Gclose};
  if (id.get() < 0) fail(name, "cannot be read");
  return {std::move(id), file_, path_ + name + "/"};
}

bool Group::has(const std::string& name) const { return H5Lexists(id_.get(), name.c_str(), H5P_DEFAULT) > 0; }
bool Group::has_attribute(const std::string& name) const { return H5Aexists(id_.get(), name.c_str()) > 0; }

std::vector<std::string> Group::names() const {
  H5G_info_t info{};
  if (H5Gget_info(id_.get(), &info) < 0) fail("", "cannot be read");
  std::vector<std::string> all;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const ssize_t length = H5Lget_name_by_idx(id_.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT);
    if (length < 0) fail("", "cannot be read");
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    H5Lget_name_by_idx(id_.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(), H5P_DEFAULT);
    name.pop_back();
    all.push_back(name);
  }
  return all;
}

// Not by H5Ocopy, which does not survive damaged files: each array is read and written again. Links to other places are left out.
void Group::copy(const std::string& name, const Group& source) {
  H5L_info_t link{};
  if (H5Lget_info(source.id_.get(), name.c_str(), &link, H5P_DEFAULT) < 0) source.fail(name, "cannot be read");
  if (link.type != H5L_TYPE_HARD) return;
  const Handle object{H5Oopen(source.id_.get(), name.c_str(), H5P_DEFAULT), H5Oclose};
  if (object.get() < 0) source.fail(name, "cannot be read");
  if (H5Iget_type(object.get()) == H5I_DATASET) return copy_set(name, source);
  if (H5Iget_type(object.get()) != H5I_GROUP) source.fail(name, "is neither a group nor an array: it cannot be copied");
  if (std::ranges::count(path_, '/') > deepest) source.fail(name, "is nested too deeply");
  const Group from = source.open(name);
  Group to = create(name);
  for (const std::string& inner : from.names()) to.copy(inner, from);
}

void Group::copy_set(const std::string& name, const Group& source) {
  const Handle set = open_set(source.id_.get(), name);
  if (set.get() < 0) source.fail(name, "cannot be read");
  const Handle space{H5Dget_space(set.get()), H5Sclose}, stored{H5Dget_type(set.get()), H5Tclose};
  const H5T_class_t kind = H5Tget_class(stored.get());
  if (kind == H5T_STRING && H5Tis_variable_str(stored.get()) > 0) {
    const std::string only = source.text(name);
    return write(name, std::vector<std::string>{only});
  }
  if (kind != H5T_STRING && kind != H5T_INTEGER && kind != H5T_FLOAT)
    source.fail(name, "holds neither numbers nor texts: it cannot be copied");
  source.refuse_empty_claim(name, set.get(), space.get(), stored.get());
  const Handle type = kind == H5T_STRING ? Handle{H5Tcopy(stored.get()), H5Tclose}
                                         : Handle{H5Tget_native_type(stored.get(), H5T_DIR_ASCEND), H5Tclose};
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (type.get() < 0 || count < 0) source.fail(name, "cannot be read");
  const Handle properties{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  H5Pset_obj_track_times(properties.get(), false);
  const Handle shape{H5Scopy(space.get()), H5Sclose};
  const Handle target = create_set(id_.get(), name, type.get(), shape, properties);
  if (target.get() < 0) fail(name, "cannot be written");
  if (count == 0) return;
  std::vector<char> bytes(static_cast<std::size_t>(count) * H5Tget_size(type.get()));
  if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) source.fail(name, "cannot be read");
  if (H5Dwrite(target.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) fail(name, "cannot be written");
}

// An array may claim more numbers than the file holds, the rest being a constant: memory is not taken for that. Nor is anything read
// of an array that lies in other files.
void Group::refuse_empty_claim(const std::string& name, hid_t set, hid_t space, hid_t type) const {
  if (lies_elsewhere(set)) damaged(fmt::format("is damaged: '{}{}' lies in another file", path_, name));
  constexpr double small = 1 << 20, best_compression = 1100.0;  // bytes; of deflate
  const double claimed =
      static_cast<double>(H5Sget_simple_extent_npoints(space)) * static_cast<double>(std::max<std::size_t>(H5Tget_size(type), 1));
  if (claimed > small && claimed > best_compression * static_cast<double>(H5Dget_storage_size(set)))
    damaged(fmt::format("is damaged: '{}{}' claims {:.0f} bytes and holds {}", path_, name, claimed, H5Dget_storage_size(set)));
}

std::string Group::text(const std::string& name) const {
  if (!has(name)) return {};
  const Handle set = open_set(id_.get(), name);
  if (set.get() < 0 || lies_elsewhere(set.get())) return {};
  const Handle space{H5Dget_space(set.get()), H5Sclose}, type{H5Dget_type(set.get()), H5Tclose};
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return {};
  if (H5Tis_variable_str(type.get()) > 0) {
    char* pointer = nullptr;
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &pointer) < 0 || pointer == nullptr) return {};
    const std::string result = pointer;
    H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, &pointer);
    return result;
  }
  std::string padded(H5Tget_size(type.get()) + 1, '\0');
  if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) < 0) return {};
  return padded.c_str();
}

void Group::link_external(const std::string& name, const std::string& file, const std::string& object) {
  if (H5Lcreate_external(file.c_str(), object.c_str(), id_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
    fail(name, "cannot be created");
}

void Group::write_array(const std::string& name, Number number, hsize_t rows, int components, const void* values,
                        Packing packing) {
  const Handle properties = layout(rows, components, packing), space = space_of(rows, components);
  const Handle set = create_set(id_.get(), name, disk_type(number), space, properties);
  if (set.get() < 0) fail(name, "cannot be created");
  if (rows > 0 && H5Dwrite(set.get(), memory_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail(name, "cannot be written");
}

std::size_t Group::rows(const std::string& name, int components) const {
  const Handle set = open_set(id_.get(), name);
  if (set.get() < 0) fail(name, "cannot be read");
  const Handle space{H5Dget_space(set.get()), H5Sclose};
  hsize_t size[2] = {0, 1};
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank == 0) size[0] = 1;  // a single number
  if (rank < 0 || rank > 2 || H5Sget_simple_extent_dims(space.get(), size, nullptr) < 0) fail(name, "has the wrong shape");
  const Handle type{H5Dget_type(set.get()), H5Tclose};
  refuse_empty_claim(name, set.get(), space.get(), type.get());
  if (size[1] != static_cast<hsize_t>(components))
    damaged(fmt::format("is damaged: '{}{}' has {} numbers per row where {} are expected", path_, name, size[1], components));
  return size[0];
}

void Group::read_array(const std::string& name, Number number, void* values) const {
  const Handle set = open_set(id_.get(), name);
  const Handle space{H5Dget_space(set.get()), H5Sclose};
  if (H5Sget_simple_extent_npoints(space.get()) == 0) return;
  if (H5Dread(set.get(), memory_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail(name, "cannot be read");
}

void Group::write(const std::string& name, const std::vector<std::string>& texts) {
  std::size_t length = 1;
  for (const std::string& text : texts) length = std::max(length, text.size());
  std::string padded;
  for (const std::string& text : texts) padded += text + std::string(length - text.size(), '\0');
  const Handle type = text_type(length), space = space_of(texts.size(), 1), properties = layout(texts.size(), 1, Packing::plain);
  const Handle set = create_set(id_.get(), name, type.get(), space, properties);
  if (set.get() < 0) fail(name, "cannot be created");
  if (!texts.empty() && H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) < 0)
    fail(name, "cannot be written");
}

void Group::read(const std::string& name, std::vector<std::string>& texts) const {
  texts.assign(rows(name, 1), {});
  if (texts.empty()) return;
  const Handle set = open_set(id_.get(), name);
  const Handle stored{H5Dget_type(set.get()), H5Tclose};
  if (H5Tget_class(stored.get()) != H5T_STRING || H5Tis_variable_str(stored.get()) > 0) fail(name, "is not an array of texts");
  const std::size_t length = H5Tget_size(stored.get());
  std::string padded(texts.size() * length, '\0');
  if (H5Dread(set.get(), text_type(length).get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) < 0) fail(name, "cannot be read");
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = padded.substr(i * length, length).c_str();
}

void Group::write_scalar(const std::string& name, Number number, const void* value) {
  const Handle space{H5Screate(H5S_SCALAR), H5Sclose};
  const Handle attribute{H5Acreate2(id_.get(), name.c_str(), disk_type(number), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  if (attribute.get() < 0 || H5Awrite(attribute.get(), memory_type(number), value) < 0) fail(name, "cannot be written");
}

void Group::read_scalar(const std::string& name, Number number, void* value) const {
  const Handle attribute{H5Aopen(id_.get(), name.c_str(), H5P_DEFAULT), H5Aclose};
  if (attribute.get() < 0) fail(name, "cannot be read");
  const Handle space{H5Aget_space(attribute.get()), H5Sclose};
  if (H5Sget_simple_extent_npoints(space.get()) != 1) fail(name, "has the wrong shape");
  if (H5Aread(attribute.get(), memory_type(number), value) < 0) fail(name, "cannot be read");
}

void Group::write_text(const std::string& name, const std::string& text) {
  const Handle space{H5Screate(H5S_SCALAR), H5Sclose}, type = text_type(text.size());
  const Handle attribute{H5Acreate2(id_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  if (attribute.get() < 0 || H5Awrite(attribute.get(), type.get(), text.empty() ? "\0" : text.data()) < 0)
    fail(name, "cannot be written");
}

std::string Group::read_text(const std::string& name) const {
  if (!has_attribute(name)) return {};
  const Handle attribute{H5Aopen(id_.get(), name.c_str(), H5P_DEFAULT), H5Aclose};
  if (attribute.get() < 0) fail(name, "cannot be read");
  const Handle space{H5Aget_space(attribute.get()), H5Sclose}, type{H5Aget_type(attribute.get()), H5Tclose};
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0 ||
      H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(name, "is no text");
  std::string padded(H5Tget_size(type.get()) + 1, '\0');
  if (H5Aread(attribute.get(), type.get(), padded.data()) < 0) fail(name, "cannot be read");
  return padded.c_str();
}

}  // namespace moreau::hdf5
