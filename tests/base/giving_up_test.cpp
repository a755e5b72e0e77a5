// A step is given up when it is asked for and lasts, and never otherwise.
#include "moreau/base/giving_up.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace moreau {
namespace {

TEST(GivingUp, only_where_it_may_be_and_only_what_lasts) {
  std::atomic<bool> asked{true};
  EXPECT_NO_THROW(give_up_if_asked());  // nobody lets it
  {
    const MayBeGivenUp here(&asked);
    EXPECT_NO_THROW(give_up_if_asked());  // most steps end by themselves
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    EXPECT_THROW(give_up_if_asked(), GivenUp);
  }
  EXPECT_NO_THROW(give_up_if_asked());
  asked = false;
  const MayBeGivenUp here(&asked);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  EXPECT_NO_THROW(give_up_if_asked());
}

}  // namespace
}  // namespace moreau
