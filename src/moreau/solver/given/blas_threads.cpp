#include "moreau/solver/given/blas_threads.hpp"

extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace moreau::inline solver {

void one_blas_thread() {
  static const bool done = [] {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace moreau::inline solver
