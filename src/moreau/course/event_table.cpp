#include "moreau/course/event_table.hpp"

#include "moreau/course/phases.hpp"

namespace moreau::inline course {

template <int D>
measure::Table event_table(const Model<D>& model, const State<D>& state, const geometric::Event& event, double time) {
  measure::Table table;
  measure::RowWriter row(table);
  const double since = time - state.phase_start;
  for (std::size_t p = 0; p < model.pistons.size(); ++p) {
    const Piston<D>& piston = model.pistons[p];
    row.add("load_" + piston.name, piston.control == PistonControl::velocity ? 0.0 : piston.target.at(since));
    row.add("strain_" + piston.name, piston_strain(model, state, static_cast<std::int32_t>(p)));
  }
  if (model.cell.start.any()) {
    const Matrix<D> stretch = state.cell.vectors * inverse(state.cell.phase_vectors);
    for (int p = 0; p < D; ++p)
      for (int q = p; q < D; ++q) {
        const CellComponent& component = model.cell.component[p][q];
        const std::string name{"xyz"[p], "xyz"[q]};
        row.add("load_" + name, component.stress ? component.target.at(since) : 0.0);
        row.add("strain_" + name, (p == q ? 1.0 : 0.0) - stretch.row[p][q]);
      }
  }
  row.add("energy_released", event.work);
  row.add("lost", event.lost.size());
  row.add("gained", event.gained.size());
  row.add("lost_weak", event.lost_weak);
  row.add("gained_weak", event.gained_weak);
  row.add("contacts", event.contacts);
  row.add("freedoms", event.freedoms);
  row.add("opened_a", event.first_opened.a);
  row.add("opened_b", event.first_opened.b);
  row.add("list_changes", event.list_changes);
  row.add("path_steps", event.path_steps);
  row.add("programs", event.programs);
  row.add("imbalance", event.imbalance);
  row.add("least_force", event.least_force);
  return table;
}

template measure::Table event_table(const Model<2>&, const State<2>&, const geometric::Event&, double);
template measure::Table event_table(const Model<3>&, const State<3>&, const geometric::Event&, double);

}  // namespace moreau::inline course
