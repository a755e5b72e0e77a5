#include "moreau/draw/picture/contact_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "moreau/draw/canvas/legend.hpp"
#include "moreau/draw/canvas/paint.hpp"
#include "moreau/draw/canvas/shifted_canvas.hpp"

namespace moreau::inline draw {

namespace {

constexpr int least_panel = 200;  // pixels, as for any picture

// Columns for which the sheet is nearest to the shape of a screen, and few places stay empty.
int columns_for(std::size_t panels, double shape) {
  int best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (int c = 1; c <= static_cast<int>(panels); ++c) {
    const double rows = std::ceil(static_cast<double>(panels) / c);
    const double off = std::abs(std::log(rows * shape / c / 0.65)) + std::log(rows * c / static_cast<double>(panels));
    if (off < least) least = off, best = c;
  }
  return best;
}

}  // namespace

template <int D>
void CommonScales::look_at(const Frame<D>& unfolded, const PictureOptions& options) {
  const Frame<D> frame = folded(unfolded);
  const Stage stage = stage_of(frame, options, false);
  if (!region_) region_ = stage.region;
  for (int k = 0; k < 3; ++k) {
    region_->low[k] = std::min(region_->low[k], stage.region.low[k]);
    region_->high[k] = std::max(region_->high[k], stage.region.high[k]);
  }
  Field field = field_of(frame, options);
  fit_range(field, stage.coloured);
  if (!field.value.empty() && stage.seen > 0) {
    if (!colours_) colours_ = {field.low, field.high};
    colours_ = {std::min(colours_->first, field.low), std::max(colours_->second, field.high)};
  }
  mean_force_ = std::max(mean_force_, force_lines(frame, stage.camera, stage.shown, 1.0).mean);
  most_worn_ = std::max(most_worn_, stage.most_worn);
  typical_vector_ = std::max(typical_vector_, typical_length(options.arrows, stage.coloured));
}

void CommonScales::apply(PictureOptions& options) const {
  options.region = region_;
  options.colour_range = colours_;
  options.mean_force = mean_force_;
  options.typical_arrow = typical_vector_;
  options.most_worn = most_worn_;
}

template <int D>
void draw_sheet(const std::vector<Frame<D>>& frames, const std::vector<BodyVectors>& vectors, PictureOptions options,
                const std::filesystem::path& file) {
  check_width(options.width);
  if (frames.empty()) throw std::runtime_error("a sheet has no frames to show, accepted is at least one.");
  const auto options_of = [&](std::size_t i) {
    PictureOptions panel = options;
    if (!vectors.empty()) panel.arrows = vectors[i];
    return panel;
  };
  CommonScales scales;
  for (std::size_t i = 0; i < frames.size(); ++i) scales.look_at(frames[i], options_of(i));
  scales.apply(options);

  const double letter = letter_size(options.width), legend = 8.0 * letter, top = (options.title.empty() ? 0.5 : 3.0) * letter;
  options.legend = false;
  const std::string title = std::exchange(options.title, "");
  const Stage first = stage_of(folded(frames[0]), options, false);
  const int columns = columns_for(frames.size(), static_cast<double>(first.layout.height) / first.layout.width);
  const int total = options.width;
  options.width = std::max(least_panel, static_cast<int>((total - legend) / columns));
  // Letters as large as the panel has room for, up to those of the sheet: a caption is some thirty of them long.
  options.letter = std::clamp(options.width / 24.0, letter_size(options.width), letter);
  const Stage panel = stage_of(folded(frames[0]), options, false);
  const int rows = static_cast<int>((frames.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns));
  const int width = static_cast<int>(std::lround(columns * options.width + legend));
  const int height = static_cast<int>(std::lround(top + rows * panel.layout.height));
  const std::unique_ptr<Canvas> canvas = open_canvas(file, width, height);
  if (!title.empty()) draw_heading(*canvas, title, "", {1.5 * letter, 0.6 * letter, width - letter, top}, letter);
  Scales drawn;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    ShiftedCanvas place(*canvas, {static_cast<double>(column * options.width), top + row * panel.layout.height});
    const PictureOptions mine = options_of(i);
    const Frame<D> frame = folded(frames[i]);
    Scales scale = paint_frame(place, frame, mine, stage_of(frame, mine, false));
    const bool exceeded = scale.field.exceeded || (i > 0 && drawn.field.exceeded);  // in any of them
    if (i == 0 || drawn.forces.lines.empty()) drawn = std::move(scale);
    drawn.field.exceeded = exceeded;
  }
  const double end = std::min(height - letter, top + 30.0 * letter);
  draw_scales(*canvas, drawn, {width - legend + 0.5 * letter, top + letter, width - 0.3 * letter, end}, letter);
  canvas->write();
}

template void CommonScales::look_at<2>(const Frame<2>&, const PictureOptions&);
template void CommonScales::look_at<3>(const Frame<3>&, const PictureOptions&);
template void draw_sheet<2>(const std::vector<Frame<2>>&, const std::vector<BodyVectors>&, PictureOptions,
                            const std::filesystem::path&);
template void draw_sheet<3>(const std::vector<Frame<3>>&, const std::vector<BodyVectors>&, PictureOptions,
                            const std::filesystem::path&);

}  // namespace moreau::inline draw
