#include "moreau/solver/sweep_loops.hpp"

namespace moreau {

namespace {

// Sixteen bodies at a time: the squares of the changes and, in place of those of the masses, which are zero, the masses.
template <int D>
MOREAU_INLINE double kinetic_change_of(const SolverBody<D, float>* bodies, const std::uint32_t* index, BodyRow<float>* last,
                                       std::size_t begin, std::size_t end) {
  using Half = LineOf<float>::Half;
  constexpr int mass = velocity_dimension<D>, rolling = mass + 1, many = lanes_of<float>;
  const auto squares = [&](std::size_t i) {
    const Half now = *reinterpret_cast<const Half*>(bodies + index[i]);
    Half& then = *reinterpret_cast<Half*>(last[i].c);
    Half d = now - then;
    then = now;
    d *= d;
    d[mass] = now[mass], d[rolling] = now[rolling];
    return d;
  };
  SingleLanes sum{};
  for (; begin + many <= end; begin += many) {
    LineOf<float> line;
    line.take([&](int l) { return squares(begin + static_cast<std::size_t>(l)); });
    const SingleLanes(&m)[8] = line.m;
    SingleLanes moved{}, turned{};
    for (int d = 0; d < D; ++d) moved += m[d];
    for (int d = D; d < mass; ++d) turned += m[d];
    sum += moved / m[mass] + (m[rolling] > 0 ? turned / m[rolling] : SingleLanes{});
  }
  double total = 0.0;
  for (int l = 0; l < many; ++l) total += static_cast<double>(sum[l]);
  for (; begin < end; ++begin) {
    const Half d = squares(begin);
    float moved = 0.0f, turned = 0.0f;
    for (int k = 0; k < D; ++k) moved += d[k];
    for (int k = D; k < mass; ++k) turned += d[k];
    total += static_cast<double>(moved / d[mass] + (d[rolling] > 0 ? turned / d[rolling] : 0.0f));
  }
  return total;
}

template <class Real>
MOREAU_INLINE void carry(BodyRow<Real>* bodies, const std::uint32_t* index, BodyRow<Real>* last, std::size_t begin,
                         std::size_t end, Real momentum) {
  typedef Real Eight __attribute__((vector_size(sizeof(BodyRow<Real>))));
  for (std::size_t i = begin; i < end; ++i) {
    Eight& then = *reinterpret_cast<Eight*>(last[i].c);
    Eight& here = *reinterpret_cast<Eight*>(bodies[index[i]].c);
    const Eight now = here;
    here = now + momentum * (now - then);
    then = now;
  }
}

// Eight bodies at a time; the rows have the masses put behind their squares.
template <int D>
MOREAU_INLINE double kinetic_square_of(const SolverBody<D>* bodies, const BodyRow<double>* rows, std::size_t count) {
  constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
  const Lanes one = Lanes{} + 1.0, zero = Lanes{};
  Lanes sum = zero;
  for (std::size_t k = 0; k < count; k += lanes) {
    Line line;
    for (std::size_t l = 0; l < lanes; ++l) {
      Lanes d{};
      if (k + l < count) {
        d = load(rows[k + l].c);
        d *= d;
        d[mass] = bodies[k + l].inverse_mass, d[rolling] = bodies[k + l].inverse_rolling;
      }
      line.m[l] = d;
    }
    transpose(line.m);
    Lanes moved = zero, turned = zero;
    for (int d = 0; d < D; ++d) moved += line.m[d];
    for (int d = D; d < mass; ++d) turned += line.m[d];
    const auto free = line.m[mass] > 0.0, turns = line.m[rolling] > 0.0;
    sum += (free ? moved : zero) / (free ? line.m[mass] : one) + (turns ? turned : zero) / (turns ? line.m[rolling] : one);
  }
  double total = 0.0;
  for (int l = 0; l < lanes; ++l) total += sum[l];
  return total;
}

}  // namespace

MOREAU_VERSIONS(void, carry_bodies,
                (BodyRow<double> * bodies, const std::uint32_t* index, BodyRow<double>* last, std::size_t begin, std::size_t end,
                 double momentum),
                (bodies, index, last, begin, end, momentum)) {
  carry(bodies, index, last, begin, end, momentum);
}
MOREAU_VERSIONS(void, carry_bodies,
                (BodyRow<float> * bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin, std::size_t end,
                 double momentum),
                (bodies, index, last, begin, end, momentum)) {
  carry(bodies, index, last, begin, end, static_cast<float>(momentum));
}

MOREAU_VERSIONS(double, kinetic_change,
                (const SolverBody<2, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                 std::size_t end),
                (bodies, index, last, begin, end)) {
  return kinetic_change_of<2>(bodies, index, last, begin, end);
}
MOREAU_VERSIONS(double, kinetic_change,
                (const SolverBody<3, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                 std::size_t end),
                (bodies, index, last, begin, end)) {
  return kinetic_change_of<3>(bodies, index, last, begin, end);
}

MOREAU_VERSIONS(double, kinetic_square, (const SolverBody<2>* bodies, const BodyRow<double>* rows, std::size_t count),
                (bodies, rows, count)) {
  return kinetic_square_of<2>(bodies, rows, count);
}
MOREAU_VERSIONS(double, kinetic_square, (const SolverBody<3>* bodies, const BodyRow<double>* rows, std::size_t count),
                (bodies, rows, count)) {
  return kinetic_square_of<3>(bodies, rows, count);
}

MOREAU_KERNELS(Round<2>)
MOREAU_KERNELS(Round<3>)

}  // namespace moreau
