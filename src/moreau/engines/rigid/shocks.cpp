#include "moreau/engines/rigid/shocks.hpp"

#include <algorithm>

#include "moreau/law/coulomb_plane.hpp"
#include "moreau/law/coulomb_space.hpp"
#include "moreau/solver/mass_splitting.hpp"

namespace moreau::inline engines {

namespace {

constexpr int most_rounds = 10000;

template <int D>
struct LocalFrame {
  Vec<D> axis[D];  // normal first
};
LocalFrame<2> frame_of(const Vec<2>& n) { return {{n, {{-n[1], n[0]}}}}; }
LocalFrame<3> frame_of(const Vec<3>& n) {
  const Vec<3> t = any_tangent(n);
  return {{n, t, cross(n, t)}};
}

Vec<2> solve_shock(const Vec<2>& v, const DelassusBlock<2>& H, double friction) { return solve_coulomb_plane(v, H, friction); }
Vec<3> solve_shock(const Vec<3>& v, const DelassusBlock<3>& H, double friction) { return solve_coulomb_space(v, H, friction); }

template <int D>
class Blows {
 public:
  Blows(Bodies<D>& bodies, std::span<const Pose<D>> poses, double kept) : bodies_(bodies), mass_(bodies.size()) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (bodies.is_free(i)) mass_[i] = with_inverse_mass_times(kept, mobility_of<D>(bodies, i, poses));
  }

  Vec<D> relative_velocity(const ShockContact<D>& c) const {
    Vec<D> u = c.geometry.bias + velocity_at(c.a, c.geometry.arm_a);
    if (c.b >= 0) u -= velocity_at(c.b, c.geometry.arm_b);
    return u;
  }

  Vec<D> shock(const ShockContact<D>& c, const Vec<D>& u) const {
    const LocalFrame<D> frame = frame_of(c.geometry.normal);
    DelassusBlock<D> H;
    Vec<D> v;
    for (int j = 0; j < D; ++j) {
      const Vec<D> gained = velocity_gained(mass(c.a), mass(c.b), c.geometry, frame.axis[j]);
      for (int i = 0; i < D; ++i) H.c[i][j] = dot(frame.axis[i], gained);
      v[j] = (1.0 + (j == 0 ? c.law.normal_restitution : c.law.tangential_restitution)) * dot(frame.axis[j], u);
    }
    const Vec<D> local = solve_shock(v, H, c.law.friction);
    Vec<D> impulse{};
    for (int i = 0; i < D; ++i) impulse += local[i] * frame.axis[i];
    return impulse;
  }

  void push(const ShockContact<D>& c, const Vec<D>& impulse) {
    push(c.a, c.geometry.arm_a, impulse);
    if (c.b >= 0) push(c.b, c.geometry.arm_b, -impulse);
  }

 private:
  const Mobility<D>& mass(std::int32_t body) const { return body < 0 ? none_ : mass_[static_cast<std::size_t>(body)]; }
  Vec<D> velocity_at(std::int32_t body, const Vec<D>& arm) const {
    const std::size_t i = static_cast<std::size_t>(body);
    return bodies_.state.velocity[i] + cross(bodies_.state.spin[i], arm);
  }
  void push(std::int32_t body, const Vec<D>& arm, const Vec<D>& impulse) {
    const std::size_t i = static_cast<std::size_t>(body);
    bodies_.state.velocity[i] += mass_[i].inverse_mass * impulse;
    bodies_.state.spin[i] += spin_gained(mass_[i], arm, impulse);
  }

  Bodies<D>& bodies_;
  std::vector<Mobility<D>> mass_;
  Mobility<D> none_{};
};

}  // namespace

template <int D>
ShockReport strike(Bodies<D>& bodies, std::span<const Pose<D>> poses, std::span<const ShockContact<D>> contacts, double slow,
                   std::vector<Vec<D>>& impulse, double kept) {
  impulse.assign(contacts.size(), {});
  ShockReport report;
  Blows<D> blows(bodies, poses, kept);
  double fastest = 0.0;
  for (const auto& c : contacts) fastest = std::max(fastest, -dot(c.geometry.normal, blows.relative_velocity(c)));
  if (!(fastest > 0.0)) return report;
  slow = std::max(slow, 1e-10 * fastest);
  for (int round = 0; round < most_rounds; ++round) {
    bool again = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Vec<D> u = blows.relative_velocity(contacts[i]);
      if (!(dot(contacts[i].geometry.normal, u) < -std::max(slow, contacts[i].spare))) continue;
      const Vec<D> shock = blows.shock(contacts[i], u);
      blows.push(contacts[i], shock);
      impulse[i] += shock;
      ++report.shocks;
      again = true;
    }
    if (!again) return report;
  }
  report.finished = false;
  return report;
}

template ShockReport strike(Bodies<2>&, std::span<const Pose<2>>, std::span<const ShockContact<2>>, double, std::vector<Vec<2>>&,
                            double);
template ShockReport strike(Bodies<3>&, std::span<const Pose<3>>, std::span<const ShockContact<3>>, double, std::vector<Vec<3>>&,
                            double);

}  // namespace moreau::inline engines
