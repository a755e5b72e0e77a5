// The accounts of the solved step: the table of contacts, work, status. Contacts between round bodies are taken eight at a time
// (round_contacts.hpp), the others one by one.
#include <algorithm>

#include "moreau/base/parallel.hpp"
#include "moreau/contact/contact_status.hpp"
#include "moreau/engines/rigid/broken_joints.hpp"
#include "moreau/engines/rigid/contact_batches.hpp"
#include "moreau/engines/rigid/stages.hpp"
#include "moreau/engines/rigid/wear.hpp"

namespace moreau::inline engines {

namespace {
// A joint at the border of its strength breaks when it opens or slides faster than what the solution may be wrong by: where
// forces are indeterminate a solution may well touch the border without moving. That is the estimated error of the worst body,
// which both bodies of the joint may have; and at least so many times the largest residual of the laws, and what rounding may
// leave, relative to the velocity scale. A residual alone says little: in an arch on piers that stands they are wrong by 10 to 13
// times as much.
constexpr double bodies_of_joint = 2.0, joint_motion = 10.0, joint_rounding = 1e-9;

double speed_of_errors(const Certificate& c) {
  return std::max(
      {bodies_of_joint * c.body_error * c.velocity_scale, joint_motion * c.residual_max, joint_rounding * c.velocity_scale});
}
}  // namespace

// Before: the bodies hold their state at the end of the step, those of the problem the means of the velocities at both ends.
template <int D>
void account_contacts(const Model<D>& model, State<D>& state, Workspace<D>& work, StepReport& report) {
  const StepView<D> view{model, state, work};
  const std::vector<FoundContact>& found = work.detector.found;
  ContactTable<D>& table = state.contacts;
  const std::vector<LostJoint<D>> lost = lost_joints(state, found);
  table.resize(found.size(), !work.poses.empty(), work.apparatus.lattice.any());
  table.resize_law_rows(!work.step_laws.empty(), work.needs.rolls);
  table.area = work.joint_areas;
  table.colour.assign(work.problem.colours().begin(), work.problem.colours().end());
  RoundAccounts<D> in;
  in.place = work.problem.places(), in.packs = work.problem.round_packs(), in.bodies = work.problem.bodies(),
  in.none = work.problem.none();
  in.normal = table.normal.data(), in.impulse = table.impulse.data();
  struct Sums {
    ContactSums contacts;
    ExactSum<double, 3> wall_work;
    std::size_t joints = 0;
    Sums& operator+=(const Sums& o) { return contacts += o.contacts, wall_work += o.wall_work, joints += o.joints, *this; }
  };
  const double still = speed_of_errors(report.certificate);
  const auto account_one = [&](std::size_t i, Sums& s) {
    const FoundContact& c = found[i];
    const ContactGeometry<D> geometry = view.solved_geometry(i);
    const Vec<D>& n = geometry.normal;
    Vec<D> p = work.problem.impulse(i);
    if (!work.struck.empty()) p += work.struck[i];
    table.normal[i] = n, table.impulse[i] = p;
    s.wall_work.add(view.work_of_surroundings(i, p, geometry));
    s.contacts.work.add(dot(view.mean_velocity(c, geometry), p));
    s.contacts.force.add(norm(p));
    if (!table.couple.empty()) {
      const Spin<D> couple = work.problem.couple(i);
      table.couple[i] = couple;
      Spin<D> turning = work.problem.solved_spin(static_cast<std::size_t>(c.a));
      if (view.is_obstacle(c.b))
        s.wall_work.add(dot(couple, view.obstacle_spin(c.b)));
      else
        turning -= work.problem.solved_spin(static_cast<std::size_t>(c.b));
      s.contacts.work.add(dot(turning, couple));
    }
    const PairLaw& law = view.law_of(c.a, c.b);
    ContactStatus status;
    if (work.step_laws.empty()) {
      status = status_of(p, n, law.friction);
    } else {
      status = status_under(work.step_laws[i], law.friction_direction, p, n);
      // At the end of the step.
      Vec<D> u = view.relative_velocity(static_cast<std::size_t>(c.a), c.b, geometry);
      if (is_wall(c.b)) u -= view.wall_velocity_change(static_cast<std::size_t>(wall_index(c.b)), geometry.arm_b);
      if (model.cell.deforms) u -= work.apparatus.gradient_change() * geometry.shift;
      const bool moves = status != ContactStatus::stick && norm(u) > still;
      table.condition[i] =
          condition_of(status, work.joints[i] == JointBond::intact && moves ? JointBond::broken : work.joints[i]);
      s.joints += table.condition[i].bonded() ? 1 : 0;
    }
    s.contacts.stick += status == ContactStatus::stick ? 1 : 0, s.contacts.slide += status == ContactStatus::slide ? 1 : 0;
  };
  const auto name = [&](std::size_t i) {
    table.a[i] = found[i].a, table.b[i] = found[i].b;
    if (!table.image.empty()) table.image[i] = work.detector.image[i];
    if (table.point.empty()) return;
    const TouchingPoint<D>* where = work.detector.point_of(i);
    const std::size_t a = static_cast<std::size_t>(found[i].a);
    table.feature[i] = where ? where->feature : 0;
    table.point[i] = where ? where->point
                           : work.poses[a].position - (state.bodies.parameters.radius[a] + 0.5 * table.gap[i]) * table.normal[i];
  };
  // Where an obstacle is touched matters only if it turns.
  const auto surroundings_of_round = [&](std::size_t i) {
    const std::int32_t b = found[i].b;
    bool turns = false;
    if (is_wall(b))
      turns = model.walls[static_cast<std::size_t>(wall_index(b))].surface >= 0 || model.cell.deforms;
    else if (view.is_obstacle(b))
      turns = !(state.bodies.state.spin[static_cast<std::size_t>(b)] == Spin<D>{});
    ContactGeometry<D> geometry{};
    if (turns)
      geometry = view.solved_geometry(i);
    else if (!work.detector.image.empty())
      geometry.shift = work.apparatus.lattice.shift(work.detector.image[i]);
    return view.work_of_surroundings(i, table.impulse[i], geometry);
  };
  Sums sums = sum_chunks<Sums>(state.order.size(), slot_chunk, [&](std::size_t begin, std::size_t end, Sums& s) {
    in_batches(state.order, work.detector.row, begin, end, [&](std::span<std::uint32_t> batch) {
      std::size_t round = 0;
      for (std::uint32_t i : batch) {
        if (work.struck.empty() && view.kind_of(i) == ContactKind::round && view.has_constant_law(found[i]))
          batch[round++] = i;
        else
          account_one(i, s), name(i);
      }
      account_round(in, batch.first(round), s.contacts);
      for (std::uint32_t i : batch.first(round)) {
        name(i);
        if (view.is_obstacle(found[i].b) || model.cell.deforms) s.wall_work.add(surroundings_of_round(i));
        if (!table.couple.empty()) table.couple[i] = {};
        if (!table.condition.empty())
          table.condition[i] = condition_of(
              status_of(table.impulse[i], table.normal[i], view.law_of(found[i].a, found[i].b).friction), JointBond::none);
      }
    });
  });
  sums = work.over_ranks(sums);
  const Penetration penetration = work.over_ranks(work.penetration);
  const double wall_work = sums.wall_work.value();
  state.energy.wall_work += wall_work;
  state.energy.dissipated += wall_work - sums.contacts.work.value();
  report.stick = sums.contacts.stick, report.slide = sums.contacts.slide;
  report.open = report.contacts - report.stick - report.slide;
  report.joints = sums.joints;
  note_broken_joints(view, lost, state.broken);
  note_wear(view, state);
  report.max_penetration = penetration.deepest;
  report.mean_penetration = report.contacts == 0 ? 0.0 : penetration.sum.value() / static_cast<double>(report.contacts);
  const std::size_t closed = report.stick + report.slide;
  report.unbalanced_force =
      closed > 0 ? sums.contacts.force.value() / static_cast<double>(closed) : 0.0;  // divided into the resultant by finish()
}

#define MOREAU_INSTANTIATE(D) template void account_contacts(const Model<D>&, State<D>&, Workspace<D>&, StepReport&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::inline engines
