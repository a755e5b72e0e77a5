#include "moreau/runner/placed.hpp"

#include <algorithm>

namespace moreau::inline runner {

template <int D>
bool place_the_same(const Scene<D>& a, const Scene<D>& b) {
  const BodyParameters<D>&p = a.bodies.parameters, &q = b.bodies.parameters;
  const BodyState<D>&s = a.bodies.state, &t = b.bodies.state;
  return a.seed == b.seed && p.radius == q.radius && p.mass == q.mass && p.inertia == q.inertia && p.shape == q.shape &&
         p.material == q.material && p.kind == q.kind && s.position == t.position && s.velocity == t.velocity && s.spin == t.spin;
}

template <int D>
bool began_as(const Bodies<D>& bodies, const Scene<D>& scene) {
  const std::size_t placed = scene.bodies.size();
  if (scene.model.sources.empty() ? bodies.size() != placed : bodies.size() < placed) return false;
  const auto same = [&](const auto& now, const auto& then) { return std::equal(then.begin(), then.end(), now.begin()); };
  return same(bodies.parameters.mass, scene.bodies.parameters.mass) &&
         same(bodies.parameters.material, scene.bodies.parameters.material);
}

template bool place_the_same(const Scene<2>&, const Scene<2>&);
template bool place_the_same(const Scene<3>&, const Scene<3>&);
template bool began_as(const Bodies<2>&, const Scene<2>&);
template bool began_as(const Bodies<3>&, const Scene<3>&);

}  // namespace moreau::inline runner
