// Functions compiled for several instruction sets, of which the best is chosen when the program starts. All give the same bits:
// nothing is fused (-ffp-contract=off), and everything they call is inlined into them.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(MOREAU_SANITIZE)
#define MOREAU_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MOREAU_CLONES
#endif
