#include "moreau/scene/generate/wall_surface.hpp"

namespace moreau::inline scene {
namespace {

constexpr double tolerance = 1e-9;  // of angles, and of lengths relative to the radius

// The velocities of a motion without turning lie along these.
template <int D>
std::vector<Vec<D>> directions_of(const Motion<D>& motion) {
  switch (motion.kind) {
    case MotionKind::constant:
      return {motion.velocity};
    case MotionKind::sinusoid:
      return {motion.amplitude};
    case MotionKind::table: {
      std::vector<Vec<D>> steps;
      for (std::size_t i = 1; i < motion.positions.size(); ++i) steps.push_back(motion.positions[i] - motion.positions[i - 1]);
      return steps;
    }
    case MotionKind::accelerogram:
      return motion.accelerations;
    default:
      return {};
  }
}

bool parallel(const Vec<3>& a, const Vec<3>& b) { return norm(cross(a, b)) <= tolerance * norm(a) * norm(b); }

std::string turning_fault(const WallGeometry<2>& wall, const Motion<2>& motion) {
  if (wall.shape == WallShape::plane) return "turns, which moves a plane";
  if (norm(motion.centre - wall.point) > tolerance * wall.radius) return "turns about another point than the centre of the wall";
  return {};
}

std::string turning_fault(const WallGeometry<3>& wall, const Motion<3>& motion) {
  const bool flat = wall.shape == WallShape::plane;
  if (!parallel(motion.axis, wall.direction))
    return flat ? "turns about an axis that is not the normal of the wall" : "turns about another axis than that of the wall";
  if (!flat && norm(cross(motion.centre - wall.point, wall.direction)) > tolerance * wall.radius)
    return "turns about another axis than that of the wall";
  return {};
}

}  // namespace

template <int D>
std::string surface_fault(const WallGeometry<D>& wall, const Motion<D>& motion) {
  if (turns(motion)) return turning_fault(wall, motion);
  for (const Vec<D>& along : directions_of(motion)) {
    if (wall.shape == WallShape::plane && std::abs(dot(along, wall.direction)) > tolerance * norm(along))
      return "moves along the normal of the wall";
    if constexpr (D == 3)
      if (wall.shape != WallShape::plane && !parallel(along, wall.direction)) return "moves across the axis of the wall";
    if (D == 2 && wall.shape != WallShape::plane && norm(along) > 0.0) return "does not turn";
  }
  return {};
}

template std::string surface_fault<2>(const WallGeometry<2>&, const Motion<2>&);
template std::string surface_fault<3>(const WallGeometry<3>&, const Motion<3>&);

}  // namespace moreau::inline scene
