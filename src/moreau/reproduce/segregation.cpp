// Size segregation and convection in a shaken vessel (Moreau 1994, Fig. 2), with its variants.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "moreau/draw/plot.hpp"
#include "moreau/reproduce/experiment.hpp"
#include "moreau/reproduce/vessel.hpp"

namespace moreau::reproduce {

namespace {

constexpr std::size_t preparation = 20;  // periods, within which the rain of grains comes to a pack

// Share of the other grains that lie lower than the large one (body 0): 1 when it is on top.
template <int D>
std::vector<double> rank_of_large(const Strobe<D>& s) {
  std::vector<double> rank;
  for (const auto& x : s.position) {
    std::size_t below = 0;
    for (std::size_t i = 1; i < x.size(); ++i) below += x[i][D - 1] < x[0][D - 1];
    rank.push_back(static_cast<double>(below) / static_cast<double>(x.size() - 1));
  }
  return rank;
}

double mean_of_range(const std::vector<double>& v, std::size_t from, std::size_t to) {
  double sum = 0.0;
  for (std::size_t k = from; k < to; ++k) sum += v[k];
  return sum / static_cast<double>(std::max<std::size_t>(1, to - from));
}

// First period from which the large one is above `level` of the others, or -1.
int arrival(const std::vector<double>& rank, double level) {
  for (std::size_t k = preparation; k < rank.size(); ++k)
    if (rank[k] >= level) return static_cast<int>(k - preparation);
  return -1;
}

struct Shaken {
  Strobe<2> strobe;
  MeanCirculation flow;
  std::vector<double> rank;
};

Shaken outcome_of(const FinishedRun<2>& run, double width) {
  Shaken o{strobe_of(run), {}, {}};
  const std::function<double(const Vec<2>&)> depth = [width](const Vec<2>& x) { return std::min(x[0], width - x[0]); };
  const double top = height_of_share(o.strobe, preparation, 0.95);
  o.flow = mean_circulation(o.strobe, preparation, 16, depth, 0.5 * width, 2.2, top);
  o.rank = rank_of_large(o.strobe);
  return o;
}

std::string flow_text(const MeanCirculation& f) {
  return fmt::format("{:+.2f} ± {:.2f} mm at the walls, {:+.2f} ± {:.2f} mm in the middle ({} windows of 16 periods)",
                     f.mean.at_wall, f.error.at_wall, f.mean.in_middle, f.error.in_middle, f.windows);
}

Figure displacement_figure(const Workshop& workshop, const Strobe<2>& s, double width, const std::string& name) {
  std::vector<Bead> beads;
  const std::size_t from = preparation, to = std::min(from + 16, s.frames() - 1);
  for (std::size_t i = 0; i < s.radius.size(); ++i)
    beads.push_back({s.position[from][i], s.position[to][i], s.radius[i], i == 0 ? grey(0.55) : grey(0.87)});
  const auto file = workshop.figure(name + ".png");
  draw_displacements(beads, 0.0, width, -1.25, "Displacements over 16 periods", file, 800);
  return {file,
          "Grains where they were at the reference instant, and lines to where they were after exactly 16 periods (Moreau 1994, "
          "Fig. 2a)."};
}

// The small one nearest to the large one at the reference instant.
std::size_t neighbour_of_large(const Strobe<2>& s) {
  std::size_t best = 1;
  for (std::size_t i = 2; i < s.radius.size(); ++i)
    if (norm(s.position[preparation][i] - s.position[preparation][0]) <
        norm(s.position[preparation][best] - s.position[preparation][0]))
      best = i;
  return best;
}

std::vector<Figure> trajectory_figures(const Workshop& workshop, const Strobe<2>& s, double width) {
  const std::size_t small = neighbour_of_large(s);
  Curve height[2] = {{"large"}, {"a small one beside it"}}, path[2] = {{"large"}, {"a small one beside it"}};
  for (std::size_t k = preparation; k < s.frames(); ++k)
    for (int which = 0; which < 2; ++which) {
      const Vec<2>& x = s.position[k][which == 0 ? 0 : small];
      height[which].x.push_back(static_cast<double>(k - preparation)), height[which].y.push_back(x[1]);
      path[which].x.push_back(x[0]), path[which].y.push_back(x[1]);
    }
  const auto heights = workshop.figure("heights.svg"), paths = workshop.figure("paths.svg");
  draw_plot({.title = "Heights once per period",
             .x_label = "periods",
             .y_label = "height [mm]",
             .curves = {height[1], height[0]},
             .shape = 0.45},
            heights);
  draw_plot({.title = "Paths once per period",
             .x_label = fmt::format("x [mm], vessel from 0 to {}", width),
             .y_label = "height [mm]",
             .curves = {path[1], path[0]},
             .shape = 0.8},
            paths);
  return {{heights, "Height of the large object and of a small one that was beside it."},
          {paths, "The same as paths in the vessel (Moreau 1994, Fig. 2b)."}};
}

// Turns of a grain between the lower and the upper third of the pack.
int recyclings(const Strobe<2>& s, std::size_t body) {
  const double low = height_of_share(s, preparation, 1.0 / 3.0), high = height_of_share(s, preparation, 2.0 / 3.0);
  int turns = 0, side = 0;
  for (std::size_t k = preparation; k < s.frames(); ++k) {
    const double z = s.position[k][body][1];
    const int now = z > high ? 1 : z < low ? -1 : side;
    turns += side != 0 && now != side;
    side = now;
  }
  return turns;
}

// What takes hundreds of periods to be seen.
void add_late_rows(Section& section, const Shaken& o, double width) {
  const int top = arrival(o.rank, 0.9);
  const std::size_t last = o.rank.size();
  section.rows.push_back(stated("the large object rises to the top", "reaches the top within 600 periods",
                                top < 0 ? "has not reached it" : fmt::format("above 90 % of the others after {} periods", top),
                                top >= 0));
  const double late = mean_of_range(o.rank, last - (last - preparation) / 4, last);
  section.rows.push_back(stated("and stays there", "remains indefinitely in one corner of the top",
                                fmt::format("above {:.0f} % of the others on average over the last quarter", 100.0 * late),
                                late > 0.75, "above 75 % of the others"));
  double corner = 0.0;
  for (std::size_t k = last - (last - preparation) / 4; k < last; ++k)
    corner += std::min(o.strobe.position[k][0][0], width - o.strobe.position[k][0][0]);
  corner /= static_cast<double>((last - preparation) / 4);
  section.rows.push_back(
      stated("it drifts to one corner", "to one corner",
             fmt::format("{:.1f} mm from the nearer wall on average over the last quarter (radius 2.5)", corner),
             corner < 0.25 * width, "in the outer quarter of the width"));
  const int turns = recyclings(o.strobe, neighbour_of_large(o.strobe));
  section.rows.push_back(stated("a small neighbour is recycled", "recycled",
                                fmt::format("{} passages between the lower and the upper third", turns), turns >= 2));
}

Section main_section(const Workshop& workshop, const Shaken& o, double width) {
  Section section{"One large object among small ones"};
  const std::size_t last = o.rank.size();
  section.rows.push_back(stated(
      "circulation: down along the walls, up in the middle", "strong downward currents in thin side layers", flow_text(o.flow),
      o.flow.mean.at_wall < 0.0 && o.flow.mean.in_middle > 0.0, "signs of the mean vertical displacement over 16 periods"));
  const double start = mean_of_range(o.rank, preparation, preparation + 5), end = mean_of_range(o.rank, last - 5, last);
  section.rows.push_back(stated("the large object rises", "carried as its surroundings",
                                fmt::format("above {:.0f} % of the others at first, {:.0f} % after {} periods", 100.0 * start,
                                            100.0 * end, last - 1 - preparation),
                                end > start + 0.2, "gains over 20 % of the others"));
  if (!workshop.quick) add_late_rows(section, o, width);
  section.figures.push_back(displacement_figure(workshop, o.strobe, width, "displacements"));
  for (Figure& f : trajectory_figures(workshop, o.strobe, width)) section.figures.push_back(std::move(f));
  return section;
}

Section smooth_walls(const Shaken& rough, const Shaken& smooth) {
  Section section{"Variant: walls without friction"};
  section.rows.push_back(stated("no circulation", "no circulatory flow",
                                fmt::format("{}; with friction {}", flow_text(smooth.flow), flow_text(rough.flow)),
                                std::abs(smooth.flow.mean.strength()) < 0.25 * std::abs(rough.flow.mean.strength()),
                                "difference middle - wall under a quarter of that with friction"));
  const std::size_t n = smooth.rank.size();
  const double start = mean_of_range(smooth.rank, preparation, preparation + 5),
               end = mean_of_range(smooth.rank, n - (n - preparation) / 4, n);
  section.rows.push_back(
      stated("the large object does not rise", "does not move upwards",
             fmt::format("above {:.0f} % of the others at first, {:.0f} % over the last quarter", 100 * start, 100 * end),
             end < start + 0.3, "gains less than 30 % of the others"));
  return section;
}

// Mean over the period range of the correlation between size and height.
template <int D>
double size_height_correlation(const Strobe<D>& s, std::size_t frame) {
  const auto& x = s.position[frame];
  double mz = 0.0, mr = 0.0, zz = 0.0, rr = 0.0, zr = 0.0;
  const double n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) mz += x[i][D - 1] / n, mr += s.radius[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dz = x[i][D - 1] - mz, dr = s.radius[i] - mr;
    zz += dz * dz, rr += dr * dr, zr += dz * dr;
  }
  return zr / std::sqrt(zz * rr);
}

}  // namespace

Report segregation(const Workshop& workshop) {
  Report report;
  const int periods = workshop.quick ? 60 : 600;
  const auto lasting = [](const std::string& text, int shaken) {
    return with(text, "duration", fmt::format("{:.2f}", 0.05 * (static_cast<int>(preparation) + shaken)));
  };
  const double width = workshop.quick ? 15.0 : 25.0;
  std::string text = scene_text("segregation", "vessel");
  if (workshop.quick) {
    text = with(with(with(text, "count", "179"), "box", "{ min = [0, 0], max = [15, 300], open = [\"top\"] }"), "region",
                "{ box = [[0, 0], [15, 40]] }");
    text = lasting(with(text, "position", "[7.5, 3]"), periods);
  }
  report.protocol = {fmt::format(
      "{} discs, one of diameter 5 mm, the others uniform between 0.75 and 1.5 mm, in a vessel {} mm wide, shaken up and down at "
      "20 Hz, "
      "2.5 mm from peak to peak (2 g). Friction 0.8 everywhere, restitution 0.9 between objects and 0.6 with the vessel, no "
      "tangential "
      "restitution. The discs rain into the vessel, the large one near its bottom; after {} periods displacements over 16 "
      "periods are "
      "taken, then the motion goes on for {} periods in all, looked at once per period at the lowest point of the vessel.",
      workshop.quick ? 180 : 500, width, preparation, periods)};
  report.choices = {"Width of the vessel, time step (a 500th of a period), density and preparation are not given.",
                    "Near the wall means within 2.2 mm (two mean diameters) of it, in the middle the inner third of the width; "
                    "the highest 5 % of the grains, which fly, are left out."};
  const FinishedRun<2> run = carry<2>(workshop, "vessel", text);
  const Shaken rough = outcome_of(run, width);
  report.sections.push_back(main_section(workshop, rough, width));

  const FinishedRun<2> slippery =
      carry<2>(workshop, "smooth-walls", with(workshop.quick ? text : lasting(text, 300), "friction", "0", 2));
  const Shaken smooth = outcome_of(slippery, width);
  report.sections.push_back(smooth_walls(rough, smooth));
  report.sections.back().figures.push_back(displacement_figure(workshop, smooth.strobe, width, "displacements-smooth"));
  if (workshop.quick) return report;

  Section seeds{"Spread over seeds"};
  std::vector<double> wall{rough.flow.mean.at_wall}, middle{rough.flow.mean.in_middle},
      arrivals{static_cast<double>(arrival(rough.rank, 0.9))};
  for (int seed = 2; seed <= 3; ++seed) {
    const Shaken o = outcome_of(
        carry<2>(workshop, fmt::format("vessel-seed-{}", seed), with(lasting(text, 160), "seed", std::to_string(seed))), width);
    wall.push_back(o.flow.mean.at_wall), middle.push_back(o.flow.mean.in_middle), arrivals.push_back(arrival(o.rank, 0.9));
  }
  seeds.rows = {
      measured("mean vertical displacement over 16 periods at the walls [mm]", wall),
      measured("the same in the middle [mm]", middle),
      measured("periods until the large object is above 90 % of the others (-1: not in the 160 of the other seeds)", arrivals)};
  const Shaken fine = outcome_of(carry<2>(workshop, "half-step", with(lasting(text, 80), "step", "5e-5")), width);
  seeds.rows.push_back(measured("half the time step: displacement at the walls [mm]", fine.flow.mean.at_wall));
  seeds.rows.push_back(measured("half the time step: displacement in the middle [mm]", fine.flow.mean.in_middle));
  report.sections.push_back(std::move(seeds));

  Section wider{"Variant: a vessel twice as wide, twice as many objects"};
  const std::string wide =
      with(with(with(with(lasting(text, 160), "count", "999"), "box", "{ min = [0, 0], max = [50, 500], open = [\"top\"] }"),
                "region", "{ box = [[0, 0], [50, 60]] }"),
           "position", "[25, 3]");
  const Shaken broad = outcome_of(carry<2>(workshop, "wide", wide), 50.0);
  wider.rows.push_back(stated(
      "same boundary layers", "same",
      fmt::format("{:+.2f} mm at the walls, {:+.2f} mm in the narrow vessel", broad.flow.mean.at_wall, rough.flow.mean.at_wall),
      broad.flow.mean.at_wall < 0.0, "downwards"));
  wider.rows.push_back(stated("slower general circulation", "slower",
                              fmt::format("{:+.2f} mm in the middle, {:+.2f} mm in the narrow vessel", broad.flow.mean.in_middle,
                                          rough.flow.mean.in_middle),
                              broad.flow.mean.in_middle < rough.flow.mean.in_middle));
  wider.figures.push_back(displacement_figure(workshop, broad.strobe, 50.0, "displacements-wide"));
  report.sections.push_back(std::move(wider));

  Section dispersed{"Variant: dispersed sizes"};
  const std::string many =
      with(with(with(lasting(text, 300), "diameter", "{ uniform = [0.75, 2.5] }", 2), "diameter", "2.4", 1), "count", "229");
  const Strobe<2> sizes = strobe_of(carry<2>(workshop, "dispersed", many));
  std::vector<double> early, late;
  for (std::size_t k = preparation; k < sizes.frames(); ++k)
    (k < preparation + 20 ? early : late).push_back(size_height_correlation(sizes, k));
  late.erase(late.begin(), late.begin() + static_cast<std::ptrdiff_t>(late.size() / 2));
  dispersed.rows.push_back(stated("larger ones accumulate in the upper part", "statistically",
                                  fmt::format("correlation of size and height {:+.3f} at first, {:+.3f} over the second half",
                                              mean_of(early).mean, mean_of(late).mean),
                                  mean_of(late).mean > 0.05, "correlation over 0.05"));
  report.sections.push_back(std::move(dispersed));

  Section space{"Variant: balls in a vessel with a square base"};
  const Strobe<3> balls = strobe_of(carry<3>(workshop, "square", scene_text("segregation", "square")));
  const double base = 12.0;
  const std::function<double(const Vec<3>&)> to_side = [base](const Vec<3>& x) {
    return std::min({x[0], base - x[0], x[1], base - x[1]});
  };
  const MeanCirculation around =
      mean_circulation(balls, preparation, 16, to_side, 0.5 * base, 1.2, height_of_share(balls, preparation, 0.95));
  const std::vector<double> rank = rank_of_large(balls);
  const double start = mean_of_range(rank, preparation, preparation + 5),
               end = mean_of_range(rank, rank.size() - 10, rank.size());
  space.rows.push_back(stated("circulation: down along the walls, up in the middle", "completely similar results",
                              flow_text(around), around.mean.at_wall < 0.0 && around.mean.in_middle > 0.0,
                              "signs of the mean vertical displacement over 16 periods"));
  space.rows.push_back(stated("the large object rises", "completely similar results",
                              fmt::format("above {:.0f} % of the others at first, {:.0f} % after {} periods", 100.0 * start,
                                          100.0 * end, rank.size() - 1 - preparation),
                              end > start + 0.2, "gains over 20 % of the others"));
  report.sections.push_back(std::move(space));
  return report;
}

}  // namespace moreau::reproduce
