#include "moreau/store/soundness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "moreau/store/fields.hpp"

namespace moreau::inline store {
namespace {

// Orientations in space are renormalised in every step; this is far more than rounding leaves.
constexpr double quaternion_tolerance = 1e-6;

constexpr Image farthest_image = Image{1} << 62;

template <class T>
bool all_finite(const T& value) {
  static_assert(hdf5::Element<T>::number == hdf5::Number::f64);
  double part[hdf5::Element<T>::components];
  std::memcpy(part, &value, sizeof part);
  return std::ranges::all_of(part, [](double x) { return std::isfinite(x); });
}

bool is_unit(const Rotation<2>&) { return true; }
bool is_unit(const Rotation<3>& q) {
  return std::abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) <= quaternion_tolerance;
}

// Refuses in the name of a file.
class Judge {
 public:
  explicit Judge(const hdf5::Group& group) : group_(group) {}

  template <class... Words>
  void demand(bool holds, fmt::format_string<Words...> sentence, Words&&... words) const {
    if (!holds) group_.damaged("is damaged: " + fmt::format(sentence, std::forward<Words>(words)...));
  }

  // To be visited by the arrays and numbers of a struct: whatever is a double, or consists of them, is finite.
  auto finite(const char* of) const {
    return [this, of]<class T>(const char* name, const T& values) {
      if constexpr (requires { values.size(); }) {
        if constexpr (hdf5::Element<typename T::value_type>::number == hdf5::Number::f64)
          for (std::size_t i = 0; i < values.size(); ++i)
            demand(all_finite(values[i]), "'{}' of {} {} is not finite", name, of, i);
      } else if constexpr (std::is_same_v<T, double>) {
        demand(std::isfinite(values), "'{}' of {} is not finite", name, of);
      }
    };
  }

 private:
  const hdf5::Group& group_;
};

template <int D>
void judge_bodies(const Judge& judge, const BodyParameters<D>& p, const BodyState<D>& s) {
  fields::body_parameters(p, judge.finite("body"));
  fields::body_state(s, judge.finite("body"));
  for (std::size_t i = 0; i < p.size(); ++i) {
    judge.demand(p.kind[i] <= BodyKind::removed, "body {} is of kind {}", i, static_cast<int>(p.kind[i]));
    judge.demand(p.radius[i] > 0.0, "body {} has radius {}", i, p.radius[i]);
    judge.demand(p.mass[i] >= 0.0 && p.inertia[i] >= 0.0, "body {} has mass {} and inertia {}", i, p.mass[i], p.inertia[i]);
    if (p.kind[i] == BodyKind::free)
      judge.demand(p.mass[i] > 0.0 && p.inertia[i] > 0.0, "body {} is free and has no mass or inertia", i);
    judge.demand(p.material[i] >= 0, "body {} has material {}", i, p.material[i]);
    judge.demand(p.motion[i] >= (p.kind[i] == BodyKind::driven ? 0 : -1), "body {} has motion {}", i, p.motion[i]);
    judge.demand(is_unit(s.orientation[i]), "the orientation of body {} is no unit quaternion", i);
  }
}

template <int D>
void judge_matrix(const Judge& judge, const char* name, const Matrix<D>& matrix) {
  for (const Vec<D>& row : matrix.row) judge.demand(all_finite(row), "'{}' is not finite", name);
}

template <int D>
void judge_contacts(const Judge& judge, const State<D>& state) {
  const ContactTable<D>& t = state.contacts;
  fields::contact_table(t, judge.finite("contact"));
  const auto bodies = static_cast<std::int64_t>(state.bodies.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const std::int32_t a = t.a[i], b = t.b[i];
    judge.demand(a >= 0 && a < bodies && b < bodies && a != b, "contact {} is between bodies {} and {} of {}", i, a, b, bodies);
    if (i == 0) continue;
    // The step looks contacts up by this order.
    const bool ordered = t.a[i - 1] != a   ? t.a[i - 1] < a
                         : t.b[i - 1] != b ? t.b[i - 1] < b
                                           : !t.image.empty() || !t.feature.empty();
    judge.demand(ordered, "contact {} is out of order", i);
  }
  for (const Image image : t.image)
    judge.demand(image > -farthest_image && image < farthest_image, "a contact is with image {}", image);
  for (const std::uint8_t colour : t.colour) judge.demand(colour <= 64, "a contact has colour {}", static_cast<int>(colour));
  for (std::size_t i = 0; i < t.condition.size(); ++i)
    judge.demand(t.condition[i].status() <= ContactStatus::slide && t.condition[i].bits < 12, "contact {} is in condition {}", i,
                 static_cast<int>(t.condition[i].bits));
}

template <int D>
void judge_broken(const Judge& judge, const BrokenJoints<D>& broken, std::size_t bodies) {
  fields::broken_joints(broken, judge.finite("broken joint"));
  const auto count = static_cast<std::int64_t>(bodies);
  for (std::size_t i = 0; i < broken.size(); ++i)
    judge.demand(broken.a[i] >= 0 && broken.a[i] < count && broken.b[i] < count && broken.how[i] <= JointBreak::lost,
                 "broken joint {} is between {} and {} of {} bodies", i, broken.a[i], broken.b[i], count);
}

template <int D>
void judge_integration(const Judge& judge, const State<D>& state) {
  const Integration<D>& kept = state.integration;
  fields::integration(kept, judge.finite("the integration, row"));
  const auto rows = [&](const char* name, std::size_t found, std::size_t expected) {
    judge.demand(found == 0 || found == expected, "'{}' has {} rows where {} are expected", name, found, expected);
  };
  const std::size_t n = kept.acceleration.size(), pistons = kept.piston_acceleration.size(), sides = D;
  rows("acceleration", n, state.bodies.size()), rows("piston_acceleration", pistons, state.pistons.size());
  judge.demand(kept.remainder.size() == n && kept.spin_acceleration.size() == n, "accelerations are not complete");
  rows("jerk", kept.jerk.size(), n), rows("spin_jerk", kept.spin_jerk.size(), kept.jerk.size());
  rows("piston_jerk", kept.piston_jerk.size(), pistons);
  rows("cell_remainder", kept.cell_remainder.size(), sides), rows("gradient_rate", kept.gradient_rate.size(), sides);
}

template <int D>
void judge_order(const Judge& judge, const State<D>& state) {
  std::vector<bool> seen(state.bodies.size(), false);
  for (const std::int32_t body : state.order) {
    judge.demand(body >= 0 && static_cast<std::size_t>(body) < seen.size() && !seen[static_cast<std::size_t>(body)],
                 "the order of the bodies names {} wrongly", body);
    seen[static_cast<std::size_t>(body)] = true;
  }
}

}  // namespace

template <int D>
void check_sound(const hdf5::Group& group, const std::vector<Shape<D>>& shapes) {
  const Judge judge(group);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    const Shape<D>& shape = shapes[s];
    judge.demand(shape.volume > 0.0 && std::isfinite(shape.volume) && shape.reach > 0.0 && std::isfinite(shape.reach) &&
                     all_finite(shape.gyration),
                 "shape {} has volume {}, reach {}", s, shape.volume, shape.reach);
    judge.demand(!shape.parts.empty(), "shape {} has no part", s);
    for (const ConvexPart<D>& part : shape.parts) {
      judge.demand(!part.vertices.empty(), "a part of shape {} has no vertex", s);
      judge.demand(part.radius >= 0.0 && std::isfinite(part.radius) && part.reach >= 0.0 && std::isfinite(part.reach) &&
                       all_finite(part.centre) && std::ranges::all_of(part.vertices, all_finite<Vec<D>>),
                   "a part of shape {} is not finite", s);
      if constexpr (D == 3)
        for (const PolyhedronFace& face : part.topology.faces)
          judge.demand(face.vertices.size() >= 3 && all_finite(face.normal) && std::isfinite(face.offset),
                       "a face of shape {} is none", s);
    }
  }
}

template <int D>
void check_sound(const hdf5::Group& group, const State<D>& state) {
  const Judge judge(group);
  judge.demand(std::isfinite(state.time) && state.time >= 0.0, "its time is {}", state.time);
  judge.demand(std::isfinite(state.impulse_time_step) && state.impulse_time_step >= 0.0, "'impulse_time_step' is {}",
               state.impulse_time_step);
  judge.demand(state.phase_start >= 0.0 && state.phase_start <= state.time, "its phase began at {}, its time is {}",
               state.phase_start, state.time);
  judge.demand(state.travelled >= 0.0 && std::isfinite(state.travelled), "'travelled' is {}", state.travelled);
  judge.demand(state.left_overlap >= 0.0 && std::isfinite(state.left_overlap), "'left_overlap' is {}", state.left_overlap);
  judge_bodies(judge, state.bodies.parameters, state.bodies.state);
  judge_contacts(judge, state);
  judge_broken(judge, state.broken, state.bodies.size());
  judge.finite("face")("wear", state.wear);
  judge_order(judge, state);
  judge_integration(judge, state);
  fields::energy(state.energy, judge.finite("the ledger of energy"));
  for (const PistonState& p : state.pistons)
    judge.demand(std::isfinite(p.displacement) && std::isfinite(p.speed) && std::isfinite(p.phase_displacement),
                 "a piston is at {} with speed {}", p.displacement, p.speed);
  for (const MotionStart<D>& m : state.motion_starts)
    judge.demand(std::isfinite(m.time) && all_finite(m.offset) && std::isfinite(m.angle), "a motion began at time {}", m.time);
  judge_matrix(judge, "cell_vectors", state.cell.vectors), judge_matrix(judge, "cell_rate", state.cell.rate);
  judge_matrix(judge, "cell_phase_vectors", state.cell.phase_vectors);
  for (const SourceState& source : state.sources) {
    judge.demand(source.mass >= 0.0 && std::isfinite(source.mass), "a source has brought a mass of {}", source.mass);
    judge.demand(source.emitted <= state.bodies.size(), "a source has brought {} of {} bodies", source.emitted,
                 state.bodies.size());
    judge.demand(std::ranges::any_of(source.random.state(), [](std::uint64_t word) { return word != 0; }),
                 "the random stream of a source has stopped");
  }
}

template <int D>
void check_indices(const hdf5::Group& group, const Frame<D>& frame) {
  const Judge judge(group);
  const ContactRecords<D>& c = frame.contacts;
  const auto bodies = static_cast<std::int64_t>(frame.parameters.size()), walls = static_cast<std::int64_t>(frame.walls.size());
  for (std::size_t i = 0; i < c.size(); ++i)
    judge.demand(c.a[i] >= 0 && c.a[i] < bodies && c.b[i] >= -walls && c.b[i] < bodies && c.a[i] != c.b[i],
                 "contact {} is between {} and {}, of {} bodies and {} walls", i, c.a[i], c.b[i], bodies, walls);
}

template <int D>
void check_sound(const hdf5::Group& group, const Frame<D>& frame) {
  const Judge judge(group);
  judge.demand(std::isfinite(frame.time) && frame.time >= 0.0, "its time is {}", frame.time);
  judge.demand(std::isfinite(frame.time_step) && frame.time_step >= 0.0, "its time step is {}", frame.time_step);
  judge_bodies(judge, frame.parameters, frame.state);
  judge_broken(judge, frame.broken, frame.parameters.size());
  judge.finite("face")("wear", frame.wear);
  const ContactRecords<D>& c = frame.contacts;
  fields::contact_records(c, judge.finite("contact"));
  for (std::size_t i = 0; i < c.size(); ++i)
    judge.demand(c.status[i] <= ContactStatus::slide && (c.joint.empty() || c.joint[i] <= JointBond::broken),
                 "contact {} has status {}", i, static_cast<int>(c.status[i]));
  judge.demand(c.shift.empty() || frame.lattice.any(), "its contacts are shifted without a periodic cell");
  judge.demand(!c.shift.empty() || !frame.lattice.any() || c.size() == 0, "its contacts are not shifted in a periodic cell");
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const WallGeometry<D>& wall = frame.walls[w].geometry;
    judge.demand(wall.shape == WallShape::plane || wall.shape == WallShape::cylinder || wall.shape == WallShape::mesh,
                 "wall {} has shape {}", w, static_cast<int>(wall.shape));
    judge.demand(all_finite(wall.point) && all_finite(wall.direction) && std::isfinite(wall.radius) && wall.radius >= 0.0 &&
                     all_finite(frame.wall_shift[w]) && (frame.wall_turn.empty() || all_finite(frame.wall_turn[w].row[0])),
                 "wall {} is not finite", w);
    judge.demand(frame.walls[w].material >= 0 && frame.walls[w].motion >= -1, "wall {} has material {} and motion {}", w,
                 frame.walls[w].material, frame.walls[w].motion);
  }
  judge.demand(all_finite(frame.lattice.origin), "the origin of its cell is not finite");
  judge_matrix(judge, "cell/vectors", frame.lattice.vectors);
  if (frame.lattice.any()) judge_matrix(judge, "cell/vectors", inverse(frame.lattice.vectors));
}

template <int D>
void check_course(const hdf5::Group& group, const Checkpoint<D>& checkpoint) {
  const Judge judge(group);
  const State<D>& state = checkpoint.state;
  judge.demand(checkpoint.frames <= state.step + 1, "it counts {} frames after {} steps", checkpoint.frames, state.step);
  judge.demand(checkpoint.next_frame >= 0.0, "its next frame is due at {}", checkpoint.next_frame);  // infinite: there is none
  judge.demand(checkpoint.next_series >= 0.0 && std::isfinite(checkpoint.next_series), "its next row is due at {}",
               checkpoint.next_series);
  judge.demand(std::isfinite(checkpoint.report.time), "the time of its report is {}", checkpoint.report.time);
  fields::energy(checkpoint.report.energy, judge.finite("the report"));
  fields::totals(checkpoint.totals, [&]<class T>(const char* name, const T& value) {
    if constexpr (std::is_same_v<T, double>) judge.demand(!std::isnan(value), "the total '{}' is not a number", name);
  });
}

#define MOREAU_INSTANTIATE(D)                                                  \
  template void check_sound(const hdf5::Group&, const State<D>&);              \
  template void check_sound(const hdf5::Group&, const Frame<D>&);              \
  template void check_indices(const hdf5::Group&, const Frame<D>&);            \
  template void check_sound(const hdf5::Group&, const std::vector<Shape<D>>&); \
  template void check_course(const hdf5::Group&, const Checkpoint<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline store
