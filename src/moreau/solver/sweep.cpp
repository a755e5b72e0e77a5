#include "moreau/solver/sweep.hpp"

#include <algorithm>

#include "moreau/law/coulomb_round.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(MOREAU_SANITIZE)
#define MOREAU_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MOREAU_CLONES
#endif

namespace moreau {
namespace {

// The bodies of one side of a block: row r of `m` is component r of the eight bodies.
template <int D>
struct Side {
  Lanes m[lanes];

  MOREAU_INLINE Side(const MovingBody<D>* bodies, const std::int32_t* index) {
    for (int l = 0; l < lanes; ++l) m[l] = load(reinterpret_cast<const double*>(bodies + index[l]));
    transpose(m);
  }
  MOREAU_INLINE void write(MovingBody<D>* bodies, const std::int32_t* index, std::int32_t none) {
    transpose(m);
    for (int l = 0; l < lanes; ++l)
      if (index[l] != none) store(reinterpret_cast<double*>(bodies + index[l]), m[l]);
  }
  MOREAU_INLINE Lanes inverse_mass() const { return m[D + spin_dimension<D>]; }
  MOREAU_INLINE Lanes inverse_rolling() const { return m[D + spin_dimension<D> + 1]; }
  MOREAU_INLINE Vec<D, Lanes> velocity() const {
    Vec<D, Lanes> v;
    for (int d = 0; d < D; ++d) v[d] = m[d];
    return v;
  }
  MOREAU_INLINE Spin<D, Lanes> rim() const {
    Spin<D, Lanes> s;
    for (int d = 0; d < spin_dimension<D>; ++d) s[d] = m[D + d];
    return s;
  }
  // sign * impulse through the centre and the moment -n x impulse at the rim (the same sign for both bodies).
  MOREAU_INLINE void push(const Vec<D, Lanes>& impulse, const Spin<D, Lanes>& turn) {
    for (int d = 0; d < D; ++d) m[d] += inverse_mass() * impulse[d];
    for (int d = 0; d < spin_dimension<D>; ++d) m[D + d] -= inverse_rolling() * turn[d];
  }
};

template <int D>
MOREAU_INLINE Vec<D, Lanes> load_vector(const double (&p)[D][lanes]) {
  Vec<D, Lanes> v;
  for (int d = 0; d < D; ++d) v[d] = load(p[d]);
  return v;
}

template <int D>
MOREAU_INLINE Vec<D, Lanes> formal_velocity(const ContactBlock<D>& block, const Side<D>& a, const Side<D>& b,
                                            const Vec<D, Lanes>& n) {
  return load_vector<D>(block.bias) + a.velocity() - b.velocity() - cross(a.rim() + b.rim(), n);
}

// Eight running sums and maxima; lanes are combined at the end, in order.
struct LaneSums {
  Lanes squares{}, largest{}, impulse_squares{}, impulses{};

  template <int D>
  MOREAU_INLINE void add(const ContactBlock<D>& block, const Vec<D, Lanes>& n, const Vec<D, Lanes>& p,
                         const Vec<D, Lanes>& solved) {
    const Vec<D, Lanes> change = solved - p;
    const Lanes change_n = dot(n, change);
    const Vec<D, Lanes> change_t = change - change_n * n;
    const Lanes in = load(block.inverse_normal), it = load(block.inverse_tangent);
    const Lanes square = (change_n * change_n) / (in * in) + dot(change_t, change_t) / (it * it);
    const Lanes weight = dot(n, p) / in;
    squares += square;
    largest = square > largest ? square : largest;
    impulse_squares += weight * weight;
    impulses += weight;
  }
  template <class Measured>
  MOREAU_INLINE void put(Measured& measured) const {
    double largest_square = 0.0;
    for (int l = 0; l < lanes; ++l) {
      measured.residual_squares += squares[l];
      largest_square = std::max(largest_square, largest[l]);
      measured.impulse_squares += impulse_squares[l];
      measured.impulse_sum += impulses[l];
    }
    measured.residual_max = std::max(measured.residual_max, std::sqrt(largest_square));
  }
};

// Bodies of a block that comes soon: their cache lines are scattered, so the processor cannot guess them.
template <int D>
MOREAU_INLINE void prefetch(const MovingBody<D>* bodies, const ContactBlock<D>& block) {
  for (int l = 0; l < lanes; ++l) __builtin_prefetch(bodies + block.a[l]), __builtin_prefetch(bodies + block.b[l]);
}
constexpr std::size_t prefetch_distance = 2;  // blocks

template <int D, bool measuring>
MOREAU_INLINE void relax(MovingBody<D>* bodies, ContactBlock<D>* blocks, std::size_t begin, std::size_t end, std::int32_t none,
                         double relaxation, LaneSums& sums) {
  for (std::size_t k = begin; k < end; ++k) {
    ContactBlock<D>& block = blocks[k];
    if (k + prefetch_distance < end) prefetch(bodies, blocks[k + prefetch_distance]);
    Side<D> a(bodies, block.a), b(bodies, block.b);
    const Vec<D, Lanes> n = load_vector<D>(block.normal), p = load_vector<D>(block.impulse);
    const Vec<D, Lanes> u = formal_velocity<D>(block, a, b, n);
    const Lanes in = load(block.inverse_normal), it = load(block.inverse_tangent), mu = load(block.friction);
    const Vec<D, Lanes> solved = coulomb_round<D, Lanes>(n, u, p, in, it, mu, relaxation);
    if constexpr (measuring) sums.add<D>(block, n, p, solved);
    const Vec<D, Lanes> change = solved - p;
    const Spin<D, Lanes> turn = moment(n, change);
    a.push(change, turn);
    b.push(-change, turn);
    for (int d = 0; d < D; ++d) store(block.impulse[d], solved[d]);
    a.write(bodies, block.a, none);
    b.write(bodies, block.b, none);
  }
}

template <int D>
MOREAU_INLINE void look(const MovingBody<D>* bodies, const ContactBlock<D>* blocks, std::size_t begin, std::size_t end,
                        LaneSums& sums) {
  for (std::size_t k = begin; k < end; ++k) {
    const ContactBlock<D>& block = blocks[k];
    const Side<D> a(bodies, block.a), b(bodies, block.b);
    const Vec<D, Lanes> n = load_vector<D>(block.normal), p = load_vector<D>(block.impulse);
    const Vec<D, Lanes> u = formal_velocity<D>(block, a, b, n);
    const Lanes in = load(block.inverse_normal), it = load(block.inverse_tangent), mu = load(block.friction);
    sums.add<D>(block, n, p, coulomb_round<D, Lanes>(n, u, p, in, it, mu, 1.0));
  }
}

template <int D>
MOREAU_INLINE void apply(MovingBody<D>* bodies, const ContactBlock<D>* blocks, std::size_t begin, std::size_t end,
                         std::int32_t none) {
  for (std::size_t k = begin; k < end; ++k) {
    const ContactBlock<D>& block = blocks[k];
    Side<D> a(bodies, block.a), b(bodies, block.b);
    const Vec<D, Lanes> n = load_vector<D>(block.normal), p = load_vector<D>(block.impulse);
    const Spin<D, Lanes> turn = moment(n, p);
    a.push(p, turn);
    b.push(-p, turn);
    a.write(bodies, block.a, none);
    b.write(bodies, block.b, none);
  }
}

}  // namespace

// Unused lanes: normal, impulse and bias are zero, so they relax to zero; their 1/h is set to 1.
#define MOREAU_KERNELS(D)                                                                                                   \
  MOREAU_CLONES void sweep_blocks(MovingBody<D>* bodies, ContactBlock<D>* blocks, std::size_t begin, std::size_t end,       \
                                  std::int32_t none, double relaxation) {                                                   \
    LaneSums unused;                                                                                                        \
    relax<D, false>(bodies, blocks, begin, end, none, relaxation, unused);                                                  \
  }                                                                                                                         \
  MOREAU_CLONES void sweep_blocks(MovingBody<D>* bodies, ContactBlock<D>* blocks, std::size_t begin, std::size_t end,       \
                                  std::int32_t none, double relaxation, RoundProblem<D>::Measured& measured) {              \
    LaneSums sums;                                                                                                          \
    relax<D, true>(bodies, blocks, begin, end, none, relaxation, sums);                                                     \
    sums.put(measured);                                                                                                     \
  }                                                                                                                         \
  MOREAU_CLONES void measure_blocks(const MovingBody<D>* bodies, const ContactBlock<D>* blocks, std::size_t begin,          \
                                    std::size_t end, RoundProblem<D>::Measured& measured) {                                 \
    LaneSums sums;                                                                                                          \
    look<D>(bodies, blocks, begin, end, sums);                                                                              \
    sums.put(measured);                                                                                                     \
  }                                                                                                                         \
  MOREAU_CLONES void apply_blocks(MovingBody<D>* bodies, const ContactBlock<D>* blocks, std::size_t begin, std::size_t end, \
                                  std::int32_t none) {                                                                      \
    apply<D>(bodies, blocks, begin, end, none);                                                                             \
  }

MOREAU_KERNELS(2)
MOREAU_KERNELS(3)

}  // namespace moreau
