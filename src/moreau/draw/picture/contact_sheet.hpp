// Several frames in one picture, or one after the other in a film: the same view and the same scales for all.
#pragma once

#include "moreau/draw/picture/picture.hpp"

namespace moreau::inline draw {

// What the pictures of several frames have in common. First all frames are looked at, then all are drawn.
class CommonScales {
 public:
  template <int D>
  void look_at(const Frame<D>& frame, const PictureOptions& options);
  void apply(PictureOptions& options) const;

 private:
  std::optional<Box> region_;
  std::optional<std::pair<double, double>> colours_;
  double mean_force_ = 0.0, typical_vector_ = 0.0, most_worn_ = 0.0;
};

// The frames row by row, each with its time; legend and title once. `vectors` has the arrows of each frame, or is empty.
template <int D>
void draw_sheet(const std::vector<Frame<D>>& frames, const std::vector<BodyVectors>& vectors, PictureOptions options,
                const std::filesystem::path& file);

}  // namespace moreau::inline draw
