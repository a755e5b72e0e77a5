// Narrow phase: from candidate pairs to the contacts of the step.
#pragma once

#include <span>

#include "moreau/contact/contact_table.hpp"
#include "moreau/contact/mesh_points.hpp"
#include "moreau/contact/neighbours.hpp"
#include "moreau/contact/touching_points.hpp"
#include "moreau/contact/transported.hpp"

namespace moreau::inline contact {

// A contact found in this step, and where it stood in the table of the previous one.
struct FoundContact {
  std::int32_t a, b;
  std::int32_t recalled;  // row of the previous table, -1 if it was not there
};

// Gap and normal of a contact of the round body a at the given positions, with b displaced by `shift` if it is a body.
template <int D>
Separation<D> separation_of(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, const Surroundings<D>& around,
                            std::int32_t a, std::int32_t b, const Vec<D>& shift = {});

template <int D>
class Detector {
 public:
  // Before: `neighbours` is valid for `position` (the midpoint positions q_m); `poses` are those of all bodies there unless all
  // are round and no wall is a mesh. `previous` is the table of the previous step. After: `found` holds every contact with gap <=
  // ahead.distance + ahead.time * approach speed, in the order of the contact table.
  void detect(const Bodies<D>& bodies, const std::vector<Vec<D>>& position, std::span<const Pose<D>> poses,
              const Surroundings<D>& around, const Neighbours<D>& neighbours, LookAhead ahead, const ContactTable<D>& previous);

  // Adds the contacts of another detection at the same positions that are not known here. Returns of every contact where it was
  // before, -1 for those that are new.
  std::vector<std::int32_t> include(const Detector& other);

  std::vector<FoundContact> found;
  // Contacts of pairs in which some body is not round, or with meshes; the others are on the line of the centres, or the normal
  // of the wall.
  std::vector<TouchingPoint<D>> where;
  std::vector<std::int32_t> point;  // of each found contact: its place in `where`, -1 for the others; empty when all bodies are
                                    // round and no wall is a mesh
  std::vector<Image> image;         // of b in each found contact; empty without a periodic cell
  std::vector<std::uint32_t> row;   // contacts of body a: found[row[a]] ... found[row[a + 1] - 1]

  // The point of contact i, null where it follows from the normal.
  const TouchingPoint<D>* point_of(std::size_t i) const {
    return point.empty() || point[i] < 0 ? nullptr : &where[static_cast<std::size_t>(point[i])];
  }

  std::size_t bytes() const {
    return found.capacity() * sizeof(FoundContact) + where.capacity() * sizeof(TouchingPoint<D>) +
           point.capacity() * sizeof(std::int32_t) + image.capacity() * sizeof(Image) + meshes_.bytes();
  }

 private:
  std::vector<std::uint32_t> previous_row_;
  MeshPoints<D> meshes_;
};

}  // namespace moreau::inline contact
