// Sweeps one after the other as one piece of work, for problems so small that a loop takes no longer than its start. A crew makes
// each loop together, and all of it before the next:
//   crew.each(count, loop)              loop(i) for every i below count
//   crew.sum(count, loop, total, then)  the sum of what loop(i, sum) adds, put where `total` points; then then(sum)
//   crew.wait()                         until what was written can be read between loops
#pragma once

#include "moreau/gpu/cell_loops.hpp"
#include "moreau/gpu/loops.hpp"
#include "moreau/gpu/norms.hpp"

namespace moreau::gpu {

// An iterate as all of its sweeps see it.
template <class Real, class... Kind>
struct SweptRows {
  Swept<Real> swept;
  KindRows<Real, Kind...> rows;
  std::size_t body_count, places;
  int colours;

  template <Way way, bool carrying, bool measuring, class Crew>
  MOREAU_INLINE void each_colour(Crew& crew) const {
    for (int c = 0; c < colours; ++c) {
      const std::size_t count = rows.in_colour(c);
      if (count > 0) crew.each(count, rows.template colour<way, carrying, measuring>(swept, c));
    }
  }
};

// The components of a cell's velocity gradient that answer to the contacts (cell_loops.hpp); none without one.
template <int D>
struct ChainCell {
  CellAxes<D> axes{};
  const Vec<D>* branch = nullptr;
  MotionRow* motion = nullptr;
  double unit_of_impulse = 1.0, unit_of_velocity = 1.0;
  CellGained<D>* gained = nullptr;

  template <class Crew, class Real, class... Kind>
  MOREAU_INLINE void feel(Crew& crew, const SweptRows<Real, Kind...>& rows) const {
    crew.each(rows.places, FeelCell<D, Real, KindRows<Real, Kind...>>{axes, branch, motion, rows.rows});
  }
  template <class Crew, class Real, class... Kind>
  MOREAU_INLINE void extrapolate(Crew& crew, const SweptRows<Real, Kind...>& rows) const {
    if (axes.motions == 0) return;
    crew.each(static_cast<std::size_t>(axes.motions), ExtrapolateSpeed{motion, rows.swept.pace, unit_of_velocity});
    feel(crew, rows);
  }
  template <class Crew, class Real, class... Kind>
  MOREAU_INLINE void renew(Crew& crew, const SweptRows<Real, Kind...>& rows) const {
    if (axes.motions == 0) return;
    crew.sum(rows.places, SumCellGained<D, Real, KindRows<Real, Kind...>>{axes, branch, rows.rows}, gained,
             RenewCell<D>{motion, axes.motions, unit_of_impulse, unit_of_velocity});
    feel(crew, rows);
  }
};

// What a measured sweep says besides its sums: the change since the snapshot, which is renewed, and the norms of the velocities.
template <int D, class Real>
struct NormsOf {
  using Change = std::conditional_t<std::is_same_v<Real, float>, KineticChange<D>, KineticTerm<D, double, Against::snapshot>>;
  using Changed = typename ChangeSum<Real>::Type;
  Change change;
  Changed* changed;
  MeasureNorms<D, Real> measure;
  Norms* norms;

  struct Both {
    Changed changed;
    Norms norms;
    MOREAU_INLINE Both& operator+=(const Both& o) { return changed += o.changed, norms += o.norms, *this; }
  };
  struct MeasureBoth {
    Change change;
    MeasureNorms<D, Real> measure;
    MOREAU_INLINE void operator()(std::size_t i, Both& sum) const { change(i, sum.changed), measure(i, sum.norms); }
  };
  struct PutBoth {
    Changed* changed;
    Norms* norms;
    MOREAU_INLINE void operator()(const Both& sum) const { *changed = sum.changed, *norms = sum.norms; }
  };
  Both* together;

  template <class Crew>
  MOREAU_INLINE void both(Crew& crew, std::size_t bodies) const {
    crew.sum(bodies, MeasureBoth{change, measure}, together, PutBoth{changed, norms});
  }
};

// Extrapolated sweeps, of which the last may be measured.
template <int D, class Real, class... Kind>
struct AcceleratedChain {
  SweptRows<Real, Kind...> rows;
  const std::uint64_t* used;
  Row<Real>* body_last;
  int sweeps;
  bool fully;
  double unit;  // of energy
  void* sums;
  NormsOf<D, Real> norms;
  ChainCell<D> cell;

  template <class Crew>
  MOREAU_INLINE void operator()(Crew& crew) const {
    for (int k = 0; k < sweeps; ++k) {
      crew.each(rows.body_count, Carry<D, Real>{rows.swept.bodies, used, body_last, rows.swept.pace});
      cell.extrapolate(crew, rows);
      const NextPace<Real> next{rows.swept.pace, unit};
      if (fully && k == sweeps - 1) {
        rows.template each_colour<Way::plain, true, true>(crew);
        cell.renew(crew, rows);
        crew.sum(rows.places, SumTerms<Real, true, true>{rows.swept.terms}, static_cast<MeasuredSums<Real>*>(sums), next);
        norms.both(crew, rows.body_count);
      } else {
        rows.template each_colour<Way::plain, true, false>(crew);
        cell.renew(crew, rows);
        crew.sum(rows.places, SumTerms<Real, true, false>{rows.swept.terms}, static_cast<EnergySum<Real>*>(sums), next);
      }
    }
  }
};

// In double precision: velocities from impulses anew; a plain sweep, which may be measured; the residuals where they are.
template <int D, class... Kind>
struct PlainChain {
  SweptRows<double, Kind...> rows;
  const double* free;
  bool refresh, sweep, measure_sweep, look;
  MeasuredSums<double>* sums;
  NormsOf<D, double> norms;
  ChainCell<D> cell;

  template <class Crew>
  MOREAU_INLINE void operator()(Crew& crew) const {
    if (refresh) {
      crew.each(rows.body_count, SetFree<D>{rows.swept.bodies, free});
      rows.template each_colour<Way::applying, false, false>(crew);
      cell.renew(crew, rows);
    }
    const SumTerms<double, false, true> add{rows.swept.terms};
    if (measure_sweep) {
      rows.template each_colour<Way::plain, false, true>(crew);
      cell.renew(crew, rows);
      crew.sum(rows.places, add, sums, Nothing{});
      norms.both(crew, rows.body_count);
    } else if (sweep) {
      rows.template each_colour<Way::plain, false, false>(crew);
      cell.renew(crew, rows);
    }
    if (look) {
      crew.each(rows.places, rows.rows.template all<Way::looking, false, true>(rows.swept));
      crew.sum(rows.places, add, sums, Nothing{});
      crew.sum(rows.body_count, norms.measure, norms.norms, Nothing{});
    }
  }
};

}  // namespace moreau::gpu
