#include "moreau/engines/geometric/loose_bodies.hpp"

#include <utility>

#include "moreau/statics/contact_matrix.hpp"

namespace moreau::geometric {

template <int D>
void LooseBodies<D>::gather(State<D>& state, const statics::Freedoms<D>& carrying) {
  neighbours_.invalidate();
  const auto near = statics::contacts_within(model_, state, neighbours_, distance_);
  near_.clear();
  for (const auto& c : near) near_.push_back(c.pair);
  listed_at_ = moved_;
  const std::vector<statics::Cage<D>> before = std::exchange(cages_, statics::cages_of<D>(state, carrying, near));
  const std::vector<double> looked_at_before = std::exchange(looked_at_, std::vector<double>(cages_.size()));
  std::size_t old = 0;  // cages come in the order of their first bodies
  for (std::size_t k = 0; k < cages_.size(); ++k) {
    while (old < before.size() && before[old].bodies[0] < cages_[k].bodies[0]) ++old;
    if (old < before.size() && before[old].bodies == cages_[k].bodies)
      cages_[k] = before[old], looked_at_[k] = looked_at_before[old];
    else
      look_at(state, k);
  }
}

// Others may have come near.
template <int D>
void LooseBodies<D>::renew_list(State<D>& state) {
  if (!(moved_ - listed_at_ > 0.1 * distance_)) return;
  near_.clear();
  for (const auto& c : statics::contacts_within(model_, state, neighbours_, distance_)) near_.push_back(c.pair);
  listed_at_ = moved_;
}

template <int D>
void LooseBodies<D>::look_at(State<D>& state, std::size_t k) {
  renew_list(state);
  statics::widen<D>(model_, state, near_, distance_, cages_[k]);
  looked_at_[k] = moved_;
}

template <int D>
std::optional<statics::Cage<D>> LooseBodies<D>::tightest(State<D>& state, const statics::Freedoms<D>& carrying, double length,
                                                         bool all) {
  std::optional<statics::Cage<D>> least;
  for (std::size_t k = 0; k < cages_.size(); ++k) {
    if (!all && room_left(k) > 2.0 * length) continue;
    statics::Cage<D> rest = cages_[k];
    std::erase_if(rest.bodies, [&](std::size_t i) { return carrying.takes_part(i); });
    if (rest.bodies.empty()) continue;
    if (rest.bodies.size() < cages_[k].bodies.size()) {
      renew_list(state);
      statics::widen<D>(model_, state, near_, distance_, rest);
    } else {
      if (moved_ > looked_at_[k] || all) look_at(state, k);
      rest = cages_[k];
    }
    if (!least || rest.room < least->room) least = std::move(rest);
  }
  return least;
}

template <int D>
typename LooseBodies<D>::Jam LooseBodies<D>::first_jam(State<D>& state, const statics::Freedoms<D>& carrying,
                                                       const Eigen::VectorXd& t, double length) {
  Jam first;
  for (std::size_t k = 0; k < cages_.size(); ++k) {
    if (room_left(k) > 2.0 * length) continue;
    if (moved_ > looked_at_[k]) look_at(state, k);
    const statics::Cage<D>& cage = cages_[k];
    const auto contacts = contacts_of(model_, state, std::span<const statics::Pair>(cage.held_by));
    double rate = 0.0;  // of the room: the places of the loose bodies are the best ones, so that their motion does not count
    for (std::size_t c = 0; c < contacts.size(); ++c)
      statics::contact_row<D>(carrying, state.bodies.parameters.radius, contacts[c], contacts[c].normal,
                              [&](int column, double value) { rate += cage.share[c] * value * t[column]; });
    if (rate < -1e-12)
      if (const double distance = std::max(0.0, cage.room) / -rate; distance < first.distance) first = {distance, &cage};
  }
  return first;
}

template class LooseBodies<2>;
template class LooseBodies<3>;

}  // namespace moreau::geometric
