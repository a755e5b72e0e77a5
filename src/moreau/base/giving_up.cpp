#include "moreau/base/giving_up.hpp"

#include <chrono>
#include <optional>

namespace moreau::inline base {

namespace {

using GivingUpClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds longest_wait{500};

const std::atomic<bool>* asked_by = nullptr;
std::optional<GivingUpClock::time_point> noticed;

}  // namespace

MayBeGivenUp::MayBeGivenUp(const std::atomic<bool>* asked) { asked_by = asked, noticed.reset(); }
MayBeGivenUp::~MayBeGivenUp() { asked_by = nullptr; }

void give_up_if_asked() {
  if (!asked_by || !asked_by->load(std::memory_order_relaxed)) return;
  const GivingUpClock::time_point now = GivingUpClock::now();
  if (!noticed) noticed = now;
  if (now - *noticed >= longest_wait) throw GivenUp();
}

}  // namespace moreau::inline base
