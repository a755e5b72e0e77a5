// The contacts of the last step as users see them, from the model and the state alone.
#pragma once

#include "moreau/contact/contact_record.hpp"
#include "moreau/dynamics/model.hpp"
#include "moreau/dynamics/state.hpp"

namespace moreau::inline dynamics {

template <int D>
ContactRecords<D> contact_records(const Model<D>& model, const State<D>& state);

// The law between body a and b, a body or a wall.
template <int D>
inline const PairLaw& law_of(const Model<D>& model, const Bodies<D>& bodies, std::int32_t a, std::int32_t b) {
  const std::vector<std::int32_t>& material = bodies.parameters.material;
  return model.law(material[static_cast<std::size_t>(a)], is_wall(b)
                                                              ? model.walls[static_cast<std::size_t>(wall_index(b))].material
                                                              : material[static_cast<std::size_t>(b)]);
}

}  // namespace moreau::inline dynamics
