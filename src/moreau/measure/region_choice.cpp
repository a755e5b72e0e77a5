#include "moreau/measure/region_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace moreau::measure {

namespace {

using Kind = RegionChoice::Kind;

template <int D>
std::vector<Region<D>> bands(const Domain<D>& domain, int axis, double width, const char* name, std::size_t limit) {
  std::vector<Region<D>> regions;
  const double low = domain.shape.lower(axis), high = domain.shape.upper(axis);
  for (double from = low; from < high - 1e-9 * width && regions.size() < limit;
       from = low + static_cast<double>(regions.size()) * width) {
    Region<D> band{fmt::format("{} {:.6g} to {:.6g}", name, from, std::min(from + width, high)), domain.shape};
    band.outside.low[axis] = from, band.outside.high[axis] = std::min(from + width, high);
    regions.push_back(domain.through_walls(band));
  }
  return regions;
}

template <int D>
Region<D> ring(const Domain<D>& domain, const Vec<D>& centre, double from, double to) {
  Region<D> region{fmt::format("ring {:.6g} to {:.6g}", from, to), domain.shape};
  if (!domain.radial_wall) region.outside.centre = centre;
  region.outside.inner = from, region.outside.outer = std::min(to, region.outside.outer);
  return domain.through_walls(region);
}

// Nested rectangles: what lies between `width` k and `width` (k + 1) from the border of the domain, on every axis.
template <int D>
std::vector<Region<D>> squares(const Domain<D>& domain, double width, std::size_t limit) {
  std::vector<Region<D>> regions;
  Extent<D> outside = domain.shape;
  for (int d = 0; d < D; ++d) outside.low[d] = domain.shape.lower(d), outside.high[d] = domain.shape.upper(d);
  while (outside.volume() > 0.0 && regions.size() < limit) {
    Extent<D> inside = outside;
    for (int d = 0; d < D; ++d) inside.low[d] += width, inside.high[d] -= width;
    const double k = static_cast<double>(regions.size());
    Region<D> region{fmt::format("square {:.6g} to {:.6g}", k * width, (k + 1) * width), outside};
    if (inside.volume() > 0.0) region.hole = inside;
    regions.push_back(domain.through_walls(region));
    outside = inside;
  }
  return regions;
}

}  // namespace

template <int D>
std::vector<Region<D>> resolve(const RegionChoice& choice, const Domain<D>& domain, const Vec<D>& centre, std::size_t limit) {
  const std::vector<double>& n = choice.numbers;
  Region<D> one{choice.text, domain.shape};
  switch (choice.kind) {
    case Kind::all:
      return {domain.whole()};
    case Kind::bulk:
      if (const auto bulk = domain.bulk(n[0]))
        one.outside = bulk->outside;
      else
        one.outside.high = one.outside.low;
      return {one};
    case Kind::skin: {
      Region<D> skin = domain.skin(n[0]);
      skin.name = choice.text;
      return {skin};
    }
    case Kind::box:
      for (int d = 0; d < D; ++d) {
        one.outside.low[d] = n[static_cast<std::size_t>(d)];
        one.outside.high[d] = n[static_cast<std::size_t>(D + d)];
      }
      return {one};
    case Kind::layer:
    case Kind::slice: {
      const int axis = choice.kind == Kind::layer ? D - 1 : choice.axis;
      one.outside.low[axis] = n[0], one.outside.high[axis] = n[1];
      return {one};
    }
    case Kind::layers:
      return bands(domain, D - 1, n[0], "layer", limit);
    case Kind::slices:
      return bands(domain, choice.axis, n[0], "slice", limit);
    case Kind::ring:
      one = ring(domain, centre, n[0], n[1]);
      one.name = choice.text;
      if (D == 3 && n.size() == 4) {
        one.outside.low[D - 1] = n[2], one.outside.high[D - 1] = n[3];
        Region<D> bounded = one;  // volume between the heights given
        bounded.volume_within.reset();
        bounded.outside = common_part(bounded.outside, domain.shape);
        bounded.outside.low[D - 1] = n[2], bounded.outside.high[D - 1] = n[3];
        one.volume_within = bounded.volume();
      }
      return {one};
    case Kind::rings: {
      std::vector<Region<D>> regions;
      const Vec<D> middle = domain.radial_wall ? domain.shape.centre : centre;
      double reach = domain.shape.outer;  // to the farthest corner where no cylinder ends it
      if (!domain.radial_wall) {
        const auto far = [&](int d) {
          return std::max(std::abs(domain.shape.lower(d) - middle[d]), std::abs(domain.shape.upper(d) - middle[d]));
        };
        reach = std::hypot(far(0), far(1));
      }
      for (std::size_t k = 0; static_cast<double>(k) * n[0] < reach * (1.0 - 1e-9) && k < limit; ++k)
        regions.push_back(ring(domain, middle, static_cast<double>(k) * n[0], static_cast<double>(k + 1) * n[0]));
      return regions;
    }
    case Kind::squares:
      return squares(domain, n[0], limit);
  }
  return {};
}

template std::vector<Region<2>> resolve(const RegionChoice&, const Domain<2>&, const Vec<2>&, std::size_t);
template std::vector<Region<3>> resolve(const RegionChoice&, const Domain<3>&, const Vec<3>&, std::size_t);

}  // namespace moreau::measure
