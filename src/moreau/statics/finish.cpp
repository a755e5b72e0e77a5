#include "moreau/statics/finish.hpp"

#include <fmt/format.h>

#include <limits>

#include "moreau/base/giving_up.hpp"
#include "moreau/dynamics/apparatus.hpp"
#include "moreau/base/random.hpp"
#include "moreau/dynamics/body_sizes.hpp"
#include "moreau/statics/cage.hpp"
#include "moreau/statics/make_list_touch.hpp"
#include "moreau/statics/motion_program.hpp"

namespace moreau::statics {

template <int D>
std::string not_frictionless(const Model<D>& model, const Bodies<D>& bodies) {
  if (!bodies.all_round()) return "some bodies are not round";
  if (any_mesh<D>(model.walls)) return "a wall is a mesh";
  for (std::size_t a = 0; a < model.materials.size(); ++a)
    for (std::size_t b = a; b < model.materials.size(); ++b) {
      const PairLaw& law = model.law(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
      if (law.friction > 0.0)
        return fmt::format("friction between '{}' and '{}' is {:g}", model.materials[a].name, model.materials[b].name,
                           law.friction);
      if (law.bounded())
        return fmt::format("the law between '{}' and '{}' is more than unilateral contact", model.materials[a].name,
                           model.materials[b].name);
    }
  return {};
}

namespace {

template <int D>
class Finisher {
 public:
  Finisher(const Model<D>& model, State<D>& state, const Load<D>& load, const FinishSettings& settings)
      : model_(model),
        state_(state),
        start_(state),
        load_(load),
        settings_(settings),
        freedoms_(freedoms_of(model, state.bodies, false)) {
    diameter_ = mean_diameter(state.bodies);
  }

  Finish run() {
    if (freedoms_.body.empty()) return refused("there are no free bodies");
    for (int d = 0; d < D; ++d)
      if (model_.cell.start.periodic[d] && !held_along(d) && pushed_along(d))
        return refused(
            fmt::format("the load pushes everything along {}, where the cell is periodic and nothing holds it", "xyz"[d]));
    const double usual = settings_.reach * diameter_, along_diameter = work_along_diameter(model_, state_, load_);
    double reach = usual;
    int idle_programs = 0;
    for (report_.programs = 0; report_.programs < settings_.most_programs;) {
      give_up_if_asked();
      const double distance = 6.0 * usual + 3.0 * reach;
      const std::vector<Contact<D>> near = contacts_within(model_, state_, neighbours_, distance);
      const Eigen::VectorXd F = force_of(model_, state_, freedoms_, load_);
      if (!(F.cwiseAbs().maxCoeff() > 0.0)) return refused("there is no load");
      const Motion motion = program_of(near, F, reach);
      ++report_.programs, report_.pivots += motion.pivots;
      if (!motion.found) {  // overlaps too large to be undone within reach
        if ((reach *= 2.0) > 0.5 * diameter_) return refused("a linear program found no answer: overlaps too large");
        continue;
      }
      displace(state_, freedoms_, motion.displacement);
      if (model_.cell.deforms && !cell_holds(lattice_of(model_, state_), state_.bodies))
        return refused("the periodic cell became narrower than two of the largest bodies: nothing in it opposes the load");
      if ((report_.descent += std::abs(motion.gain) / along_diameter) > settings_.descent)
        return refused(fmt::format("the packing is not near an equilibrium: on the way to one the load would go down by more than "
                                   "{:g} of a mean diameter on average",
                                   settings_.descent));
      // The work left to gain, over that of moving everything by a diameter; and whether the list of this program holds.
      const double gain = std::abs(motion.gain) / (F.cwiseAbs().sum() * diameter_);
      if (gain < 1e-5 && settle(near, motion.force)) {
        if (report_.farthest <= settings_.farthest) return report_;
        report_.isostatic = false;
        return refused(fmt::format("the packing is not near an equilibrium: the next one is {:.3g} mean diameters away for the "
                                   "body that has to go farthest, more than {:g}",
                                   report_.farthest, settings_.farthest));
      }
      // A program that gains nothing leads to where it began, and so will the next.
      idle_programs = gain < 1e-14 ? idle_programs + 1 : 0;
      if (idle_programs == most_idle) return refused(no_list());
      if (idle_programs > 0) {
        const std::vector<Contact<D>> now = contacts_within(model_, state_, neighbours_, distance);
        const Motion shaken = program_of(now, F + shake(near, motion.force, idle_programs), usual);
        ++report_.programs, report_.pivots += shaken.pivots;
        if (shaken.found && settle(now, shaken.force)) return report_;
      }
      // Every program starts without overlaps and gains: there is no going to and fro. Longer steps while their length binds.
      reach = std::clamp(gain * diameter_ > 0.1 * reach ? 2.0 * reach : 0.7 * reach, usual, 5.0 * usual);
    }
    return refused(no_list());
  }

 private:
  static constexpr int most_idle = 10;
  static constexpr double bears_nothing = 1e-11;  // of the mean force

  // Where bodies of equal sizes lie in regular patches more contacts touch than there are freedoms; and a body that two others
  // hold in one line is pushed by them alone.
  std::string no_list() {
    std::string why = fmt::format("no isostatic list was found by {} programs", report_.programs);
    if (report_.contacts > 0)
      why += fmt::format("; in the last one {} contacts push on {} freedoms", report_.contacts, report_.freedoms);
    const double touch = 1e-9 * diameter_;
    const auto touching = static_cast<int>(contacts_within(model_, state_, neighbours_, touch).size());
    if (touching > freedoms_.size() || (report_.contacts > 0 && touching > report_.freedoms))
      why += fmt::format(
          ", where {} touch: equal sizes in regular patches close more contacts at once than there are freedoms, and no list of "
          "them is the only one; diameters with some spread have none such",
          touching);
    return why;
  }

  // Forces of chance, small beside those of the contacts: they choose one of several lists that hold the same load, and make one
  // push that carries nothing under the load alone.
  // Bodies that carry nothing are left alone: they would be carried away.
  Eigen::VectorXd shake(const std::vector<Contact<D>>& near, const Eigen::VectorXd& force, int which) const {
    RandomStream random(static_cast<std::uint64_t>(which));
    Eigen::VectorXd small = Eigen::VectorXd::Zero(freedoms_.size());
    const auto push = [&](std::int32_t b) {
      if (is_wall(b)) return;
      for (int d = 0; d < D; ++d)
        if (const int column = freedoms_.column(static_cast<std::size_t>(b), d); column >= 0)
          small[column] = 1e-6 * (random.uniform() - 0.5) * force.maxCoeff();
    };
    for (std::size_t k = 0; k < near.size(); ++k)
      if (force[static_cast<Eigen::Index>(k)] > 0.0) push(near[k].pair.a), push(near[k].pair.b);
    return small;
  }

  Finish refused(std::string reason) {
    report_.reason = std::move(reason);
    return report_;
  }

  // Whether some wall or fixed body could oppose a shift of all free bodies.
  bool held_along(int d) const {
    for (const Wall<D>& wall : model_.walls)
      if (wall.geometry.shape != WallShape::plane || std::abs(wall.geometry.direction[d]) > 1e-9) return true;
    for (std::size_t i = 0; i < state_.bodies.size(); ++i)
      if (state_.bodies.is_present(i) && !state_.bodies.is_free(i)) return true;
    return false;
  }
  bool pushed_along(int d) const {
    double sum = 0.0, sizes = 0.0;
    for (const std::size_t i : freedoms_.body) {
      const double f = state_.bodies.parameters.mass[i] * load_.gravity[d] + (i < load_.force.size() ? load_.force[i][d] : 0.0);
      sum += f, sizes += std::abs(f);
    }
    return std::abs(sum) > 1e-9 * sizes;
  }

  Motion program_of(const std::vector<Contact<D>>& near, const Eigen::VectorXd& F, double reach) {
    std::vector<Pair> pairs;
    Eigen::VectorXd gap(static_cast<Eigen::Index>(near.size()));
    for (std::size_t k = 0; k < near.size(); ++k) pairs.push_back(near[k].pair), gap[static_cast<Eigen::Index>(k)] = near[k].gap;
    Eigen::VectorXd reaches = Eigen::VectorXd::Constant(freedoms_.size(), reach);
    for (std::size_t k = 0; k < freedoms_.gradient.size(); ++k)  // a strain, not a length
      reaches[freedoms_.column_of_gradient(static_cast<int>(k))] = reach / extent();
    return program_.solve(contact_matrix<D>(freedoms_, state_.bodies.parameters.radius, near), gap, F, reaches, pairs);
  }

  double extent() const {
    double most = diameter_;
    for (int p = 0; p < D; ++p)
      for (int q = 0; q < D; ++q) most = std::max(most, std::abs(state_.cell.vectors.row[p][q]));
    return most;
  }

  // Does the list of the contacts that push hold the load? If so the state becomes its equilibrium.
  bool settle(const std::vector<Contact<D>>& near, const Eigen::VectorXd& force) {
    const double mean = force.sum() / std::max<double>(1.0, static_cast<double>((force.array() > 0.0).count()));
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < near.size(); ++k)
      if (force[static_cast<Eigen::Index>(k)] > 1e-9 * mean) pairs.push_back(near[k].pair);
    return hold(std::move(pairs));
  }

 public:
  bool hold(std::vector<Pair> pairs) {
    const IsostaticList<D> list = list_of(model_, state_, std::move(pairs), load_);
    report_.contacts = static_cast<int>(list.pairs.size()), report_.freedoms = list.freedoms.size();
    if (!list.square()) return false;
    State<D> trial = state_;
    ListFactor factor;
    if (!close_gaps(model_, trial, list, factor, 1e-13 * diameter_, 0.01 * diameter_)) return false;
    const Eigen::VectorXd F = force_of(model_, trial, list.freedoms, load_);
    Eigen::VectorXd f;
    if (!balancing_forces(factor, F, f) || !(f.minCoeff() > -bears_nothing * f.mean())) return false;
    report_.residual = imbalance(model_, trial, list, f, load_) / f.mean();
    if (!(report_.residual < 1e-9) || !clear_loose(trial, list.freedoms)) return false;
    report_.isostatic = true;
    report_.least_force = f.minCoeff() / f.mean();
    f = f.cwiseMax(least_told * f.mean());  // it belongs to the list, and the table of contacts is to show that
    for (const Contact<D>& c : contacts_of(model_, trial, list.pairs))
      report_.largest_gap = std::max(report_.largest_gap, std::abs(c.gap));
    report_.loose = 0;
    for (const std::size_t i : freedoms_.body) report_.loose += !list.freedoms.takes_part(i);
    report_.farthest = farthest_way(trial, list.freedoms);
    put_at_rest(model_, trial, list.pairs, f);
    state_ = std::move(trial);
    return true;
  }

 private:
  // Of the bodies that carry, and of the pistons; in mean diameters. A cell takes its bodies along, which is no way.
  double farthest_way(const State<D>& now, const Freedoms<D>& carrying) const {
    const Matrix<D> followed =
        model_.cell.deforms ? now.cell.vectors * inverse(start_.cell.vectors) : identity<D>();
    double most = 0.0;
    for (const std::size_t i : carrying.body)
      most = std::max(most, norm(now.bodies.state.position[i] - followed * start_.bodies.state.position[i]));
    for (const std::size_t p : carrying.piston)
      most = std::max(most, std::abs(now.pistons[p].displacement - start_.pistons[p].displacement));
    return most / diameter_;
  }

  // Bodies that carry nothing go to the middle of their cages; none may overlap, nor others that should not touch.
  bool clear_loose(State<D>& trial, const Freedoms<D>& carrying) {
    const double distance = 0.3 * diameter_;
    const std::vector<Contact<D>> near = contacts_within(model_, trial, neighbours_, distance);
    std::vector<Pair> pairs;
    for (const Contact<D>& c : near) {
      pairs.push_back(c.pair);
      const auto carries = [&](std::int32_t b) {
        return is_wall(b) || !trial.bodies.is_free(static_cast<std::size_t>(b)) ||
               carrying.takes_part(static_cast<std::size_t>(b));
      };
      if (carries(c.pair.a) && carries(c.pair.b) && c.gap < -1e-12 * diameter_) return false;
    }
    for (Cage<D>& cage : cages_of<D>(trial, carrying, near)) {
      widen<D>(model_, trial, pairs, distance, cage);
      if (cage.room < 0.0) return false;
    }
    return true;
  }

  const Model<D>& model_;
  State<D>& state_;
  const State<D> start_;
  const Load<D>& load_;
  const FinishSettings& settings_;
  Freedoms<D> freedoms_;  // all free bodies
  double diameter_ = 1.0;
  Neighbours<D> neighbours_;
  MotionProgram program_;
  Finish report_;
};

}  // namespace

template <int D>
double work_along_diameter(const Model<D>& model, const State<D>& state, const Load<D>& load) {
  const double diameter = mean_diameter(state.bodies);
  const Freedoms<D> freedoms = freedoms_of(model, state.bodies, false);
  const Eigen::VectorXd F = force_of(model, state, freedoms, load);
  const Eigen::Index lengths = freedoms.column_of_gradient(0);
  double extent = diameter;  // a component of the cell is a strain
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q) extent = std::max(extent, std::abs(state.cell.vectors.row[p][q]));
  return F.head(lengths).cwiseAbs().sum() * diameter +
         F.tail(F.size() - lengths).cwiseAbs().sum() * diameter / extent;
}

template <int D>
int surplus_at_rest(const Model<D>& model, const State<D>& state, const Load<D>& load) {
  constexpr int not_at_rest = std::numeric_limits<int>::max();
  const double touch = 1e-12 * mean_diameter(state.bodies);
  for (const Vec<D>& v : state.bodies.state.velocity)
    if (!(v == Vec<D>{})) return not_at_rest;
  const IsostaticList<D> list = list_of(model, state, pushing_pairs(state), load);
  if (list.pairs.empty()) return not_at_rest;
  for (const Contact<D>& c : contacts_of(model, state, std::span<const Pair>(list.pairs)))
    if (std::abs(c.gap) > touch) return not_at_rest;
  return static_cast<int>(list.pairs.size()) - list.freedoms.size();
}

template <int D>
bool make_list_touch(const Model<D>& model, State<D>& state, const Load<D>& load) {
  const FinishSettings settings;
  return not_frictionless(model, state.bodies).empty() && Finisher<D>(model, state, load, settings).hold(pushing_pairs(state));
}

template <int D>
Finish finish(const Model<D>& model, State<D>& state, const Load<D>& load, const FinishSettings& settings) {
  if (std::string reason = not_frictionless(model, state.bodies); !reason.empty()) {
    Finish refused;
    refused.reason = std::move(reason);
    return refused;
  }
  return Finisher<D>(model, state, load, settings).run();
}

template std::string not_frictionless(const Model<2>&, const Bodies<2>&);
template std::string not_frictionless(const Model<3>&, const Bodies<3>&);
template double work_along_diameter(const Model<2>&, const State<2>&, const Load<2>&);
template double work_along_diameter(const Model<3>&, const State<3>&, const Load<3>&);
template int surplus_at_rest(const Model<2>&, const State<2>&, const Load<2>&);
template int surplus_at_rest(const Model<3>&, const State<3>&, const Load<3>&);
template bool make_list_touch(const Model<2>&, State<2>&, const Load<2>&);
template bool make_list_touch(const Model<3>&, State<3>&, const Load<3>&);
template Finish finish(const Model<2>&, State<2>&, const Load<2>&, const FinishSettings&);
template Finish finish(const Model<3>&, State<3>&, const Load<3>&, const FinishSettings&);

}  // namespace moreau::statics
