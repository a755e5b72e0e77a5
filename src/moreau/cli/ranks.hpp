// The program on several ranks: rank 0 carries out the command, the others follow it (ranks/crew.hpp).
#pragma once

namespace moreau {

// Joins the other processes where mpirun has started several. Exit status 0, or not where that cannot be.
int join_ranks();
// Whether this process is one of those that follow.
bool is_follower();
// Follows rank 0 to its end.
int follow();

}  // namespace moreau
