// Which kind each contact of the step is of.
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

template <int D>
void Simulation<D>::choose_kinds() {
  const std::vector<FoundContact>& found = detector_.found;
  const bool some = needs_.bounded || !state_.bodies.all_round();
  resize_tightly(kinds_, some ? found.size() : 0);
  for_chunks(kinds_.size(), 4096, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool round = touches_round(found[i]);
      ContactKind kind = round ? ContactKind::round : ContactKind::shaped;
      if (needs_.bounded) {
        const PairLaw& law = law_of(found[i].a, found[i].b);
        const bool isotropic = round && law.cross_friction == 0.0;
        if (law.rolls())
          kind = isotropic ? ContactKind::round_rolling : ContactKind::shaped_rolling;
        else if (law.bounded())
          kind = isotropic ? ContactKind::round_law : ContactKind::shaped_law;
      }
      kinds_[i] = kind;
    }
  });
}

template void Simulation<2>::choose_kinds();
template void Simulation<3>::choose_kinds();

}  // namespace moreau
