// One rank at work: its share of bodies and contacts, and the rigid engine that takes it from step to step together with the others.
#pragma once

#include "moreau/engines/rigid/rigid_engine.hpp"
#include "moreau/ranks/batons.hpp"
#include "moreau/ranks/share.hpp"

namespace moreau::ranks {

template <int D>
class Member : public SharedStep<D> {
 public:
  explicit Member(Communicator& ranks);

  // (all) Rank 0 has everything, the others null.
  void begin(const State<D>* whole);
  // (all) Scalars and motions as rank 0 has them.
  StepReport step(const Model<D>& model, const Scalars<D>& scalars, const std::vector<MotionStart<D>>& motions);
  // (all) Bodies and contacts brought home to rank 0; the others give null.
  void gather(State<D>* whole) const;
  const State<D>& state() const { return share_.state; }

  double mean_radius() const override { return whole_.mean_radius; }
  void renew_order(State<D>& state, bool due) override;
  void demand_reach(const Bodies<D>& bodies, const LookAhead& ahead) override;

  void begin_sweep(const VelocityRows& rows, bool afresh) override { batons_.begin_sweep(ranks_, rows, afresh); }
  void before_colour(const VelocityRows& rows, std::size_t colour) override { batons_.before_colour(ranks_, rows, colour); }
  void after_colour(const VelocityRows& rows, std::size_t colour) override { batons_.after_colour(ranks_, rows, colour); }
  void end_sweep() override { batons_.end_sweep(ranks_); }
  void publish(const VelocityRows& rows) override { batons_.publish(ranks_, share_.halo, rows); }
  Completion complete(const std::vector<SystemRow<D>>& rows, const CompletionTask& task, std::vector<Vec<D>>& impulses) override;

 protected:
  bool colour_all(Colouring& colouring, std::span<const Colouring::Contact> contacts, std::span<const std::uint32_t> slots) override;
  void combine(void* mine, std::size_t bytes, void (*add)(void* to, const void* from)) const override { ranks_.combine(mine, bytes, add); }

 private:
  void divide_anew(const Model<D>& model, double margin);

  // Of the whole.
  struct Whole {
    double mean_radius = 0.0;
    bool ordered = false;  // bodies have places along the curve
  };
  Communicator& ranks_;
  Whole whole_;
  Share<D> share_;
  State<D> before_;  // the step
  Reach<D> reach_;
  Batons batons_;
  RigidEngine<D> engine_;
  bool stale_ = true, balance_ = true;
};

}  // namespace moreau::ranks
