// Memory of a machine; it grows and is reused, its content is not kept when it grows.
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
