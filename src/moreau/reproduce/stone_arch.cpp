// A stone arch forced down at its key stone (Moreau 2004, sec. 9): the way it collapses depends on friction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "moreau/draw/joints.hpp"
#include "moreau/draw/picture.hpp"
#include "moreau/draw/plot.hpp"
#include "moreau/engines/equilibrium.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/reproduce/experiment.hpp"

namespace moreau::reproduce {

namespace {

constexpr double inner = 0.94, outer = 1.06;  // radii of the arch, as in the scene
constexpr double thickness = outer - inner;

std::size_t body_named(const Scene<2>& scene, const std::string& name) {
  for (const NamedBodies& named : scene.named)
    if (named.name == name) return named.first;
  throw std::logic_error("no body named " + name);
}

// The stones from left to right with the abutments at the two ends.
std::vector<std::size_t> row_of_stones(const Scene<2>& scene) {
  std::vector<std::size_t> row{body_named(scene, "arch.left")};
  for (const NamedBodies& named : scene.named)
    if (named.name == "arch")
      for (std::size_t k = 0; k < named.count; ++k) row.push_back(named.first + k);
  row.push_back(body_named(scene, "arch.right"));
  return row;
}

// Relative motion of the two sides of a joint since the start.
struct JointMotion {
  double slip = 0.0;     // along the joint, mean of its two ends
  double opening = 0.0;  // across, at the end that opens more
  double turn = 0.0;     // [rad] positive: opens at the outer side
};

JointMotion joint_motion(const BodyState<2>& start, const BodyState<2>& now, std::size_t left, std::size_t right, double angle) {
  const auto carried = [&](std::size_t i, double r) {
    const Vec<2> point{{r * std::cos(angle), r * std::sin(angle)}};
    const Rotation<2> by{now.orientation[i].angle - start.orientation[i].angle};
    return now.position[i] + rotate(by, point - start.position[i]);
  };
  const double turn_left = now.orientation[left].angle - start.orientation[left].angle;
  const double turn_right = now.orientation[right].angle - start.orientation[right].angle;
  const double mean = angle + 0.5 * (turn_left + turn_right);
  const Vec<2> along{{std::cos(mean), std::sin(mean)}}, across{{along[1], -along[0]}};  // across: from left to right
  const Vec<2> at_inner = carried(right, inner) - carried(left, inner), at_outer = carried(right, outer) - carried(left, outer);
  JointMotion m;
  m.slip = 0.5 * dot(at_inner + at_outer, along);
  m.opening = std::max(dot(at_inner, across), dot(at_outer, across));
  m.turn = (dot(at_outer, across) - dot(at_inner, across)) / thickness;
  return m;
}

struct Collapse {
  std::vector<double> time, key_drop, slip, opening;  // largest over the joints, frame by frame
  std::vector<std::vector<JointMotion>> joints;       // frame by frame, from left to right
  double energy_error = 0.0;

  // The frame at which the key stone has come down by this much; the last one if it has not.
  std::size_t frame_at(double drop) const {
    for (std::size_t k = 0; k < key_drop.size(); ++k)
      if (key_drop[k] >= drop) return k;
    return key_drop.size() - 1;
  }
};

Collapse collapse_of(const FinishedRun<2>& run) {
  const std::vector<std::size_t> row = row_of_stones(run.scene);
  const std::size_t joints = row.size() - 1, key = row[row.size() / 2];
  const double pi = std::numbers::pi, right = pi / 12.0, left = 11.0 * pi / 12.0;
  const Frame<2> start = run.folder.read_frame<2>(0);
  Collapse c;
  for (std::uint64_t k = 0; k < run.folder.frame_count(); ++k) {
    const Frame<2> frame = run.folder.read_frame<2>(k);
    std::vector<JointMotion> all;
    double slip = 0.0, opening = 0.0;
    for (std::size_t j = 0; j < joints; ++j) {
      const double angle = left + (right - left) * static_cast<double>(j) / static_cast<double>(joints - 1);
      all.push_back(joint_motion(start.state, frame.state, row[j], row[j + 1], angle));
      slip = std::max(slip, std::abs(all.back().slip)), opening = std::max(opening, all.back().opening);
    }
    c.time.push_back(frame.time), c.slip.push_back(slip), c.opening.push_back(opening);
    c.key_drop.push_back(start.state.position[key][1] - frame.state.position[key][1]);
    c.joints.push_back(std::move(all));
  }
  c.energy_error = std::abs(run.end.state.energy.error());
  return c;
}

// Joints that have opened by rotation: opening over five times the slip, and over a hundredth of the thickness.
std::vector<int> hinges(const std::vector<JointMotion>& joints) {
  std::vector<int> which;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].opening > 0.01 * thickness && joints[j].opening > 5.0 * std::abs(joints[j].slip))
      which.push_back(static_cast<int>(j) + 1);
  return which;
}
std::vector<int> sliding(const std::vector<JointMotion>& joints) {
  std::vector<int> which;
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (std::abs(joints[j].slip) > 0.02 * thickness) which.push_back(static_cast<int>(j) + 1);
  return which;
}
std::string listed(const std::vector<int>& numbers) {
  std::string text;
  for (const int n : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", n);
  return text.empty() ? "none" : text;
}

Section figures(const Workshop& workshop, const FinishedRun<2>& run, const Collapse& c, const std::string& friction) {
  Section section{"Collapse with friction " + friction};
  for (const double drop : {0.0, 0.032, 0.12, 1.0}) {
    const std::size_t k = drop == 0.0 ? 0 : c.frame_at(drop);
    PictureOptions options;
    options.colour = "none", options.thrust = k > 0, options.hinges = k > 0, options.width = 900;
    options.title = fmt::format("friction {}, t = {:.2f} s, key stone down by {:.3f} m", friction, c.time[k], c.key_drop[k]);
    const auto file = workshop.figure(fmt::format("arch-{}-{:03}.png", friction, k));
    draw_frame(run.folder.read_frame<2>(k), options, file);
    section.figures.push_back({file, options.title + (k > 0 ? "; thrust line, and dots at hinges." : ".")});
    if (k + 1 == c.time.size()) break;
  }
  Plot in_time{.title = "Joints, friction " + friction,
               .x_label = "time [s]",
               .y_label = "[m]",
               .curves = {{"largest opening", c.time, c.opening},
                          {"largest slip", c.time, c.slip},
                          {"descent of the key stone", c.time, c.key_drop}},
               .shape = 0.45};
  const auto series = workshop.figure("joints-in-time-" + friction + ".svg");
  draw_plot(in_time, series);
  section.figures.push_back({series, "Largest slip and opening over the 16 joints in time."});
  Plot by_joint{.title = "Joint by joint, friction " + friction,
                .x_label = "joint, from left to right",
                .y_label = "[m], key stone down by 0.032 m",
                .curves = {{"opening"}, {"slip"}},
                .shape = 0.45};
  const auto& joints = c.joints[c.frame_at(0.032)];
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (std::size_t curve = 0; curve < 2; ++curve) {
      by_joint.curves[curve].x.push_back(static_cast<double>(j) + 1.0);
      by_joint.curves[curve].y.push_back(curve == 0 ? joints[j].opening : joints[j].slip);
      by_joint.curves[curve].points = true;
    }
  const auto profile = workshop.figure("joints-" + friction + ".svg");
  draw_plot(by_joint, profile);
  section.figures.push_back({profile, "Opening and slip of each joint when the key stone has come down by 0.032 m."});
  return section;
}

}  // namespace

Report stone_arch(const Workshop& workshop) {
  Report report;
  report.protocol = {
      "A segmental arch of 15 stones stands between fixed abutments under its own weight: no mortar, Coulomb friction at all "
      "joints. A driven block then pushes the key stone down, gently at first, at 0.1 m/s after one second. Run with friction "
      "0.6 "
      "and 0.3. A joint slips by the relative displacement of its two faces along itself, and opens by that across itself at the "
      "end where they part more, both since the start."};
  report.choices = {
      "Number and shape of the stones, span, density and speed of the push are not given in the paper; they are those of the "
      "scene.",
      "The pusher starts a tenth of a millimetre above the key stone, so that the arch first stands alone."};
  Section table{"Published and computed"};
  std::string text = scene_text("stone-arch", "arch");
  if (workshop.quick) text = with(text, "duration", "1.1");
  struct Case {
    std::string friction;
    Collapse collapse;
    std::vector<JointMotion> joints;  // when the key stone is down by 0.032
    double slip = 0.0, opening = 0.0;
    double fine_slip = 0.0, fine_opening = 0.0;  // with half the step; the same in the reduced form, which has no such run
  };
  std::vector<Case> cases;
  std::vector<Section> pictures;
  for (const std::string friction : {"0.6", "0.3"}) {
    const std::string scene = with(text, "friction", friction);
    const Scene<2> alone = scene_of<2>(scene, "arch.toml");
    const auto equilibrium = test_equilibrium(alone.model, Simulation<2>(alone.model, alone.bodies).state(), 1e-3);
    table.rows.push_back(
        stated("friction " + friction + ": the arch can stand under its own weight", "in equilibrium",
               fmt::format("one-step test: speed {:.1e} of g h", equilibrium.max_speed / equilibrium.velocity_scale),
               equilibrium.possible));
    const FinishedRun<2> run = carry<2>(workshop, "friction-" + friction, scene);
    Case c{friction, collapse_of(run), {}};
    const std::size_t k = c.collapse.frame_at(0.032);
    c.joints = c.collapse.joints[k];
    c.slip = c.fine_slip = c.collapse.slip[k], c.opening = c.fine_opening = c.collapse.opening[k];
    pictures.push_back(figures(workshop, run, c.collapse, friction));
    table.rows.push_back(measured("friction " + friction + ": largest slip, key stone down by 0.032 m [m]", c.slip));
    table.rows.push_back(measured("friction " + friction + ": largest opening, key stone down by 0.032 m [m]", c.opening));
    table.rows.push_back(
        {"friction " + friction + ": hinges at joints (1 to 16 from the left)", "not given", listed(hinges(c.joints))});
    table.rows.push_back({"friction " + friction + ": joints that slide", "not given", listed(sliding(c.joints))});
    if (!workshop.quick) {
      const FinishedRun<2> fine = carry<2>(workshop, "friction-" + friction + "-half-step", with(scene, "step", "5e-4"));
      const Collapse half = collapse_of(fine);
      const std::size_t same = half.frame_at(0.032);
      c.fine_slip = half.slip[same], c.fine_opening = half.opening[same];
      table.rows.push_back(measured("friction " + friction + ": largest slip with half the step [m]", c.fine_slip));
      table.rows.push_back(measured("friction " + friction + ": largest opening with half the step [m]", c.fine_opening));
    }
    cases.push_back(std::move(c));
  }
  const Case &rough = cases[0], &smooth = cases[1];
  table.rows.push_back(stated("friction 0.6: joints open by rotation, without sliding (Coulomb's remark)", "no sliding",
                              fmt::format("slip / opening = {:.3f}, with half the step {:.3f}", rough.slip / rough.opening,
                                          rough.fine_slip / rough.fine_opening),
                              rough.slip <= 0.2 * rough.opening && rough.fine_slip <= 0.2 * rough.fine_opening,
                              "largest slip at most 0.2 of the largest opening, with both steps"));
  table.rows.push_back(stated("the collapse mechanism depends on friction", "depends",
                              fmt::format("largest slip {:.4f} with 0.6, {:.4f} with 0.3; with half the step {:.4f} and {:.4f}",
                                          rough.slip, smooth.slip, rough.fine_slip, smooth.fine_slip),
                              smooth.slip >= 3.0 * rough.slip && smooth.fine_slip >= 3.0 * rough.fine_slip,
                              "slip with 0.3 at least three times that with 0.6, with both steps"));
  report.sections.push_back(std::move(table));
  for (Section& section : pictures) report.sections.push_back(std::move(section));
  return report;
}

}  // namespace moreau::reproduce
