#include "moreau/measure/packing/sample.hpp"

namespace moreau::measure {

template <int D>
Sample<D> sample_of(const Model<D>& model, const std::vector<Shape<D>>& shapes, double time, const BodyParameters<D>& parameters,
                    const BodyState<D>& state, const ContactRecords<D>& contacts, const std::vector<Vec<D>>& wall_shift,
                    const Lattice<D>& lattice) {
  Sample<D> s;
  s.time = time;
  s.step = model.time_step;
  s.gravity = model.gravity_at(time - 0.5 * s.step);
  s.parameters = &parameters, s.state = &state, s.contacts = &contacts, s.shapes = &shapes;
  s.sinks = model.sinks;
  for (const Motion<D>& motion : model.motions) s.motions.push_back({motion.name, motion.centre});
  s.walls = model.walls;
  s.wall_shift = wall_shift;
  s.lattice = lattice;
  for (const Piston<D>& piston : model.pistons)
    if (piston.control != PistonControl::velocity) s.yielding.push_back(piston);
  for (const Material& material : model.materials) s.materials.push_back(material.name);
  for (int p = 0; p < D; ++p)
    for (int q = p; q < D; ++q)
      if (model.cell.component[p][q].stress) s.cell_freedoms.push_back({p, q});
  s.wall_shift.resize(s.walls.size(), Vec<D>{});
  s.middle.resize(parameters.size());
  s.volume.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    s.middle[i] = state.position[i] - (0.5 * s.step) * state.velocity[i];
    s.volume[i] = parameters.shape[i] < 0 ? ball_mass<D>(parameters.radius[i], 1.0)
                                          : shapes[static_cast<std::size_t>(parameters.shape[i])].volume;
  }
  s.friction.resize(contacts.size());
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const std::int32_t b = contacts.b[c];
    const std::int32_t other = is_wall(b) ? model.walls[static_cast<std::size_t>(wall_index(b))].material
                                          : parameters.material[static_cast<std::size_t>(b)];
    s.friction[c] = model.law(parameters.material[s.a(c)], other).friction;
  }
  return s;
}

template <int D>
double mean_normal_force(const Sample<D>& sample) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t c = 0; c < sample.contacts->size(); ++c)
    if (const double f = sample.normal_force(c); f > 0.0) sum += f, ++count;
  return count > 0 ? sum / static_cast<double>(count) : 0.0;
}

template <int D>
std::vector<bool> carrying_contacts(const Sample<D>& sample, double threshold) {
  const double least = threshold * mean_normal_force(sample);
  std::vector<bool> carrying(sample.contacts->size());
  for (std::size_t c = 0; c < carrying.size(); ++c) carrying[c] = sample.normal_force(c) > least;
  return carrying;
}

template Sample<2> sample_of(const Model<2>&, const std::vector<Shape<2>>&, double, const BodyParameters<2>&, const BodyState<2>&,
                             const ContactRecords<2>&, const std::vector<Vec<2>>&, const Lattice<2>&);
template Sample<3> sample_of(const Model<3>&, const std::vector<Shape<3>>&, double, const BodyParameters<3>&, const BodyState<3>&,
                             const ContactRecords<3>&, const std::vector<Vec<3>>&, const Lattice<3>&);
template double mean_normal_force(const Sample<2>&);
template double mean_normal_force(const Sample<3>&);
template std::vector<bool> carrying_contacts(const Sample<2>&, double);
template std::vector<bool> carrying_contacts(const Sample<3>&, double);

}  // namespace moreau::measure
