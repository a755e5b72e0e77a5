#include "moreau/solver/sweep_loops.hpp"

namespace moreau {

MOREAU_KERNELS(Rigid<2>)
MOREAU_KERNELS(Rigid<3>)

}  // namespace moreau
