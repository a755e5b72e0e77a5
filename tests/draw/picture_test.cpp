#include "moreau/draw/picture/picture.hpp"

#include "draw/read_back.hpp"

namespace moreau {

namespace {

using Picture = PictureTest;

// Three discs in a row, touching: speeds 0, 1, 2.
Frame<2> row_of_three() {
  Frame<2> frame;
  for (int i = 0; i < 3; ++i) add_ball<2>(frame, {{2.0 * i, 0.0}}, 1.0, i);
  return frame;
}

TEST_F(Picture, disc_shows_the_colour_of_its_speed_on_white) {
  Frame<2> frame = row_of_three();
  frame.state.position[2] = {{5.0, 0.0}};  // a gap of one between the last two
  draw_frame(frame, {.forces = false}, file("a.png"));
  draw_frame(frame, {.forces = false}, file("a.svg"));
  const Pixels pixels(file("a.png"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  ASSERT_EQ(c.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(difference(pixels.at(c[i].x, c[i].y), viridis(0.5 * static_cast<double>(i))), 0.01);
  EXPECT_LT(difference(pixels.at(0.5 * (c[1].x + c[2].x), c[1].y), grey(1.0)), 0.01);
  EXPECT_NEAR(c[1].x - c[0].x, 2.0 * c[0].r, 2.0);  // touching on the sheet too, up to the outline
  EXPECT_EQ(pixels.width(), 1200);
}

TEST_F(Picture, y_points_up) {
  Frame<2> frame;
  add_ball<2>(frame, {{0.0, 0.0}}, 1.0);
  add_ball<2>(frame, {{0.0, 3.0}}, 1.0);
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  ASSERT_EQ(c.size(), 2u);
  EXPECT_LT(c[1].y, c[0].y);
  EXPECT_NEAR(c[1].x, c[0].x, 0.02);
}

TEST_F(Picture, mark_turns_with_the_body) {
  Frame<2> frame;
  add_ball<2>(frame, {{0.0, 0.0}}, 1.0);
  frame.state.orientation[0].angle = std::numbers::pi / 2;
  draw_frame(frame, {}, file("a.png"));
  draw_frame(frame, {}, file("a.svg"));
  const Pixels pixels(file("a.png"));
  const Circle c = circles(text_of(file("a.svg"))).at(0);
  const Colour fill = pixels.at(c.x, c.y);
  EXPECT_GT(difference(pixels.at(c.x, c.y - 0.7 * c.r), fill), 0.2);
  EXPECT_LT(difference(pixels.at(c.x + 0.7 * c.r, c.y), fill), 0.01);
  EXPECT_LT(difference(pixels.at(c.x, c.y + 0.7 * c.r), fill), 0.01);
}

TEST_F(Picture, fixed_and_driven_bodies_are_grey) {
  Frame<2> frame = row_of_three();
  frame.parameters.kind = {BodyKind::fixed, BodyKind::free, BodyKind::driven};
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  ASSERT_EQ(c.size(), 3u);
  EXPECT_EQ(c[0].fill, "#a8a8a8");
  EXPECT_EQ(c[1].fill, "#808080");
  EXPECT_EQ(c[2].fill, "#fde725");  // free ones are drawn above the others
}

TEST_F(Picture, lines_of_force_do_not_hide_large_bodies) {
  Frame<2> frame;
  for (const double x : {0.0, 2.0}) add_ball<2>(frame, {{x, 0.0}}, 1.0);
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_NEAR(stroke_widths(svg, "#d6121a").at(0), 0.3 * letter_size(1200), 0.02);
  EXPECT_LT(stroke_widths(svg, "#d6121a").at(0), 0.03 * 2.0 * circles(svg).at(0).r);
}

TEST_F(Picture, line_is_as_wide_as_the_force_is_large) {
  // o-o   o=o     mean force 2: 0.05 and 0.15 of a diameter wide where many bodies are shown
  Frame<2> frame;
  for (const double x : {0.0, 2.0, 6.0, 8.0}) add_ball<2>(frame, {{x, 0.0}}, 1.0);
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  add_contact<2>(frame, 2, 3, {{-1.0, 0.0}}, 3.0);
  for (int k = 10; k < 30; ++k) add_ball<2>(frame, {{2.0 * k, 0.0}}, 1.0);
  draw_frame(frame, {.colour = "none", .width = 2000}, file("a.png"));
  draw_frame(frame, {.colour = "none", .width = 2000}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  const std::vector<Circle> c = circles(svg);
  ASSERT_EQ(c.size(), 24u);
  const double diameter = 0.5 * (c[1].x - c[0].x) * 2.0;
  const std::vector<double> widths = stroke_widths(svg, "#d6121a");
  ASSERT_GE(widths.size(), 2u);
  EXPECT_NEAR(widths[0], 0.05 * diameter, 0.02);
  EXPECT_NEAR(widths[1], 0.15 * diameter, 0.02);
  const Pixels pixels(file("a.png"));
  const auto red = [&](const Circle& from, const Circle& to) {
    return pixels.count({from.x + 2.0, from.y - from.r, to.x - 2.0, from.y + from.r}, {0.84, 0.07, 0.10});
  };
  // Rows of pixels that are wholly red: an edge on either side may be half covered.
  const double length = c[1].x - c[0].x - 4.0;
  EXPECT_NEAR(red(c[0], c[1]) / length, widths[0], 2.0);
  EXPECT_NEAR(red(c[2], c[3]) / length, widths[1], 2.0);
  const Rectangle between{c[1].x + c[1].r, c[1].y - c[1].r, c[2].x - c[2].r, c[1].y + c[1].r};
  EXPECT_EQ(pixels.count(between, {0.84, 0.07, 0.10}), 0);
}

TEST_F(Picture, pulling_forces_have_their_own_colour) {
  Frame<2> frame = row_of_three();
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  add_contact<2>(frame, 1, 2, {{-1.0, 0.0}}, -1.0);
  draw_frame(frame, {}, file("a.svg"));
  EXPECT_EQ(stroke_widths(text_of(file("a.svg")), "#1a59f2").size(), 2u);  // the line and its key
}

TEST_F(Picture, floor_is_a_line_hatched_on_the_far_side) {
  Frame<2> frame = row_of_three();
  frame.walls.push_back(
      {.name = "floor", .geometry = {.shape = WallShape::plane, .point = {{0.0, -3.0}}, .direction = {{0.0, 1.0}}}});
  frame.wall_shift.push_back({{0.0, 2.0}});  // now touching the discs from below
  add_contact<2>(frame, 1, ~0, {{0.0, 1.0}}, 1.0);
  draw_frame(frame, {.colour = "none"}, file("a.png"));
  draw_frame(frame, {.colour = "none"}, file("a.svg"));
  const Pixels pixels(file("a.png"));
  const Circle c = circles(text_of(file("a.svg"))).at(0);
  const double x = c.x + 1.4 * c.r, edge = c.y + (c.r + 1.0), band = 8.0;
  EXPECT_LT(luminance(pixels.at(x, edge + 1.0)), 0.35);
  const auto inked = [&](double top) {
    const Rectangle r{c.x, top, c.x + 4.0 * c.r, top + band};
    return (r.right - r.left) * band - pixels.count(r, grey(1.0));
  };
  EXPECT_GT(inked(edge + 5.0), 100);
  EXPECT_LT(difference(pixels.at(x, edge - 3.0), grey(1.0)), 0.01);
}

TEST_F(Picture, circular_wall_surrounds_the_discs) {
  Frame<2> frame = row_of_three();
  frame.walls.push_back({.name = "drum", .geometry = {.shape = WallShape::cylinder, .point = {{2.0, 0.0}}, .radius = 3.5}});
  frame.wall_shift.push_back({});
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  ASSERT_EQ(c.size(), 4u);
  EXPECT_EQ(c[0].fill, "none");
  EXPECT_NEAR(c[0].r / (c[2].x - c[1].x), 3.5 / 2.0, 0.02);
}

TEST_F(Picture, undefined_positions_are_skipped_and_noted) {
  Frame<2> frame = row_of_three();
  frame.state.position[1][0] = std::nan("");
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  draw_frame(frame, {}, file("a.svg"));
  draw_frame(frame, {}, file("a.png"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_EQ(circles(svg).size(), 2u);
  EXPECT_TRUE(contains(svg, "1 grain without a finite position not drawn"));
}

TEST_F(Picture, undefined_velocity_does_not_spoil_the_scale) {
  Frame<2> frame = row_of_three();
  frame.state.velocity[0][0] = std::nan("");
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  EXPECT_EQ(c[0].fill, "#d900d9");
  EXPECT_EQ(c[2].fill, "#fde725");
}

TEST_F(Picture, escaped_grain_does_not_shrink_the_others) {
  Frame<2> frame;
  for (int i = 0; i < 100; ++i) add_ball<2>(frame, {{2.0 * (i % 10), 2.0 * (i / 10)}}, 1.0);
  draw_frame(frame, {}, file("all.svg"));
  const double before = circles(text_of(file("all.svg"))).at(0).r;
  frame.state.position[99] = {{1e6, -1e7}};
  draw_frame(frame, {}, file("escaped.svg"));
  const std::string svg = text_of(file("escaped.svg"));
  EXPECT_EQ(circles(svg).size(), 99u);
  EXPECT_GT(circles(svg).at(0).r, 0.7 * before);
  EXPECT_TRUE(contains(svg, "1 grain outside the view"));
}

TEST_F(Picture, projectile_above_a_bed_is_shown) {
  Frame<2> frame;
  for (int i = 0; i < 400; ++i) add_ball<2>(frame, {{2.0 * (i % 20), 2.0 * (i / 20)}}, 1.0);
  add_ball<2>(frame, {{20.0, 60.0}}, 1.0, 5.0);
  draw_frame(frame, {}, file("a.svg"));
  EXPECT_EQ(circles(text_of(file("a.svg"))).size(), 401u);
}

TEST_F(Picture, endless_floor_is_cut_near_the_free_grains) {
  Frame<2> frame;
  for (int i = -5000; i < 5000; ++i) add_ball<2>(frame, {{2.0 * i, 0.0}}, 1.0, 0.0, BodyKind::fixed);
  for (int i = 0; i < 10; ++i) add_ball<2>(frame, {{2.0 * i, 2.0}}, 1.0);
  draw_frame(frame, {}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  EXPECT_GT(c.size(), 20u);
  EXPECT_LT(c.size(), 40u);
  EXPECT_FALSE(contains(text_of(file("a.svg")), "outside the view"));
}

TEST_F(Picture, every_colour_draws_any_frame) {
  Frame<2> rest = row_of_three(), nothing;
  for (auto& v : rest.state.velocity) v = {};
  Frame<3> nowhere;
  for (const char* colour : {"speed", "spin", "radius", "birth", "pressure", "contacts", "material", "none"})
    for (const char* name : {"a.png", "a.svg"}) {
      EXPECT_NO_THROW(draw_frame(rest, {.colour = colour}, file(name)));
      EXPECT_NO_THROW(draw_frame(nothing, {.colour = colour}, file(name)));
      EXPECT_NO_THROW(draw_frame(nowhere, {.colour = colour}, file(name)));
      EXPECT_GT(std::filesystem::file_size(file(name)), 100u);
    }
  draw_frame(rest, {}, file("rest.svg"));
  for (const Circle& c : circles(text_of(file("rest.svg")))) EXPECT_EQ(c.fill, "#440154");
}

TEST_F(Picture, heading_says_what_when_and_how_many) {
  Frame<2> frame = row_of_three();
  frame.time = 1.25;
  draw_frame(frame, {.title = "sand & <water>\xff"}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_TRUE(contains(svg, "sand &amp; &lt;water&gt;?"));
  EXPECT_TRUE(contains(svg, "t = 1.25"));
  EXPECT_TRUE(contains(svg, "3 grains"));
  EXPECT_TRUE(contains(svg, ">speed [L/T]<"));
  EXPECT_NO_THROW(draw_frame(frame, {.title = "sand\xff\xc3 without end " + std::string(500, 'x')}, file("a.png")));
}

TEST_F(Picture, materials_are_called_by_their_names) {
  Frame<2> frame = row_of_three();
  frame.parameters.material = {0, 1, 0};
  draw_frame(frame, {.colour = "material", .material_names = {"glass", "steel"}}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_TRUE(contains(svg, ">glass<"));
  EXPECT_TRUE(contains(svg, ">steel<"));
}

TEST_F(Picture, materials_called_by_a_colour_have_it) {
  Frame<2> frame = row_of_three();
  frame.parameters.material = {0, 1, 2};
  draw_frame(frame, {.colour = "material", .material_names = {"red", "blue", "glass"}}, file("a.svg"));
  const std::vector<Circle> c = circles(text_of(file("a.svg")));
  ASSERT_GE(c.size(), 3u);
  EXPECT_EQ(c[0].fill, "#d22828");
  EXPECT_EQ(c[1].fill, "#0072b2");
  EXPECT_EQ(c[2].fill, "#009e73");  // the third of the palette
}

TEST_F(Picture, colours_have_the_range_and_the_label_asked_for) {
  const Frame<2> frame = row_of_three();  // speeds 0, 1, 2
  draw_frame(frame, {.colour_label = "speed [m/s]", .range = std::pair{0.0, 4.0}}, file("a.svg"));
  const std::string svg = text_of(file("a.svg"));
  EXPECT_TRUE(contains(svg, ">speed [m/s]<"));
  Frame<2> twice = frame;
  for (auto& v : twice.state.velocity) v *= 2.0;
  draw_frame(twice, {}, file("b.svg"));  // speeds 0, 2, 4: 2 is in the middle of its own scale
  EXPECT_EQ(circles(svg)[2].fill, circles(text_of(file("b.svg")))[1].fill);
}

TEST_F(Picture, pages_of_pdf_are_written) {
  draw_frame(row_of_three(), {.title = "a page"}, file("a.pdf"));
  const std::string pdf = text_of(file("a.pdf"));
  EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
  EXPECT_TRUE(contains(pdf, "%%EOF"));
  EXPECT_TRUE(contains(refusal([&] { draw_frame(row_of_three(), {}, file("missing/a.pdf")); }), "cannot write the picture"));
}

// Two discs of radius 1 in a cell of 8 x 6: the picture is as large as the cell, and its border is drawn.
TEST_F(Picture, border_of_a_periodic_cell_is_drawn) {
  Frame<2> frame;
  add_ball<2>(frame, {{1.0, 1.0}}, 1.0), add_ball<2>(frame, {{3.0, 1.0}}, 1.0);
  draw_frame(frame, {.colour = "none"}, file("walls.svg"));
  frame.lattice.vectors = {{{{8, 0}}, {{0, 6}}}};
  frame.lattice.periodic[0] = frame.lattice.periodic[1] = true;
  draw_frame(frame, {.colour = "none"}, file("cell.svg"));
  const auto lines = [&](const char* name) {
    const std::string svg = text_of(file(name));
    std::size_t count = 0;
    for (std::size_t at = svg.find("<path d=\"M"); at != std::string::npos; at = svg.find("<path d=\"M", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(lines("cell.svg"), lines("walls.svg") + 4);
  EXPECT_LT(circles(text_of(file("cell.svg"))).at(0).r, 0.6 * circles(text_of(file("walls.svg"))).at(0).r);
}

TEST_F(Picture, smallest_and_largest_widths_are_accepted) {
  Frame<2> frame = row_of_three();
  add_contact<2>(frame, 0, 1, {{-1.0, 0.0}}, 1.0);
  for (const int width : {200, 8000}) {
    draw_frame(frame, {.width = width}, file("a.png"));
    EXPECT_EQ(Pixels(file("a.png")).width(), width);
  }
}

TEST_F(Picture, refusals_name_what_is_accepted) {
  const Frame<2> frame = row_of_three();
  Frame<3> space;
  add_ball<3>(space, {}, 1.0);
  const auto png = file("a.png");
  const auto says = [](const std::string& sentence, const char* part) {
    return contains(sentence, part) && sentence.back() == '.';
  };
  EXPECT_TRUE(says(refusal([&] { draw_frame(frame, {.colour = "heat"}, png); }), "'heat', accepted are speed, spin"));
  EXPECT_TRUE(says(refusal([&] { draw_frame(space, {.view = "below"}, png); }), "'below', accepted are perspective, front"));
  EXPECT_TRUE(says(refusal([&] { draw_frame(space, {.slice = 0.0}, png); }), "lengths above zero"));
  EXPECT_TRUE(says(refusal([&] { draw_frame(frame, {.width = 199}, png); }), "200 to 8000"));
  EXPECT_TRUE(says(refusal([&] { draw_frame(frame, {.width = 8001}, png); }), "200 to 8000"));
  EXPECT_TRUE(says(refusal([&] { draw_frame(frame, {}, file("a.jpg")); }), ".png, .pdf and .svg"));
  EXPECT_TRUE(contains(refusal([&] { draw_frame(frame, {}, file("missing/a.png")); }), "cannot be written"));
  EXPECT_TRUE(contains(refusal([&] { draw_frame(frame, {}, file("missing/a.svg")); }), "cannot be written"));
  Frame<2> broken = frame;
  add_contact<2>(broken, 0, 1, {{-1.0, 0.0}}, 1.0);
  broken.contacts.b[0] = 7;
  EXPECT_TRUE(says(refusal([&] { draw_frame(broken, {}, png); }), "inconsistent"));
  EXPECT_FALSE(std::filesystem::exists(png));
}

}  // namespace

}  // namespace moreau
