#include "moreau/base/deflate.hpp"

#include <gtest/gtest.h>

using namespace moreau;

TEST(Deflate, what_was_made_shorter_comes_back) {
  std::string bytes;
  for (int k = 0; k < 10000; ++k) bytes += static_cast<char>(k * k % 251);
  for (const std::string& text : {std::string(), std::string("a"), std::string(100000, 'x'), bytes})
    EXPECT_EQ(inflated(deflated(text), text.size()), text);
  EXPECT_LT(deflated(std::string(100000, 'x')).size(), 200u);
}

TEST(Deflate, anything_else_gives_nothing) {
  const std::string text = "ten stones, ten stones", whole = deflated(text);
  EXPECT_EQ(inflated(whole, text.size() - 1), "");
  EXPECT_EQ(inflated(whole, text.size() + 1), "");
  EXPECT_EQ(inflated(whole.substr(0, whole.size() - 1), text.size()), "");
  EXPECT_EQ(inflated("no such bytes", 5), "");
}
