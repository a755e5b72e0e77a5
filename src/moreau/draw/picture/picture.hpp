// Pictures of a saved frame: grains and blocks, contact forces as line widths, colour by a field, thrust line and hinges.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "moreau/draw/picture/arrows.hpp"
#include "moreau/draw/picture/shown_box.hpp"
#include "moreau/dynamics/frame.hpp"
#include "moreau/scene/units.hpp"

namespace moreau::inline draw {

// Gravity in a vessel that is tilted.
struct TiltedGravity {
  Vec<3> direction;
  double angle;  // [rad]
};

struct PictureOptions {
  // speed, spin, radius, birth, pressure, contacts, material, none, arrows (their length), or joints (how far a joint of
  // the stone has opened or slid; `arrows.crack`); what each means exactly: draw/picture/fields.hpp. Free bodies only; fixed and driven ones are grey.
  std::string colour = "speed";

  // Contact normal forces as lines between centres (to the contact point for walls), width proportional to the force, mean force
  // a tenth of the mean grain diameter, and not much wider than the strokes of letters, where stones are large; at most four
  // times that. Unset: drawn in 2-D and in slices, where every contact can be seen, and not in other pictures of space, where
  // grains hide them; if asked for there, they are drawn, finer, above grains made transparent. With a block the line goes
  // through the contact point. Not drawn beside a thrust line unless asked for.
  std::optional<bool> forces = {};

  bool wear = true;  // the work of friction on meshes with `wear = true`, in red; not on the faces that are a veil over the bodies

  // Both, in pictures of space that are no slices, above bodies made transparent.
  // The line along which the force passes from block to block, through the centres of pressure of the joints (draw/joints.hpp).
  bool thrust = false;

  // A dot where the whole force of a joint passes at one of its ends, the other being open or about to open.
  bool hinges = false;

  int width = 1200;  // pixels, 200 to 8000; the height follows from what is shown, between about 0.3 and 1.3 of the width

  // 3-D: perspective (from the front right, above), front (x-z), side (y-z), top (x-y); z is up. Ignored in 2-D.
  std::string view = "perspective";

  // 3-D, perspective: from where, in degrees round the vertical axis (0: from the front, 90: from the right) and above the
  // horizontal; the opening of the field of view across the region, in degrees (larger: from nearer by).
  double azimuth = 32.0, elevation = 24.0, field_of_view = 14.25;

  double zoom = 1.0;  // larger than what fits by this factor; `look_at` is then the middle of the picture
  std::optional<Vec<3>> look_at = {};

  // 3-D: only bodies whose centre lies within this half-thickness of the plane through the middle of the picture's region,
  // perpendicular to the line of sight; perspective then means front. Ignored in 2-D.
  std::optional<double> slice = {};

  // 3-D: where this plane is, along the line of sight (the coordinate of the axis that is not seen); unset: in the middle.
  std::optional<double> slice_at = {};

  // Of a frame of this phase and time: shown by an arrow with the angle at the foot of the picture. Unset: gravity does not turn.
  std::function<std::optional<TiltedGravity>(std::uint64_t phase, double time)> tilted = {};

  BodyVectors arrows = {};  // one per body, from its centre; free bodies only

  std::string title = {};
  std::string colour_label = {};                        // written at the scale instead of the name of the field and its unit
  std::vector<std::string> material_names = {};         // by their indices
  UnitNames units = {};                                 // as the scene calls them
  std::optional<std::pair<double, double>> range = {};  // of the colours, as asked for; unset: fitted
  double letter = 0.0;                                  // size of letters [pixels]; 0: what suits the width

  // Set when several pictures are to have the same scales (draw/picture/contact_sheet.hpp).
  bool legend = true;
  std::optional<Box> region = {};
  std::optional<std::pair<double, double>> colour_range = {};
  double mean_force = 0.0;     // drawn as wide as the mean force of one picture alone would be; 0: of this one
  double typical_arrow = 0.0;  // drawn as long as a typical arrow; 0: of this picture
  double most_worn = 0.0;      // work of friction per area that is drawn darkest; 0: the largest of this picture
};

// PNG, PDF or SVG by the extension of `file`. Shown is the bounding box of the free bodies, cut down if a few have flown far away
// (draw/picture/shown_box.hpp); bodies outside it or without a finite position are counted in a note at the foot of the picture.
// Throws std::runtime_error with one sentence if it cannot be written or an option is not accepted.
template <int D>
void draw_frame(const Frame<D>& frame, const PictureOptions& options, const std::filesystem::path& file);

}  // namespace moreau::inline draw
