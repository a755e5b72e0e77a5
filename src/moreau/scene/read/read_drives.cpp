#include <fmt/format.h>

#include <algorithm>

#include "moreau/drive/accelerogram.hpp"
#include "moreau/scene/generate/sizes.hpp"
#include "moreau/scene/read/read_model.hpp"

namespace moreau::inline scene {
namespace {

template <int D>
void read_sinusoid(TableReader& entry, Motion<D>& motion) {
  // The amplitude is a vector, or a length along `direction`.
  if (entry.is_array("amplitude"))
    motion.amplitude = entry.vector<D>("amplitude");
  else {
    const double length = entry.number("amplitude", nonnegative);
    motion.amplitude = length * entry.direction<D>("direction");
  }
  motion.frequency = entry.number("frequency", positive);
  motion.phase = entry.number("phase", any_number, 0.0);
}

template <int D>
void read_axis(TableReader& entry, Motion<D>& motion) {
  motion.centre = entry.vector<D>("centre", Vec<D>{});
  if constexpr (D == 2)
    motion.axis[0] = 1.0;
  else
    motion.axis = entry.direction<3>("axis");
}

template <int D>
void read_swing(TableReader& entry, Motion<D>& motion) {
  read_axis(entry, motion);
  motion.angle = entry.number("angle", any_number);
  motion.frequency = entry.number("frequency", positive);
  motion.phase = entry.number("phase", any_number, 0.0);
}

template <int D>
void read_table(TableReader& entry, Motion<D>& motion) {
  motion.times = entry.numbers("times", any_number, 1);
  motion.positions = entry.vectors<D>("positions");
  if (!entry.mistakes().any() && entry.has("times") && entry.has("positions")) {
    for (std::size_t i = 1; i < motion.times.size(); ++i)
      if (!(motion.times[i] - motion.times[i - 1] >= smallest_positive)) {
        entry.fail("times", fmt::format("goes from {} to {} at entry {}; accepted: increasing times", motion.times[i - 1],
                                        motion.times[i], i + 1));
        break;
      }
    if (motion.times.size() != motion.positions.size())
      entry.fail("positions", fmt::format("has {} entries; accepted: as many as 'times', which has {}", motion.positions.size(),
                                          motion.times.size()));
  }
}

template <int D>
bool is_moderate(const std::vector<Vec<D>>& vectors) {
  return std::ranges::all_of(vectors, [](const Vec<D>& v) { return dot(v, v) <= largest_number * largest_number; });
}

template <int D>
Motion<D> read_accelerogram(TableReader& entry, NamedFiles& files) {
  Record record = read_record(entry, files, D);
  const double scale = entry.number("scale", any_number, 1.0);
  const auto baseline = static_cast<Baseline>(entry.choice("baseline", {"none", "rest", "linear", "quadratic"}, 0));
  for (auto& component : record.components) {
    for (double& a : component) a *= scale;
    correct_baseline(record.times, component, baseline);
  }
  Motion<D> motion;
  if (entry.has("columns") || entry.has("components")) {
    std::vector<Vec<D>> accelerations(record.times.size());
    for (std::size_t c = 0; c < record.components.size(); ++c)
      for (std::size_t i = 0; i < accelerations.size(); ++i) accelerations[i][static_cast<int>(c)] = record.components[c][i];
    motion = accelerogram<D>(std::move(record.times), std::move(accelerations));
  } else {
    motion = accelerogram<D>(std::move(record.times), record.components[0], entry.direction<D>("direction"));
  }
  if (!is_moderate(motion.accelerations) || !is_moderate(motion.velocities) || !is_moderate(motion.positions))
    entry.fail(
        entry.has("components") ? "components" : "record",
        fmt::format("gives accelerations, velocities or displacements beyond {}, with scale and baseline; accepted: smaller ones",
                    largest_number));
  return motion;
}

}  // namespace

template <int D>
Motion<D> read_motion(TableReader& entry, NamedFiles& files) {
  Motion<D> motion;
  switch (entry.choice("kind", {"rest", "velocity", "sinusoid", "table", "accelerogram", "rotation", "swing"})) {
    case 1:
      motion.kind = MotionKind::constant;
      motion.velocity = entry.vector<D>("velocity");
      break;
    case 2:
      motion.kind = MotionKind::sinusoid;
      read_sinusoid<D>(entry, motion);
      break;
    case 3:
      motion.kind = MotionKind::table;
      read_table<D>(entry, motion);
      break;
    case 4:
      motion = read_accelerogram<D>(entry, files);
      break;
    case 5:
      motion.kind = MotionKind::rotation;
      read_axis(entry, motion);
      motion.rate = entry.number("rate", any_number);
      break;
    case 6:
      motion.kind = MotionKind::swing;
      read_swing(entry, motion);
      break;
    default:
      break;
  }
  entry.finish();
  return motion;
}

template <int D>
void read_motions(TableReader& root, Scene<D>& scene, SceneNames& names, NamedFiles& files) {
  for (auto& entry : root.tables("motion")) {
    const std::string name = names.motions.declare(entry, "");
    scene.model.motions.push_back(read_motion<D>(entry, files));
    scene.model.motions.back().name = name;
  }
}

#define MOREAU_INSTANTIATE(D)                                   \
  template Motion<D> read_motion<D>(TableReader&, NamedFiles&); \
  template void read_motions<D>(TableReader&, Scene<D>&, SceneNames&, NamedFiles&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline scene
