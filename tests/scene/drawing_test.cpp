// Lines of SVG drawings.
#include <gtest/gtest.h>

#include <numbers>

#include "moreau/scene/record/svg_lines.hpp"

using namespace moreau;

namespace {

std::string error_of(std::string_view text) {
  try {
    svg_lines(text);
  } catch (const SvgError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Drawing, commands_are_absolute_or_relative) {
  const auto lines = path_lines("M1,2 3 4 h-1 V 0 z m 10 0 l1 1");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], (std::vector<Vec<2>>{{{1, 2}}, {{3, 4}}, {{2, 4}}, {{2, 0}}, {{1, 2}}}));
  EXPECT_EQ(lines[1], (std::vector<Vec<2>>{{{11, 2}}, {{12, 3}}}));
}

// Numbers need no blank between them where none is needed.
TEST(Drawing, numbers_run_together) {
  EXPECT_EQ(path_lines("M.5.5-1-2"), path_lines("M 0.5 0.5 L -1 -2"));
  EXPECT_EQ(path_lines("M0 0a1 1 0 01.5.5"), path_lines("M 0 0 a 1 1 0 0 1 0.5 0.5"));
}

TEST(Drawing, arcs_are_of_their_circle) {
  for (const char* d : {"M 1 0 A 1 1 0 0 1 0 1", "M 1 0 A 1 1 0 1 0 0 1", "M 1 0 A 1 1 45 0 1 -1 0"}) {
    const auto lines = path_lines(d);
    for (const Vec<2>& p : lines[0]) EXPECT_NEAR(norm(p), 1.0, 1e-12) << d;
  }
  EXPECT_EQ(path_lines("M 1 0 A 1 1 0 0 1 0 1")[0].size(), 17u);  // a quarter of 64 chords
  EXPECT_EQ(path_lines("M 1 0 A 1 1 0 1 0 0 1")[0].size(), 49u);  // the other way round
  // Radii that do not reach are stretched until they do.
  const auto stretched = path_lines("M 2 0 A 1 1 0 0 1 -2 0");
  for (const Vec<2>& p : stretched[0]) EXPECT_NEAR(norm(p), 2.0, 1e-12);
}

TEST(Drawing, curves_begin_and_end_where_they_say_and_smooth_ones_go_on) {
  const auto cubic = path_lines("M 0 0 C 0 1 1 1 1 0 S 2 -1 2 0")[0];
  EXPECT_EQ(cubic.size(), 33u);
  EXPECT_EQ(cubic[16], (Vec<2>{{1, 0}}));
  EXPECT_NEAR(cubic[8][1], 0.75, 1e-15);    // top of the first arch
  EXPECT_NEAR(cubic[24][1], -0.75, 1e-15);  // the second is its mirror image
  const auto quadratic = path_lines("M 0 0 Q 1 2 2 0 T 4 0")[0];
  EXPECT_NEAR(quadratic[8][1], 1.0, 1e-15);
  EXPECT_NEAR(quadratic[24][1], -1.0, 1e-15);
}

TEST(Drawing, height_is_upwards_and_comments_are_passed_over) {
  const auto lines = svg_lines("<svg><!-- <path d='M0 0H9'/> --><path id='a' d='M0 0V3'/><polygon points='0,0 1,0 1,1'/></svg>");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].back(), (Vec<2>{{0, -3}}));
  EXPECT_EQ(lines[1].front(), lines[1].back());
}

TEST(Drawing, what_is_wrong_is_said) {
  EXPECT_NE(error_of("<svg/>").find("no path"), std::string::npos);
  EXPECT_NE(error_of("<path d=\"M 0 0 L 1\"/>").find("where a number is expected"), std::string::npos);
  EXPECT_NE(error_of("<path d=\"M 0 0 nan 1\"/>").find("command 'n'"), std::string::npos);
  EXPECT_NE(error_of("<path d=\"M 0 0").find("within an attribute"), std::string::npos);
  EXPECT_NE(error_of("<!-- <path d='M0 0H1'/>").find("-->"), std::string::npos);
  EXPECT_NE(error_of("<g transform='scale(2)'/>").find("transform"), std::string::npos);
  EXPECT_NE(error_of("<path d='M0 0A1 1 0 2 0 1 1'/>").find("flags"), std::string::npos);
}

TEST(Drawing, what_is_seen_and_what_becomes_a_wall_are_the_same) {
  const std::string wall = "<path d='M0 0H1'/>";
  EXPECT_EQ(error_of("<svg><defs/>" + wall + "<text>gate</text></svg>"), "");
  for (const std::string tag : {"rect", "circle", "ellipse", "line", "use", "clipPath", "mask", "marker", "pattern", "symbol"})
    EXPECT_NE(error_of("<svg><" + tag + ">" + wall + "</" + tag + "></svg>").find("has a '" + tag + "'"), std::string::npos) << tag;
  for (const std::string hidden : {"display='none'", "visibility='hidden'", "style='fill:none; display: none'"})
    EXPECT_NE(error_of("<svg><g " + hidden + ">" + wall + "</g></svg>").find("hidden"), std::string::npos) << hidden;
}
