// Walls that are meshes, in pictures: what lies behind the bodies is painted before them, what lies in front of them is a veil over
// them, so that a drum or a hopper shows its content.
#pragma once

#include "moreau/draw/camera.hpp"
#include "moreau/dynamics/frame.hpp"

namespace moreau {

struct DrawnMesh {
  std::vector<Vec<3>> vertices;  // where they are at the time of the frame
  std::vector<std::array<std::int32_t, 3>> triangles;
  struct Edge {
    std::array<std::int32_t, 2> vertices;
    std::array<std::int32_t, 2> triangles;  // beside it, -1: none
    bool sharp;                             // drawn from wherever it is seen; others only where the surface turns away there
  };
  std::vector<Edge> edges;  // in the plane: its segments
  std::vector<double> wear;  // of every triangle or segment, from 0 to 1: the most worn of the picture; empty: not shown
  Box box() const;
};

template <int D>
std::vector<DrawnMesh> meshes_of(const Frame<D>& frame);

void draw_meshes_behind(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter);
void draw_meshes_before(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter);

}  // namespace moreau
