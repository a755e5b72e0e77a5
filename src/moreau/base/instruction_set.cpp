#include "moreau/base/instruction_set.hpp"

namespace moreau::inline base {

namespace {
bool machine_has(InstructionSet set) {
#if defined(MOREAU_HAS_VERSIONS) || defined(MOREAU_ONLY_INSTRUCTIONS)
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

InstructionSet widest() {
#ifdef MOREAU_ONLY_INSTRUCTIONS
  return InstructionSet::MOREAU_ONLY_INSTRUCTIONS;
#else
  return has(InstructionSet::avx512) ? InstructionSet::avx512
         : has(InstructionSet::avx2) ? InstructionSet::avx2
                                     : InstructionSet::sse2;
#endif
}
}  // namespace

bool has(InstructionSet set) {
#ifdef MOREAU_ONLY_INSTRUCTIONS
  return set == InstructionSet::MOREAU_ONLY_INSTRUCTIONS && machine_has(set);
#else
  return machine_has(set);
#endif
}

std::string_view why_not_here() {
  if (has(base::instruction_set)) return {};
  return "this program was built for the processor of another machine; build it here, or with cmake -DMOREAU_INSTRUCTIONS=all";
}

InstructionSet instruction_set = widest();

void use(InstructionSet set) { base::instruction_set = set; }

std::string_view name_of(InstructionSet set) {
  return set == InstructionSet::avx512 ? "avx512" : set == InstructionSet::avx2 ? "avx2" : "sse2";
}

}  // namespace moreau::inline base
