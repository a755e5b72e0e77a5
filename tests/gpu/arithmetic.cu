// The arithmetic of contacts is written once, over the number type. A graphics card and the processor must give the same bits:
// this program evaluates separations, shifts, Coulomb's law for round bodies and for bodies of any shape, and laws with tension, cap
// and resistance to rolling on both, for many random contacts, and compares them. Fused operations must be forbidden (-fmad=false); scripts/check-gpu compiles and runs it where
// there is a card, also with them allowed, when it must fail.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "moreau/contact/ball_separation.hpp"
#include "moreau/dynamics/formal_shift.hpp"
#include "moreau/geometry/vec.hpp"
#include "moreau/law/coulomb_frame.hpp"
#include "moreau/law/coulomb_round.hpp"
#include "moreau/law/rolling_round.hpp"

namespace {

using namespace moreau;

template <int D, class Real>
struct Contact {
  Vec<D, Real> apart, velocity, impulse;
  Real touch, approach, restitution, inverse_normal, inverse_tangent, friction, relaxation;
  Spin<D, Real> spin, couple;
  RollingContact<Real> rolling;
  FrameOperatorOf<D, Real> H;
};

template <int D, class Real>
struct Answer {
  Real gap, bounce, allowed;
  Vec<D, Real> normal, impulse, rolled, shaped;
  Spin<D, Real> couple;
};

template <int D, class Real>
MOREAU_INLINE Answer<D, Real> answer(const Contact<D, Real>& c) {
  const BallSeparation<D, Real> s = ball_separation(c.apart, c.touch);
  ShiftRule rule;
  rule.time_step = 1e-3, rule.weight_speed = 9.81e-3;
  Answer<D, Real> a;
  a.gap = s.gap, a.normal = s.normal;
  a.bounce = formal_shift(rule, s.gap, c.approach, c.restitution);
  rule.predictive = true;
  a.allowed = formal_shift(rule, s.gap, c.approach, c.restitution);
  a.impulse = coulomb_round(s.normal, c.velocity, c.impulse, c.inverse_normal, c.inverse_tangent, c.friction, c.relaxation);
  a.rolled = c.impulse;
  a.couple = rolling_round<D>(s.normal, c.velocity, c.spin, a.rolled, c.couple, c.rolling, c.relaxation);
  a.shaped = coulomb_frame(c.velocity - c.H * c.impulse, c.H, c.friction, c.impulse);
  return a;
}

template <int D, class Real>
__global__ void answer_all(const Contact<D, Real>* contacts, Answer<D, Real>* answers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) answers[i] = answer(contacts[i]);
}

double uniform(std::uint64_t& state) {  // splitmix64, in (0, 1)
  std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

bool refused(cudaError_t error) {
  if (error != cudaSuccess) std::printf("the card refuses: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

// Number of contacts whose bits differ, -1 if the card could not be used.
template <int D, class Real>
long differences(int count) {
  std::uint64_t random = 1994 + D;
  const auto any = [&](double scale) { return static_cast<Real>(scale * (2.0 * uniform(random) - 1.0)); };
  const auto positive = [&](double scale) { return static_cast<Real>(scale * uniform(random)); };
  std::vector<Contact<D, Real>> contacts(static_cast<std::size_t>(count));
  for (Contact<D, Real>& c : contacts) {
    for (int d = 0; d < D; ++d) c.apart[d] = any(1.0), c.velocity[d] = any(3.0), c.impulse[d] = any(2.0);
    c.touch = positive(1.5), c.approach = any(2.0), c.restitution = uniform(random) < 0.5 ? Real{} : positive(1.0);
    c.inverse_normal = positive(4.0), c.inverse_tangent = positive(4.0), c.friction = positive(1.0), c.relaxation = Real{1};
    for (int d = 0; d < spin_dimension<D>; ++d) c.spin[d] = any(3.0), c.couple[d] = any(0.5);
    const bool capped = uniform(random) < 0.5, sticky = uniform(random) < 0.5;
    const Real cap = capped ? positive(1.0) : static_cast<Real>(HUGE_VAL);
    c.rolling = {c.inverse_normal, c.inverse_tangent, positive(4.0), any(0.4), {c.friction, Real{}, cap, sticky ? positive(1.0) : Real{}},
                 positive(0.5),    positive(0.5)};
    c.H.inverse_normal = c.inverse_normal;
    for (int i = 0; i < D - 1; ++i) c.H.coupling[i] = any(0.3) / c.inverse_normal, c.H.schur[i] = positive(1.0) / c.inverse_normal;
  }
  std::vector<Answer<D, Real>> here(contacts.size()), there(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) here[i] = answer(contacts[i]);
  Contact<D, Real>* in = nullptr;
  Answer<D, Real>* out = nullptr;
  const std::size_t in_bytes = contacts.size() * sizeof(contacts[0]), out_bytes = there.size() * sizeof(there[0]);
  if (refused(cudaMalloc(&in, in_bytes)) || refused(cudaMalloc(&out, out_bytes))) return -1;
  if (refused(cudaMemcpy(in, contacts.data(), in_bytes, cudaMemcpyHostToDevice))) return -1;
  answer_all<<<(count + 255) / 256, 256>>>(in, out, count);
  if (refused(cudaGetLastError()) || refused(cudaMemcpy(there.data(), out, out_bytes, cudaMemcpyDeviceToHost))) return -1;
  cudaFree(in), cudaFree(out);
  long differ = 0;
  for (std::size_t i = 0; i < here.size(); ++i) differ += std::memcmp(&here[i], &there[i], sizeof(here[i])) != 0;
  return differ;
}

}  // namespace

int main() {
  constexpr int count = 4'000'000;
  const long found[] = {differences<2, double>(count), differences<3, double>(count), differences<2, float>(count),
                        differences<3, float>(count)};
  const char* what[] = {"plane, double", "space, double", "plane, single", "space, single"};
  bool same = true;
  for (int k = 0; k < 4; ++k) {
    std::printf("%s: %ld of %d contacts differ\n", what[k], found[k], count);
    same &= found[k] == 0;
  }
  return same ? 0 : 1;
}
