// The contacts of one step, as plain arrays. Between steps this table is part of the state: the impulses carry the history of the
// assembly from one step to the next (Moreau 2003, sec. 8; 2004, sec. 6).
//
// Row order: by body a, then by b, then by its image, then by the parts and features that meet. `a` is always a free body; `b` is
// another body, or a wall written as ~wall (negative). Between two free bodies a < b. The normal points towards a; the impulse is
// the one that b gives to a.
#pragma once

#include <cstdint>
#include <vector>

#include "moreau/base/resize.hpp"
#include "moreau/geometry/lattice.hpp"

namespace moreau::inline contact {

enum class ContactStatus : std::uint8_t { open = 0, stick = 1, slide = 2 };

// What became of the joint of a contact, if it ever had one.
enum class JointBond : std::uint8_t { none = 0, intact = 1, broken = 2 };

// Status and joint of a contact in one byte.
struct ContactCondition {
  std::uint8_t bits = 0;
  ContactStatus status() const { return static_cast<ContactStatus>(bits & 3); }
  bool bonded() const { return (bits & 4) != 0; }
  JointBond joint() const { return bonded() ? JointBond::intact : (bits & 8) != 0 ? JointBond::broken : JointBond::none; }
};
MOREAU_BOTH inline constexpr ContactCondition condition_of(ContactStatus status, JointBond joint) {
  return {static_cast<std::uint8_t>(static_cast<unsigned>(status) | (static_cast<unsigned>(joint) << 2))};
}

inline constexpr bool is_wall(std::int32_t b) { return b < 0; }
inline constexpr std::int32_t wall_index(std::int32_t b) { return ~b; }

template <int D>
struct ContactTable {
  std::vector<std::int32_t> a, b;
  std::vector<double> gap;      // at the midpoint (t_m, q_m); negative on overlap
  std::vector<Vec<D>> normal;   // unit, towards a
  std::vector<Vec<D>> impulse;  // over the step, on a by b; force = impulse / h
  // Empty when all bodies are round: then a pair has one contact, on the line of the centres.
  std::vector<Vec<D>> point;           // at the midpoint, half-way between the surfaces
  std::vector<std::uint64_t> feature;  // parts and features that meet: the identity of the contact within its pair
  // Empty without a periodic cell.
  std::vector<Image> image;  // of b that touches a
  // Empty unless some law goes beyond Coulomb's.
  std::vector<ContactCondition> condition;
  std::vector<double> area;  // share of the area of its joint, as it was when it was made; empty unless some strength is a stress
  std::vector<Spin<D>> couple;  // over the step, on a by b; empty unless some law resists rolling
  // In the sweeps of the step (solver/colouring.hpp), kept from step to step; empty: none yet.
  std::vector<std::uint8_t> colour;
  // What contacts that yield remember; empty for rigid ones.
  std::vector<Vec<D>> spring;   // force of the tangential spring on a, half a step ahead (engines/soft)
  std::vector<double> deepest;  // largest overlap so far; empty unless some law asks for it
  // How far the surfaces are apart, finer than positions can tell: thickness of films (engines/lubricated), opening of contacts
  // that were lost (engines/elastic); empty for other engines.
  std::vector<double> apart;

  std::size_t size() const { return a.size(); }
  void resize_law_rows(bool with_condition, bool with_couple, bool with_area = false) {
    resize_tightly(condition, with_condition ? size() : 0), resize_tightly(couple, with_couple ? size() : 0);
    resize_tightly(area, with_area ? size() : 0);
  }
  // After resize().
  void resize_memory(bool with_spring, bool with_deepest) {
    resize_tightly(spring, with_spring ? size() : 0), resize_tightly(deepest, with_deepest ? size() : 0);
  }
  // Content is not kept.
  void resize(std::size_t n, bool with_points = false, bool with_images = false) {
    resize_tightly(a, n), resize_tightly(b, n), resize_tightly(gap, n), resize_tightly(normal, n), resize_tightly(impulse, n);
    resize_tightly(point, with_points ? n : 0), resize_tightly(feature, with_points ? n : 0);
    resize_tightly(image, with_images ? n : 0);
    colour.clear(), spring.clear(), deepest.clear(), apart.clear(), area.clear();
  }
};

}  // namespace moreau::inline contact
