// The dense parts of sparse factorisations go to the BLAS of the system. Where that is OpenBLAS it would start threads of its own
// for matrices far too small to gain from them, and sum in an order that depends on their number.
#pragma once

namespace moreau::inline solver {

void one_blas_thread();  // of OpenBLAS; nothing happens with another BLAS

}  // namespace moreau::inline solver
