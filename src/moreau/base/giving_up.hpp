// Giving up a step that takes long, when the user asks for it (Ctrl-C) and does not want to wait for its end. Engines whose steps are
// loops of many parts ask between them; the state is then somewhere on its way, and whoever lets steps be given up has another.
#pragma once

#include <atomic>
#include <exception>

namespace moreau::inline base {

class GivenUp : public std::exception {
 public:
  const char* what() const noexcept override { return "given up on the way"; }
};

// While it lives, steps may be given up by setting `asked`, which may be null: then they never are. One at a time.
class MayBeGivenUp {
 public:
  explicit MayBeGivenUp(const std::atomic<bool>* asked);
  ~MayBeGivenUp();
  MayBeGivenUp(const MayBeGivenUp&) = delete;
  MayBeGivenUp& operator=(const MayBeGivenUp&) = delete;
};

// Throws GivenUp half a second after it was asked for: most steps end by themselves before, and nothing of them is lost. To be called
// by the thread that makes the step, outside of loops that several share.
void give_up_if_asked();

}  // namespace moreau::inline base
