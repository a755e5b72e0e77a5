#include "moreau/solver/contact_problem.hpp"

#include <algorithm>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/solver/mass_splitting.hpp"

namespace moreau::inline solver {

namespace {
constexpr std::size_t body_chunk = 512;
}  // namespace

template <int D>
void ContactProblem<D>::set_bodies(const Bodies<D>& bodies, std::span<const Pose<D>> poses,
                                   const std::vector<std::int32_t>& order, const Vec<D>& gained, double kept) {
  input_ = &bodies;
  order_ = &order;
  poses_ = poses;
  gained_ = kept * gained, kept_ = kept;
  slot_.resize(bodies.size());
  iterate_.bodies.resize(bodies.size() + 1);
  rows_.resize(bodies.size() + 2);  // rows may be read as eight numbers
  free_there_.clear();
  iterate_.bodies.back() = Body{};
  for_chunks(bodies.size(), body_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      slot_[i] = static_cast<std::uint32_t>(s);
      Body& body = iterate_.bodies[s];
      body = {};
      if (!bodies.is_free(i)) continue;
      const double length = length_scale(bodies, i);
      body.inverse_mass = kept * (1.0 / bodies.parameters.mass[i]);
      if (D == 2 || bodies.is_round(i)) body.inverse_rolling = kept * (length * length / bodies.parameters.inertia[i]);
      const Velocity v = velocity_without_contacts(i, {});
      copy_row<velocity_dimension<D>>(v.c, body.velocity);
    }
  });
}

// Bodies whose masses are split among ranks (partners.hpp): what is here is a part of them.
template <int D>
void ContactProblem<D>::take_parts() {
  for (std::size_t s = 0; s < (partners() ? body_count() : 0); ++s)
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
      const Mobility<D> m = with_inverse_mass_times(kept_, mobility_of<D>(*input_, i, poses_));
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
  if (!free_there_.empty()) return free_there_[slot];
  const std::size_t i = static_cast<std::size_t>((*order_)[slot]);
  return input_->is_free(i) ? velocity_without_contacts(i, gained_) : Velocity{};
}

// From kinds and colours to packs and lanes: within a colour contacts follow the order of the bodies in memory.
template <int D>
void ContactProblem<D>::lay_out(const std::vector<std::uint32_t>& row) {
  const bool paired = all_contacts_ >= SolverSize::fewest_for_single;           // single_form.hpp
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
      place_[i] =
          place_of(static_cast<ContactKind>(k),
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
std::int32_t ContactProblem<D>::name_of(std::int32_t slot) const {
  if (slot == iterate_.none()) return -1;
  const std::int32_t body = (*order_)[static_cast<std::size_t>(slot)];
  return partners() ? partners()->names()[static_cast<std::size_t>(body)] : body;
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
    row.contact = decltype(kind)::row(pack, lane), row.contact.shaped = !is_round(kind_at(place_[i]));
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
  constexpr std::size_t together = 32768;  // rows that are made on all threads before they are added
  std::vector<SystemRow<D>> rows(std::min(together, contacts_));
  for (std::size_t first = 0; first < contacts_; first += together) {
    const std::size_t count = std::min(together, contacts_ - first);
    for_chunks(count, 512, [&](std::size_t, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) rows[i] = system_row(first + i);
    });
    for (std::size_t i = 0; i < count; ++i) builder.add(rows[i]);
  }
  for (const Sharing<D>& s : sharings_in_frames())
    builder.add_sharing(s, motions_.changes_of_speed()[static_cast<std::size_t>(s.motion)]);
  return builder.finish(motions_.motions());
}

template <int D>
StepSystem<D> ContactProblem<D>::system(std::span<const std::uint32_t> contacts) const {
  const std::int32_t last = order_->empty() ? -1 : *std::max_element(order_->begin(), order_->end());
  SystemBuilder<D> builder(static_cast<std::size_t>(last + 1), contacts.size());
  for (const std::uint32_t i : contacts) builder.add(system_row(i));
  return builder.finish({});
}

template <int D>
std::vector<std::uint32_t> ContactProblem<D>::contacts_of_structures() const {
  std::vector<ContactLink> links(contacts_);
  for (std::size_t i = 0; i < contacts_; ++i)
    iterate_.packs.at(place_[i], [&](auto, const auto& pack, std::size_t lane) {
      const std::int32_t none = iterate_.none(), a = pack.a[lane], b = pack.b[lane];
      links[i] = {a == none ? -1 : a, b == none ? -1 : b, !is_round(kind_at(place_[i])), pack.friction[lane]};
    });
  std::vector<double> inverse_mass(body_count());
  for (std::size_t s = 0; s < inverse_mass.size(); ++s) inverse_mass[s] = iterate_.bodies[s].inverse_mass;
  return solver::contacts_of_structures(D, links, inverse_mass);
}

template <int D>
SystemPart<D> ContactProblem<D>::system_part() const {
  SystemPart<D> part{{}, sharings_in_frames(), motions_.motions(), motions_.changes_of_speed()};
  part.rows.reserve(contacts_);
  for (std::size_t i = 0; i < contacts_; ++i) part.rows.push_back(system_row(i));
  return part;
}

template <int D>
void ContactProblem<D>::take(std::span<const std::uint32_t> numbers, std::span<const StepContact<D>> contacts) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    iterate_.packs.at(place_[numbers[k]],
                      [&](auto kind, auto& pack, std::size_t lane) { decltype(kind)::set_impulse(pack, lane, contacts[k]); });
  for (const StepContact<D>& couple : contacts.subspan(numbers.size()))
    iterate_.packs.at(place_[numbers[static_cast<std::size_t>(couple.carrier)]], [&](auto kind, auto& pack, std::size_t lane) {
      if constexpr (decltype(kind)::rows > D) decltype(kind)::set_couple(pack, lane, couple);
    });
}

template <int D>
void ContactProblem<D>::take(std::span<const StepContact<D>> contacts) {
  for (std::size_t i = 0; i < contacts_; ++i)
    if (!contacts[i].left)
      iterate_.packs.at(place_[i],
                        [&](auto kind, auto& pack, std::size_t lane) { decltype(kind)::set_impulse(pack, lane, contacts[i]); });
  for (const StepContact<D>& couple : contacts.subspan(contacts_))
    if (!couple.left)
      iterate_.packs.at(place_[static_cast<std::size_t>(couple.carrier)], [&](auto kind, auto& pack, std::size_t lane) {
        if constexpr (decltype(kind)::rows > D) decltype(kind)::set_couple(pack, lane, couple);
      });
}

template <int D>
void ContactProblem<D>::take_over(ProblemThere<D>&& problem) {
  iterate_.bodies = std::move(problem.bodies), iterate_.turnings = std::move(problem.turnings);
  iterate_.colours = std::get<0>(problem.packs).colour_end.size();
  iterate_.packs.each([&](auto& packs) {
    using Pack = typename std::remove_cvref_t<decltype(packs)>::Pack;
    packs.list.clear(), packs.colour_end.assign(iterate_.colours, 0);
    std::apply(
        [&](auto&... there) {
          const auto take = [&](auto& of_kind) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(of_kind)>, PacksThere<Pack>>)
              packs.list = std::move(of_kind.list), packs.colour_end = std::move(of_kind.colour_end);
          };
          (take(there), ...);
        },
        problem.packs);
    packs.overflow_begin = packs.list.size();
  });
  place_ = std::move(problem.place);
  motions_.set(problem.motions, std::move(problem.sharings));
  motions_.assume(problem.change);
  free_there_ = std::move(problem.free);
  order_there_ = std::move(problem.order), order_ = &order_there_;
}

template class ContactProblem<2>;
template class ContactProblem<3>;

}  // namespace moreau::inline solver
