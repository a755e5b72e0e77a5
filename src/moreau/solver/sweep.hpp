// The innermost loops: Gauss-Seidel over blocks of eight contacts. Compiled for several instruction sets and chosen when the
// program starts; all give the same bits.
#pragma once

#include "moreau/solver/round_problem.hpp"

namespace moreau {

// Before: `bodies` hold u_free + A^-1 sum G^T P for the impulses P in the blocks. No free body appears twice in one block.
// After: the contacts of blocks [begin, end) have been relaxed once each, and the same relation holds.
void sweep_blocks(MovingBody<2>* bodies, ContactBlock<2>* blocks, std::size_t begin, std::size_t end, std::int32_t none,
                  double relaxation);
void sweep_blocks(MovingBody<3>* bodies, ContactBlock<3>* blocks, std::size_t begin, std::size_t end, std::int32_t none,
                  double relaxation);

// The same, measuring the residual of every contact just before it is relaxed.
void sweep_blocks(MovingBody<2>* bodies, ContactBlock<2>* blocks, std::size_t begin, std::size_t end, std::int32_t none,
                  double relaxation, RoundProblem<2>::Measured& measured);
void sweep_blocks(MovingBody<3>* bodies, ContactBlock<3>* blocks, std::size_t begin, std::size_t end, std::int32_t none,
                  double relaxation, RoundProblem<3>::Measured& measured);

// Measures only; changes nothing.
void measure_blocks(const MovingBody<2>* bodies, const ContactBlock<2>* blocks, std::size_t begin, std::size_t end,
                    RoundProblem<2>::Measured& measured);
void measure_blocks(const MovingBody<3>* bodies, const ContactBlock<3>* blocks, std::size_t begin, std::size_t end,
                    RoundProblem<3>::Measured& measured);

// Adds A^-1 G^T P of the blocks to the bodies.
void apply_blocks(MovingBody<2>* bodies, const ContactBlock<2>* blocks, std::size_t begin, std::size_t end, std::int32_t none);
void apply_blocks(MovingBody<3>* bodies, const ContactBlock<3>* blocks, std::size_t begin, std::size_t end, std::int32_t none);

}  // namespace moreau
