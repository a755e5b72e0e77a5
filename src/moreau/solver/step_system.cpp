#include "moreau/solver/step_system.hpp"

#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/geometry/tangent.hpp"
#include "moreau/solver/connected_parts.hpp"

namespace moreau::inline solver {

namespace {

constexpr std::size_t chunk = 512;

template <int D>
void row_of(const Vec<D>& direction, const Vec<D>& arm, double sign, double (&row)[velocity_dimension<D>]) {
  const Spin<D> turn = moment(arm, direction);
  for (int d = 0; d < D; ++d) row[d] = sign * direction[d];
  for (int d = 0; d < spin_dimension<D>; ++d) row[D + d] = sign * turn[d];
}

template <int D>
void apply_inverse(const StepBody<D>& body, const double* momentum, double* velocity) {
  for (int d = 0; d < D; ++d) velocity[d] = body.inverse_mass * momentum[d];
  for (int i = 0; i < spin_dimension<D>; ++i) {
    velocity[D + i] = 0.0;
    for (int j = 0; j < spin_dimension<D>; ++j) velocity[D + i] += body.inverse_inertia[i][j] * momentum[D + j];
  }
}

template <std::size_t n>
double product(const double (&row)[n], const double* v) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += row[i] * v[i];
  return sum;
}

}  // namespace

template <int D>
void StepSystem<D>::add_contact(std::int32_t a, std::int32_t b, const ContactRow<D>& row) {
  StepContact<D>& c = contacts.emplace_back();
  c.a = a, c.b = b, c.bias = row.bias, c.impulse = row.impulse, c.bound = row.bound, c.tension = row.tension, c.shaped = row.shaped;
  for (int k = 0; k < D; ++k) {
    c.frame[k] = row.frame[k];
    row_of(row.frame[k], row.arm_a, 1.0, c.on_a[k]);
    if (b >= 0) row_of(row.frame[k], row.arm_b, -1.0, c.on_b[k]);
  }
}

template <int D>
void StepSystem<D>::add_couple(std::int32_t carrier, const CoupleRow<D>& row) {
  StepContact<D> c;
  const StepContact<D>& by = contacts[static_cast<std::size_t>(carrier)];
  c.a = by.a, c.b = by.b, c.carrier = carrier, c.bound.friction = row.rolling, c.pivoting = row.pivoting;
  for (int k = 0; k < D; ++k) c.frame[k] = by.frame[k];
  if constexpr (D == 3) c.frame[1] = any_tangent(c.frame[0]), c.frame[2] = cross(c.frame[0], c.frame[1]);
  for (int k = D == 2 ? 1 : 0; k < D; ++k) {
    Spin<D> axis{};  // in the plane across it
    if constexpr (D == 2)
      axis[0] = 1.0;
    else
      axis = c.frame[k];
    c.bias[k] = dot(axis, row.bias), c.impulse[k] = dot(axis, row.impulse);
    for (int d = 0; d < spin_dimension<D>; ++d) {
      c.on_a[k][D + d] = row.turn_a * axis[d];
      if (c.b >= 0) c.on_b[k][D + d] = -row.turn_b * axis[d];
    }
  }
  contacts.push_back(c);
}

template <int D>
void StepSystem<D>::look_from_tips() {
  std::vector<double> tips(D * contacts.size(), 0.0), momentum, gained;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    contacts[i].impulse[0] += contacts[i].tension, tips[D * i] = contacts[i].tension;
  momentum_of(tips, momentum);
  velocity_gained(momentum, gained);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (int d = 0; d < freedoms; ++d) bodies[i].free_velocity[d] -= gained[freedoms * i + d];
  for (std::size_t m = 0; m < motions.size(); ++m) motions[m].free_change -= gained[freedoms * bodies.size() + m];
}

template <int D>
std::int32_t SystemBuilder<D>::number_of(std::int32_t name, const StepBody<D>& body) {
  if (name < 0) return -1;
  std::int32_t& number = number_[static_cast<std::size_t>(name)];
  if (number < 0) {
    number = static_cast<std::int32_t>(system_.bodies.size());
    system_.names.push_back(name), system_.bodies.push_back(body);
  }
  return number;
}

template <int D>
void SystemBuilder<D>::add(const SystemRow<D>& row) {
  const std::int32_t a = number_of(row.a, row.body_a), b = number_of(row.b, row.body_b);
  if (row.turns) couples_.emplace_back(static_cast<std::int32_t>(system_.contacts.size()), row.couple);
  system_.add_contact(a, b, row.contact);
}

template <int D>
StepSystem<D> SystemBuilder<D>::finish(std::span<const SharedMotion> motions) {
  bool tense = false;
  for (const StepContact<D>& contact : system_.contacts) tense |= contact.tension > 0.0;
  for (const auto& [carrier, couple] : couples_) system_.add_couple(carrier, couple);
  system_.motions.assign(motions.begin(), motions.end());
  system_.complete();
  if (tense) system_.look_from_tips();
  return std::move(system_);
}
template class SystemBuilder<2>;
template class SystemBuilder<3>;

template <int D>
void StepSystem<D>::complete() {
  sharing_start_.assign(contacts.size() + 1, 0);
  for (const Sharing<D>& s : sharings) ++sharing_start_[s.contact + 1];
  for (std::size_t c = 0; c < contacts.size(); ++c) sharing_start_[c + 1] += sharing_start_[c];
  sharing_of_.resize(sharings.size());
  std::vector<std::uint32_t> next(sharing_start_.begin(), sharing_start_.end());
  for (std::size_t s = 0; s < sharings.size(); ++s) sharing_of_[next[sharings[s].contact]++] = static_cast<std::uint32_t>(s);

  start_.assign(bodies.size() + 1, 0);
  for (const StepContact<D>& c : contacts) {
    ++start_[static_cast<std::size_t>(c.a) + 1];
    if (c.b >= 0) ++start_[static_cast<std::size_t>(c.b) + 1];
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) start_[i + 1] += start_[i];
  incidences_.resize(start_.back());
  next.assign(start_.begin(), start_.end());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    StepContact<D>& c = contacts[i];
    incidences_[next[static_cast<std::size_t>(c.a)]++] = {static_cast<std::int32_t>(i), true};
    if (c.b >= 0) incidences_[next[static_cast<std::size_t>(c.b)]++] = {static_cast<std::int32_t>(i), false};
  }
  for_chunks(contacts.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      StepContact<D>& c = contacts[i];
      double gained_a[D][freedoms], gained_b[D][freedoms]{};
      for (int k = 0; k < D; ++k) {
        apply_inverse(bodies[static_cast<std::size_t>(c.a)], c.on_a[k], gained_a[k]);
        if (c.b >= 0) apply_inverse(bodies[static_cast<std::size_t>(c.b)], c.on_b[k], gained_b[k]);
      }
      for (int k = 0; k < D; ++k)
        for (int l = 0; l < D; ++l) c.own.c[k][l] = product(c.on_a[k], gained_a[l]) + product(c.on_b[k], gained_b[l]);
      for (std::uint32_t s = sharing_start_[i]; s < sharing_start_[i + 1]; ++s) {
        const Sharing<D>& sharing = sharings[sharing_of_[s]];
        const double inverse = motions[static_cast<std::size_t>(sharing.motion)].inverse_mass;
        for (int k = 0; k < D; ++k)
          for (int l = 0; l < D; ++l) c.own.c[k][l] += inverse * sharing.direction[k] * sharing.direction[l];
      }
    }
  });
}

template <int D>
void StepSystem<D>::free_velocity(std::vector<double>& velocity) const {
  velocity.resize(size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (int d = 0; d < freedoms; ++d) velocity[freedoms * i + d] = bodies[i].free_velocity[d];
  for (std::size_t m = 0; m < motions.size(); ++m) velocity[freedoms * bodies.size() + m] = motions[m].free_change;
}

template <int D>
void StepSystem<D>::velocity_gained(const std::vector<double>& momentum, std::vector<double>& velocity) const {
  velocity.resize(size());
  for_chunks(bodies.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      apply_inverse(bodies[i], momentum.data() + freedoms * i, velocity.data() + freedoms * i);
  });
  for (std::size_t m = 0; m < motions.size(); ++m)
    velocity[freedoms * bodies.size() + m] = motions[m].inverse_mass * momentum[freedoms * bodies.size() + m];
}

template <int D>
void StepSystem<D>::momentum_of(const std::vector<double>& rows, std::vector<double>& momentum) const {
  momentum.resize(size());
  for_chunks(bodies.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      double sum[freedoms]{};
      for (std::uint32_t e = start_[i]; e < start_[i + 1]; ++e) {
        const StepContact<D>& c = contacts[static_cast<std::size_t>(incidences_[e].contact)];
        const auto& on = incidences_[e].first ? c.on_a : c.on_b;
        const double* r = rows.data() + D * static_cast<std::size_t>(incidences_[e].contact);
        for (int k = 0; k < D; ++k)
          for (int d = 0; d < freedoms; ++d) sum[d] += on[k][d] * r[k];
      }
      std::copy(sum, sum + freedoms, momentum.begin() + static_cast<std::ptrdiff_t>(freedoms * i));
    }
  });
  std::fill(momentum.begin() + static_cast<std::ptrdiff_t>(freedoms * bodies.size()), momentum.end(), 0.0);
  for (const Sharing<D>& s : sharings)
    for (int k = 0; k < D; ++k)
      momentum[freedoms * bodies.size() + static_cast<std::size_t>(s.motion)] += s.direction[k] * rows[D * s.contact + k];
}

template <int D>
Vec<D> StepSystem<D>::local_velocity(std::size_t i, const std::vector<double>& velocity) const {
  return contacts[i].bias + relative_velocity(i, velocity);
}

template <int D>
Vec<D> StepSystem<D>::relative_velocity(std::size_t i, const std::vector<double>& velocity) const {
  const StepContact<D>& c = contacts[i];
  Vec<D> u;
  for (int k = 0; k < D; ++k) {
    u[k] = product(c.on_a[k], velocity.data() + freedoms * static_cast<std::size_t>(c.a));
    if (c.b >= 0) u[k] += product(c.on_b[k], velocity.data() + freedoms * static_cast<std::size_t>(c.b));
  }
  for (std::uint32_t s = sharing_start_[i]; s < sharing_start_[i + 1]; ++s) {
    const Sharing<D>& sharing = sharings[sharing_of_[s]];
    u += velocity[freedoms * bodies.size() + static_cast<std::size_t>(sharing.motion)] * sharing.direction;
  }
  return u;
}

template <int D>
void StepSystem<D>::local_velocity(const std::vector<double>& velocity, std::vector<double>& rows) const {
  rows.resize(D * contacts.size());
  for_chunks(contacts.size(), chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Vec<D> u = relative_velocity(i, velocity);
      for (int k = 0; k < D; ++k) rows[D * i + k] = u[k];
    }
  });
}

template <int D>
double StepSystem<D>::kinetic_square(const std::vector<double>& momentum, const std::vector<double>& velocity) const {
  struct Sum {
    double value = 0.0;
    Sum& operator+=(const Sum& o) { return value += o.value, *this; }
  };
  return reduce_chunks<Sum>(momentum.size(), 4096,
                            [&](std::size_t begin, std::size_t end) {
                              Sum sum;
                              for (std::size_t i = begin; i < end; ++i) sum.value += momentum[i] * velocity[i];
                              return sum;
                            })
      .value;
}

template <int D>
void StepSystem<D>::velocity_of_impulses(std::vector<double>& velocity) const {
  std::vector<double> rows(D * contacts.size()), momentum;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (int k = 0; k < D; ++k) rows[D * i + k] = contacts[i].impulse[k];
  momentum_of(rows, momentum);
  std::vector<double> gained;
  velocity_gained(momentum, gained);
  free_velocity(velocity);
  for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] += gained[i];
}

template <int D>
double StepSystem<D>::total_mass() const {
  double sum = 0.0;
  for (const StepBody<D>& b : bodies) sum += 1.0 / b.inverse_mass;
  return sum;
}

template <int D>
std::vector<std::vector<std::int32_t>> StepSystem<D>::parts() const {
  ConnectedParts joined(static_cast<int>(contacts.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::uint32_t e = start_[i] + 1; e < start_[i + 1]; ++e) joined.join(incidences_[e - 1].contact, incidences_[e].contact);
  for (std::size_t s = 1; s < sharings.size(); ++s)
    if (sharings[s - 1].motion == sharings[s].motion)
      joined.join(static_cast<int>(sharings[s - 1].contact), static_cast<int>(sharings[s].contact));
  return joined.parts();
}

template <int D>
StepSystem<D> StepSystem<D>::part(std::span<const std::int32_t> given, std::vector<std::int32_t>& bodies_of_part,
                                  PartNumbers& numbers) const {
  StepSystem part;
  numbers.body.resize(bodies.size(), -1), numbers.contact.resize(contacts.size(), -1), numbers.motion.resize(motions.size(), -1);
  bodies_of_part.clear();
  const auto number_of = [&](std::int32_t b) {
    if (b < 0) return b;
    std::int32_t& n = numbers.body[static_cast<std::size_t>(b)];
    if (n < 0) {
      n = static_cast<std::int32_t>(part.bodies.size());
      part.bodies.push_back(bodies[static_cast<std::size_t>(b)]);
      bodies_of_part.push_back(b);
    }
    return n;
  };
  std::vector<std::uint32_t> shared;  // in the order of the whole, by motion
  for (const std::int32_t i : given) {
    const std::size_t here = static_cast<std::size_t>(i);
    numbers.contact[here] = static_cast<std::int32_t>(part.contacts.size());
    StepContact<D> c = contacts[here];
    c.a = number_of(c.a), c.b = number_of(c.b);
    part.contacts.push_back(c);
    for (std::uint32_t s = sharing_start_[here]; s < sharing_start_[here + 1]; ++s) shared.push_back(sharing_of_[s]);
  }
  for (StepContact<D>& c : part.contacts)
    if (c.is_couple()) c.carrier = numbers.contact[static_cast<std::size_t>(c.carrier)];
  std::sort(shared.begin(), shared.end());
  for (const std::uint32_t number : shared) {
    const Sharing<D>& s = sharings[number];
    std::int32_t& m = numbers.motion[static_cast<std::size_t>(s.motion)];
    if (m < 0)
      m = static_cast<std::int32_t>(part.motions.size()), part.motions.push_back(motions[static_cast<std::size_t>(s.motion)]);
    part.sharings.push_back({static_cast<std::uint32_t>(numbers.contact[s.contact]), m, s.direction});
  }
  for (const std::int32_t b : bodies_of_part) numbers.body[static_cast<std::size_t>(b)] = -1;
  for (const std::int32_t i : given) numbers.contact[static_cast<std::size_t>(i)] = -1;
  for (const std::uint32_t number : shared) numbers.motion[static_cast<std::size_t>(sharings[number].motion)] = -1;
  part.complete();
  return part;
}

template class StepSystem<2>;
template class StepSystem<3>;

}  // namespace moreau::inline solver
