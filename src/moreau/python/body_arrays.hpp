// The arrays of the bodies by name.
#pragma once

#include <fmt/format.h>

#include "moreau/base/nearest.hpp"
#include "moreau/bodies/bodies.hpp"
#include "moreau/python/arrays.hpp"

namespace moreau::python {

inline const std::vector<std::string> evolving_names{"position", "orientation", "velocity", "spin"};
inline const std::vector<std::string> constant_names{"radius", "mass", "inertia", "shape", "material",
                                                     "motion", "kind", "birth",   "origin"};

template <int D>
py::array body_array(const BodyParameters<D>& p, const BodyState<D>& s, const std::string& name, py::handle owner,
                     bool writable) {
  if (name == "position") return view_of(s.position, owner, writable);
  if (name == "orientation") return view_of(s.orientation, owner, writable);
  if (name == "velocity") return view_of(s.velocity, owner, writable);
  if (name == "spin") return view_of(s.spin, owner, writable);
  if (writable) throw py::attribute_error(fmt::format("'{}' cannot be written; accepted: {}", name, quoted_list(evolving_names)));
  if (name == "radius") return view_of(p.radius, owner);
  if (name == "mass") return view_of(p.mass, owner);
  if (name == "inertia") return view_of(p.inertia, owner);
  if (name == "shape") return view_of(p.shape, owner);
  if (name == "material") return view_of(p.material, owner);
  if (name == "motion") return view_of(p.motion, owner);
  if (name == "kind") return view_of(p.kind, owner);
  if (name == "birth") return view_of(p.birth, owner);
  if (name == "origin") return view_of(p.origin, owner);
  std::vector<std::string> names = evolving_names;
  names.insert(names.end(), constant_names.begin(), constant_names.end());
  throw py::attribute_error(fmt::format("bodies have no '{}'; {}", name, suggestion(name, names)));
}

}  // namespace moreau::python
