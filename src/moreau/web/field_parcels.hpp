// Numbers and vectors of the bodies of a frame, by name.
#pragma once

#include <string>
#include <vector>

#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

struct FieldName {
  const char* name;
  const char* unit;        // in L, M, T, the units of length, mass and time of the scene
  const char* plane_unit;  // same, of a scene in the plane
  const char* meaning;
  bool constant = false;  // the same in all frames that have the same bodies
};
const std::vector<FieldName>& field_names();
inline constexpr const char* vector_names[] = {"velocity", "displacement"};

// One number per row, with the range of its colours. Empty text if there is no such field.
template <int D>
std::string field_parcel(const ShownFrame<D>& shown, const Scene<D>& scene, const std::string& name);
// Three numbers per row: "velocity", or "displacement" since the body appeared or, if given, since the frame `before`.
template <int D>
std::string vectors_parcel(const ShownFrame<D>& shown, const std::string& name, const ShownFrame<D>* before);

}  // namespace moreau::web
