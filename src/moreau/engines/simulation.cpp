#include "moreau/engines/simulation.hpp"

#include "moreau/base/exact_sum.hpp"
#include "moreau/base/parallel.hpp"
#include "moreau/dynamics/body_energy.hpp"
#include "moreau/dynamics/driven_bodies.hpp"
#include "moreau/dynamics/fields.hpp"
#include "moreau/engines/lubricated/changed_films.hpp"

namespace moreau::inline engines {

namespace {

constexpr std::size_t body_chunk = 1024;

struct Energies {
  ExactSum<double, 3> kinetic, potential;
  Energies& operator+=(const Energies& o) { return kinetic += o.kinetic, potential += o.potential, *this; }
};

template <int D>
Energies energies(const Bodies<D>& bodies, const Vec<D>& gravity) {
  return sum_chunks<Energies>(bodies.size(), body_chunk, [&](std::size_t begin, std::size_t end, Energies& sum) {
    TermSum<3> kinetic, potential;
    for (std::size_t i = begin; i < end; ++i) {
      if (!bodies.is_free(i)) continue;
      kinetic.add(kinetic_energy(bodies, i));
      potential.add(potential_energy(bodies, i, gravity));
    }
    sum += {kinetic.sum(), potential.sum()};
  });
}

}  // namespace

template <int D>
Simulation<D>::Simulation(Model<D> model, Bodies<D> bodies, std::uint64_t seed) : model_(std::move(model)) {
  state_.bodies = std::move(bodies);
  state_.bodies.shrink_to_fit();
  state_.impulse_time_step = model_.time_step;
  state_.pistons.resize(model_.pistons.size());
  state_.cell.vectors = state_.cell.phase_vectors = model_.cell.start.vectors;
  state_.sources.resize(model_.sources.size());
  for (std::size_t k = 0; k < state_.sources.size(); ++k) state_.sources[k].random = RandomStream(seed + 0x5eed * (k + 1));
  place_driven_bodies(model_, state_, state_.time, state_.time, state_.time);
  changed_by_hand();
}

template <int D>
Simulation<D>::Simulation(Model<D> model, State<D> state) : model_(std::move(model)), state_(std::move(state)) {}

template <int D>
StepReport Simulation<D>::step() {
  return engine().step(model_, state_);
}

// Another phase may name another engine.
template <int D>
Engine<D>& Simulation<D>::engine() {
  if (!engine_ || kind_ != model_.engine) {
    if (engine_) engine_->leave(state_);
    kind_ = model_.engine;
    engine_ = make_engine<D>(kind_);
    introduce();
  }
  return *engine_;
}

template <int D>
void Simulation<D>::introduce() {
  if (engine_) engine_->inspect(inspector_, inspected_);
  if (auto* geometric = dynamic_cast<geometric::GeometricEngine<D>*>(engine_.get())) geometric->listen(listener_);
}

template <int D>
void Simulation<D>::inspect(StepInspector<D> inspector, InspectedSteps steps) {
  inspector_ = std::move(inspector), inspected_ = std::move(steps);
  introduce();
}

template <int D>
void Simulation<D>::listen(geometric::EventListener<D> listener) {
  listener_ = std::move(listener);
  introduce();
}

template <int D>
void Simulation<D>::changed_by_hand() {
  if (engine_) engine_->leave(state_), engine_->forget();
  state_.integration.step = Integration<D>::none;
  lubricated::forget_changed_films(model_, state_);
  const Energies now = energies(state_.bodies, model_.gravity_at(state_.time));
  state_.energy.kinetic = now.kinetic.value();
  state_.energy.potential = now.potential.value();
  state_.energy.initial += state_.energy.error();
}

template <int D>
EngineMemory Simulation<D>::memory() const {
  EngineMemory m = engine_ ? engine_->memory() : EngineMemory{};
  const auto counts_in = [](std::size_t& bytes) {
    return [&bytes]<class T>(const char*, const T& column) {
      if constexpr (!std::is_arithmetic_v<T>) bytes += column.capacity() * sizeof(column[0]);
    };
  };
  fields::body_columns(state_.bodies, counts_in(m.body_bytes)), fields::integration(state_.integration, counts_in(m.body_bytes));
  fields::contact_table(state_.contacts, counts_in(m.contact_bytes));
  m.body_bytes += state_.order.capacity() * sizeof(state_.order[0]);
  return m;
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace moreau::inline engines
