// What ParaView shows of a frame: the bodies as points, those that are not round also by their surface, the contacts as points,
// the forces as segments between the centres, broken joints as points, walls that are meshes by their triangles.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "moreau/dynamics/frame.hpp"
#include "moreau/store/poly_data.hpp"

namespace moreau::inline store {

// Views that runs of earlier versions hold beside their frames.
inline constexpr const char* paraview_views[] = {"bodies", "contacts", "forces", "blocks"};

template <int D>
PolyData bodies_view(const Frame<D>& frame);
template <int D>
PolyData contacts_view(const Frame<D>& frame);
template <int D>
PolyData forces_view(const Frame<D>& frame);

template <int D>
PolyData blocks_view(const Frame<D>& frame);

template <int D>
PolyData broken_joints_view(const Frame<D>& frame);

template <int D>
PolyData meshes_view(const Frame<D>& frame);

// A .pvd file: which file shows the view at which time.
struct ViewInstant {
  double time = 0.0;
  std::string file;  // relative to the .pvd file
};
std::string collection_text(const std::vector<ViewInstant>& instants);

// The views of frames, one file each, and the lists of instants (.pvd) that ParaView opens.
class ParaViewFolder {
 public:
  explicit ParaViewFolder(std::filesystem::path folder);
  template <int D>
  void add(std::uint64_t number, const Frame<D>& frame);
  std::vector<std::string> finish();  // writes the lists; their names

 private:
  void put(const std::string& view, std::uint64_t number, double time, const PolyData& content);
  std::filesystem::path folder_;
  std::map<std::string, std::vector<ViewInstant>> instants_;
};

}  // namespace moreau::inline store
