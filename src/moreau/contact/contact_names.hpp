// Who touches whom, in words for messages: "grain 12, grain 40 and wall 'floor'".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace moreau::inline contact {

struct ContactNames {
  std::vector<std::array<std::int32_t, 2>> bodies;  // of each contact: a, b as in the contact table (walls negative)
  std::vector<std::string> walls;                   // by number; those without a name are called by it
};

// The bodies of these contacts, each once, bodies before walls; at most `most` of them are spelled out.
std::string bodies_of(const ContactNames& names, const std::vector<int>& contacts, std::size_t most = 12);

}  // namespace moreau::inline contact
