// Settings of the engines that have tables of their own, and what an engine refuses.
#pragma once

#include <span>

#include "moreau/bodies/bodies.hpp"
#include "moreau/scene/phase.hpp"
#include "moreau/scene/read/toml_reader.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

// The tables [lubricated] and [elastic]; what is not given stays.
void read_lubricated(TableReader& root, LubricatedSettings& lubricated);
void read_elastic(TableReader& root, ElasticSettings& elastic);

// "has the engine "lubricated", but ...; accepted: ...": of engines and ends that know no friction; empty if there is nothing to
// refuse. Blocks are known before grains are placed, and grains are round.
template <int D>
std::string frictionless_refusal(const Phase<D>& phase, const Bodies<D>& bodies);

// Once all laws have their stiffness. Refuses, if at all, with the name of the phase.
template <int D>
void check_engine(const Phase<D>& phase, const Bodies<D>& bodies, Location location, Mistakes& mistakes);

// Refuses what is driven, grows or arrives in phases of engines that go from one equilibrium to the next under a load and know
// nothing else. Of sources only where it is certain: a phase that ends by conditions begins and ends nobody knows when.
template <int D>
void check_at_rest(const Scene<D>& scene, std::span<const Location> phases, const Mistakes& mistakes);

}  // namespace moreau::inline scene
