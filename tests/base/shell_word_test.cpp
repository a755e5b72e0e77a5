#include "moreau/base/shell_word.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace moreau {
namespace {

TEST(ShellWord, plain_names_stay_as_they_are) {
  for (const char* name : {"pile-run", "../a/b.toml", "/tmp/x_1", "ünïcode"}) EXPECT_EQ(shell_word(name), name);
}

TEST(ShellWord, a_shell_gives_back_the_name_and_executes_nothing) {
  for (const std::string name : {"a b", "$(echo no)", "`echo no`", "it's", "\"quoted\"", "a;b", "~", "a\nb", "\x1b[31mred",
                                 "back\\slash", "it's\na\\b", "*", "", "!x", "#x", "latin\xe9 x",
                                 "\x01"
                                 "1"}) {
    std::FILE* shell = ::popen(("bash -c " + shell_word("printf %s " + shell_word(name))).c_str(), "r");
    ASSERT_NE(shell, nullptr);
    std::array<char, 256> said{};
    const std::size_t size = std::fread(said.data(), 1, said.size(), shell);
    ::pclose(shell);
    EXPECT_EQ(std::string(said.data(), size), name);
  }
}

TEST(ShellWord, is_never_an_option) {
  EXPECT_EQ(shell_word("-rf"), "./-rf");
  EXPECT_EQ(shell_word("-a b"), "'./-a b'");
}

}  // namespace
}  // namespace moreau
