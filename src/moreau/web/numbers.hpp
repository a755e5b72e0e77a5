// The true numbers of one body, or of the contacts of a pair, as they stand in the frame.
#pragma once

#include <nlohmann/json.hpp>

#include "moreau/web/frame_parcels.hpp"

namespace moreau::web {

// Of a body that is not there yet, or no more, a sentence under "absent". Null for a number that no body can have.
template <int D>
nlohmann::ordered_json body_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t body);

// Body a with b, a body or wall -b-1; in whatever order the frame has them. As above; null also for a wall that does not exist.
template <int D>
nlohmann::ordered_json pair_numbers(const ShownFrame<D>& shown, const Scene<D>& scene, std::int64_t a, std::int64_t b);

}  // namespace moreau::web
