// Kinds of contact. Contacts of a step may be of all of them; each kind has its layout (pack) and its arithmetic (kernel), and
// all work on the same bodies (solver_body.hpp).
#pragma once

#include <cstdint>

namespace moreau::inline solver {

// The order in which the kinds of a colour lie in memory, and a number in the place of a contact: `round` is zero.
enum class ContactKind : std::uint8_t {
  round,          // between round bodies, or a round body and an obstacle; Coulomb's law (round.hpp)
  shaped,         // between bodies of any shape; Coulomb's law (shaped.hpp)
  round_law,      // round bodies; a law beyond Coulomb's, isotropic (general_round.hpp)
  round_rolling,  // the same with couples
  shaped_law,     // any shapes; a law beyond Coulomb's (general.hpp)
  shaped_rolling  // the same with couples
};
inline constexpr int contact_kinds = 6;
inline constexpr bool is_round(ContactKind kind) {
  return kind == ContactKind::round || kind == ContactKind::round_law || kind == ContactKind::round_rolling;
}

// Where a contact lies: its kind in the highest bits, and among the packs of that kind pack * lanes + lane. Two packs of eight
// become one of sixteen in single precision, so that the place is the same there.
inline constexpr int kind_shift = 29;
inline constexpr std::uint32_t place_of(ContactKind kind, std::uint32_t index) {
  return static_cast<std::uint32_t>(kind) << kind_shift | index;
}
inline constexpr ContactKind kind_at(std::uint32_t place) { return static_cast<ContactKind>(place >> kind_shift); }
inline constexpr std::uint32_t index_at(std::uint32_t place) { return place & ((std::uint32_t{1} << kind_shift) - 1); }

// What the rows of a pack are measured in, for those who change units (units.hpp).
enum class RowUnit { number, velocity, impulse, mass, inverse_mass };

}  // namespace moreau::inline solver
