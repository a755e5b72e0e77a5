// Moreau's sweeping process (2003, sec. 3; 2004, sec. 3.2): a point dragged along by a moving disc.
#include <fmt/format.h>

#include <cmath>

#include "moreau/draw/plot.hpp"
#include "moreau/reproduce/classics.hpp"
#include "moreau/reproduce/sweeping_process.hpp"

namespace moreau::reproduce {

namespace {

Vec<2> tractrix(double t) { return {{t - std::tanh(t), 1.0 / std::cosh(t)}}; }

Vec<2> nearest(double t, const Vec<2>& q) {
  const Vec<2> arm = q - Vec<2>{{t, 0.0}};
  return norm(arm) <= 1.0 ? q : Vec<2>{{t, 0.0}} + (1.0 / norm(arm)) * arm;
}

MovingConstraint<2> constraint(double t, const Vec<2>& q) {
  const Vec<2> arm = q - Vec<2>{{t, 0.0}};
  return {norm(arm) - 1.0, -arm[0] / norm(arm), (1.0 / norm(arm)) * arm};
}

struct Path {
  Curve curve;
  double error = 0.0, outside = 0.0;  // at the end, t = 2
};

Path follow(double h, bool implicit) {
  Path path{{fmt::format("{}, h = {}", implicit ? "catching-up" : "explicit", h)}};
  const int steps = static_cast<int>(std::lround(2.0 / h));
  Vec<2> q{{0.0, 1.0}};
  path.curve.x = {q[0]}, path.curve.y = {q[1]};
  for (int k = 0; k < steps; ++k) {
    q = implicit ? catching_up_step(q, (k + 1) * h, nearest) : lazy_selector_step(q, k * h, h, constraint);
    path.curve.x.push_back(q[0]), path.curve.y.push_back(q[1]);
  }
  path.error = norm(q - tractrix(2.0)), path.outside = norm(q - Vec<2>{{2.0, 0.0}}) - 1.0;
  return path;
}

}  // namespace

Section sweeping_process(const Workshop& workshop) {
  Section section{"Sweeping process"};
  section.paragraphs = {
      "A disc of radius 1 moves to the right at unit speed and drags the point (0, 1) that it catches: -dq/dt lies in the normal "
      "cone of the disc. The exact path is a tractrix, x = t - tanh t, y = 1/cosh t. The catching-up algorithm projects on the "
      "disc "
      "at the end of each step: order 1, always inside. The explicit scheme ends outside."};
  double h = 0.1;
  for (const double error : {0.01691, 0.00863, 0.00436, 0.00219, 0.00110}) {
    const Path path = follow(h, true);
    section.rows.push_back(compared(fmt::format("catching-up, h = {}: error at t = 2", h), error, path.error, 6e-6));
    if (h == 0.1)
      section.rows.push_back(stated("catching-up ends inside the disc", "inside",
                                    fmt::format("distance {:.1e} beyond the rim", path.outside), path.outside <= 1e-14));
    h /= 2;
  }
  struct Outside {
    double step, beyond, digit;  // half a unit of the last digit known
  };
  for (const Outside& known : {Outside{0.1, 0.049, 5e-4}, Outside{0.05, 0.0244, 5e-5}, Outside{0.025, 0.0121, 5e-5}})
    section.rows.push_back(compared(fmt::format("explicit scheme, h = {}: distance beyond the rim at t = 2", known.step),
                                    known.beyond, follow(known.step, false).outside, known.digit));
  Curve exact{"tractrix"};
  for (int k = 0; k <= 200; ++k) exact.x.push_back(tractrix(0.01 * k)[0]), exact.y.push_back(tractrix(0.01 * k)[1]);
  Curve coarse = follow(0.4, true).curve, outside = follow(0.4, false).curve;
  const auto file = workshop.figure("sweeping-process.svg");
  draw_plot({.title = "Path of the point", .x_label = "x", .y_label = "y", .curves = {exact, coarse, outside}, .shape = 0.5},
            file);
  section.figures.push_back({file, "The tractrix, and both schemes with a coarse step."});
  return section;
}

}  // namespace moreau::reproduce
