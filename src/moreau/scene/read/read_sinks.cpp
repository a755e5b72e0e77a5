// Sinks, and the tilting of the vessel.
#include <fmt/format.h>

#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {
namespace {

template <int D>
void take_region(const SceneRegion<D>& region, Sink<D>& sink) {
  using Shape = typename Sink<D>::Shape;
  using Kind = typename SceneRegion<D>::Shape;
  sink.shape = region.shape == Kind::box ? Shape::box : region.shape == Kind::cylinder ? Shape::cylinder : Shape::ball;
  sink.low = region.low, sink.high = region.high;
  sink.centre = region.centre, sink.radius = region.radius;
}

}  // namespace

template <int D>
void read_sinks(TableReader& root, Scene<D>& scene, SceneNames& names) {
  for (auto& entry : root.tables("sink")) {
    Sink<D> sink;
    sink.name = names.sinks.declare(entry, entry.path());
    const std::string where = entry.one_of({"region", "beyond"});
    if (where == "region") take_region(read_region<D>(entry), sink);
    if (where == "beyond")
      if (auto table = entry.table("beyond", true, "a table with 'point' and 'direction'")) {
        sink.point = table->vector<D>("point", Vec<D>{});
        sink.direction = table->template direction<D>("direction");
        table->finish();
      }
    entry.finish();
    scene.model.sinks.push_back(std::move(sink));
  }
}

template <int D>
void read_tilt(TableReader& root, Scene<D>& scene) {
  auto table = root.table("tilt", false);
  if (!table) return;
  Tilt<D>& tilt = scene.model.tilt;
  tilt.from = table->number("from", any_number, 0.0);
  tilt.to = table->number("to", any_number);
  tilt.rate = table->number("rate", positive);
  tilt.start = table->number("start", nonnegative, 0.0);
  if constexpr (D == 2)
    tilt.axis[0] = 1.0;
  else
    tilt.axis = table->template direction<3>("axis");
  table->finish();
  if (!table->mistakes().any() && norm(scene.model.gravity) == 0.0)
    table->mistakes().add(table->location(), "'tilt' needs gravity to turn; accepted: a nonzero key 'gravity'");
}

#define MOREAU_INSTANTIATE(D)                                        \
  template void read_sinks<D>(TableReader&, Scene<D>&, SceneNames&); \
  template void read_tilt<D>(TableReader&, Scene<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
