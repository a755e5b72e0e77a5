// The parts of the step that take contacts of round bodies eight at a time (round_contacts.hpp).
#include "moreau/base/parallel.hpp"
#include "moreau/base/resize.hpp"
#include "moreau/dynamics/round_contacts.hpp"
#include "moreau/dynamics/simulation.hpp"

namespace moreau {

namespace {

constexpr std::size_t slot_chunk = 512;

// f(contacts) for the contacts of the bodies in slots [begin, end), in the order of the solver's memory, some at a time.
template <class F>
void in_batches(const std::vector<std::int32_t>& order, const std::vector<std::uint32_t>& row, std::size_t begin, std::size_t end,
                F&& f) {
  std::uint32_t batch[1024];
  std::size_t count = 0;
  for (std::size_t s = begin; s < end; ++s) {
    const std::size_t body = static_cast<std::size_t>(order[s]);
    for (std::uint32_t i = row[body]; i < row[body + 1]; ++i) {
      batch[count++] = i;
      if (count < std::size(batch)) continue;
      f(std::span<std::uint32_t>(batch, count));
      count = 0;
    }
  }
  f(std::span<std::uint32_t>(batch, count));
}

}  // namespace

template <int D>
bool Simulation<D>::eight_at_a_time() const {
  return state_.bodies.all_round() && step_laws_.empty() && !apparatus_.lattice.any();
}

// Contacts with obstacles are few, and packed one by one. The gaps go into the table at once: the rows of the step before are
// still needed for their impulses and normals, not for their gaps.
template <int D>
void Simulation<D>::pack_contacts(ContactProblem<Round<D>>& problem) {
  const std::vector<FoundContact>& found = detector_.found;
  const BodyParameters<D>& parameters = state_.bodies.parameters;
  const std::vector<std::int32_t>& order = state_.order;
  ContactTable<D>& table = state_.contacts;
  resize_tightly(table.gap, found.size());
  VelocityOf<D>* const rows = problem.rows();
  for_chunks(order.size(), slot_chunk, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end; ++s) {
      const std::size_t i = static_cast<std::size_t>(order[s]);
      for (int d = 0; d < D; ++d) rows[s].c[d] = midpoint()[i][d];
      rows[s].c[D] = parameters.radius[i];
    }
  });
  RoundPacking<D> in;
  in.found = found.data(), in.place = problem.places(), in.slot = problem.slots();
  in.old_impulse = table.impulse.data(), in.old_normal = table.normal.data();
  in.impulse_scale = model_.time_step / state_.impulse_time_step;
  in.bodies = problem.bodies(), in.midpoint = rows, in.blocks = problem.blocks();
  in.material = parameters.material.data(), in.laws = model_.pair_laws.data(), in.materials = model_.materials.size();
  in.rule = shift_rule(false);
  in.gap = table.gap.data();
  penetration_ = reduce_chunks<Penetration>(order.size(), slot_chunk, [&](std::size_t begin, std::size_t end) {
    Penetration sum;
    in_batches(order, detector_.row, begin, end, [&](std::span<std::uint32_t> batch) {
      std::size_t pairs = 0;
      for (std::uint32_t i : batch) {
        if (!is_obstacle(found[i].b)) {
          batch[pairs++] = i;
          continue;
        }
        const ContactPlace place = place_of(i);
        const PairLaw& law = law_of(found[i].a, found[i].b);
        problem.pack(i, found[i].a, -1,
                     formal_contact<RoundContact<D>>(found[i], place,
                                                     {law.friction, law.normal_restitution, law.tangential_restitution}, false));
        table.gap[i] = place.gap;
        const double depth = std::max(0.0, -place.gap) / (2.0 * smaller_radius(found[i].a, found[i].b));
        sum += {depth, depth};
      }
      pack_round(in, batch.first(pairs), sum);
    });
    return sum;
  });
}

// Before: the bodies of the problem hold the means of the velocities at both ends of the step.
template <int D>
void Simulation<D>::account_contacts(ContactProblem<Round<D>>& problem, StepReport& report) {
  const std::vector<FoundContact>& found = detector_.found;
  ContactTable<D>& table = state_.contacts;
  table.resize(found.size(), false, false);
  table.resize_beyond(false, false);
  const BodyParameters<D>& parameters = state_.bodies.parameters;
  const BodyState<D>& bodies = state_.bodies.state;
  RoundAccounts<D> in;
  in.place = problem.places(), in.blocks = problem.blocks(), in.bodies = problem.bodies(), in.none = problem.none();
  in.normal = table.normal.data(), in.impulse = table.impulse.data();
  struct Sums {
    ContactSums contacts;
    double wall_work = 0.0;
    Sums& operator+=(const Sums& o) { return contacts += o.contacts, wall_work += o.wall_work, *this; }
  };
  // P . (mean velocity of the obstacle). Where it touches matters only if it turns.
  const auto work_of_obstacle = [&](std::size_t i, std::int32_t b) {
    const std::size_t w = static_cast<std::size_t>(wall_index(b));
    const Vec<D>& n = table.normal[i];
    Vec<D> arm = is_wall(b) ? Vec<D>{} : parameters.radius[static_cast<std::size_t>(b)] * n;
    if (is_wall(b) && model_.walls[w].surface >= 0) {  // the body has left the midpoint
      const std::size_t a = static_cast<std::size_t>(found[i].a);
      arm = bodies.position[a] - 0.5 * model_.time_step * bodies.velocity[a] - parameters.radius[a] * n;
    }
    const Vec<D> v = obstacle_velocity(b, arm);
    return dot(table.impulse[i], is_wall(b) ? v + 0.5 * apparatus_.wall_velocity_change(w) : v);
  };
  const Sums sums = reduce_chunks<Sums>(state_.order.size(), slot_chunk, [&](std::size_t begin, std::size_t end) {
    Sums s;
    in_batches(state_.order, detector_.row, begin, end, [&](std::span<std::uint32_t> batch) {
      account_round(in, batch, s.contacts);
      for (std::uint32_t i : batch) {
        const std::int32_t b = found[i].b;
        table.a[i] = found[i].a, table.b[i] = b;
        if (is_obstacle(b)) s.wall_work += work_of_obstacle(i, b);
      }
    });
    return s;
  });
  state_.energy.wall_work += sums.wall_work;
  state_.energy.dissipated += sums.wall_work - sums.contacts.work;
  report.stick = static_cast<std::size_t>(sums.contacts.stick), report.slide = static_cast<std::size_t>(sums.contacts.slide);
  report.open = found.size() - report.stick - report.slide;
  report.max_penetration = penetration_.deepest;
  report.mean_penetration = found.empty() ? 0.0 : penetration_.sum / static_cast<double>(found.size());
  set_mean_impulse(report, sums.contacts.force);
}

template bool Simulation<2>::eight_at_a_time() const;
template bool Simulation<3>::eight_at_a_time() const;
template void Simulation<2>::pack_contacts(ContactProblem<Round<2>>&);
template void Simulation<3>::pack_contacts(ContactProblem<Round<3>>&);
template void Simulation<2>::account_contacts(ContactProblem<Round<2>>&, StepReport&);
template void Simulation<3>::account_contacts(ContactProblem<Round<3>>&, StepReport&);

}  // namespace moreau
