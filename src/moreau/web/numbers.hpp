// The true numbers of one body, or of the contacts of a pair, as they stand in the frame.
#pragma once

#include <nlohmann/json.hpp>

#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

// Null if there is no such body in the frame, or it was removed.
template <int D>
nlohmann::ordered_json body_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t body);

// Body a with b, a body or wall -b-1; in whatever order the frame has them. Null unless a and b exist.
template <int D>
nlohmann::ordered_json pair_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t a, std::int64_t b);

}  // namespace moreau::web
