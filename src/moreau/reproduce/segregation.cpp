// Size segregation and convection in a shaken vessel (Moreau 1994, Fig. 2), with its variants.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

// First period from which the large one is above `level` of the others.
std::optional<int> arrival(const std::vector<double>& rank, double level) {
  for (std::size_t k = preparation; k < rank.size(); ++k)
    if (rank[k] >= level) return static_cast<int>(k - preparation);
  return std::nullopt;
}

constexpr double rise_counted = 0.2;  // share of the others that the large object must pass
constexpr double large = 5.0;         // diameter of the large object [mm]
constexpr std::size_t window = 16;    // periods

struct Shaken {
  Strobe<2> strobe;
  MeanCirculation flow;
  std::vector<double> rank;
  double thickness = 0.0;                          // of the layers that go down at the walls [mm]
  double left_corner = 0.0, right_corner = 0.0;    // rotation over 16 periods, mean over windows [rad]
  std::vector<double> large_less_others, scatter;  // window by window, see below
};

// Rise of the large object in a window less that of the grains around it (within a diameter of its rim), and the standard
// deviation of theirs; as long as it is neither on top nor at a wall.
void compare_with_surroundings(Shaken& o, double width) {
  const Strobe<2>& s = o.strobe;
  for (std::size_t k = preparation; k + window < s.frames(); k += window) {
    const Vec<2>& centre = s.position[k][0];
    if (o.rank[k] > 0.9 || o.rank[k + window] > 0.9 || std::min(centre[0], width - centre[0]) < large) continue;
    std::vector<double> rise;
    for (std::size_t i = 1; i < s.radius.size(); ++i)
      if (norm(s.position[k][i] - centre) < 1.5 * large) rise.push_back(s.position[k + window][i][1] - s.position[k][i][1]);
    if (rise.size() < 5) continue;
    const Mean around = mean_of(rise);
    o.large_less_others.push_back(s.position[k + window][0][1] - centre[1] - around.mean);
    o.scatter.push_back(around.deviation);
  }
}

Shaken outcome_of(const FinishedRun<2>& run, double width) {
  Shaken o{strobe_of(run), {}, {}, 0.0, 0.0, 0.0, {}, {}};
  const std::function<double(const Vec<2>&)> depth = [width](const Vec<2>& x) { return std::min(x[0], width - x[0]); };
  const double top = height_of_share(o.strobe, preparation, 0.95);
  o.flow = mean_circulation(o.strobe, preparation, 16, depth, 0.5 * width, 2.2, top);
  o.rank = rank_of_large(o.strobe);
  o.thickness = layer_thickness(o.strobe, preparation, window, depth, 0.5 * width, 0.5, top);
  std::vector<double> left, right;
  for (std::size_t k = preparation; k + window < o.strobe.frames(); k += window) {
    const Corners corners = upper_corners(o.strobe, k, k + window, width, -1.25);
    left.push_back(corners.left.rotation), right.push_back(corners.right.rotation);
  }
  o.left_corner = mean_of(left).mean, o.right_corner = mean_of(right).mean;
  compare_with_surroundings(o, width);
  return o;
}

// A statement looked at run by run: agrees if it holds in four of five at least.
Row in_runs(std::string quantity, std::string published, const std::vector<bool>& holds, const std::string& numbers,
            const std::string& rule) {
  const std::size_t so = static_cast<std::size_t>(std::count(holds.begin(), holds.end(), true));
  return stated(std::move(quantity), std::move(published), fmt::format("{} of {} runs: {}", so, holds.size(), numbers),
                5 * so >= 4 * holds.size(), rule + (holds.size() > 1 ? ", in four of five runs at least" : ""));
}

template <class F>
std::vector<double> each(const std::vector<Shaken>& runs, F&& value) {
  std::vector<double> values;
  for (const Shaken& o : runs) values.push_back(value(o));
  return values;
}
template <class F>
std::vector<bool> each_holds(const std::vector<Shaken>& runs, F&& holds) {
  std::vector<bool> values;
  for (const Shaken& o : runs) values.push_back(holds(o));
  return values;
}
std::string spread(const std::vector<double>& values, const char* unit) {
  const Mean m = mean_of(values);
  return values.size() > 1 ? fmt::format("{:+.2f} ± {:.2f} {}", m.mean, m.deviation, unit)
                           : fmt::format("{:+.2f} {}", m.mean, unit);
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

double late_rank(const Shaken& o) {
  const std::size_t last = o.rank.size();
  return mean_of_range(o.rank, last - (last - preparation) / 4, last);
}

// What takes hundreds of periods to be seen.
void add_late_rows(Section& section, const std::vector<Shaken>& runs, double width) {
  std::string arrivals;
  for (const Shaken& o : runs) {
    const std::optional<int> top = arrival(o.rank, 0.9);
    arrivals += (arrivals.empty() ? "" : ", ") + (top ? std::to_string(*top) : std::string("not"));
  }
  section.rows.push_back(in_runs("the large object rises to the top", "reaches the top region",
                                 each_holds(runs, [](const Shaken& o) { return arrival(o.rank, 0.9).has_value(); }),
                                 fmt::format("above 90 % of the others after {} periods", arrivals), "within 600 periods"));
  const std::vector<double> late = each(runs, [](const Shaken& o) { return 100.0 * late_rank(o); });
  section.rows.push_back(in_runs("and stays there", "remains indefinitely in one corner",
                                 each_holds(runs, [](const Shaken& o) { return late_rank(o) > 0.75; }),
                                 fmt::format("above {} of the others over the last quarter", spread(late, "%")),
                                 "above 75 % of the others"));
  const auto from_wall = [width](const Shaken& o) {
    const std::size_t last = o.rank.size(), quarter = (last - preparation) / 4;
    double sum = 0.0;
    for (std::size_t k = last - quarter; k < last; ++k)
      sum += std::min(o.strobe.position[k][0][0], width - o.strobe.position[k][0][0]);
    return sum / static_cast<double>(quarter);
  };
  section.rows.push_back(in_runs(
      "it drifts to one corner", "to one corner", each_holds(runs, [&](const Shaken& o) { return from_wall(o) < 0.25 * width; }),
      fmt::format("{} from the nearer wall over the last quarter (radius 2.5)", spread(each(runs, from_wall), "mm")),
      "in the outer quarter of the width"));
  const auto turns = [](const Shaken& o) { return static_cast<double>(recyclings(o.strobe, neighbour_of_large(o.strobe))); };
  section.rows.push_back(
      in_runs("a small neighbour is recycled", "goes round", each_holds(runs, [&](const Shaken& o) { return turns(o) >= 2.0; }),
              fmt::format("{} between the lower and the upper third", spread(each(runs, turns), "passages")), "two passages"));
}

// `fine`: with half the time step, where there is such a run.
Section main_section(const Workshop& workshop, const std::vector<Shaken>& runs, const Shaken* fine, double width) {
  Section section{"One large object among small ones"};
  const auto down_and_up = [](const Shaken& o) { return o.flow.mean.at_wall < 0.0 && o.flow.mean.in_middle > 0.0; };
  const std::vector<double> wall = each(runs, [](const Shaken&o) { return o.flow.mean.at_wall; }),
                            middle = each(runs, [](const Shaken&o) { return o.flow.mean.in_middle; }),
                            thickness = each(runs, [](const Shaken&o) { return o.thickness; });
  section.rows.push_back(
      in_runs("circulation: down along the walls, up in the middle", "strong downward currents in thin side layers",
              each_holds(runs, down_and_up),
              fmt::format("{} at the walls, {} in the middle over 16 periods", spread(wall, "mm"), spread(middle, "mm")),
              "signs of the mean vertical displacement"));
  if (fine)
    section.rows.push_back(stated("the same with half the time step", "strong downward currents in thin side layers",
                                  flow_text(fine->flow), down_and_up(*fine), "signs of the mean vertical displacement"));
  section.rows.push_back(in_runs("side layers are too thin to take the large object down", "too thin",
                                 each_holds(runs, [](const Shaken& o) { return o.thickness > 0.0 && o.thickness < large; }),
                                 fmt::format("thickness {}, large object {} mm", spread(thickness, "mm"), large),
                                 "thinner than the large object"));
  section.rows.push_back(in_runs(
      "vortices in the two upper corners", "may be identified",
      each_holds(runs, [](const Shaken& o) { return o.left_corner > 0.0 && o.right_corner < 0.0; }),
      fmt::format("rotation {} (left), {} (right)", spread(each(runs, [](const Shaken& o) { return o.left_corner; }), "rad"),
                  spread(each(runs, [](const Shaken& o) { return o.right_corner; }), "rad")),
      "counter-clockwise on the left, clockwise on the right"));
  std::vector<double> less, scatter;
  for (const Shaken& o : runs) {
    less.insert(less.end(), o.large_less_others.begin(), o.large_less_others.end());
    scatter.insert(scatter.end(), o.scatter.begin(), o.scatter.end());
  }
  if (!less.empty())
    section.rows.push_back(stated("the large object moves as its surroundings", "in the same way",
                                  fmt::format("rises by {} more than the grains around it over 16 periods ({} windows); theirs "
                                              "scatter by {:.2f} mm",
                                              spread(less, "mm"), less.size(), mean_of(scatter).mean),
                                  std::abs(mean_of(less).mean) < mean_of(scatter).mean, "by less than their scatter"));
  const auto first_rank = [](const Shaken& o) { return mean_of_range(o.rank, preparation, preparation + 5); };
  const auto last_rank = [](const Shaken& o) { return mean_of_range(o.rank, o.rank.size() - 5, o.rank.size()); };
  section.rows.push_back(
      in_runs("the large object rises", "to the top region",
              each_holds(runs, [&](const Shaken& o) { return last_rank(o) > first_rank(o) + rise_counted; }),
              fmt::format("above {:.0f} % of the others at first, {:.0f} % after {} periods",
                          100.0 * mean_of(each(runs, first_rank)).mean, 100.0 * mean_of(each(runs, last_rank)).mean,
                          runs.front().rank.size() - 1 - preparation),
              "gains over 20 % of the others"));
  if (!workshop.quick) add_late_rows(section, runs, width);
  const Shaken& o = runs.front();
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
             end < start + rise_counted, "gains less than 20 % of the others"));
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
  std::vector<Shaken> runs;
  for (int seed = 1; seed <= (workshop.quick ? 1 : 5); ++seed)
    runs.push_back(outcome_of(
        carry<2>(workshop, seed == 1 ? "vessel" : fmt::format("vessel-seed-{}", seed), with(text, "seed", std::to_string(seed))),
        width));
  const Shaken& rough = runs.front();
  std::optional<Shaken> fine;
  if (!workshop.quick) fine = outcome_of(carry<2>(workshop, "half-step", with(lasting(text, 80), "step", "5e-5")), width);
  report.sections.push_back(main_section(workshop, runs, fine ? &*fine : nullptr, width));

  const FinishedRun<2> slippery =
      carry<2>(workshop, "smooth-walls", with(workshop.quick ? text : lasting(text, 300), "friction", "0", 2));
  const Shaken smooth = outcome_of(slippery, width);
  report.sections.push_back(smooth_walls(rough, smooth));
  report.sections.back().figures.push_back(displacement_figure(workshop, smooth.strobe, width, "displacements-smooth"));
  if (workshop.quick) return report;

  Section wider{"Variant: a vessel twice as wide, twice as many objects"};
  const std::string wide =
      with(with(with(with(lasting(text, 160), "count", "999"), "box", "{ min = [0, 0], max = [50, 500], open = [\"top\"] }"),
                "region", "{ box = [[0, 0], [50, 60]] }"),
           "position", "[25, 3]");
  const Shaken broad = outcome_of(carry<2>(workshop, "wide", wide), 50.0);
  const Mean thickness = mean_of(each(runs, [](const Shaken&o) { return o.thickness; })),
             middle = mean_of(each(runs, [](const Shaken&o) { return o.flow.mean.in_middle; }));
  wider.rows.push_back(stated(
      "same boundary layers", "the same",
      fmt::format("{:.2f} mm thick, in the narrow vessel {:.2f} ± {:.2f} mm; {:+.2f} mm at the walls", broad.thickness,
                  thickness.mean, thickness.deviation, broad.flow.mean.at_wall),
      broad.flow.mean.at_wall < 0.0 && std::abs(broad.thickness - thickness.mean) < 2.0 * std::max(thickness.deviation, 0.25),
      "downwards, and as thick within two standard deviations of the narrow runs or a class of 0.5 mm"));
  wider.rows.push_back(stated("slower general circulation", "slower",
                              fmt::format("{:+.2f} ± {:.2f} mm in the middle, {:+.2f} ± {:.2f} mm in the narrow vessel",
                                          broad.flow.mean.in_middle, broad.flow.error.in_middle, middle.mean, middle.deviation),
                              broad.flow.mean.in_middle + 2.0 * broad.flow.error.in_middle < middle.mean,
                              "lower by two standard errors"));
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
  const double chance = 2.0 / std::sqrt(static_cast<double>(sizes.radius.size()));  // two standard errors without correlation
  dispersed.rows.push_back(stated("larger ones accumulate in the upper part", "statistically",
                                  fmt::format("correlation of size and height {:+.3f} at first, {:+.3f} over the second half",
                                              mean_of(early).mean, mean_of(late).mean),
                                  mean_of(late).mean > chance && mean_of(late).mean > mean_of(early).mean,
                                  fmt::format("over {:.2f}, twice what chance gives, and grown", chance)));
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
                              end > start + rise_counted, "gains over 20 % of the others"));
  report.sections.push_back(std::move(space));
  return report;
}

}  // namespace moreau::reproduce
