// One rank at work: its share of bodies and contacts, and the rigid engine that takes it from step to step together with the
// others.
#pragma once

#include "moreau/engines/rigid/rigid_engine.hpp"
#include "moreau/ranks/batons.hpp"
#include "moreau/ranks/mass_parts.hpp"
#include "moreau/ranks/share.hpp"

namespace moreau::ranks {

template <int D>
class Member : public SharedStep<D> {
 public:
  explicit Member(Communicator& ranks);

  // (all) Rank 0 has everything, the others null.
  void begin(const State<D>* whole);
  // (all) What orders say is as rank 0 has it.
  StepReport step(const Model<D>& model, const Orders<D>& orders);
  // (all) Bodies leave through sinks and, where `arrivals` are due, arrive from sources (dynamics/exchange.hpp). Rank 0 gives the
  // whole, of whose bodies only those asked about are brought up to date, and learns how many; the others null.
  void exchange(const Model<D>& model, bool arrivals, State<D>* whole, StepReport* report);
  // (all) What has changed brought home to rank 0; the others give null.
  void gather(State<D>* whole);
  const State<D>& state() const { return share_.state; }

  double mean_radius() const override { return whole_.mean_radius; }
  void renew_order(State<D>& state, bool due) override;
  void demand_reach(const LookAhead& ahead, const Lattice<D>& lattice, const Matrix<D>& gradient) override;
  std::vector<WornFace> bring_together(const std::vector<WornFace>& worn) override;
  bool holds(const Lattice<D>& lattice) const override;

  void begin_sweep(const VelocityRows& rows, bool afresh) override { ways().begin_sweep(ranks_, rows, afresh); }
  void before_colour(const VelocityRows& rows, std::size_t colour) override { ways().before_colour(ranks_, rows, colour); }
  void after_colour(const VelocityRows& rows, std::size_t colour) override { ways().after_colour(ranks_, rows, colour); }
  void before_overflow(const VelocityRows& rows) override { ways().before_overflow(ranks_, rows); }
  void end_sweep(const VelocityRows& rows) override { ways().end_sweep(ranks_, rows); }
  void publish(const VelocityRows& rows) override { ways().publish(ranks_, share_.halo, rows); }
  Completion complete(const SystemPart<D>& part, const CompletionTask& task, std::vector<StepContact<D>>& finished) override;

 protected:
  bool colour_all(Colouring& colouring, std::span<const Colouring::Contact> contacts,
                  std::span<const std::uint32_t> slots) override;
  void combine(void* mine, std::size_t bytes, void (*add)(void* to, const void* from)) const override {
    ranks_.combine(mine, bytes, add);
  }

 private:
  SweepExchange& ways() { return fast_ ? static_cast<SweepExchange&>(mass_parts_) : batons_; }
  std::size_t remove(const Model<D>& model, State<D>* whole);
  std::size_t insert(const Model<D>& model, State<D>* whole);
  void tell_whole(const State<D>* whole, Bytes& told);
  void divide_anew(const Model<D>& model, double margin);
  void watch_balance();
  double work_of_step(double seconds) const;
  void demand_one_overflow(const Colouring& colouring, std::span<const Colouring::Contact> contacts,
                           std::span<const std::uint32_t> slots);

  // Of the whole.
  struct Whole {
    double mean_radius = 0.0, largest_radius = 0.0;
    bool ordered = false;  // bodies have places along the curve
  };
  Communicator& ranks_;
  Whole whole_;
  Share<D> share_;
  State<D> before_;  // the step
  Reach<D> reach_;
  bool fast_ = false;  // sweeps
  Batons batons_;
  MassParts mass_parts_;
  RigidEngine<D> engine_;
  std::vector<std::int32_t>
      crowd_;  // bodies that one rank must own: the first ones of contacts in the overflow; by name, increasing
  bool stale_ = true, balance_ = true;
  double worked_ = 0.0;      // seconds, since balance was looked at last
  int steps_ = 0;            // since then
  double share_rate_ = 1.0;  // how much longer than the mean a body here takes; the next division weighs bodies by it
};

}  // namespace moreau::ranks
