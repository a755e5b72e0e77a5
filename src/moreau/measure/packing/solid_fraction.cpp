#include "moreau/measure/packing/solid_fraction.hpp"

namespace moreau::measure {

template <int D>
SolidFraction solid_fraction(const Sample<D>& sample, const Region<D>& region) {
  SolidFraction s;
  s.volume = region.volume();
  for (std::size_t i = 0; i < sample.bodies(); ++i)
    if (sample.is_free(i))
      s.matter += sample.volume[i] * share_of_ball(region, sample.state->position[i], sample.parameters->radius[i]);
  return s;
}

template SolidFraction solid_fraction(const Sample<2>&, const Region<2>&);
template SolidFraction solid_fraction(const Sample<3>&, const Region<3>&);

}  // namespace moreau::measure
