// Walls that are meshes, in pictures: what lies behind the bodies is painted before them, what lies in front of them is a veil
// over them, so that a drum or a hopper shows its content. A mesh within another, as a screw in its trough, is painted with the
// bodies, in the order of their depths.
#pragma once

#include "moreau/draw/picture/camera.hpp"
#include "moreau/dynamics/frame.hpp"

namespace moreau::inline draw {

struct DrawnMesh {
  std::vector<Vec<3>> vertices;  // where they are at the time of the frame
  std::vector<std::array<std::int32_t, 3>> triangles;
  struct Edge {
    std::array<std::int32_t, 2> vertices;
    std::array<std::int32_t, 2> triangles;  // beside it, -1: none
    bool sharp;                             // drawn from wherever it is seen; others only where the surface turns away there
  };
  std::vector<Edge> edges;   // in the plane: its segments
  std::vector<double> wear;  // of every triangle or segment, from 0 to 1: what is drawn darkest; empty: not shown
  bool inner = false;        // within another mesh
  Box box() const;
};

// Where a mesh wears, work of friction per area is told as a share of `darkest`.
template <int D>
std::vector<DrawnMesh> meshes_of(const Frame<D>& frame, double darkest = 0.0);

// Largest work of friction per area over the faces of all meshes; 0 where nothing wears.
template <int D>
double most_worn(const Frame<D>& frame);

// From the colour of an unworn face to dark red; the wear from 0 to 1.
Colour worn(const Colour& fresh, double wear, double opacity);

// Part of an inner mesh that is small enough to have one depth: a triangle, or a line of some width.
struct MeshPiece {
  double depth;
  std::vector<Point> corners;
  Colour colour;
  double width = 0.0;
};
// Of all inner meshes, far to near; no side is longer than `size`.
std::vector<MeshPiece> pieces_among(const std::vector<DrawnMesh>& meshes, const Camera& camera, double size, double letter);
void draw_piece(Canvas& canvas, const MeshPiece& piece);

// Without the inner ones.
void draw_meshes_behind(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter);
void draw_meshes_before(Canvas& canvas, const Camera& camera, const std::vector<DrawnMesh>& meshes, const Box& content,
                        double letter);

}  // namespace moreau::inline draw
