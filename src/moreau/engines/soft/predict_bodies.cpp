#include "moreau/engines/soft/predict_bodies.hpp"

#include <algorithm>

#include "moreau/base/instruction_set.hpp"
#include "moreau/engines/soft/contact_force.hpp"
#include "moreau/engines/soft/rows_of_vectors.hpp"
#include "moreau/engines/soft/scheme.hpp"
#include "moreau/engines/soft/turning.hpp"

namespace moreau::soft {

namespace {

// One body, or eight side by side; `Real` says which.
template <int D, class Real>
struct FlyingBody {
  Vec<D, Real> position, remainder, velocity, acceleration, jerk;
  Spin<D, Real> spin, spin_acceleration, spin_jerk;
  Spin<D, Real> turning;  // mean spin of the step
};

// Returns the square of the way.
template <int D, class Real>
MOREAU_INLINE Real predict(double h, bool jerky, FlyingBody<D, Real>& b) {
  const double rate = 1.0 / h;
  Vec<D, Real> way;
  for (int d = 0; d < D; ++d) {
    way[d] = path(h, b.velocity[d], b.acceleration[d], b.jerk[d]);
    add_exactly(b.position[d], b.remainder[d], way[d]);
    b.velocity[d] += gain(h, b.acceleration[d], b.jerk[d]);
    if (jerky) b.acceleration[d] += h * b.jerk[d];
  }
  for (int d = 0; d < spin_dimension<D>; ++d) {
    b.turning[d] = rate * path(h, b.spin[d], b.spin_acceleration[d], b.spin_jerk[d]);
    b.spin[d] += gain(h, b.spin_acceleration[d], b.spin_jerk[d]);
    if (jerky) b.spin_acceleration[d] += h * b.spin_jerk[d];
  }
  return dot(way, way);
}

template <int D>
MOREAU_INLINE double one(const Prediction<D>& in, std::size_t i) {
  FlyingBody<D, double> b{
      in.position[i], in.remainder[i], in.velocity[i], in.acceleration[i], {}, in.spin[i], in.spin_acceleration[i], {}, {}};
  if (in.lag != nullptr) {
    const double half = 0.5 * in.step, at_rim = half * in.radius[i];
    in.lag[i] = {};
    for (int d = 0; d < D; ++d) in.lag[i].c[d] = half * b.acceleration[d];
    for (int d = 0; d < spin_dimension<D>; ++d) in.lag[i].c[PushLayout<D>::twist + d] = at_rim * b.spin_acceleration[d];
  }
  if (in.jerk != nullptr) b.jerk = in.jerk[i], b.spin_jerk = in.spin_jerk[i];
  const double square = predict<D, double>(in.step, in.jerk != nullptr, b);
  in.position[i] = b.position, in.remainder[i] = b.remainder, in.velocity[i] = b.velocity, in.spin[i] = b.spin;
  if (in.jerk != nullptr) in.acceleration[i] = b.acceleration, in.spin_acceleration[i] = b.spin_acceleration;
  if (in.inverse_mass[i] > 0.0) turn_one(in.orientation[i], b.turning, in.step);
  if (in.line != nullptr) in.line[i].move(b.position, b.remainder, b.velocity, b.spin);
  return square;
}

template <int D>
MOREAU_INLINE Lanes eight(const Prediction<D>& in, std::size_t i) {
  FlyingBody<D, Lanes> b{load_vectors(in.position + i),
                         load_vectors(in.remainder + i),
                         load_vectors(in.velocity + i),
                         load_vectors(in.acceleration + i),
                         {},
                         load_vectors(in.spin + i),
                         load_vectors(in.spin_acceleration + i),
                         {},
                         {}};
  const Lanes radius = load_unaligned(in.radius + i);
  if (in.lag != nullptr) {
    const Lanes half = Lanes{} + 0.5 * in.step, at_rim = half * radius;
    Lanes rows[lanes] = {};
    for (int d = 0; d < D; ++d) rows[d] = half * b.acceleration[d];
    for (int d = 0; d < spin_dimension<D>; ++d) rows[PushLayout<D>::twist + d] = at_rim * b.spin_acceleration[d];
    transpose(rows);
    for (std::size_t l = 0; l < lanes; ++l) put_row(in.lag[i + l], rows[l]);
  }
  if (in.jerk != nullptr) b.jerk = load_vectors(in.jerk + i), b.spin_jerk = load_vectors(in.spin_jerk + i);
  const Lanes square = predict<D, Lanes>(in.step, in.jerk != nullptr, b);
  store_vectors(in.position + i, b.position), store_vectors(in.remainder + i, b.remainder);
  store_vectors(in.velocity + i, b.velocity), store_vectors(in.spin + i, b.spin);
  if (in.jerk != nullptr)
    store_vectors(in.acceleration + i, b.acceleration), store_vectors(in.spin_acceleration + i, b.spin_acceleration);
  turn_eight(in.orientation + i, b.turning, in.step);
  if (in.line != nullptr) {
    using Layout = LineLayout<D>;
    Lanes rows[Layout::size / lanes][lanes] = {};
    const auto row = [&](int k) -> Lanes& { return rows[k / lanes][k % lanes]; };
    for (int d = 0; d < D; ++d)
      row(Layout::position + d) = b.position[d], row(Layout::remainder + d) = b.remainder[d],
                             row(Layout::velocity + d) = b.velocity[d];
    for (int d = 0; d < spin_dimension<D>; ++d) row(Layout::rim + d) = radius * b.spin[d];
    row(Layout::radius) = radius;
    if constexpr (Layout::holds_mass)
      row(Layout::inverse_mass) = load_unaligned(in.inverse_mass + i), row(Layout::inverse_radius) = (Lanes{} + 1.0) / radius;
    for (int p = 0; p < Layout::size / lanes; ++p) {
      transpose(rows[p]);
      for (std::size_t l = 0; l < lanes; ++l) store(in.line[i + l].c + p * lanes, rows[p][l]);
    }
  }
  return square;
}

template <int D>
MOREAU_INLINE double all(const Prediction<D>& in, std::size_t begin, std::size_t end) {
  double farthest = 0.0;
  Lanes farthest_of_eight{};
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes)
    if (all_of(load_unaligned(in.inverse_mass + i) > 0.0)) {
      const Lanes square = eight<D>(in, i);
      farthest_of_eight = farthest_of_eight < square ? square : farthest_of_eight;
    } else {
      for (std::size_t l = 0; l < lanes; ++l) farthest = std::max(farthest, one<D>(in, i + l));
    }
  for (; i < end; ++i) farthest = std::max(farthest, one<D>(in, i));
  for (int l = 0; l < lanes; ++l) farthest = std::max(farthest, farthest_of_eight[l]);
  return farthest;
}

}  // namespace

MOREAU_VERSIONS(double, predict_bodies, (const Prediction<2>& in, std::size_t begin, std::size_t end), (in, begin, end)) {
  return all<2>(in, begin, end);
}
MOREAU_VERSIONS(double, predict_bodies, (const Prediction<3>& in, std::size_t begin, std::size_t end), (in, begin, end)) {
  return all<3>(in, begin, end);
}

}  // namespace moreau::soft
