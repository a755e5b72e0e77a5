// Functions compiled for several instruction sets, of which the widest that the machine has is used, or the one that was asked
// for. All give the same bits: nothing is fused (-ffp-contract=off), and everything they call is inlined into them.
#pragma once

#include <string_view>

#include "moreau/base/inline.hpp"
#include "moreau/base/only_instructions.hpp"

namespace moreau::inline base {

enum class InstructionSet { sse2, avx2, avx512 };

bool has(InstructionSet set);  // this machine and this program
// Empty; or one sentence: the program was compiled for a set alone that this machine does not have.
std::string_view why_not_here();
void use(InstructionSet set);  // from now on; one that the machine has
std::string_view name_of(InstructionSet set);

extern InstructionSet instruction_set;  // the one in use

}  // namespace moreau::inline base

// MOREAU_VERSIONS(double, norm, (const double* x, int n), (x, n)) { ... } defines norm, and a version of it for each set, or one
// for the only set that the program is compiled for (MOREAU_INSTRUCTIONS of cmake: a third of the compiler's time).
#ifdef MOREAU_ONLY_INSTRUCTIONS
#define MOREAU_VERSIONS(Result, name, parameters, arguments)                                                                 \
  MOREAU_INLINE static Result name##_written parameters;                                                                     \
  __attribute__((target(MOREAU_ONLY_ARCHITECTURE))) Result name parameters { return name##_written arguments; }              \
  MOREAU_INLINE static Result name##_written parameters
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(MOREAU_SANITIZE)
#define MOREAU_HAS_VERSIONS
#define MOREAU_VERSIONS(Result, name, parameters, arguments)                                                            \
  MOREAU_INLINE static Result name##_written parameters;                                                                \
  __attribute__((target("arch=x86-64-v4"))) static Result name##_avx512 parameters { return name##_written arguments; } \
  __attribute__((target("arch=x86-64-v3"))) static Result name##_avx2 parameters { return name##_written arguments; }   \
  static Result name##_sse2 parameters { return name##_written arguments; }                                             \
  Result name parameters {                                                                                              \
    switch (base::instruction_set) {                                                                                    \
      case InstructionSet::avx512:                                                                                      \
        return name##_avx512 arguments;                                                                                 \
      case InstructionSet::avx2:                                                                                        \
        return name##_avx2 arguments;                                                                                   \
      default:                                                                                                          \
        return name##_sse2 arguments;                                                                                   \
    }                                                                                                                   \
  }                                                                                                                     \
  MOREAU_INLINE static Result name##_written parameters
#else
#define MOREAU_VERSIONS(Result, name, parameters, arguments) Result name parameters
#endif
