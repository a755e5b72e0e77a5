// Who is where at the start of the run: walls at their place at time 0, blocks, and all balls placed so far.
#pragma once

#include <optional>

#include "moreau/bodies/bodies.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/geometry/manifold.hpp"
#include "moreau/scene/generate/cell_grid.hpp"

namespace moreau::inline scene {

// What a ball overlaps: a body or a wall.
struct Obstacle {
  std::int32_t body = -1;
  std::int32_t wall = -1;
  double overlap = 0.0;  // depth > 0
};

// Generated grains stay inside the periodic cell; a listed one may reach through its border, to the other side.
enum class CellBorder { closed, open };

template <int D>
class Occupancy {
 public:
  explicit Occupancy(const Model<D>& model);

  // First obstacle deeper than `tolerance` times the smaller radius (walls: the radius) among walls and all bodies.
  std::optional<Obstacle> obstacle(const Vec<D>& centre, double radius, double tolerance,
                                   CellBorder border = CellBorder::closed) const;
  // The same among free bodies only: fixed and driven bodies may overlap each other and the walls.
  std::optional<Obstacle> free_obstacle(const Vec<D>& centre, double radius, double tolerance) const;
  void add(std::int32_t body, const Vec<D>& centre, double radius, bool is_free);
  // A block as it is, not only the ball that holds it.
  void add_block(std::int32_t body, const Shape<D>& shape, const Pose<D>& pose, bool is_free);

 private:
  struct Standing {
    WallGeometry<D> geometry;
    Vec<D> shift;
  };
  struct Block {
    std::vector<ConvexPart<D>> parts;
    Pose<D> pose;
    double reach;
    std::int32_t body;
  };
  // The centre, and those of the copies of the ball that reach into the cell. Two bodies overlap somewhere if and only if two
  // such copies do.
  std::vector<Vec<D>> copies(const Vec<D>& centre, double radius) const;
  std::optional<Obstacle> block_in(const CellGrid<D>& grid, const Vec<D>& centre, double radius, double tolerance) const;

  Lattice<D> cell_;              // at the start a box
  std::vector<Standing> walls_;  // those of the model, then the borders of the cell
  std::size_t model_walls_ = 0;
  std::vector<Block> blocks_;
  CellGrid<D> free_blocks_, imposed_blocks_;  // by the balls that hold them; numbers in `blocks_`
  // Apart, because imposed bodies may lie many at one place, where a search among them for free ones would crawl.
  CellGrid<D> free_, imposed_;
};

}  // namespace moreau::inline scene
