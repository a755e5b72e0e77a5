// Two convex parts in space seen from the frame of the first: where the second stands, and the farthest vertices in a direction.
// The core of a part is the hull of its vertices, without the rounding. A Part is a ConvexPart<3>, or a PartView<3> on a graphics card.
#pragma once

#include <algorithm>
#include <cstdint>

#include "moreau/geometry/part_view.hpp"
#include "moreau/geometry/pose.hpp"

namespace moreau::inline geometry {

// Takes points of the frame of the second body to the frame of the first.
struct RelativePose {
  Matrix<3> rotation;
  Vec<3> shift;

  MOREAU_INLINE Vec<3> place(const Vec<3>& x) const { return shift + rotation * x; }
  MOREAU_INLINE Vec<3> turn(const Vec<3>& x) const { return rotation * x; }
  MOREAU_INLINE Vec<3> turn_back(const Vec<3>& x) const { return transposed_times(rotation, x); }
};

MOREAU_BOTH inline RelativePose relative_pose(const Pose<3>& first, const Pose<3>& second) {
  const Matrix<3>&a = first.rotation, &b = second.rotation;
  RelativePose r;
  for (int i = 0; i < 3; ++i) {
    r.rotation.row[i] = a.row[0][i] * b.row[0];
    for (int k = 1; k < 3; ++k) r.rotation.row[i] += a.row[k][i] * b.row[k];
  }
  r.shift = transposed_times(a, second.position - first.position);
  return r;
}

MOREAU_BOTH inline RelativePose inverse(const RelativePose& r) {
  RelativePose back;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) back.rotation.row[i][j] = r.rotation.row[j][i];
  back.shift = -(back.rotation * r.shift);
  return back;
}

struct Support {
  std::int32_t vertex;
  double height;
};

// The vertex farthest along `direction` (in the frame of the part); the lowest index among equals.
template <class Part>
MOREAU_BOTH inline const Vec<3>& vertex_of(const Part& part, std::int32_t i) {
  return part.vertices[static_cast<std::size_t>(i)];
}

// Of few numbers that are all different.
template <class T, class Before>
MOREAU_BOTH inline void sort_few(T* first, int count, Before before) {
  for (int i = 1; i < count; ++i) {
    const T moved = first[i];
    int at = i;
    for (; at > 0 && before(moved, first[at - 1]); --at) first[at] = first[at - 1];
    first[at] = moved;
  }
}

template <class Part>
MOREAU_BOTH inline Support support(const Part& part, const Vec<3>& direction) {
  const Vec<3>* x = part.vertices.data();
  Support best{0, dot(direction, x[0])};
  for (std::int32_t i = 1, count = static_cast<std::int32_t>(part.vertices.size()); i < count; ++i) {
    const double height = dot(direction, x[i]);
    if (height > best.height) best = {i, height};
  }
  return best;
}

// Heights of the vertices along a direction (in the frame of the part), each computed once: an edge or face asks for several.
template <class Part>
class Heights {
 public:
  MOREAU_BOTH Heights(const Part& part, const Vec<3>& direction) : part_(part), direction_(direction), highest_(-HUGE_VAL) {
    const std::size_t count = part.vertices.size() < stored ? part.vertices.size() : stored;
    for (std::size_t i = 0; i < count; ++i) {
      height_[i] = dot(direction, part.vertices[i]);
      highest_ = height_[i] > highest_ ? height_[i] : highest_;
    }
    for (std::size_t i = count; i < part.vertices.size(); ++i) highest_ = std::max(highest_, dot(direction, part.vertices[i]));
  }
  MOREAU_INLINE double operator[](std::int32_t vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return i < stored ? height_[i] : dot(direction_, part_.vertices[i]);
  }
  MOREAU_BOTH double highest() const { return highest_; }

 private:
  static constexpr std::size_t stored = PartRoom<Part>::heights;
  const Part& part_;
  Vec<3> direction_;
  double highest_;
  double height_[stored];
};

template <class Part>
MOREAU_BOTH inline bool has_faces(const Part& part) {
  return !part.topology.faces.empty();
}

// Is a point (in the frame of the part) in the core, up to `tolerance`?
template <class Part>
MOREAU_BOTH inline bool holds(const Part& part, const Vec<3>& point, double tolerance) {
  for (const auto& face : part.topology.faces)
    if (dot(face.normal, point) - face.offset > tolerance) return false;
  return has_faces(part);
}

}  // namespace moreau::inline geometry
