// Ranks as threads of one process, for tests: messages through queues, and any division of the bodies.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>

#include "moreau/ranks/communicator.hpp"

namespace moreau::ranks {

// The rank of a body by its name and place.
using Divider = std::function<int(std::int32_t name, std::span<const double> place)>;

class Exchange {
 public:
  explicit Exchange(int size) : size_(size) {}
  int size() const { return size_; }

  void send(int from, int to, int tag, std::span<const std::byte> message) {
    const std::lock_guard lock(mutex_);
    queue_[{from, to, tag}].emplace_back(message.begin(), message.end());
    arrived_.notify_all();
  }
  Bytes receive(int from, int to, int tag) {
    std::unique_lock lock(mutex_);
    auto& queue = queue_[{from, to, tag}];
    arrived_.wait(lock, [&] { return !queue.empty() || failed_; });
    if (queue.empty()) throw std::runtime_error("another rank has failed");
    Bytes message = std::move(queue.front());
    queue.pop_front();
    return message;
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    arrived_.notify_all();
  }

 private:
  int size_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::map<std::tuple<int, int, int>, std::deque<Bytes>> queue_;
  bool failed_ = false;
};

class ThreadRank : public Communicator {
 public:
  ThreadRank(Exchange& exchange, int rank, Divider divider) : exchange_(exchange), rank_(rank), divider_(std::move(divider)) {}
  int rank() const override { return rank_; }
  int size() const override { return exchange_.size(); }

  void combine(void* mine, std::size_t bytes, void (*add)(void*, const void*)) override {
    const Bytes own(static_cast<std::byte*>(mine), static_cast<std::byte*>(mine) + bytes);
    std::vector<Bytes> parts = gather(own);
    Bytes all;
    if (rank_ == 0) {
      all = parts.back();  // in an order of its own
      for (std::size_t r = 0; r + 1 < parts.size(); ++r) add(all.data(), parts[r].data());
    }
    broadcast(all);
    std::memcpy(mine, all.data(), bytes);
  }
  void broadcast(Bytes& bytes) override {
    if (rank_ == 0)
      for (int r = 1; r < size(); ++r) exchange_.send(0, r, everybody, bytes);
    else
      bytes = exchange_.receive(0, rank_, everybody);
  }
  void collect(const Bytes& mine, const std::function<void(const Bytes&)>& take) override {
    exchange_.send(rank_, 0, home, mine);
    if (rank_ == 0)
      for (int r = 0; r < size(); ++r) take(exchange_.receive(r, 0, home));
  }
  Bytes scatter(const std::vector<Bytes>& parts) override {
    for (std::size_t r = 0; r < parts.size(); ++r) exchange_.send(0, static_cast<int>(r), away, parts[r]);
    return exchange_.receive(0, rank_, away);
  }
  std::vector<Bytes> exchange(const std::vector<Bytes>& to) override {
    for (int r = 0; r < size(); ++r) exchange_.send(rank_, r, all_to_all, to[static_cast<std::size_t>(r)]);
    std::vector<Bytes> from;
    for (int r = 0; r < size(); ++r) from.push_back(exchange_.receive(r, rank_, all_to_all));
    return from;
  }
  void send(int to, int tag, std::span<const std::byte> message) override {
    ++traffic_.messages, traffic_.bytes += message.size();
    exchange_.send(rank_, to, tag, message);
  }
  void finish_sends() override {}
  void receive(int from, int tag, Bytes& message) override { message = exchange_.receive(from, rank_, tag); }
  std::vector<int> partition(int dimension, std::span<const double> points, std::span<const double>,
                             std::span<const std::int32_t> names) override {
    std::vector<int> ranks;
    const std::size_t d = static_cast<std::size_t>(dimension);
    for (std::size_t i = 0; i < names.size(); ++i) ranks.push_back(divider_(names[i], points.subspan(d * i, d)));
    return ranks;
  }
  void abort(int) override { std::abort(); }

 private:
  enum : int { everybody = -1, home = -2, away = -3, all_to_all = -4 };
  Exchange& exchange_;
  int rank_;
  Divider divider_;
};

// work(communicator) on each rank; the first exception of one reaches the caller.
inline void on_ranks(int size, const Divider& divider, const std::function<void(Communicator&)>& work) {
  Exchange exchange(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      ThreadRank rank(exchange, r, divider);
      try {
        work(rank);
      } catch (...) {
        failures[static_cast<std::size_t>(r)] = std::current_exception();
        exchange.fail();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace moreau::ranks
