#include "moreau/solver/contact_problem.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/solver/mass_splitting.hpp"
#include "moreau/solver/single_form.hpp"

namespace moreau::inline solver {

namespace {
constexpr std::size_t body_chunk = 512;

// Rows of a length known here: copied in registers, not by a call.
template <std::size_t n>
void copy_row(const double* from, double* to) {
  std::memcpy(to, from, n * sizeof(double));
}
}  // namespace

template <int D>
void ContactProblem<D>::set_bodies(const Bodies<D>& bodies, std::span<const Pose<D>> poses,
                                   const std::vector<std::int32_t>& order, const Vec<D>& gained) {
  input_ = &bodies;
  order_ = &order;
  poses_ = poses;
  gained_ = gained;
  slot_.resize(bodies.size());
  iterate_.bodies.resize(bodies.size() + 1);
  snapshot_.resize(bodies.size() + 2);  // rows may be read as eight numbers
  iterate_.bodies.back() = Body{};
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      slot_[i] = static_cast<std::uint32_t>(s);
      Body& body = iterate_.bodies[s];
      body = {};
      if (!bodies.is_free(i)) continue;
      const double length = length_scale(bodies, i);
      body.inverse_mass = 1.0 / bodies.parameters.mass[i];
      if (D == 2 || bodies.is_round(i)) body.inverse_rolling = length * length / bodies.parameters.inertia[i];
      const Velocity v = velocity_without_contacts(i, {});
      copy_row<velocity_dimension<D>>(v.c, body.velocity);
    }
  });
}

// Bodies whose masses are split among ranks (partners.hpp): what is here is a part of them.
template <int D>
void ContactProblem<D>::take_parts() {
  for (std::size_t s = 0; s < (partners_ ? body_count() : 0); ++s)
    iterate_.bodies[s].inverse_mass *= parts(s), iterate_.bodies[s].inverse_rolling *= parts(s);
}

// Inverse inertia of bodies in space, where contacts of some kind ask for it.
template <int D>
void ContactProblem<D>::set_turnings() {
  bool wanted = false;
  iterate_.packs.each(
      [&](const auto& packs) { wanted |= std::remove_cvref_t<decltype(packs)>::Kind::any_shape && !packs.list.empty(); });
  wanted = D == 3 && over_ranks(Largest<bool>{wanted}).value;
  iterate_.turnings.resize(wanted ? iterate_.bodies.size() : 0);
  for_chunks(iterate_.turnings.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      Turning<double>& turning = iterate_.turnings[s];
      turning = {};
      for (int d = 0; d < 3; ++d) turning.c[d] = iterate_.bodies[s].inverse_rolling;
      if (s + 1 == iterate_.bodies.size()) continue;
      const std::size_t i = static_cast<std::size_t>((*order_)[s]);
      if (!input_->is_free(i) || input_->is_round(i)) continue;
      const Mobility<D> m = mobility_of<D>(*input_, i, poses_);
      const double length = length_scale(*input_, i);
      for (int k = 0; k < Mobility<D>::moments; ++k) turning.c[k] = parts(s) * (length * length) * m.inverse_inertia[k];
    }
  });
}

template <int D>
Mobility<D> ContactProblem<D>::mobility(std::int32_t slot) const {
  const Body& body = iterate_.bodies[static_cast<std::size_t>(slot)];
  Mobility<D> m;
  m.inverse_mass = body.inverse_mass;
  if (iterate_.turnings.empty())
    for (int d = 0; d < spin_dimension<D>; ++d) m.inverse_inertia[d] = body.inverse_rolling;
  else
    copy_row<Mobility<D>::moments>(iterate_.turnings[static_cast<std::size_t>(slot)].c, m.inverse_inertia);
  return m;
}

template <int D>
auto ContactProblem<D>::velocity_without_contacts(std::size_t body, const Vec<D>& gained) const -> Velocity {
  Velocity v;
  const double length = length_scale(*input_, body);
  for (int d = 0; d < D; ++d) v.c[d] = input_->state.velocity[body][d] + gained[d];
  for (int d = 0; d < spin_dimension<D>; ++d) v.c[D + d] = length * input_->state.spin[body][d];
  return v;
}

template <int D>
auto ContactProblem<D>::free_velocity(std::size_t slot) const -> Velocity {
  if (there_) return free_there_[slot];
  const std::size_t i = static_cast<std::size_t>((*order_)[slot]);
  return input_->is_free(i) ? velocity_without_contacts(i, gained_) : Velocity{};
}

// From kinds and colours to packs and lanes: within a colour contacts follow the order of the bodies in memory.
template <int D>
void ContactProblem<D>::lay_out(const std::vector<std::uint32_t>& row) {
  const bool paired = all_contacts_ >= fewest_for_single;                       // single_form.hpp
  const auto contacts_of = [&](std::size_t begin, std::size_t end, auto&& f) {  // of the bodies in slots begin ... end - 1
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t body = static_cast<std::size_t>((*order_)[s]);
      for (std::size_t i = row[body]; i < row[body + 1]; ++i) f(i);
    }
  };
  // How many each chunk of bodies has, and from that where its contacts begin.
  std::vector<ColourSizes> begins(chunk_count(order_->size(), layout_chunk));
  for_chunks(order_->size(), layout_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    contacts_of(begin, end, [&](std::size_t i) { ++begins[chunk].of[place_[i] >> kind_shift][colouring_.colour[i]]; });
  });
  ColourSizes sizes;
  for (ColourSizes& part : begins)
    for (int k = 0; k < contact_kinds; ++k)
      for (std::uint32_t c = 0; c <= max_colours; ++c) {
        const std::uint32_t here = part.of[k][c];
        part.of[k][c] = sizes.of[k][c];
        sizes.of[k][c] += here;
      }
  iterate_.colours = 0;
  for (const auto& of_kind : sizes.of)
    for (std::uint32_t c = 0; c < max_colours; ++c)
      if (of_kind[c] > 0) iterate_.colours = std::max<std::size_t>(iterate_.colours, c + 1);
  std::uint32_t next[contact_kinds][max_colours + 1] = {}, overflow_begin[contact_kinds], overflow_packs[contact_kinds];
  iterate_.packs.each([&](auto& packs) {
    constexpr int kind = static_cast<int>(std::remove_cvref_t<decltype(packs)>::Kind::kind);
    std::uint32_t pack = 0;
    packs.colour_end.clear();
    for (std::uint32_t c = 0; c < iterate_.colours; ++c) {
      const std::size_t size = sizes.of[kind][c];
      next[kind][c] = pack * lanes;
      pack += static_cast<std::uint32_t>(paired ? 2 * chunk_count(size, 2 * lanes) : chunk_count(size, lanes));
      packs.colour_end.push_back(pack);
    }
    overflow_begin[kind] = pack;
    overflow_packs[kind] = static_cast<std::uint32_t>(chunk_count(sizes.of[kind][max_colours], lanes));
    packs.overflow_begin = pack;
    resize_tightly(packs.list, pack + overflow_packs[kind]);
  });
  for_chunks(order_->size(), layout_chunk, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
    contacts_of(begin, end, [&](std::size_t i) {
      const std::uint32_t colour = colouring_.colour[i], k = place_[i] >> kind_shift;
      const std::uint32_t at = next[k][colour] + begins[chunk].of[k][colour]++;
      // Contacts that follow one another here, neighbours in space, go to different packs of the overflow.
      place_[i] = moreau::place_of(
          static_cast<ContactKind>(k),
          colour < max_colours ? at : (overflow_begin[k] + at % overflow_packs[k]) * lanes + at / overflow_packs[k]);
    });
  });

  // Neutral content for the lanes that no contact fills: the last pack of each colour and the overflow.
  iterate_.packs.each([&](auto& packs) {
    using Kind = typename std::remove_cvref_t<decltype(packs)>::Kind;
    const auto make_neutral = [&](auto& pack) {
      Kind::each_row([](RowUnit, int neutral, double(&out)[lanes]) { std::fill(out, out + lanes, neutral); }, pack);
      for (int l = 0; l < lanes; ++l) pack.a[l] = pack.b[l] = iterate_.none();
    };
    for (std::size_t c = 0; c < iterate_.colours; ++c) {
      const std::size_t end = packs.colour_end[c], last = paired ? 2 : 1;
      if (end > packs.first_of(c))
        for (std::size_t k = end - last; k < end; ++k) make_neutral(packs.list[k]);
    }
    for (std::size_t k = packs.overflow_begin; k < packs.list.size(); ++k) make_neutral(packs.list[k]);
  });
}

template <int D>
void ContactProblem<D>::pack(std::size_t i, std::int32_t a, std::int32_t b, GeneralContact<D> contact) {
  const std::int32_t slot_a = slot(a), slot_b = slot(b);
  const double length_a = length_scale(*input_, static_cast<std::size_t>(a));
  const double length_b = b < 0 ? 1.0 : length_scale(*input_, static_cast<std::size_t>(b));
  contact.arm_a = (1.0 / length_a) * contact.arm_a, contact.arm_b = (1.0 / length_b) * contact.arm_b;
  const double radius = contact.radius > 0.0 ? contact.radius : 1.0;
  contact.turn_a = radius / length_a, contact.turn_b = b < 0 ? 0.0 : radius / length_b;
  iterate_.packs.at(place_[i], [&](auto kind, auto& pack, std::size_t l) {
    decltype(kind)::pack(pack, static_cast<int>(l), mobility(slot_a), mobility(slot_b), contact);
    pack.a[l] = slot_a;
    pack.b[l] = slot_b;
  });
}

template <int D>
void ContactProblem<D>::split_masses() {
  iterate_.packs.each([&](auto& packs) {
    using Kind = typename std::remove_cvref_t<decltype(packs)>::Kind;
    const std::size_t first = packs.overflow_begin;
    packs.overflow_inverse_normal.resize(packs.overflow());
    for (std::size_t k = first; k < packs.list.size(); ++k) {
      auto& pack = packs.list[k];
      copy_row<lanes>(pack.inverse_normal, packs.overflow_inverse_normal[k - first].c);
      for (int l = 0; l < lanes; ++l) {
        const Occurrences times = occurrences(pack, l, iterate_.none());
        if (times.a > 1 || times.b > 1) Kind::split(pack, l, mobility(pack.a[l]), mobility(pack.b[l]), times);
      }
    }
  });
}

template <int D>
void ContactProblem<D>::set_shared_motions(std::span<const SharedMotion> motions, std::span<const Sharing<D>> sharings) {
  std::vector<Sharing<D>> placed(sharings.begin(), sharings.end());
  for (Sharing<D>& s : placed) {
    s.contact = place_[s.contact];
    iterate_.packs.at(s.contact, [&](auto kind, const auto& pack, std::size_t lane) {
      s.direction = decltype(kind)::in_frame(pack, lane, s.direction);
    });
  }
  motions_.set(motions, std::move(placed));
}

template <int D>
template <class F>
decltype(auto) ContactProblem<D>::with_iterate(F&& f) {
  return in_single_ ? f(single_) : f(iterate_);
}

template <int D>
bool ContactProblem<D>::has_single_form() const {
  return all_contacts_ >= fewest_for_single &&
         (there_ || motions_.empty() || !over_ranks(Largest<bool>{iterate_.packs.any_overflow()}).value);
}

template <int D>
void ContactProblem<D>::go_to_single(const Units& units) {
  if (away_) {
    accelerator_->go_to_single(units), in_single_ = true;
    return;
  }
  find_touched();
  to_single(iterate_, units, single_);
  single_.start_changes(touched_);
  motions_.leave();
  in_single_ = true;
}

template <int D>
void ContactProblem<D>::return_from_single() {
  if (away_) {
    accelerator_->return_from_single(), in_single_ = false;
    return;
  }
  impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
  refresh();
}

template <int D>
auto ContactProblem<D>::velocity(std::size_t slot) const -> Velocity {
  Velocity v;
  if (in_single_) {
    for (int d = 0; d < velocity_dimension<D>; ++d)
      v.c[d] = single_.units.velocity * static_cast<double>(single_.bodies[slot].velocity[d]);
    return v;
  }
  copy_row<velocity_dimension<D>>(iterate_.bodies[slot].velocity, v.c);
  return v;
}

template <int D>
void ContactProblem<D>::take_snapshot() {
  if (away_) return accelerator_->take_snapshot();
  motions_.take_snapshot();
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = velocity(i);
  });
}

template <int D>
void ContactProblem<D>::find_touched() {
  if (!touched_.empty()) return;
  iterate_.packs.each([&](const auto& packs) {
    for (std::size_t k = packs.overflow_begin; k < packs.list.size(); ++k)  // their contacts have no colour
      for (int l = 0; l < lanes; ++l)
        for (const std::int32_t body : {packs.list[k].a[l], packs.list[k].b[l]})
          colouring_.used()[static_cast<std::size_t>(body)] |= 1;
  });
  for (std::size_t s = 0; s < body_count(); ++s)
    if (colouring_.used()[s] != 0 && counts(s)) touched_.push_back(static_cast<std::uint32_t>(s));
}

template <int D>
void ContactProblem<D>::start_extrapolation() {
  if (away_) return accelerator_->start_extrapolation();
  find_touched();
  with_iterate([&](auto& iterate) { iterate.start_extrapolation(touched_); });
  motions_.start_extrapolation();
}

template <int D>
Measured ContactProblem<D>::accelerated_sweep(double relaxation, double extrapolation, bool fully) {
  if (away_) return accelerator_->accelerated_sweep(relaxation, extrapolation == 0.0, fully);
  return with_iterate([&](auto& iterate) {
    iterate.extrapolate(touched_, extrapolation);
    motions_.extrapolate(iterate, extrapolation);
    const Measured measured = iterate.accelerated_sweep(relaxation, extrapolation, fully);
    motions_.renew(iterate);
    return measured;
  });
}

template <int D>
void ContactProblem<D>::refresh() {
  if (away_) return accelerator_->refresh();
  if (in_single_) {
    impulses_from_single(single_, iterate_), motions_.come_back(), in_single_ = false;
    refresh();
    to_single(iterate_, single_.units, single_), motions_.leave(), in_single_ = true;
    return;
  }
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Velocity v = free_velocity(i);
      copy_row<velocity_dimension<D>>(v.c, iterate_.bodies[i].velocity);
    }
  });
  iterate_.apply();
  motions_.renew(iterate_);
}

template <int D>
void ContactProblem<D>::sweep(double relaxation) {
  if (away_) return accelerator_->sweep(relaxation);
  iterate_.sweep(relaxation);
  motions_.renew(iterate_);
}

template <int D>
Measured ContactProblem<D>::measure() const {
  return away_ ? accelerator_->measure() : iterate_.measure();
}

template <int D>
Measured ContactProblem<D>::measuring_sweep(double relaxation) {
  if (away_) return accelerator_->measuring_sweep(relaxation);
  const Measured measured = iterate_.measuring_sweep(relaxation);
  motions_.renew(iterate_);
  return measured;
}

// Kinetic norm of u minus another velocity field: sqrt(sum m |dv|^2 + I |dspin|^2).
template <int D>
template <class Other>
double ContactProblem<D>::kinetic_distance(Other&& other) const {
  constexpr std::size_t few = 32;  // rows at a time
  auto square = sum_chunks<ExactSum<double>>(body_count(), body_chunk, [&](std::size_t begin, std::size_t end, auto& sum) {
    BodyRow<double> difference[few] = {};
    for (std::size_t first = begin; first < end; first += few) {
      const std::size_t count = std::min(few, end - first);
      for (std::size_t k = 0; k < count; ++k) {
        if (!counts(first + k)) {
          difference[k] = {};
          continue;
        }
        const Velocity now = velocity(first + k), then = other(first + k);
        for (int d = 0; d < velocity_dimension<D>; ++d) difference[k].c[d] = now.c[d] - then.c[d];
      }
      kinetic_square(iterate_.bodies.data() + first, difference, count, sum);
      if (D == 2 || iterate_.turnings.empty()) continue;
      for (std::size_t k = 0; k < count; ++k) {  // what the bodies turn that are not round
        const Body& body = iterate_.bodies[first + k];
        if (body.inverse_rolling > 0.0 || body.inverse_mass == 0.0 || !counts(first + k)) continue;
        const double* c = difference[k].c;
        sum.add(turning_square(iterate_.turnings[first + k], {c[3], c[4], c[5]}));
      }
    }
  });
  square = over_ranks(square);
  return std::sqrt(square.value());
}

template <int D>
double ContactProblem<D>::change_since_snapshot() {
  if (away_) {  // rounded as below
    const double square = accelerator_->change_since_snapshot(), root = std::sqrt(square);
    return in_single_ ? root : std::sqrt(root * root);
  }
  double square = motions_.kinetic_square_since_snapshot();
  if (in_single_) {
    motions_.take_snapshot();
    return std::sqrt(square + single_.change(touched_));
  }
  motions_.take_snapshot();
  const double bodies = kinetic_distance([&](std::size_t i) { return std::exchange(snapshot_[i], velocity(i)); });
  return std::sqrt(bodies * bodies + square);
}

template <int D>
double ContactProblem<D>::contact_momentum() const {
  if (away_) return std::sqrt(accelerator_->contact_momentum());
  return kinetic_distance([&](std::size_t i) { return free_velocity(i); });
}

template <int D>
double ContactProblem<D>::mean_speed() const {
  if (away_) return std::sqrt(accelerator_->momentum()) / std::sqrt(total_mass_);
  return kinetic_distance([](std::size_t) { return Velocity{}; }) / std::sqrt(total_mass_);
}

template <int D>
Vec<D> ContactProblem<D>::normal(std::size_t contact) const {
  Vec<D> n{};
  iterate_.packs.at(place_[contact],
                    [&](auto kind, const auto& pack, std::size_t lane) { n = decltype(kind)::normal(pack, lane); });
  return n;
}

template <int D>
Vec<D> ContactProblem<D>::impulse(std::size_t contact) const {
  Vec<D> p{};
  iterate_.packs.at(place_[contact],
                    [&](auto kind, const auto& pack, std::size_t lane) { p = decltype(kind)::impulse(pack, lane); });
  return p;
}

template <int D>
void ContactProblem<D>::begin_from(std::size_t contact, const Vec<D>& impulse) {
  iterate_.packs.at(place_[contact], [&](auto kind, auto& pack, std::size_t lane) {
    using Kind = decltype(kind);
    if constexpr (!requires { pack.tension; }) {
      const ContactRow<D> row = Kind::row(pack, lane);
      StepContact<D> begun;
      for (int k = 0; k < D; ++k) begun.frame[k] = row.frame[k], begun.impulse[k] = dot(row.frame[k], impulse);
      Kind::set_impulse(pack, lane, begun);
    }
  });
}

template <int D>
Spin<D> ContactProblem<D>::couple(std::size_t contact) const {
  Spin<D> m{};
  iterate_.packs.at(place_[contact],
                    [&](auto kind, const auto& pack, std::size_t lane) { m = decltype(kind)::couple(pack, lane); });
  return m;
}

template <int D>
bool ContactProblem<D>::fits_accelerator() const {
  bool fits = contacts_ >= accelerator_->fewest_contacts() && motions_.empty() && !iterate_.packs.any_overflow();
  iterate_.packs.each([&](const auto& packs) {
    fits &= std::remove_cvref_t<decltype(packs)>::Kind::kind == ContactKind::round || packs.list.empty();
  });
  return fits;
}

template <int D>
void ContactProblem<D>::hand_over() {
  for_chunks(body_count(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) snapshot_[i] = free_velocity(i);
  });
  const auto& packs = iterate_.packs.template get<Round<D>>();
  accelerator_->put({iterate_.bodies, {snapshot_.data(), body_count()}, packs.list, packs.colour_end, colouring_.used()});
}

template <int D>
Certificate ContactProblem<D>::solve(const SolverSettings& settings, const SolverTask& task) {
  away_ = accelerator_ != nullptr && !partners_ && fits_accelerator();
  if (!away_) {
    const Certificate certificate = solve_here(settings, task);
    if (partners_) iterate_.publish();
    return certificate;
  }
  hand_over();
  const Certificate certificate = solve_here(settings, task);
  accelerator_->fetch(iterate_.bodies, iterate_.packs.template get<Round<D>>().list);
  away_ = false;
  return certificate;
}

template <int D>
Certificate ContactProblem<D>::solve_there(Accelerator<D>& accelerator, const SolverSize& size, BringProblem bring,
                                           const SolverSettings& settings, const SolverTask& task) {
  Accelerator<D>* const usual = std::exchange(accelerator_, &accelerator);
  there_ = size, bring_ = std::move(bring), away_ = true, contacts_ = all_contacts_ = size.contacts;
  motions_.clear();
  const Certificate certificate = solve_here(settings, task);
  there_.reset(), bring_ = nullptr, away_ = false, contacts_ = all_contacts_ = 0;
  accelerator_ = usual;
  return certificate;
}

template <int D>
void ContactProblem<D>::bring_problem() {
  ProblemThere<D> problem;
  bring_(problem);
  iterate_.bodies = std::move(problem.bodies), iterate_.turnings.clear();
  iterate_.packs.each(
      [&](auto& packs) { packs.list.clear(), packs.colour_end.assign(problem.colour_end.size(), 0), packs.overflow_begin = 0; });
  auto& round = iterate_.packs.template get<Round<D>>();
  round.list = std::move(problem.packs), round.overflow_begin = round.list.size();
  iterate_.colours = problem.colour_end.size();
  round.colour_end = std::move(problem.colour_end);
  place_.resize(problem.place.size());
  for (std::size_t i = 0; i < place_.size(); ++i) place_[i] = moreau::place_of(ContactKind::round, problem.place[i]);
  free_there_ = std::move(problem.free);
  order_there_ = std::move(problem.order), order_ = &order_there_;
}

template <int D>
std::int32_t ContactProblem<D>::name_of(std::int32_t slot) const {
  if (slot == iterate_.none()) return -1;
  const std::int32_t body = (*order_)[static_cast<std::size_t>(slot)];
  return partners_ ? partners_->names()[static_cast<std::size_t>(body)] : body;
}

template <int D>
SystemRow<D> ContactProblem<D>::system_row(std::size_t i) const {
  const auto body_at = [&](std::int32_t slot) {
    StepBody<D> body;
    if (slot == iterate_.none()) return body;
    const Mobility<D> m = with_inverse_mass_times(1.0 / parts(static_cast<std::size_t>(slot)), mobility(slot));
    body.inverse_mass = m.inverse_mass;
    const double* inverse = m.inverse_inertia;
    if constexpr (D == 2) {
      body.inverse_inertia[0][0] = inverse[0];
    } else {
      const double full[3][3] = {
          {inverse[0], inverse[3], inverse[4]}, {inverse[3], inverse[1], inverse[5]}, {inverse[4], inverse[5], inverse[2]}};
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) body.inverse_inertia[p][q] = full[p][q];
    }
    const Velocity free = free_velocity(static_cast<std::size_t>(slot));
    copy_row<velocity_dimension<D>>(free.c, body.free_velocity);
    return body;
  };
  SystemRow<D> row;
  iterate_.packs.at(place_[i], [&](auto kind, const auto& pack, std::size_t lane) {
    row.a = name_of(pack.a[lane]), row.b = name_of(pack.b[lane]);
    row.body_a = body_at(pack.a[lane]), row.body_b = body_at(pack.b[lane]);
    row.contact = decltype(kind)::row(pack, lane);
    if constexpr (decltype(kind)::rows > D)
      if ((row.turns = pack.rolling[lane] > 0.0 || pack.pivoting[lane] > 0.0))
        row.couple = decltype(kind)::couple_row(pack, lane);
  });
  return row;
}

template <int D>
std::vector<Sharing<D>> ContactProblem<D>::sharings_in_frames() const {
  std::vector<Sharing<D>> sharings(motions_.sharings().begin(), motions_.sharings().end());
  std::unordered_map<std::uint32_t, std::uint32_t> contact;
  for (std::size_t i = 0; i < (sharings.empty() ? 0 : contacts_); ++i) contact[place_[i]] = static_cast<std::uint32_t>(i);
  for (Sharing<D>& s : sharings) {
    if (is_round(kind_at(s.contact)))  // directions are in the frame in which the pack keeps its impulse: here the laboratory's
      iterate_.packs.at(s.contact, [&](auto kind, const auto& pack, std::size_t lane) {
        const ContactRow<D> row = decltype(kind)::row(pack, lane);
        const Vec<D> direction = s.direction;
        for (int k = 0; k < D; ++k) s.direction[k] = dot(row.frame[k], direction);
      });
    s.contact = contact[s.contact];
  }
  return sharings;
}

template <int D>
StepSystem<D> ContactProblem<D>::system() const {
  const std::int32_t last = order_->empty() ? -1 : *std::max_element(order_->begin(), order_->end());
  SystemBuilder<D> builder(static_cast<std::size_t>(last + 1), contacts_);
  for (std::size_t i = 0; i < contacts_; ++i) builder.add(system_row(i));
  for (const Sharing<D>& s : sharings_in_frames())
    builder.share(s, motions_.changes_of_speed()[static_cast<std::size_t>(s.motion)]);
  return builder.finish(motions_.motions());
}

template <int D>
SystemPart<D> ContactProblem<D>::system_part() const {
  SystemPart<D> part{{}, sharings_in_frames(), motions_.motions(), motions_.changes_of_speed()};
  part.rows.reserve(contacts_);
  for (std::size_t i = 0; i < contacts_; ++i) part.rows.push_back(system_row(i));
  return part;
}

template <int D>
void ContactProblem<D>::take(std::span<const StepContact<D>> contacts) {
  for (std::size_t i = 0; i < contacts_; ++i)
    iterate_.packs.at(place_[i],
                      [&](auto kind, auto& pack, std::size_t lane) { decltype(kind)::set_impulse(pack, lane, contacts[i]); });
  for (const StepContact<D>& couple : contacts.subspan(contacts_))
    iterate_.packs.at(place_[static_cast<std::size_t>(couple.carrier)], [&](auto kind, auto& pack, std::size_t lane) {
      if constexpr (decltype(kind)::rows > D) decltype(kind)::set_couple(pack, lane, couple);
    });
  if (away_) accelerator_->put_impulses(iterate_.packs.template get<Round<D>>().list);
  refresh();
}

template class ContactProblem<2>;
template class ContactProblem<3>;

}  // namespace moreau::inline solver
