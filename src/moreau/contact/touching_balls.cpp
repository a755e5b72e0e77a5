#include "moreau/contact/touching_balls.hpp"

#include <algorithm>

#include "moreau/base/gather.hpp"
#include "moreau/base/instruction_set.hpp"
#include "moreau/contact/ball_separation.hpp"

namespace moreau::inline contact {

namespace {

template <int D>
MOREAU_INLINE Vec<D, Lanes> difference(const double* const (&p)[lanes], const double* const (&q)[lanes]) {
  Vec<D, Lanes> v;
  for (int d = 0; d < D; ++d) v[d] = gathered(p, d) - gathered(q, d);
  return v;
}

template <int D>
MOREAU_INLINE void judge(const BallCandidates<D>& in, std::size_t count, std::uint8_t* near) {
  static constexpr double nowhere[D] = {};
  for (std::size_t k = 0; k < count; k += lanes) {
    const double *x_a[lanes], *x_b[lanes], *v_a[lanes], *v_b[lanes], *r_a[lanes], *r_b[lanes], *shift[lanes], *drift[lanes];
    for (int l = 0; l < lanes; ++l) {
      const std::size_t p = std::min(k + static_cast<std::size_t>(l), count - 1);
      const bool itself = in.b[p] < 0;  // a ball is near itself, not near its image
      const std::int32_t a = in.a[p], b = itself ? a : in.b[p];
      x_a[l] = in.position[a].c, x_b[l] = in.position[b].c, v_a[l] = in.velocity[a].c, v_b[l] = in.velocity[b].c;
      r_a[l] = in.radius + a, r_b[l] = in.radius + b;
      if (in.shift != nullptr) shift[l] = itself ? nowhere : in.shift[p].c, drift[l] = itself ? nowhere : in.drift[p].c;
    }
    Vec<D, Lanes> apart = difference<D>(x_a, x_b);
    if (in.shift != nullptr)
      for (int d = 0; d < D; ++d) apart[d] -= gathered(shift, d);
    const BallSeparation<D, Lanes> s = ball_separation<D, Lanes>(apart, gathered(r_a, 0) + gathered(r_b, 0));
    Lanes limit = Lanes{} + in.ahead.distance;
    if (in.ahead.time > 0.0) {
      Vec<D, Lanes> u;
      for (int d = 0; d < D; ++d) {
        Lanes other = gathered(v_b, d);
        if (in.shift != nullptr) other += gathered(drift, d);
        u[d] = gathered(v_a, d) - other;
      }
      limit += in.ahead.time * maximum(-dot(u, s.normal), 0.0);
    }
    const auto within = s.gap <= limit;
    const int filled = static_cast<int>(std::min<std::size_t>(lanes, count - k));
    for (int l = 0; l < filled; ++l) near[k + static_cast<std::size_t>(l)] = within[l] != 0;
  }
}

}  // namespace

MOREAU_VERSIONS(void, judge_balls, (const BallCandidates<2>& in, std::size_t count, std::uint8_t* near), (in, count, near)) {
  judge<2>(in, count, near);
}
MOREAU_VERSIONS(void, judge_balls, (const BallCandidates<3>& in, std::size_t count, std::uint8_t* near), (in, count, near)) {
  judge<3>(in, count, near);
}

}  // namespace moreau::inline contact
