#include "moreau/solver/sweep_loops.hpp"

namespace moreau::inline solver {

MOREAU_KERNELS(Shaped<2>)
MOREAU_KERNELS(Shaped<3>)

}  // namespace moreau::inline solver
