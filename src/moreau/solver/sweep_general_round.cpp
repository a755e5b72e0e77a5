#include "moreau/solver/general_kernel.hpp"
#include "moreau/solver/sweep_loops.hpp"

namespace moreau::inline solver {

MOREAU_KERNELS(LawOnRound<2>)
MOREAU_KERNELS(LawOnRound<3>)
MOREAU_KERNELS(RollingRound<2>)
MOREAU_KERNELS(RollingRound<3>)

}  // namespace moreau::inline solver
