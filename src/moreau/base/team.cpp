#include "moreau/base/team.hpp"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "moreau/base/thread_choice.hpp"
#include "moreau/base/thread_group.hpp"

namespace moreau::inline base {

namespace {

constexpr int patience = 2000;  // looks before a member goes to sleep: about 50 us, longer than most pauses between two loops

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

thread_local bool at_work = false;  // loops within the work of a member are plain
thread_local std::ptrdiff_t working_as = -1;
thread_local bool automatic = false;
thread_local ThreadChoice choice;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

class Team::Crew {
 public:
  static thread_local Crew* led;  // by this thread

  explicit Crew(std::size_t others) : members_(others + 1), others_(others) {
    for (std::size_t m = 0; m < others_; ++m) group_.run([this, m] { stand_by(m); });
  }

  ~Crew() {
    dismissed_.store(true);
    for (std::size_t m = 0; m < others_; ++m) {
      members_[m].state.store(State::offered);
      members_[m].state.notify_one();
    }
    group_.wait();
  }

  // Each member is given a part of the loop, the same one in every loop of the same length (what it needs is then in its cache),
  // and helps the others when it is through.
  void run(std::size_t count, void (*call)(const void*, std::size_t), const void* work) {
    call_ = call, work_ = work;
    parts_done_ += count;
    for (std::size_t m = 0; m <= others_; ++m) {
      members_[m].next.store(count * m / (others_ + 1), std::memory_order_relaxed);
      members_[m].end = count * (m + 1) / (others_ + 1);
    }
    for (std::size_t m = 0; m < others_; ++m)
      if (members_[m].state.exchange(State::offered, std::memory_order_acq_rel) == State::asleep) members_[m].state.notify_one();
    work_as(others_);
    for (std::size_t m = 0; m < others_; ++m) {
      State expected = State::offered;  // if it has not begun, all was done without it
      if (members_[m].state.compare_exchange_strong(expected, State::ready, std::memory_order_acq_rel)) continue;
      for (int looks = 0; members_[m].state.load(std::memory_order_acquire) != State::done; ++looks)
        looks < patience ? pause() : std::this_thread::yield();
      members_[m].state.store(State::ready, std::memory_order_relaxed);
    }
    for (Member& m : members_)
      if (m.thrown) std::rethrow_exception(std::exchange(m.thrown, nullptr));
  }

  double parts_done() const { return static_cast<double>(parts_done_); }

 private:
  enum class State { ready, asleep, offered, taken, done };
  struct alignas(64) Member {
    std::atomic<State> state = State::ready;
    std::atomic<std::size_t> next = 0;  // of its part of the loop: [next, end)
    std::size_t end = 0;
    std::exception_ptr thrown;
  };

  void stand_by(std::size_t member) {
    std::atomic<State>& state = members_[member].state;
    for (int looks = 0;; ++looks) {
      State now = state.load(std::memory_order_acquire);
      if (now == State::offered) {
        if (dismissed_.load()) return;
        if (!state.compare_exchange_strong(now, State::taken, std::memory_order_acq_rel)) continue;
        work_as(member);
        state.store(State::done, std::memory_order_release);
        if (dismissed_.load()) return;  // what it took was the offer of the dismissal, after it had seen an older one
        looks = 0;
      } else if (looks < patience || now != State::ready) {
        pause();
      } else if (state.compare_exchange_strong(now, State::asleep, std::memory_order_acq_rel)) {
        state.wait(State::asleep, std::memory_order_acquire);
        looks = 0;
      }
    }
  }

  void work_as(std::size_t member) {
    at_work = true, working_as = static_cast<std::ptrdiff_t>(member);
    try {
      for (std::size_t m = member, left = others_ + 1; left > 0; --left, m = m == others_ ? 0 : m + 1) {
        Member& part = members_[m];
        while (part.next.load(std::memory_order_relaxed) < part.end) {
          const std::size_t k = part.next.fetch_add(1, std::memory_order_relaxed);
          if (k < part.end) call_(work_, k);
        }
      }
    } catch (...) {
      members_[member].thrown = std::current_exception();
    }
    at_work = false, working_as = -1;
  }

  std::vector<Member> members_;  // the leader is the last
  std::size_t parts_done_ = 0;
  std::size_t others_;
  void (*call_)(const void* work, std::size_t k) = nullptr;
  const void* work_ = nullptr;
  std::atomic<bool> dismissed_ = false;
  ThreadGroup group_;
};

thread_local Team::Crew* Team::Crew::led = nullptr;

Team::Team() {
  if (Crew::led != nullptr || at_work) return;
  // Not more than there are processors: those who wait awake would take them from those who work.
  const int threads = std::min(oneapi::tbb::this_task_arena::max_concurrency(), oneapi::tbb::info::default_concurrency());
  if (threads <= 1) return;
  const int size = automatic ? choice.next(threads) : threads;
  crew_ = std::make_unique<Crew>(static_cast<std::size_t>(size) - 1);
  Crew::led = crew_.get();
  begun_ = now();
}

Team::~Team() {
  if (!crew_) return;
  Crew::led = nullptr;
  if (automatic) choice.took(now() - begun_, crew_->parts_done());
}

std::ptrdiff_t Team::member() { return working_as; }

void Team::choose_size(bool automatically) { automatic = automatically; }

bool Team::divide_among(std::size_t count, void (*call)(const void* work, std::size_t k), const void* work) {
  if (at_work) {
    for (std::size_t k = 0; k < count; ++k) call(work, k);
    return true;
  }
  if (Crew::led == nullptr) return false;
  Crew::led->run(count, call, work);
  return true;
}

}  // namespace moreau::inline base
