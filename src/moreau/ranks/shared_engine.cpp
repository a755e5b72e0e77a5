#include "moreau/ranks/shared_engine.hpp"

namespace moreau::ranks {

void give(Communicator& ranks, Order order, const Bytes& more) {
  Bytes bytes;
  put(bytes, order);
  bytes.insert(bytes.end(), more.begin(), more.end());
  ranks.broadcast(bytes);
}

Order take_order(Communicator& ranks, Bytes& more) {
  ranks.broadcast(more);
  const Order order = Reader(more).take<Order>();
  more.erase(more.begin());
  return order;
}

template <int D>
StepReport SharedEngine<D>::step(const Model<D>& model, State<D>& state) {
  broken_ = true;
  if (!begun_) {
    give(ranks_, Order::begin);
    member_.begin(&state);
    begun_ = true;
  }
  give(ranks_, Order::step, step_order(state));
  const StepReport report = member_.step(model, scalars_of(state), state.motion_starts);
  set_scalars(state, scalars_of(member_.state()));
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
