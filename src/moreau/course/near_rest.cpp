#include "moreau/course/near_rest.hpp"

#include <fmt/format.h>

namespace moreau::inline course {

template <int D>
std::string far_from_rest(const Model<D>& model, const State<D>& state, const statics::Load<D>& load) {
  const double work = statics::work_along_diameter(model, state, load);
  if (state.energy.kinetic <= quiet * work) return {};
  return fmt::format(
      "the packing is not near rest: its kinetic energy is {:.3g}, more than {:g} of what the load does along a mean diameter "
      "({:.3g})",
      state.energy.kinetic, quiet, work);
}

template std::string far_from_rest(const Model<2>&, const State<2>&, const statics::Load<2>&);
template std::string far_from_rest(const Model<3>&, const State<3>&, const statics::Load<3>&);

}  // namespace moreau::inline course
