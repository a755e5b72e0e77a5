// Points with vertices or segments between them and data at the points, or polygons with data each, as a VTK XML file (.vtp,
// appended raw arrays). Single precision: these files are for looking; the numbers are in the HDF5 frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "moreau/geometry/vec.hpp"

namespace moreau::inline store {

class PolyData {
 public:
  enum class Cells { vertices, segments, polygons };  // one per point, one per two consecutive points, as given

  template <int D>
  PolyData(const std::vector<Vec<D>>& points, Cells cells) : points_(points.size()), cells_(cells) {
    add_vectors("points", points);
    const std::size_t per_cell = cells == Cells::vertices ? 1 : 2;
    for (std::size_t end = per_cell; end <= points_; end += per_cell) ends_.push_back(static_cast<std::int32_t>(end));
  }
  // Polygon i has the points from the end of polygon i - 1 up to, without, `ends[i]`. What is added belongs to the polygons.
  template <int D>
  PolyData(const std::vector<Vec<D>>& points, std::vector<std::int32_t> ends)
      : points_(points.size()), cells_(Cells::polygons), ends_(std::move(ends)) {
    add_vectors("points", points);
  }

  void add(const std::string& name, const std::vector<double>& values);
  void add(const std::string& name, const std::vector<std::int32_t>& values);
  void add(const std::string& name, const std::vector<std::uint8_t>& values);
  template <int D>
  void add(const std::string& name, const std::vector<Vec<D>>& values) {
    add_vectors(name, values);
  }
  void add_components(const std::string& name, int components, std::vector<float> values);

  std::string text() const;  // the whole file

 private:
  struct Array {
    std::string name, type;
    int components;
    std::string bytes;
  };
  // Vectors always have three components in VTK; a spin in the plane is along the third axis.
  template <int D>
  void add_vectors(const std::string& name, const std::vector<Vec<D>>& values) {
    std::vector<float> padded(3 * values.size(), 0.0F);
    constexpr std::size_t first = D == 1 ? 2 : 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (int k = 0; k < D; ++k) padded[3 * i + first + static_cast<std::size_t>(k)] = static_cast<float>(values[i][k]);
    add_components(name, 3, std::move(padded));
  }

  std::size_t points_;
  Cells cells_;
  std::vector<std::int32_t> ends_;
  std::vector<Array> arrays_;  // the points first
};

}  // namespace moreau::inline store
