#include "moreau/measure/packing/solid_fraction.hpp"

#include <map>

#include "moreau/geometry/rotation.hpp"
#include "moreau/measure/packing/points_of_shape.hpp"

namespace moreau::measure {

namespace {

// Share of a body that lies in the region.
template <int D>
class ShareOfBody {
 public:
  ShareOfBody(const Sample<D>& sample, const Region<D>& region) : sample_(sample), region_(region) {}

  double operator()(std::size_t i) {
    const Vec<D>& centre = sample_.state->position[i];
    const std::int32_t shape = sample_.parameters->shape[i];
    const double whole = share_of_ball(region_, centre, sample_.parameters->radius[i]);
    if (shape < 0 || whole == 0.0 || whole == 1.0) return whole;
    const auto [found, is_new] = points_.try_emplace(shape);
    if (is_new) found->second = points_of_shape((*sample_.shapes)[static_cast<std::size_t>(shape)]);
    std::size_t inside = 0;
    for (const Vec<D>& x : found->second) inside += region_.contains(centre + rotate(sample_.state->orientation[i], x)) ? 1 : 0;
    return static_cast<double>(inside) / static_cast<double>(found->second.size());
  }

 private:
  const Sample<D>& sample_;
  const Region<D>& region_;
  std::map<std::int32_t, std::vector<Vec<D>>> points_;  // of the shapes met so far
};

}  // namespace

template <int D>
SolidFraction solid_fraction(const Sample<D>& sample, const Region<D>& region) {
  SolidFraction s;
  s.volume = region.volume();
  ShareOfBody<D> share(sample, region);
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i)) s.matter += sample.volume[i] * share(i);
  return s;
}

template SolidFraction solid_fraction(const Sample<2>&, const Region<2>&);
template SolidFraction solid_fraction(const Sample<3>&, const Region<3>&);

}  // namespace moreau::measure
