// What ranks need to talk to each other. The program opens an implementation over MPI when it is started on several (crew.hpp);
// tests run ranks as threads. Calls marked (all) are made by all ranks, in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace moreau::ranks {

using Bytes = std::vector<std::byte>;

// What a rank has sent, waited for and done for the division of the bodies so far.
struct Traffic {
  std::uint64_t messages = 0, bytes = 0;     // from rank to rank
  std::uint64_t sums = 0;                    // over all ranks
  double waited = 0.0;                       // seconds of computing time spent looking for messages that had not come yet
  std::uint64_t divisions = 0, choices = 0;  // of the bodies among the ranks; of ghosts, these included
  double divided = 0.0;                      // seconds of computing time that these took
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // (all) `mine` becomes the sum of those of all ranks; `add` does not care about order.
  virtual void combine(void* mine, std::size_t bytes, void (*add)(void* to, const void* from)) = 0;
  // (all) What rank 0 has.
  virtual void broadcast(Bytes& bytes) = 0;
  // (all) On rank 0: take(what a rank has), rank after rank; nothing on the others.
  virtual void collect(const Bytes& mine, const std::function<void(const Bytes&)>& take) = 0;
  // (all) On rank 0: what each rank has; empty on the others.
  std::vector<Bytes> gather(const Bytes& mine) {
    std::vector<Bytes> parts;
    collect(mine, [&](const Bytes& part) { parts.push_back(part); });
    return parts;
  }
  // (all) Each rank gets its part of what rank 0 has.
  virtual Bytes scatter(const std::vector<Bytes>& parts) = 0;
  // (all) to[r] goes to rank r; returns what came from each.
  virtual std::vector<Bytes> exchange(const std::vector<Bytes>& to) = 0;

  // Returns at once; what is sent must stay as it is until finish_sends(). Messages of one tag arrive in order.
  virtual void send(int to, int tag, std::span<const std::byte> message) = 0;
  virtual void finish_sends() = 0;
  // Waits for the message.
  virtual void receive(int from, int tag, Bytes& message) = 0;

  // (all) A rank for each point: equal weights, short borders. `points`: `dimension` numbers each; `names` tell them apart.
  virtual std::vector<int> partition(int dimension, std::span<const double> points, std::span<const double> weights,
                                     std::span<const std::int32_t> names) = 0;

  // Ends all ranks, now.
  [[noreturn]] virtual void abort(int status) = 0;

  const Traffic& traffic() const { return traffic_; }
  // The work of the rank that has most over the mean, in every 100 steps between two divisions.
  const std::vector<double>& imbalances() const { return imbalances_; }
  void note_imbalance(double longest_over_mean) { imbalances_.push_back(longest_over_mean); }
  void note_division(bool balanced, double seconds) {
    traffic_.divisions += balanced ? 1 : 0, ++traffic_.choices, traffic_.divided += seconds;
  }

 protected:
  Traffic traffic_;

 private:
  std::vector<double> imbalances_;
};

// Numbers and structs as bytes.
inline void append(Bytes& to, const std::byte* first, std::size_t size) {
  to.resize(to.size() + size);
  if (size > 0) std::memcpy(to.data() + to.size() - size, first, size);
}
template <class T>
void put(Bytes& to, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::byte* first = reinterpret_cast<const std::byte*>(&value);
  append(to, first, sizeof(T));
}
template <class T>
void put_all(Bytes& to, std::span<const T> values) {
  put(to, values.size());
  const std::byte* first = reinterpret_cast<const std::byte*>(values.data());
  append(to, first, values.size_bytes());
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : left_(bytes) {}
  template <class T>
  T take() {
    T value;
    std::memcpy(static_cast<void*>(&value), left_.data(), sizeof(T));
    left_ = left_.subspan(sizeof(T));
    return value;
  }
  // Appends to `values`.
  template <class T>
  void take_all(std::vector<T>& values) {
    const std::size_t count = take<std::size_t>(), before = values.size();
    values.resize(before + count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data() + before), left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
  }
  bool empty() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

}  // namespace moreau::ranks
