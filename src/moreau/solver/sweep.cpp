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
    sum += kinetic_term<D>(line.m);
  }
  double total = 0.0;
  for (int l = 0; l < many; ++l) total += static_cast<double>(sum[l]);
  for (; begin < end; ++begin) {
    const Half d = squares(begin);
    const float row[8] = {d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
    total += static_cast<double>(kinetic_term<D>(row));
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
  Lanes sum{};
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
    sum += kinetic_term<D>(line.m);
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
