#include "moreau/solver/sweep_loops.hpp"

namespace moreau::inline solver {

namespace {

constexpr std::size_t rows = 16;  // of terms, added together

// Sixteen bodies at a time: the squares of the changes and, in place of those of the masses, which are zero, the masses.
template <int D>
MOREAU_INLINE void kinetic_change_of(const SolverBody<D, float>* bodies, const std::uint32_t* index, BodyRow<float>* last,
                                     std::size_t begin, std::size_t end, ExactSum<float>& sum) {
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
  SingleLanes terms[rows];
  std::size_t count = 0;
  for (; begin < end; begin += many) {
    LineOf<float> line;
    line.take([&](int l) {
      const std::size_t i = begin + static_cast<std::size_t>(l);
      return i < end ? squares(i) : Half{};
    });
    terms[count] = kinetic_term<D>(line.m);
    if (++count == rows) sum.add(terms, count), count = 0;
  }
  sum.add(terms, count);
}

template <class Real>
MOREAU_INLINE void extrapolate(BodyRow<Real>* bodies, const std::uint32_t* index, BodyRow<Real>* last, std::size_t begin,
                               std::size_t end, Real extrapolation) {
  typedef Real Eight __attribute__((vector_size(sizeof(BodyRow<Real>))));
  for (std::size_t i = begin; i < end; ++i) {
    Eight& then = *reinterpret_cast<Eight*>(last[i].c);
    Eight& here = *reinterpret_cast<Eight*>(bodies[index[i]].c);
    const Eight now = here;
    here = now + extrapolation * (now - then);
    then = now;
  }
}

// Eight bodies at a time; the rows have the masses put behind their squares.
template <int D>
MOREAU_INLINE void kinetic_square_of(const SolverBody<D>* bodies, const BodyRow<double>* velocities, std::size_t count,
                                     ExactSum<double>& sum) {
  constexpr int mass = velocity_dimension<D>, rolling = mass + 1;
  Lanes terms[rows];
  std::size_t gathered = 0;
  for (std::size_t k = 0; k < count; k += lanes) {
    Line line;
    for (std::size_t l = 0; l < lanes; ++l) {
      Lanes d{};
      if (k + l < count) {
        d = load(velocities[k + l].c);
        d *= d;
        d[mass] = bodies[k + l].inverse_mass, d[rolling] = bodies[k + l].inverse_rolling;
      }
      line.m[l] = d;
    }
    transpose(line.m);
    terms[gathered] = kinetic_term<D>(line.m);
    if (++gathered == rows) sum.add(terms, gathered), gathered = 0;
  }
  sum.add(terms, gathered);
}

}  // namespace

MOREAU_VERSIONS(void, extrapolate_bodies,
                (BodyRow<double> * bodies, const std::uint32_t* index, BodyRow<double>* last, std::size_t begin, std::size_t end,
                 double extrapolation),
                (bodies, index, last, begin, end, extrapolation)) {
  extrapolate(bodies, index, last, begin, end, extrapolation);
}
MOREAU_VERSIONS(void, extrapolate_bodies,
                (BodyRow<float> * bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin, std::size_t end,
                 double extrapolation),
                (bodies, index, last, begin, end, extrapolation)) {
  extrapolate(bodies, index, last, begin, end, static_cast<float>(extrapolation));
}

MOREAU_VERSIONS(void, kinetic_change,
                (const SolverBody<2, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                 std::size_t end, ExactSum<float>& sum),
                (bodies, index, last, begin, end, sum)) {
  kinetic_change_of<2>(bodies, index, last, begin, end, sum);
}
MOREAU_VERSIONS(void, kinetic_change,
                (const SolverBody<3, float>* bodies, const std::uint32_t* index, BodyRow<float>* last, std::size_t begin,
                 std::size_t end, ExactSum<float>& sum),
                (bodies, index, last, begin, end, sum)) {
  kinetic_change_of<3>(bodies, index, last, begin, end, sum);
}

MOREAU_VERSIONS(void, kinetic_square,
                (const SolverBody<2>* bodies, const BodyRow<double>* velocities, std::size_t count, ExactSum<double>& sum),
                (bodies, velocities, count, sum)) {
  kinetic_square_of<2>(bodies, velocities, count, sum);
}
MOREAU_VERSIONS(void, kinetic_square,
                (const SolverBody<3>* bodies, const BodyRow<double>* velocities, std::size_t count, ExactSum<double>& sum),
                (bodies, velocities, count, sum)) {
  kinetic_square_of<3>(bodies, velocities, count, sum);
}

MOREAU_KERNELS(Round<2>)
MOREAU_KERNELS(Round<3>)

}  // namespace moreau::inline solver
