// The parts of a frame that the page asks for one by one, encoded. Bodies that a sink has removed are left out: a row of any
// array is a row of the bodies that are there, the same in all parcels of a frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "moreau/dynamics/frame.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/web/parcel.hpp"

namespace moreau::web {

// A frame as it was read, with what several parcels need.
template <int D>
struct ShownFrame {
  Frame<D> frame;                  // positions as the bodies have reached them
  std::vector<std::int32_t> body;  // of each row
  std::vector<std::int32_t> row;   // of each body, -1 if it was removed
  double size = 1.0;               // a length of the bodies: their mean radius
  std::string bodies;              // hash of what bodies_parcel holds: the same for frames that have the same bodies

  explicit ShownFrame(Frame<D> read);
  // Folded into the periodic cell, if there is one.
  const Frame<D>& inside() const { return folded_ ? *folded_ : frame; }

 private:
  std::optional<Frame<D>> folded_;
};

// Where the bodies are: places (8 bytes each), orientations of blocks, walls, cell.
template <int D>
std::string frame_parcel(const ShownFrame<D>& shown, const Scene<D>& scene);
// What they are: numbers, radii, kinds, shapes.
template <int D>
std::string bodies_parcel(const ShownFrame<D>& shown);
// The surfaces of the shapes as triangles, and their edges.
template <int D>
std::string shapes_parcel(const ShownFrame<D>& shown);
// The surface of a wall that is a mesh.
template <int D>
std::string mesh_parcel(const Wall<D>& wall);
// Of the walls that wear, the work of friction per area on every face, in the order of mesh_parcel.
template <int D>
std::string wear_parcel(const ShownFrame<D>& shown);
template <int D>
std::string contacts_parcel(const ShownFrame<D>& shown, const Scene<D>& scene);
// Joints: of blocks the line of thrust, the hinges, and cracks, that is joints of the frame `first` that have opened or slid since; of all
// bodies the mortar.
template <int D>
std::string joints_parcel(const ShownFrame<D>& shown, const Scene<D>& scene, const ShownFrame<D>* first);

}  // namespace moreau::web
