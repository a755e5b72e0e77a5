#include "moreau/draw/plot/rose.hpp"

#include <numbers>

#include "draw/read_back.hpp"

namespace moreau {

namespace {

using RoseTest = PictureTest;
using std::numbers::pi;

TEST_F(RoseTest, sectors_lie_where_their_angles_say) {
  // Density 2 to the right and left, 0.5 up and down: ink at 1.5 on the x axis, none at 1.5 on the y axis.
  Rose rose{.title = "directions", .note = "4 contacts", .width = 400};
  for (int k = 0; k < 4; ++k)
    rose.sectors.push_back({(k - 0.5) * pi / 2 + 0.1, (k + 0.5) * pi / 2 - 0.1, k % 2 == 0 ? 2.0 : 0.5});
  rose.curves.push_back({.label = "order 2", .angle = {0.0, 1.0, 2.0}, .density = {1.0, 1.2, 0.8}});
  draw_rose(rose, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  for (const char* word : {"directions", "4 contacts", ">order 2<", "even distribution", ">90°<", ">270°<"})
    EXPECT_TRUE(contains(svg, word)) << word;
  draw_rose(rose, file("a.png"));
  const Pixels pixels(file("a.png"));
  const double letter = letter_size(400) * 1.15, radius = 200 - 3 * letter, x = 200, y = 4.2 * letter + radius;
  const auto tinted = [&](double px, double py) {
    const Colour c = pixels.at(px, py);
    return std::max({c.red, c.green, c.blue}) - std::min({c.red, c.green, c.blue}) > 0.1;
  };
  const double off = 0.1 * radius;  // beside the spokes of the dial
  EXPECT_TRUE(tinted(x + 0.75 * radius, y + off));
  EXPECT_TRUE(tinted(x - 0.75 * radius, y + off));
  EXPECT_FALSE(tinted(x + off, y - 0.75 * radius));
  EXPECT_FALSE(tinted(x + off, y + 0.75 * radius));
}

TEST_F(RoseTest, wrong_numbers_are_refused) {
  EXPECT_THROW(draw_rose({.sectors = {{0, 1, std::nan("")}}}, file("a.svg")), std::runtime_error);
  EXPECT_THROW(draw_rose({.curves = {{.label = "x", .angle = {0.0}, .density = {}}}}, file("a.svg")), std::runtime_error);
  EXPECT_THROW(draw_rose({.width = 10}, file("a.svg")), std::runtime_error);
}

}  // namespace

}  // namespace moreau
