// What ParaView shows of a frame: the bodies as points, those that are not round also by their surface, the contacts as points,
// and the forces as segments between the centres.
#pragma once

#include <string>

#include "moreau/dynamics/frame.hpp"
#include "moreau/store/poly_data.hpp"

namespace moreau {

inline constexpr const char* paraview_views[] = {"bodies", "contacts", "forces", "blocks"};

template <int D>
PolyData bodies_view(const Frame<D>& frame);
template <int D>
PolyData contacts_view(const Frame<D>& frame);
template <int D>
PolyData forces_view(const Frame<D>& frame);

template <int D>
PolyData blocks_view(const Frame<D>& frame);

// A .pvd file: which file shows the view at which time.
struct ViewInstant {
  double time = 0.0;
  std::string file;  // relative to the .pvd file
};
std::string collection_text(const std::vector<ViewInstant>& instants);

}  // namespace moreau
