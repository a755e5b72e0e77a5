#include "moreau/ranks/shared_engine.hpp"

#include "moreau/engines/step_opening.hpp"

namespace moreau::ranks {

void give(Communicator& ranks, Order order, const Bytes& more) {
  Bytes bytes;
  put(bytes, order);
  append(bytes, more.data(), more.size());
  ranks.broadcast(bytes);
}

Order take_order(Communicator& ranks, Bytes& more) {
  ranks.broadcast(more);
  const Order order = Reader(more).take<Order>();
  more.erase(more.begin());
  return order;
}

template <int D>
void SharedEngine<D>::exchange(const Model<D>& model, State<D>& state, StepReport& report) {
  if (!exchange_is_due(model, state)) return;
  if (!begun_) {
    bring_home(state);
    exchange_bodies(model, state, report);
    return;
  }
  broken_ = true;
  const bool arrivals = insertion_is_due(model, state);
  Bytes bytes;
  put(bytes, state.phase), put(bytes, arrivals);
  give(ranks_, Order::exchange, bytes);
  member_.exchange(model, arrivals, &state, &report);
  broken_ = false;
}

template <int D>
StepReport SharedEngine<D>::step(const Model<D>& model, State<D>& state) {
  if (inspected_ && inspected_(state.step + 1)) {
    leave(state);
    alone_.forget();
    return alone_.step(model, state);
  }
  StepReport exchanged;
  exchange(model, state, exchanged);
  broken_ = true;
  if (!begun_) {
    give(ranks_, Order::begin);
    member_.begin(&state);
    begun_ = true;
  }
  const Orders<D> orders = orders_of(state);
  Bytes bytes;
  put(bytes, orders);
  give(ranks_, Order::step, bytes);
  StepReport report = member_.step(model, orders);
  const Orders<D> after = orders_of(member_.state());
  take_numbers(state, after.numbers);
  state.pistons = after.pistons;
  report.inserted = exchanged.inserted, report.removed = exchanged.removed;
  if (!report.cell_holds) report.bodies = state.bodies.size();
  whole_ = broken_ = false;
  return report;
}

template <int D>
void SharedEngine<D>::bring_home(State<D>& state) {
  if (whole_) return;
  broken_ = true;
  give(ranks_, Order::gather);
  member_.gather(&state);
  whole_ = true, broken_ = false;
}

template class SharedEngine<2>;
template class SharedEngine<3>;

}  // namespace moreau::ranks
