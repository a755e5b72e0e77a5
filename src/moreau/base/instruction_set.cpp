#include "moreau/base/instruction_set.hpp"

namespace moreau::inline base {

bool has(InstructionSet set) {
#ifdef MOREAU_HAS_VERSIONS
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return set == InstructionSet::sse2 || (set == InstructionSet::avx2 ? avx2 : avx512);
#else
  return set == InstructionSet::sse2;
#endif
}

namespace {
InstructionSet widest() {
  return has(InstructionSet::avx512) ? InstructionSet::avx512
         : has(InstructionSet::avx2) ? InstructionSet::avx2
                                     : InstructionSet::sse2;
}
}  // namespace

InstructionSet instruction_set = widest();

void use(InstructionSet set) { base::instruction_set = set; }

std::string_view name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "sse2";
}

}  // namespace moreau::inline base
