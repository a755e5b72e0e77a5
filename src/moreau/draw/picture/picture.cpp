#include "moreau/draw/picture/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "moreau/draw/canvas/legend.hpp"
#include "moreau/draw/canvas/paint.hpp"
#include "moreau/draw/canvas/ticks.hpp"
#include "moreau/draw/picture/cell.hpp"
#include "moreau/draw/picture/walls.hpp"

namespace moreau::inline draw {

namespace {

std::string count(std::size_t n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}
std::string grains_of(std::size_t n) { return count(n, "grain", "grains"); }

template <int D>
std::string facts(const Frame<D>& frame, const PictureOptions& options, const Stage& stage) {
  std::size_t grains = 0, blocks = 0;
  for (std::size_t i = 0; i < frame.parameters.size(); ++i)
    if (frame.parameters.kind[i] == BodyKind::free) ++(frame.is_block(i) ? blocks : grains);
  std::string text = fmt::format("t = {:.6g}{}{}", frame.time, options.units.time.empty() ? "" : " ", options.units.time);
  if (grains > 0 || blocks == 0) text += "   ·   " + grains_of(grains);
  if (blocks > 0) text += "   ·   " + count(blocks, "block", "blocks");
  if (D == 3 && options.slice)
    text += fmt::format("   ·   {} of them in a slice of thickness {}{}{}", stage.seen, short_number(2.0 * *options.slice),
                        options.units.length.empty() ? "" : " ", options.units.length);
  return text;
}

std::string notes(const Stage& stage, bool round) {
  const auto bodies = [round](std::size_t n) { return round ? grains_of(n) : count(n, "body", "bodies"); };
  std::string text;
  if (stage.outside > 0) text = bodies(stage.outside);
  if (stage.held_outside > 0) text += (text.empty() ? "" : " and ") + count(stage.held_outside, "driven body", "driven bodies");
  if (!text.empty()) text += " outside the view";
  if (stage.undefined > 0) text += (text.empty() ? "" : "; ") + bodies(stage.undefined) + " without a finite position not drawn";
  return text;
}

// How gravity is seen from the vessel, and how far it has been tilted; returns where it begins.
double draw_gravity(Canvas& canvas, const Camera& camera, const TiltedGravity& gravity, Point right_end, double letter) {
  const Point middle{right_end.x - letter, right_end.y};
  const double x = letter * dot(gravity.direction, camera.right), y = -letter * dot(gravity.direction, camera.up);
  if (std::hypot(x, y) > 0.1 * letter)
    draw_arrow(canvas, {middle.x - x, middle.y - y}, {middle.x + x, middle.y + y}, 0.14 * letter, arrow_colour);
  else
    canvas.disc(middle, 0.2 * letter, arrow_colour);  // along the line of sight
  const std::string words = fmt::format("g  {:.1f}°", gravity.angle * 180.0 / std::numbers::pi);
  const TextStyle style{.size = 0.9 * letter, .anchor = Anchor::end};
  const double end = middle.x - 1.4 * letter;
  canvas.text({end, right_end.y + 0.32 * letter}, words, style);
  return end - text_width(words, style) - letter;
}

void draw_foot(Canvas& canvas, const Stage& stage, bool round, const std::string& unit, const std::optional<TiltedGravity>& gravity) {
  const double letter = stage.layout.letter;
  const Rectangle& foot = stage.layout.foot;
  const double y = foot.top + 1.3 * letter;
  const double left = draw_scale_bar(canvas, stage.camera, {foot.left + 0.2 * letter, y}, stage.layout.window.width(), letter, unit);
  const double right = gravity ? draw_gravity(canvas, stage.camera, *gravity, {foot.right, y}, letter) : foot.right;
  const std::string words = notes(stage, round);
  const double room = right - left - letter;
  const TextStyle note = narrowed({.size = 0.85 * letter, .anchor = Anchor::end, .colour = {0.65, 0.1, 0.1}}, words, room);
  canvas.text({right, y + 0.32 * letter}, fitted(words, note, room), note);
}

template <int D>
bool plain_sight(const PictureOptions& options) {
  return D == 2 || options.slice.has_value();  // every contact can be seen
}

template <int D>
bool with_forces(const PictureOptions& options) {
  return options.forces.value_or(plain_sight<D>(options) && !options.thrust && options.arrows.vector.empty() &&
                                 options.colour != "joints");  // a map of damage
}

// Bodies and pieces of meshes far to near, each covering what lies behind it.
template <int D>
void draw_with_meshes(Canvas& canvas, const Camera& camera, const Frame<D>& frame, const Field& field,
                      const std::vector<Grain>& grains, bool transparent, const std::vector<MeshPiece>& pieces) {
  // Pale bodies cover nothing, and blocks are ordered by more than their depths: the mesh is behind them all.
  const bool round = std::ranges::none_of(grains, [&](const Grain& g) { return frame.is_block(g.body); });
  auto piece = pieces.begin();
  std::vector<Grain> between;
  for (const Grain& grain : grains) {
    if (transparent || !round) break;
    if (piece != pieces.end() && piece->depth < grain.seen.depth) {
      draw_grains(canvas, camera, frame, field, between, transparent);
      between.clear();
      for (; piece != pieces.end() && piece->depth < grain.seen.depth; ++piece) draw_piece(canvas, *piece);
    }
    between.push_back(grain);
  }
  if (transparent || !round) {
    for (; piece != pieces.end(); ++piece) draw_piece(canvas, *piece);
    between = grains;
  }
  draw_grains(canvas, camera, frame, field, between, transparent);
  for (; piece != pieces.end(); ++piece) draw_piece(canvas, *piece);
}

template <int D>
std::vector<Vec<3>> centres_of(const Frame<D>& frame) {
  std::vector<Vec<3>> centres;
  for (const Vec<D>& x : frame.state.position) centres.push_back(lifted(x));
  return centres;
}

// Empty where vectors have none: a velocity at failure is known up to a factor.
std::string unit_of_arrows(const PictureOptions& options) {
  const std::string& name = options.arrows.name;
  return in_units(name == "velocity" ? "L/T" : name == "displacement" ? "L" : "", options.units);
}

}  // namespace

template <int D>
Field field_of(const Frame<D>& frame, const PictureOptions& options) {
  Field field;
  if (options.colour == "joints") {
    field.name = "opened or slid", field.unit = "L", field.all_zero = "no joint";
    field.from_zero = true;
    field.value = options.arrows.crack;
    field.value.resize(frame.parameters.size(), 0.0);
    // A stone that has fallen far away must not make all cracks look closed: beyond a fifth of the stones they are all alike.
    double radius = 0.0, blocks = 0.0;
    for (std::size_t i = 0; i < frame.parameters.size(); ++i)
      if (frame.is_block(i) && frame.parameters.kind[i] == BodyKind::free) radius += frame.parameters.radius[i], blocks += 1.0;
    // Below a millionth, where `measure joints` calls a joint whole, there is no crack but the rounding of places.
    const double reach = radius / std::max(1.0, blocks);
    field.cap = 0.2 * reach;
    for (double& width : field.value) width = width < 1e-6 * reach ? 0.0 : width;
  } else if (options.colour != "arrows" || options.arrows.vector.empty()) {
    field = body_field(frame, options.colour);
  } else {
    field.name = options.arrows.name;
    field.from_zero = field.heavy_tail = true;
    for (const Vec<3>& v : options.arrows.vector) field.value.push_back(norm(v));
    field.value.resize(frame.parameters.size(), 0.0);
  }
  field.unit = options.colour == "arrows" ? unit_of_arrows(options) : in_units(field.unit, options.units);
  if (options.colour == "material") field.labels = options.material_names;
  if (!options.colour_label.empty()) field.name = options.colour_label, field.unit.clear();
  return field;
}

void draw_scales(Canvas& canvas, const Scales& scales, Rectangle area, double letter) {
  const auto cut = [&](double height) {
    Rectangle key = area;
    key.top = key.bottom - height;
    area.bottom = key.top - 0.5 * letter;
    return key;
  };
  const JointMarks& marks = scales.marks;
  if (const int lines = !marks.thrust.empty() + !marks.hinges.empty(); lines > 0)
    draw_joint_key(canvas, marks, cut(1.5 * lines * letter + 0.5 * letter), letter);
  if (!scales.arrows.ends.empty())
    draw_arrow_key(canvas, scales.arrows, cut((scales.arrows.unit.empty() ? 3.0 : 4.1) * letter), letter);
  if (!scales.forces.lines.empty()) draw_force_key(canvas, scales.forces, scales.force_unit, cut((scales.force_unit.empty() ? 4.5 : 5.6) * letter), letter);
  if (scales.most_worn > 0.0) draw_wear_key(canvas, scales.most_worn, scales.wear_unit, cut(4.8 * letter), letter);
  area.bottom -= letter;
  draw_colour_scale(canvas, scales.field, scales.coloured, area, letter);
}

template <int D>
Scales paint_frame(Canvas& canvas, const Frame<D>& frame, const PictureOptions& options, const Stage& stage) {
  const bool plain = plain_sight<D>(options), forced = with_forces<D>(options);
  Scales scales;
  scales.coloured = stage.coloured;
  scales.most_worn = stage.most_worn;
  scales.wear_unit = in_units(D == 2 ? "M L/T²" : "M/T²", options.units);
  if (const UnitNames& u = options.units; !u.length.empty() && !u.mass.empty() && !u.time.empty())
    scales.force_unit = in_units("M L/T²", u);
  scales.field = field_of(frame, options);
  fit_range(scales.field, stage.coloured);
  if (const auto& range = options.range ? options.range : options.colour_range) {
    scales.field.exceeded |= scales.field.high > range->second;
    std::tie(scales.field.low, scales.field.high) = *range;
  }
  // Projected from the whole depth of a sample the lines lie many deep, and must be finer to be told apart.
  // Lines as wide as large stones allow would hide them.
  const double mean_width = std::min((plain ? 0.1 : 0.03) * stage.diameter, 0.3 * stage.layout.letter);
  if (forced) scales.forces = force_lines(frame, stage.camera, stage.shown, mean_width);
  if (options.mean_force > 0.0 && !scales.forces.lines.empty()) {
    scales.forces.mean = options.mean_force;
    scales.forces.pixels_per_force = mean_width / options.mean_force;
  }
  scales.marks =
      joint_marks(frame, stage.camera, stage.shown, options.thrust, options.hinges, stage.diameter, stage.layout.letter);
  if (!options.arrows.vector.empty())
    scales.arrows =
        arrows_of(options.arrows, centres_of(frame), stage.camera, stage.coloured, stage.diameter, options.typical_arrow);
  scales.arrows.unit = unit_of_arrows(options);

  canvas.clip(stage.layout.window);
  draw_walls(canvas, stage.camera, stage.walls, stage.region, stage.layout.window, stage.layout.letter);
  draw_meshes_behind(canvas, stage.camera, stage.meshes, stage.content, stage.layout.letter);
  draw_cell(canvas, stage.camera, frame.lattice, stage.layout.letter);
  const bool transparent = (forced || options.thrust || options.hinges) && !plain, balls = D == 3 && !transparent;
  const std::vector<Grain> grains = balls ? visible_grains(stage.grains, stage.layout.window) : stage.grains;
  const double size = std::max(2.0 * stage.diameter / stage.camera.zoom, 0.01 * norm(stage.region.size()));
  draw_with_meshes(canvas, stage.camera, frame, scales.field, grains, transparent,
                   pieces_among(stage.meshes, stage.camera, size, stage.layout.letter));
  draw_meshes_before(canvas, stage.camera, stage.meshes, stage.content, stage.layout.letter);
  draw_forces(canvas, scales.forces);
  draw_joint_marks(canvas, scales.marks);
  draw_arrows(canvas, scales.arrows);
  canvas.unclip();
  draw_heading(canvas, options.title, facts(frame, options, stage), stage.layout.heading, stage.layout.letter);
  draw_foot(canvas, stage, frame.shapes.empty(), options.units.length,
            options.tilted ? options.tilted(frame.phase, frame.time) : std::nullopt);
  return scales;
}

template <int D>
void draw_frame(const Frame<D>& unfolded, const PictureOptions& options, const std::filesystem::path& file) {
  const Frame<D> frame = folded(unfolded);
  const bool legend = options.legend && (options.colour != "none" || with_forces<D>(options) || options.thrust ||
                                         options.hinges || !options.arrows.vector.empty() || (options.wear && most_worn(frame) > 0.0));
  const Stage stage = stage_of(frame, options, legend);
  const std::unique_ptr<Canvas> canvas = open_canvas(file, stage.layout.width, stage.layout.height);
  const Scales scales = paint_frame(*canvas, frame, options, stage);
  if (legend) draw_scales(*canvas, scales, stage.layout.legend, stage.layout.letter);
  canvas->write();
}

#define MOREAU_INSTANTIATE(D)                                                                    \
  template Field field_of<D>(const Frame<D>&, const PictureOptions&);                            \
  template Scales paint_frame<D>(Canvas&, const Frame<D>&, const PictureOptions&, const Stage&); \
  template void draw_frame<D>(const Frame<D>&, const PictureOptions&, const std::filesystem::path&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline draw
