// The accounts of the solved step: the table of contacts, work, status. Contacts between round bodies are taken eight at a time
// (round_contacts.hpp), the others one by one.
#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/contact_batches.hpp"
#include "moreau/dynamics/contact_status.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {
// A joint at the border of its strength breaks when it opens or slides faster than this times the largest residual of the laws,
// and than what rounding may leave, relative to the velocity scale: where forces are indeterminate a solution may well touch the
// border without moving.
constexpr double joint_motion = 10.0, joint_rounding = 1e-9;
}  // namespace

// place_of(i) once the bodies have left the midpoint.
template <int D>
typename Simulation<D>::ContactPlace Simulation<D>::solved_place(std::size_t i) const {
  const FoundContact& found = detector_.found[i];
  const std::size_t a = static_cast<std::size_t>(found.a), b = static_cast<std::size_t>(found.b);
  const std::vector<double>& radius = state_.bodies.parameters.radius;
  const BodyState<D>& bodies = state_.bodies.state;
  const TouchingPoint<D>* where = detector_.point_of(i);
  ContactPlace place;
  place.normal = where ? where->normal : problem_.normal(i);
  place.gap = state_.contacts.gap[i];
  place.shift = detector_.image.empty() ? Vec<D>{} : apparatus_.lattice.shift(detector_.image[i]);
  place.arm_a = touches_round(found) ? -radius[a] * place.normal : where->point - poses_[a].position;
  if (is_wall(found.b))
    place.arm_b = where ? where->point : bodies.position[a] - 0.5 * model_.time_step * bodies.velocity[a] + place.arm_a;
  else
    place.arm_b = where ? where->point - poses_[b].position - place.shift : radius[b] * place.normal;
  return place;
}

// P . (mean velocity of what does not move freely: obstacle, image in a deforming cell), of contact i in the table.
template <int D>
double Simulation<D>::work_of_surroundings(std::size_t i, const Vec<D>& impulse, const ContactPlace& place) const {
  const std::int32_t b = detector_.found[i].b;
  double work = 0.0;
  if (is_obstacle(b)) {
    const Vec<D> v = obstacle_velocity(b, place.arm_b);
    work += dot(impulse, is_wall(b) ? v + 0.5 * apparatus_.wall_velocity_change(static_cast<std::size_t>(wall_index(b))) : v);
  }
  if (model_.cell.deforms)
    work += dot(impulse, apparatus_.gradient * place.shift + 0.5 * (apparatus_.gradient_change() * place.shift));
  return work;
}

// Mean over the step of the velocity of a relative to b where they touch, what does not move freely counted as at rest.
template <int D>
Vec<D> Simulation<D>::mean_velocity(const FoundContact& found, const ContactPlace& place) const {
  const auto at = [&](std::int32_t body, const Vec<D>& arm) {
    const std::size_t i = static_cast<std::size_t>(body);
    return problem_.solved_velocity(i) + cross(problem_.solved_spin(i), arm);
  };
  const Vec<D> u = at(found.a, place.arm_a);
  return is_obstacle(found.b) ? u : u - at(found.b, place.arm_b);
}

// Before: the bodies hold their state at the end of the step, those of the problem the means of the velocities at both ends.
template <int D>
void Simulation<D>::account_contacts(StepReport& report) {
  const std::vector<FoundContact>& found = detector_.found;
  ContactTable<D>& table = state_.contacts;
  table.resize(found.size(), !state_.bodies.all_round(), apparatus_.lattice.any());
  table.resize_beyond(!step_laws_.empty(), needs_.rolls);
  RoundAccounts<D> in;
  in.place = problem_.places(), in.blocks = problem_.round_blocks(), in.bodies = problem_.bodies(), in.none = problem_.none();
  in.normal = table.normal.data(), in.impulse = table.impulse.data();
  struct Sums {
    ContactSums contacts;
    double wall_work = 0.0;
    std::size_t joints = 0;
    Sums& operator+=(const Sums& o) { return contacts += o.contacts, wall_work += o.wall_work, joints += o.joints, *this; }
  };
  const double still =
      std::max(joint_motion * report.certificate.residual_max, joint_rounding * report.certificate.velocity_scale);
  const auto account_one = [&](std::size_t i, Sums& s) {
    const FoundContact& c = found[i];
    const ContactPlace place = solved_place(i);
    const Vec<D>& n = place.normal;
    Vec<D> p = problem_.impulse(i);
    if (!struck_.empty()) p += struck_[i];
    table.normal[i] = n, table.impulse[i] = p;
    s.wall_work += work_of_surroundings(i, p, place);
    s.contacts.work += dot(mean_velocity(c, place), p);
    s.contacts.force += norm(p);
    if (!table.couple.empty()) {
      const Spin<D> couple = problem_.couple(i);
      table.couple[i] = couple;
      Spin<D> turning = problem_.solved_spin(static_cast<std::size_t>(c.a));
      if (is_obstacle(c.b))
        s.wall_work += dot(couple, obstacle_spin(c.b));
      else
        turning -= problem_.solved_spin(static_cast<std::size_t>(c.b));
      s.contacts.work += dot(turning, couple);
    }
    const PairLaw& law = law_of(c.a, c.b);
    ContactStatus status;
    if (step_laws_.empty()) {
      status = status_of(p, n, law.friction);
    } else {
      status = status_under(step_laws_[i], law.friction_direction, p, n);
      // At the end of the step.
      Vec<D> u = relative_velocity(static_cast<std::size_t>(c.a), c.b, place);
      if (is_wall(c.b)) u -= apparatus_.wall_velocity_change(static_cast<std::size_t>(wall_index(c.b)));
      if (model_.cell.deforms) u -= apparatus_.gradient_change() * place.shift;
      table.condition[i] = condition_of(status, bonded_[i] != 0 && (status == ContactStatus::stick || !(norm(u) > still)));
      s.joints += table.condition[i].bonded() ? 1 : 0;
    }
    s.contacts.stick += status == ContactStatus::stick ? 1.0 : 0.0,
        s.contacts.slide += status == ContactStatus::slide ? 1.0 : 0.0;
  };
  const auto name = [&](std::size_t i) {
    table.a[i] = found[i].a, table.b[i] = found[i].b;
    if (!table.image.empty()) table.image[i] = detector_.image[i];
    if (table.point.empty()) return;
    const TouchingPoint<D>* where = detector_.point_of(i);
    const std::size_t a = static_cast<std::size_t>(found[i].a);
    table.feature[i] = where ? where->feature : 0;
    table.point[i] =
        where ? where->point : poses_[a].position - (state_.bodies.parameters.radius[a] + 0.5 * table.gap[i]) * table.normal[i];
  };
  // Where an obstacle is touched matters only if it turns.
  const auto surroundings_of_round = [&](std::size_t i) {
    const std::int32_t b = found[i].b;
    bool turns = false;
    if (is_wall(b))
      turns = model_.walls[static_cast<std::size_t>(wall_index(b))].surface >= 0;
    else if (is_obstacle(b))
      turns = !(state_.bodies.state.spin[static_cast<std::size_t>(b)] == Spin<D>{});
    ContactPlace place{};
    if (turns)
      place = solved_place(i);
    else if (!detector_.image.empty())
      place.shift = apparatus_.lattice.shift(detector_.image[i]);
    return work_of_surroundings(i, table.impulse[i], place);
  };
  const Sums sums = reduce_chunks<Sums>(state_.order.size(), slot_chunk, [&](std::size_t begin, std::size_t end) {
    Sums s;
    in_batches(state_.order, detector_.row, begin, end, [&](std::span<std::uint32_t> batch) {
      std::size_t round = 0;
      for (std::uint32_t i : batch) {
        if (struck_.empty() && kind_of(i) == ContactKind::round && has_constant_law(found[i]))
          batch[round++] = i;
        else
          account_one(i, s), name(i);
      }
      account_round(in, batch.first(round), s.contacts);
      for (std::uint32_t i : batch.first(round)) {
        name(i);
        if (is_obstacle(found[i].b) || model_.cell.deforms) s.wall_work += surroundings_of_round(i);
        if (!table.couple.empty()) table.couple[i] = {};
        if (!table.condition.empty())
          table.condition[i] =
              condition_of(status_of(table.impulse[i], table.normal[i], law_of(found[i].a, found[i].b).friction), false);
      }
    });
    return s;
  });
  state_.energy.wall_work += sums.wall_work;
  state_.energy.dissipated += sums.wall_work - sums.contacts.work;
  report.stick = static_cast<std::size_t>(sums.contacts.stick), report.slide = static_cast<std::size_t>(sums.contacts.slide);
  report.open = found.size() - report.stick - report.slide;
  report.joints = sums.joints;
  report.max_penetration = penetration_.deepest;
  report.mean_penetration = found.empty() ? 0.0 : penetration_.sum / static_cast<double>(found.size());
  const std::size_t closed = report.stick + report.slide;
  report.unbalanced_force =
      closed > 0 ? sums.contacts.force / static_cast<double>(closed) : 0.0;  // divided into the resultant by finish()
}

template void Simulation<2>::account_contacts(StepReport&);
template void Simulation<3>::account_contacts(StepReport&);

}  // namespace moreau
