#include "moreau/base/base64.hpp"

#include <gtest/gtest.h>

namespace moreau {

TEST(Base64, of_the_standard) {  // RFC 4648, sec. 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\x00\x10", 3)), "/wAQ");
}

TEST(Base64, comes_back_and_refuses_other_text) {
  std::string bytes;
  for (int k = 0; k < 300; ++k) {
    EXPECT_EQ(bytes_of_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(k * 37);
  }
  for (const char* wrong : {"A", "AA", "AAA", "A===", "AA=A", "=AAA", "AAA*", "AA==AAAA"}) EXPECT_FALSE(bytes_of_base64(wrong)) << wrong;
}

}  // namespace moreau
