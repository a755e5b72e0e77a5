#include "moreau/solver/structures.hpp"

#include <algorithm>

#include "moreau/solver/connected_parts.hpp"

namespace moreau::inline solver {

namespace {

constexpr std::size_t chain_contacts = 3000;
constexpr std::size_t rubble_contacts = 500;  // up to which blocks that touch at corners are one
constexpr double large_mass_ratio = 300.0, large_heaviness = 30.0;  // touched_bodies.hpp

// As many colours as contacts.
std::uint64_t colours_of(std::uint32_t contacts) { return contacts >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << contacts) - 1; }

bool is_structure(int dimension, std::span<const ContactLink> links, std::span<const int> part,
                  std::span<const std::uint32_t> contacts_of_body, std::span<const double> inverse_mass) {
  std::size_t shaped = 0;
  double friction = 0.0;
  std::vector<std::int32_t> bodies;
  for (const int i : part) {
    const ContactLink& link = links[static_cast<std::size_t>(i)];
    shaped += link.shaped ? 1 : 0, friction = std::max(friction, link.friction);
    for (const std::int32_t body : {link.a, link.b})
      if (body >= 0) bodies.push_back(body);
  }
  if (part.size() > few_contacts / 2 && part.size() <= frictionless_contacts && friction == 0.0) return true;
  if (may_be_masonry(part.size(), shaped)) {
    FaceCount faces(dimension);
    for (const int i : part)
      if (const ContactLink& link = links[static_cast<std::size_t>(i)]; link.shaped) faces.add(link.a, link.b);
    if (is_masonry(part.size(), shaped, faces.contacts())) return true;
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  TouchedBodies touched;
  Heaviness heaviness;
  for (const std::int32_t body : bodies) {
    const double inverse = inverse_mass[static_cast<std::size_t>(body)];
    const std::uint64_t colours = colours_of(contacts_of_body[static_cast<std::size_t>(body)]);
    touched.add(inverse, colours), heaviness.add(inverse, colours);
  }
  return is_chain(part.size(), touched) || (has_large_ratio(touched) && is_heavy_on_light(heaviness));
}

}  // namespace

bool has_large_ratio(const TouchedBodies& touched) { return touched.lightest > large_mass_ratio * touched.heaviest; }

bool is_heavy_on_light(const Heaviness& heaviness) { return !(heaviness.mean() <= large_heaviness); }

bool is_chain(std::size_t contacts, const TouchedBodies& touched) {
  return contacts <= chain_contacts && static_cast<double>(contacts) < 1.3 * static_cast<double>(touched.count) &&
         2 * touched.in_line > touched.count;
}

bool may_be_masonry(std::size_t contacts, std::size_t shaped) { return 2 * shaped > contacts; }

bool is_masonry(std::size_t contacts, std::size_t shaped, std::size_t of_faces) {
  return may_be_masonry(contacts, shaped) && (contacts <= rubble_contacts || 2 * of_faces > contacts);
}

std::vector<std::uint32_t> contacts_of_structures(int dimension, std::span<const ContactLink> links,
                                                  std::span<const double> inverse_mass) {
  std::vector<std::uint32_t> contacts_of_body(inverse_mass.size());
  ConnectedParts joined(static_cast<int>(links.size()));
  std::vector<int> last(inverse_mass.size(), -1);  // contact of a body
  for (std::size_t i = 0; i < links.size(); ++i)
    for (const std::int32_t body : {links[i].a, links[i].b}) {
      if (body < 0) continue;
      int& before = last[static_cast<std::size_t>(body)];
      if (before >= 0) joined.join(before, static_cast<int>(i));
      before = static_cast<int>(i), ++contacts_of_body[static_cast<std::size_t>(body)];
    }
  std::vector<std::uint32_t> chosen;
  const std::vector<std::vector<int>> parts = joined.parts();
  for (const std::vector<int>& part : parts)
    if (part.size() > 1 && is_structure(dimension, links, part, contacts_of_body, inverse_mass))
      chosen.insert(chosen.end(), part.begin(), part.end());
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace moreau::inline solver
