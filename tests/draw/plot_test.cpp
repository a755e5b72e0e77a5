#include "moreau/draw/plot/plot.hpp"

#include "draw/read_back.hpp"
#include "moreau/draw/canvas/ticks.hpp"

namespace moreau {

namespace {

using PlotTest = PictureTest;

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> result;
  for (const Tick& t : ticks) result.push_back(t.label);
  return result;
}

TEST(Ticks, are_round_and_share_one_notation) {
  EXPECT_EQ(labels(linear_ticks(0.0, 1.0, 5)), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(linear_ticks(-1.0, 99.0, 4)), (std::vector<std::string>{"0", "50"}));
  EXPECT_EQ(labels(linear_ticks(0.0, 2.5e-7, 5)),
            (std::vector<std::string>{"0", "0.5×10⁻⁷", "1.0×10⁻⁷", "1.5×10⁻⁷", "2.0×10⁻⁷", "2.5×10⁻⁷"}));
  EXPECT_EQ(labels(linear_ticks(3.0, 3.0, 5)), (std::vector<std::string>{"3"}));
  EXPECT_EQ(labels(log_ticks(1e-2, 1e2, 5)), (std::vector<std::string>{"10⁻²", "10⁻¹", "1", "10¹", "10²"}));
  EXPECT_LE(log_ticks(1e-300, 1e300, 6).size(), 8u);
}

TEST(Ticks, round_lengths) {
  EXPECT_DOUBLE_EQ(round_down(0.7), 0.5);
  EXPECT_DOUBLE_EQ(round_down(0.2), 0.2);
  EXPECT_DOUBLE_EQ(round_down(199.0), 100.0);
  EXPECT_EQ(short_number(1234.0), "1234");
  EXPECT_EQ(short_number(0.05), "0.05");
  EXPECT_EQ(short_number(3.2e-7), "3.2×10⁻⁷");
}

TEST(Text, wrong_bytes_are_replaced_and_long_lines_shortened) {
  EXPECT_EQ(printable("grès\n\xc3(\xed\xa0\x80"), std::string("grès?") + "?(???");
  const TextStyle style{.size = 10.0};
  const std::string cut = fitted(std::string(100, 'e'), style, 80.0);
  EXPECT_LE(text_width(cut, style), 80.0);
  EXPECT_TRUE(contains(cut, "…"));
}

Plot two_curves() {
  Plot plot{.title = "fall", .x_label = "time [s]", .y_label = "energy [J]"};
  plot.curves.push_back({.label = "kinetic", .x = {0.0, 1.0, 2.0}, .y = {0.0, 1.0, 4.0}});
  plot.curves.push_back({.label = "potential", .x = {0.0, 1.0, 2.0}, .y = {4.0, 3.0, 0.0}});
  return plot;
}

TEST(Text, that_is_narrowed_is_whole_where_it_need_not_be_too_small) {
  const std::string words = "wear [kg m/s²]";
  for (double size = 8.0; size < 40.0; size += 0.37) {
    const double whole = text_width(words, {.size = size});
    for (double share = 0.7; share < 1.05; share += 0.013) {
      const TextStyle style = narrowed({.size = size}, words, share * whole);
      EXPECT_EQ(fitted(words, style, share * whole), words) << size << " " << share;
      EXPECT_GE(style.size, 0.6 * size);
    }
  }
}

TEST_F(PlotTest, curves_labels_and_ticks_are_there) {
  draw_plot(two_curves(), file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  for (const char* word : {"fall", "time [s]", "energy [J]", ">kinetic<", ">potential<", ">0.5<", ">4.0<"})
    EXPECT_TRUE(contains(svg, word)) << word;
  draw_plot(two_curves(), file("a.png"));
  const Pixels pixels(file("a.png"));
  EXPECT_EQ(pixels.width(), 1000);
  EXPECT_EQ(pixels.height(), 625);
  EXPECT_GT(pixels.count({0, 0, 1000, 625}, category(0)), 300);
  EXPECT_GT(pixels.count({0, 0, 1000, 625}, category(1)), 300);
}

TEST_F(PlotTest, undefined_values_interrupt_the_line) {
  Plot plot = two_curves();
  plot.curves.resize(1);
  plot.curves[0].x = {0.0, 1.0, 2.0, 3.0, 4.0};
  plot.curves[0].y = {1.0, 2.0, std::nan(""), 2.0, 1.0};
  draw_plot(plot, file("a.svg"));
  int pieces = 0;
  for (const std::string& e : elements(text_of(file("a.svg")), "polyline")) pieces += attribute(e, "stroke") == "#0072b2";
  EXPECT_EQ(pieces, 2);
}

TEST_F(PlotTest, logarithmic_axes_leave_out_what_is_not_positive) {
  Plot plot = two_curves();
  plot.log_y = plot.log_x = true;
  plot.curves[0].y = {0.0, 1e-6, 1.0};
  draw_plot(plot, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_TRUE(contains(svg, "10⁻⁶"));
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(svg, "inf"));
}

TEST_F(PlotTest, long_series_are_thinned_without_losing_their_peaks) {
  Plot plot{.title = "spike"};
  Curve curve;
  for (int i = 0; i < 300000; ++i) curve.x.push_back(i), curve.y.push_back(i == 123456 ? 1.0 : 0.0);
  plot.curves.push_back(curve);
  draw_plot(plot, file("a.svg"));
  EXPECT_LT(std::filesystem::file_size(file("a.svg")), 100'000u);
  draw_plot(plot, file("a.png"));
  const Pixels pixels(file("a.png"));
  EXPECT_GT(pixels.count({100, 100, 1000, 400}, category(0), 0.3), 100);  // the spike crosses the middle of the plot
}

TEST_F(PlotTest, degenerate_plots_are_drawn_and_wrong_ones_refused) {
  EXPECT_NO_THROW(draw_plot({}, file("a.png")));
  Plot constant = two_curves();
  constant.curves[0].y = constant.curves[1].y = {7.0, 7.0, 7.0};
  EXPECT_NO_THROW(draw_plot(constant, file("a.svg")));
  EXPECT_FALSE(contains(text_of(file("a.svg")), "nan"));
  Plot uneven = two_curves();
  uneven.curves[0].x.pop_back();
  EXPECT_TRUE(contains(refusal([&] { draw_plot(uneven, file("a.png")); }), "2 abscissae and 3 ordinates"));
  Plot wide = two_curves();
  wide.width = 9000;
  EXPECT_TRUE(contains(refusal([&] { draw_plot(wide, file("a.png")); }), "200 to 8000"));
  EXPECT_TRUE(contains(refusal([&] { draw_plot(two_curves(), file("a.eps")); }), ".png, .pdf and .svg"));
}

}  // namespace

}  // namespace moreau
