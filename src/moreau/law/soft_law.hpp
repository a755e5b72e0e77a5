// A contact that yields: springs and dashpots in the place of the rigid laws (Combe 2001, 1.2.1; docs/engines.md).
//   normal      Kelvin-Voigt: f_n = k_n d + g_n d', d the overlap; or Walton-Braun: slope k_n loading, k_2 unloading
//   tangential  Cundall-Strack: a spring k_t that slides at |f_t| = friction f_n, and a dashpot g_t beside it
#pragma once

namespace moreau::inline law {

struct SoftLaw {
  double stiffness = 0.0;                 // k_n [force/length]; 0: not given, no soft engine can run
  double unloading_stiffness = 0.0;       // k_2 >= k_n: Walton-Braun; 0: Kelvin-Voigt
  double damping_ratio = 0.0;             // zeta = g_n / (2 sqrt(k_n m)), m the reduced mass of the pair
  double tangential_stiffness = 0.0;      // k_t
  double tangential_damping_ratio = 0.0;  // zeta_t = g_t / (2 sqrt(k_t m))

  bool remembers_depth() const { return unloading_stiffness > 0.0; }
  bool operator==(const SoftLaw&) const = default;
};

}  // namespace moreau::inline law
