// The part of HDF5 that this room needs: owners for its handles, sentences for its errors, arrays of the types of the state.
//
// A file is built in memory and handed over as bytes, so that the library never meets a full disk (it does not survive a failed
// close) and the caller can put the bytes in place atomically. Files carry checksums on all data and no time stamps: the same
// content gives the same bytes, and a flipped bit is an error. HDF5 is not thread-safe: one thread at a time.
#pragma once

#include <hdf5.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "moreau/bodies/bodies.hpp"
#include "moreau/contact/contact_table.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::hdf5 {

enum class Number { f64, i32, i64, u64, u8 };

// How one C++ value lies in memory: numbers of one kind, `components` of them in a row.
template <class T>
struct Element;
template <Number kind, int count>
struct ElementOf {
  static constexpr Number number = kind;
  static constexpr int components = count;
};
template <>
struct Element<double> : ElementOf<Number::f64, 1> {};
template <int N>
struct Element<Vec<N>> : ElementOf<Number::f64, N> {};
template <>
struct Element<Rotation<2>> : ElementOf<Number::f64, 1> {};
template <>
struct Element<Rotation<3>> : ElementOf<Number::f64, 4> {};
template <>
struct Element<std::int32_t> : ElementOf<Number::i32, 1> {};
template <>
struct Element<std::int64_t> : ElementOf<Number::i64, 1> {};
template <>
struct Element<std::array<std::int32_t, 2>> : ElementOf<Number::i32, 2> {};
template <std::unsigned_integral T>
requires(sizeof(T) == 8) struct Element<T> : ElementOf<Number::u64, 1> {
};
template <>
struct Element<std::array<std::uint64_t, 4>> : ElementOf<Number::u64, 4> {};
template <>
struct Element<std::uint8_t> : ElementOf<Number::u8, 1> {};
template <>
struct Element<BodyKind> : ElementOf<Number::u8, 1> {};
template <>
struct Element<ContactStatus> : ElementOf<Number::u8, 1> {};
template <>
struct Element<ContactCondition> : ElementOf<Number::u8, 1> {};
template <>
struct Element<JointBond> : ElementOf<Number::u8, 1> {};
template <>
struct Element<JointBreak> : ElementOf<Number::u8, 1> {};

// Owner of one handle; `close` is the function of the library that ends it.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_), std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  hid_t release() { return std::exchange(id_, -1); }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

// Compression pays where files are kept. The digits of evolving doubles are noise, of which a fifth is gained; those that were
// rounded (store/reduced_frame.hpp) take as many bits as are left.
enum class Packing { plain, compressed };

// A group of an open file. It keeps the names of the file and of itself for messages.
class Group {
 public:
  Group(Handle id, std::string file, std::string path) : id_(std::move(id)), file_(std::move(file)), path_(std::move(path)) {}

  Group create(const std::string& name);
  Group open(const std::string& name) const;
  bool has(const std::string& name) const;
  bool has_attribute(const std::string& name) const;
  std::vector<std::string> names() const;                                // of what the group holds, in alphabetical order
  void copy(const std::string& name, const Group& source);               // the object `name` of another file, whole
  std::string text(const std::string& name) const;                       // one text of any storage; empty if absent or no text
  // To an object of another file, by default its root group.
  void link_external(const std::string& name, const std::string& file, const std::string& object = "/");

  template <class T>
  void write(const std::string& name, const std::vector<T>& values, Packing packing = Packing::plain) {
    static_assert(sizeof(T) == Element<T>::components * size_of(Element<T>::number));
    write_array(name, Element<T>::number, values.size(), Element<T>::components, values.data(), packing);
  }
  // `values` receives the whole array; its rows are counted by the file.
  template <class T>
  void read(const std::string& name, std::vector<T>& values) const {
    values.resize(rows(name, Element<T>::components));
    read_array(name, Element<T>::number, values.data());
  }
  // Same, and an array of another length than `expected` is an error: the file is damaged.
  template <class T>
  void read(const std::string& name, std::vector<T>& values, std::size_t expected) const {
    read(name, values);
    if (values.size() != expected) wrong_length(name, values.size(), expected);
  }
  void write(const std::string& name, const std::vector<std::string>& texts);  // fixed length, zero-padded UTF-8
  void read(const std::string& name, std::vector<std::string>& texts) const;

  template <class T>
  void write_attribute(const std::string& name, const T& value) {
    if constexpr (std::same_as<T, bool>)
      write_attribute(name, static_cast<std::uint8_t>(value));
    else
      write_scalar(name, Element<T>::number, &value);
  }
  template <class T>
  void read_attribute(const std::string& name, T& value) const {
    if constexpr (std::same_as<T, bool>) {
      std::uint8_t byte = 0;
      read_attribute(name, byte);
      value = byte != 0;
    } else {
      read_scalar(name, Element<T>::number, &value);
    }
  }
  void write_text(const std::string& name, const std::string& text);
  std::string read_text(const std::string& name) const;  // empty if there is no such attribute

  [[noreturn]] void damaged(const std::string& sentence) const;  // StoreError: file, then the sentence
  const std::string& file() const { return file_; }              // in which the group is

 private:
  static constexpr std::size_t size_of(Number n) { return n == Number::u8 ? 1 : n == Number::i32 ? 4 : 8; }
  void write_array(const std::string& name, Number number, hsize_t rows, int components, const void* values, Packing packing);
  void copy_set(const std::string& name, const Group& source);
  void refuse_empty_claim(const std::string& name, hid_t set, hid_t space, hid_t type) const;
  std::size_t rows(const std::string& name, int components) const;
  void read_array(const std::string& name, Number number, void* values) const;
  void write_scalar(const std::string& name, Number number, const void* value);
  void read_scalar(const std::string& name, Number number, void* value) const;
  [[noreturn]] void wrong_length(const std::string& name, std::size_t found, std::size_t expected) const;
  [[noreturn]] void fail(const std::string& name, const char* what) const;

  Handle id_;
  std::string file_, path_;
};

// A new file in memory; `path` only for messages.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path);
  Group& root() { return *root_; }
  std::string_view finish();  // closes the file; its bytes live as long as the writer

 private:
  struct Image;  // the buffer that the library fills
  std::string name_;
  std::shared_ptr<Image> image_;
  Handle file_;
  std::unique_ptr<Group> root_;
};

// An existing file, read only.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path);
  const Group& root() const { return *root_; }

 private:
  Handle file_;
  std::unique_ptr<Group> root_;
};

}  // namespace moreau::hdf5
