#include "moreau/draw/picture.hpp"

#include <fmt/format.h>

#include "moreau/draw/fields.hpp"
#include "moreau/draw/force_lines.hpp"
#include "moreau/draw/joint_marks.hpp"
#include "moreau/draw/legend.hpp"
#include "moreau/draw/stage.hpp"
#include "moreau/draw/ticks.hpp"
#include "moreau/draw/walls.hpp"

namespace moreau {

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
  std::string text = fmt::format("t = {:.6g}", frame.time);
  if (grains > 0 || blocks == 0) text += "   ·   " + grains_of(grains);
  if (blocks > 0) text += "   ·   " + count(blocks, "block", "blocks");
  if (D == 3 && options.slice)
    text += fmt::format("   ·   {} of them in a slice of thickness {}", stage.seen, short_number(2.0 * *options.slice));
  return text;
}

std::string notes(const Stage& stage, bool round) {
  const auto bodies = [round](std::size_t n) { return round ? grains_of(n) : count(n, "body", "bodies"); };
  std::string text;
  if (stage.outside > 0) text = bodies(stage.outside) + " outside the view";
  if (stage.undefined > 0) text += (text.empty() ? "" : "; ") + bodies(stage.undefined) + " without a finite position not drawn";
  return text;
}

// From the bottom: marks of joints, force, and above them the colours.
void draw_surroundings(Canvas& canvas, const Stage& stage, const Field& field, const ForceLines& forces, const JointMarks& marks,
                       bool round) {
  const double letter = stage.layout.letter;
  Rectangle scale = stage.layout.legend;
  const auto cut = [&](double height) {
    Rectangle key = scale;
    key.top = key.bottom - height;
    scale.bottom = key.top - 0.5 * letter;
    return key;
  };
  if (const int lines = !marks.thrust.empty() + !marks.hinges.empty(); lines > 0)
    draw_joint_key(canvas, marks, cut(1.5 * lines * letter + 0.5 * letter), letter);
  if (!forces.lines.empty()) draw_force_key(canvas, forces, cut(4.5 * letter), letter);
  scale.bottom -= letter;
  draw_colour_scale(canvas, field, stage.coloured, scale, letter);
  const Rectangle& foot = stage.layout.foot;
  const double y = foot.top + 1.3 * letter;
  draw_scale_bar(canvas, stage.camera, {foot.left + 0.2 * letter, y}, stage.layout.window.width(), letter);
  const TextStyle note{.size = 0.85 * letter, .anchor = Anchor::end, .colour = {0.65, 0.1, 0.1}};
  canvas.text({foot.right, y + 0.32 * letter}, fitted(notes(stage, round), note, 0.6 * foot.width()), note);
}

}  // namespace

template <int D>
void draw_frame(const Frame<D>& unfolded, const PictureOptions& options, const std::filesystem::path& file) {
  const Frame<D> frame = folded(unfolded);
  const bool plain_sight = D == 2 || options.slice.has_value();  // every contact can be seen
  const bool with_forces = options.forces.value_or(plain_sight && !options.thrust);
  const Stage stage = stage_of(frame, options, options.colour != "none" || with_forces || options.thrust || options.hinges);
  Field field = body_field(frame, options.colour);
  fit_range(field, stage.coloured);
  ForceLines forces;
  // Projected from the whole depth of a sample the lines lie many deep, and must be finer to be told apart.
  if (with_forces) forces = force_lines(frame, stage.camera, stage.shown, stage.diameter, plain_sight ? 0.1 : 0.03);
  const JointMarks marks =
      joint_marks(frame, stage.camera, stage.shown, options.thrust, options.hinges, stage.diameter, stage.layout.letter);

  const std::unique_ptr<Canvas> canvas = open_canvas(file, stage.layout.width, stage.layout.height);
  canvas->clip(stage.layout.window);
  draw_walls(*canvas, stage.camera, stage.walls, stage.region, stage.layout.window, stage.layout.letter);
  const bool transparent = (with_forces || options.thrust || options.hinges) && !plain_sight, balls = D == 3 && !transparent;
  draw_grains(*canvas, stage.camera, frame, field, balls ? visible_grains(stage.grains, stage.layout.window) : stage.grains,
              transparent);
  draw_forces(*canvas, forces);
  draw_joint_marks(*canvas, marks);
  canvas->unclip();
  draw_heading(*canvas, options.title, facts(frame, options, stage), stage.layout.heading, stage.layout.letter);
  draw_surroundings(*canvas, stage, field, forces, marks, frame.shapes.empty());
  canvas->write();
}

template void draw_frame<2>(const Frame<2>&, const PictureOptions&, const std::filesystem::path&);
template void draw_frame<3>(const Frame<3>&, const PictureOptions&, const std::filesystem::path&);

}  // namespace moreau
