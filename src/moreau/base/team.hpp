// Threads that stand ready for one short loop after another.
//
// A sweep over contacts is some ten loops (one per colour) of a few ten microseconds each, and a step is a hundred sweeps.
// Handing each of them to a task scheduler costs as much as the loop of a small problem; members who wait awake cost one cache
// line there and one back. They come from the arena of the caller. None is needed: the caller does what no member takes, so that
// members who come late, or never, cost time and nothing else.
#pragma once

#include <cstddef>
#include <memory>

namespace moreau::inline base {

class Team {
 public:
  // Whether teams are as large as pays, by what they measure (thread_choice.hpp), or as large as the arena. Of this thread.
  static void choose_size(bool automatically);

  Team();   // calls the threads of the arena together; does nothing where the caller already leads a team or works in one
  ~Team();  // lets them go
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // work(k) for every k in [0, count), each once, by any member of the team that the caller leads; a plain loop within the work
  // of a member. False, and nothing done, where the caller leads none. An exception of a work reaches the caller after all
  // members have stopped.
  template <class Work>
  static bool divide(std::size_t count, const Work& work) {
    return divide_among(
        count, [](const void* w, std::size_t k) { (*static_cast<const Work*>(w))(k); }, &work);
  }
  // The number of the member as which this thread works; -1 outside of the work of a team.
  static std::ptrdiff_t member();

 private:
  class Crew;
  static bool divide_among(std::size_t count, void (*call)(const void* work, std::size_t k), const void* work);

  std::unique_ptr<Crew> crew_;
  double begun_ = 0.0;  // seconds
};

}  // namespace moreau::inline base
