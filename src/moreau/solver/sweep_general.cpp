#include "moreau/solver/general_kernel.hpp"
#include "moreau/solver/sweep_loops.hpp"

namespace moreau::inline solver {

MOREAU_KERNELS(Bounded<2>)
MOREAU_KERNELS(Bounded<3>)
MOREAU_KERNELS(Rolling<2>)
MOREAU_KERNELS(Rolling<3>)

}  // namespace moreau::inline solver
