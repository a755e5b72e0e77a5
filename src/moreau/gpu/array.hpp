// Memory of a machine; it grows and is reused. Only extend() keeps its content when it grows.
#pragma once

#include <cstddef>
#include <utility>

namespace moreau::gpu {

template <class T, class Machine>
class Array {
 public:
  explicit Array(Machine& machine) : machine_(machine) {}
  ~Array() { release(); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T* resize(std::size_t size) {
    if (size > capacity_) {
      release();
      capacity_ = size + size / 8;
      data_ = static_cast<T*>(machine_.allocate(capacity_ * sizeof(T)));
    }
    size_ = size;
    return data_;
  }
  T* extend(std::size_t size) {
    if (size > capacity_) {
      T* const before = std::exchange(data_, nullptr);
      const std::size_t kept = size_;
      capacity_ = 0;
      resize(size);
      if (kept > 0) machine_.copy(data_, before, kept * sizeof(T));
      if (before != nullptr) machine_.release(before);
    }
    size_ = size;
    return data_;
  }
  // Rows of `from` beyond those that are there.
  template <class Span>
  void append(const Span& from) {
    const std::size_t before = size_;
    extend(from.size());
    if (size_ > before) machine_.upload(data_ + before, from.data() + before, (size_ - before) * sizeof(T));
  }
  template <class Span>
  void put(const Span& from) {
    resize(from.size());
    if (size_ > 0) machine_.upload(data_, from.data(), size_ * sizeof(T));
  }
  template <class Vector>
  void get(Vector& to) const {
    to.resize(size_);
    if (size_ > 0) machine_.download(to.data(), data_, size_ * sizeof(T));
  }
  std::size_t bytes() const { return capacity_ * sizeof(T); }

 private:
  void release() {
    if (data_ != nullptr) machine_.release(data_);
    data_ = nullptr, capacity_ = 0;
  }

  Machine& machine_;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace moreau::gpu
