#include "moreau/contact/judged_passage.hpp"

namespace moreau::inline contact {

template <int D>
void judge_passage(const ConvexPart<D>& a, const ConvexPart<D>& b, const Passage<D>& passage, Manifold<D>& manifold) {
  judge_passage_of(a, b, passage, manifold);
}

template void judge_passage(const ConvexPart<2>&, const ConvexPart<2>&, const Passage<2>&, Manifold<2>&);
template void judge_passage(const ConvexPart<3>&, const ConvexPart<3>&, const Passage<3>&, Manifold<3>&);

}  // namespace moreau::inline contact
