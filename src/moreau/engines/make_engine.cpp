#include "moreau/engines/elastic/elastic_engine.hpp"
#include "moreau/engines/engine.hpp"
#include "moreau/engines/geometric/geometric_engine.hpp"
#include "moreau/engines/lubricated/lubricated_engine.hpp"
#include "moreau/engines/rigid/rigid_engine.hpp"
#include "moreau/engines/soft/soft_engine.hpp"

namespace moreau::inline engines {

namespace {
template <int D>
std::unique_ptr<Engine<D>> (*rigid_maker)() = nullptr;
}

template <int D>
void make_rigid_engines_by(std::unique_ptr<Engine<D>> (*make)()) {
  rigid_maker<D> = make;
}

template <int D>
std::unique_ptr<Engine<D>> make_engine(EngineKind kind) {
  switch (kind) {
    case EngineKind::rigid:
      break;
    case EngineKind::quasi_static:
      return std::make_unique<geometric::GeometricEngine<D>>();
    case EngineKind::soft:
      return std::make_unique<SoftEngine<D>>();
    case EngineKind::lubricated:
      return std::make_unique<lubricated::LubricatedEngine<D>>();
    case EngineKind::elastic:
      return std::make_unique<elastic::ElasticEngine<D>>();
  }
  return rigid_maker<D> ? rigid_maker<D>() : std::make_unique<RigidEngine<D>>();
}

template std::unique_ptr<Engine<2>> make_engine(EngineKind);
template std::unique_ptr<Engine<3>> make_engine(EngineKind);
template void make_rigid_engines_by(std::unique_ptr<Engine<2>> (*)());
template void make_rigid_engines_by(std::unique_ptr<Engine<3>> (*)());

}  // namespace moreau::inline engines
