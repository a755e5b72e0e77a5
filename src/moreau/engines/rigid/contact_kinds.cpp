// Which kind each contact of the step is of.
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/engines/rigid/stages.hpp"

namespace moreau::inline engines {

template <int D>
void choose_kinds(const Model<D>& model, const State<D>& state, Workspace<D>& work) {
  const StepView<D> view{model, state, work};
  const std::vector<FoundContact>& found = work.detector.found;
  const bool some = work.needs.bounded || !state.bodies.all_round();
  resize_tightly(work.kinds, some ? found.size() : 0);
  for_chunks(work.kinds.size(), 4096, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const bool round = view.touches_round(found[i]);
      ContactKind kind = round ? ContactKind::round : ContactKind::shaped;
      if (work.needs.bounded) {
        const PairLaw& law = view.law_of(found[i].a, found[i].b);
        const bool isotropic = round && law.cross_friction == 0.0;
        if (law.rolls())
          kind = isotropic ? ContactKind::round_rolling : ContactKind::shaped_rolling;
        else if (law.bounded())
          kind = isotropic ? ContactKind::round_law : ContactKind::shaped_law;
      }
      work.kinds[i] = kind;
    }
  });
}

#define MOREAU_INSTANTIATE(D) template void choose_kinds(const Model<D>&, const State<D>&, Workspace<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
