#include "moreau/solver/sweep_loops.hpp"

namespace moreau {

MOREAU_KERNELS(Round<2>)
MOREAU_KERNELS(Round<3>)
MOREAU_KERNELS(SingleRound<2>)
MOREAU_KERNELS(SingleRound<3>)
MOREAU_KERNELS(Rigid<2>)
MOREAU_KERNELS(Rigid<3>)

}  // namespace moreau
