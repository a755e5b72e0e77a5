// Where sweeps are known to be slow, so that the end of a step is looked at whatever they say: chains and columns, masonry, heavy bodies
// on light ones, and what has few contacts. A step is such a structure as a whole, or parts of it are that stand beside a packing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "moreau/solver/touched_bodies.hpp"

namespace moreau::inline solver {

inline constexpr std::size_t few_contacts = 64;  // in a part that is small
inline constexpr std::size_t frictionless_contacts = 500;
// Of a step in which parts are told apart: it takes a few hundredths of the time of its sweeps, on one thread.
inline constexpr std::size_t contacts_told_apart = 10000;

bool has_large_ratio(const TouchedBodies& touched);
// Heavy bodies on light ones. A large ratio alone does not say so: in a mixture of sizes heavy bodies rest on many others.
bool is_heavy_on_light(const Heaviness& heaviness);
// Chains and columns: about one contact for each body, and most bodies have two. Grains that fall, or a loose bed among them, have
// few contacts too.
bool is_chain(std::size_t contacts, const TouchedBodies& touched);
// Bodies that are not round, most of which stand on each other's faces, like stones and bricks; or few of them.
bool may_be_masonry(std::size_t contacts, std::size_t shaped);
bool is_masonry(std::size_t contacts, std::size_t shaped, std::size_t of_faces);

// Contacts of pairs that touch with a face (in the plane an edge): at as many points as there are dimensions, or more. The contacts of
// a pair follow one another.
class FaceCount {
 public:
  explicit FaceCount(int dimension) : dimension_(dimension) {}
  void add(std::int32_t a, std::int32_t b) {
    if (a != a_ || b != b_) settle(), a_ = a, b_ = b;
    ++points_;
  }
  std::size_t contacts() {
    settle();
    return contacts_;
  }

 private:
  void settle() { contacts_ += points_ >= dimension_ ? static_cast<std::size_t>(points_) : 0, points_ = 0; }
  int dimension_, points_ = 0;
  std::int32_t a_ = -1, b_ = -1;
  std::size_t contacts_ = 0;
};

// What a contact says of the part that it is in.
struct ContactLink {
  std::int32_t a = -1, b = -1;  // free bodies, by number; negative: none
  bool shaped = false;          // not between round bodies
  double friction = 0.0;
};

// Numbers of the contacts of those parts, of two contacts or more, that are structures; increasing. Few contacts alone make none here: sweeps do
// well on the few grains that roll together before they come to a heap. `inverse_mass` of the bodies.
std::vector<std::uint32_t> contacts_of_structures(int dimension, std::span<const ContactLink> links,
                                                  std::span<const double> inverse_mass);

}  // namespace moreau::inline solver
