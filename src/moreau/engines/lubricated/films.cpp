#include "moreau/engines/lubricated/films.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "moreau/statics/finish.hpp"
#include "moreau/statics/motion_program.hpp"

namespace moreau::lubricated {

template <int D>
double reach_of(const Model<D>& model, const Bodies<D>& bodies) {
  constexpr double usual = 0.1;  // mean diameters
  return model.lubricated.reach > 0.0 ? model.lubricated.reach : usual * mean_diameter(bodies);
}

template <int D>
Films<D> films_of(const Model<D>& model, const State<D>& state, Neighbours<D>& neighbours) {
  const ContactTable<D>& table = state.contacts;
  const std::vector<double>& radius = state.bodies.parameters.radius;
  const bool known = !table.apart.empty();
  const double least = thinnest_new * mean_diameter(state.bodies);
  Films<D> films;
  films.contact = statics::contacts_within(model, state, neighbours, reach_of(model, state.bodies));
  films.force = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(films.contact.size()));
  std::size_t row = 0;
  const auto pair_of = [&](std::size_t i) {
    return statics::Pair{table.a[i], table.b[i], table.image.empty() ? 0 : table.image[i], 0};
  };
  for (std::size_t l = 0; l < films.contact.size(); ++l) {  // both in the order of the table
    statics::Contact<D>& c = films.contact[l];
    while (row < table.size() && pair_of(row) < c.pair) ++row;
    const bool recalled = row < table.size() && pair_of(row) == c.pair;
    if (recalled)
      films.force[static_cast<Eigen::Index>(l)] =
          std::max(0.0, dot(table.impulse[row], table.normal[row]) / state.impulse_time_step);
    c.gap = recalled && known ? table.apart[row] : std::max(c.gap, 1e-3 * least);
    const double a = radius[static_cast<std::size_t>(c.pair.a)];
    const double reduced = is_wall(c.pair.b) ? a : 1.0 / (1.0 / a + 1.0 / radius[static_cast<std::size_t>(c.pair.b)]);
    films.film.push_back(film_of(model.lubricated, reduced, c.gap));
  }
  return films;
}

template <int D>
std::string part(const Model<D>& model, State<D>& state, Neighbours<D>& neighbours) {
  const double diameter = mean_diameter(state.bodies), least = thinnest_new * diameter;
  const auto freedoms = statics::freedoms_of(model, state.bodies, false);
  double extent = diameter;
  for (int p = 0; p < D; ++p)
    for (int q = 0; q < D; ++q) extent = std::max(extent, std::abs(state.cell.vectors.row[p][q]));
  for (int round = 0; round < 8; ++round) {  // one as a rule: a linearised gap is never wider than the true one, but rounding is
    const auto near = statics::contacts_within(model, state, neighbours, 0.2 * diameter);
    double worst = 0.0;
    for (const auto& c : near) worst = std::max(worst, least - c.gap);
    if (worst <= 0.5 * least) return {};
    std::vector<statics::Pair> pairs;
    Eigen::VectorXd gap(static_cast<Eigen::Index>(near.size()));
    for (std::size_t l = 0; l < near.size(); ++l)
      pairs.push_back(near[l].pair), gap[static_cast<Eigen::Index>(l)] = near[l].gap - least;
    const auto G = statics::contact_matrix<D>(freedoms, state.bodies.parameters.radius, near);
    statics::Motion motion;
    statics::MotionProgram program;
    for (double reach = worst; !motion.found && reach < 0.05 * diameter; reach *= 2.0) {
      Eigen::VectorXd reaches = Eigen::VectorXd::Constant(freedoms.size(), reach);
      for (std::size_t k = 0; k < freedoms.gradient.size(); ++k)
        reaches[freedoms.column_of_gradient(static_cast<int>(k))] = reach / extent;
      motion = program.solve(G, gap, Eigen::VectorXd::Zero(freedoms.size()), reaches, pairs);
    }
    if (!motion.found)
      return worst > least ? fmt::format("bodies overlap by up to {:.3g} of a mean diameter and cannot be parted by small motions; accepted: a "
                                         "preparation with smaller overlaps, or a phase that begins with smaller 'radii'",
                                         (worst - least) / diameter)
                           : fmt::format("bodies that touch have no room to be parted for films of {:.3g} of a mean diameter; accepted: a "
                                         "phase that begins with smaller 'radii'",
                                         thinnest_new);
    displace(state, freedoms, motion.displacement);
  }
  return "bodies that overlap could not be parted; accepted: a preparation with smaller overlaps";
}

template <int D>
std::string refusal(const Model<D>& model, const Bodies<D>& bodies) {
  if (std::string reason = statics::not_frictionless(model, bodies); !reason.empty()) return reason;
  for (const Wall<D>& wall : model.walls)
    if (wall.geometry.shape != WallShape::plane) return fmt::format("the wall '{}' is not a plane", wall.name);
  return {};
}

#define MOREAU_INSTANTIATE(D)                                                   \
  template double reach_of(const Model<D>&, const Bodies<D>&);                  \
  template Films<D> films_of(const Model<D>&, const State<D>&, Neighbours<D>&); \
  template std::string part(const Model<D>&, State<D>&, Neighbours<D>&);        \
  template std::string refusal(const Model<D>&, const Bodies<D>&);
MOREAU_INSTANTIATE(2)
MOREAU_INSTANTIATE(3)
#undef MOREAU_INSTANTIATE

}  // namespace moreau::lubricated
