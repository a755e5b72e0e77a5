// The [[measure]] entries of a scene, taken from the running simulation.
#pragma once

#include "moreau/dynamics/simulation.hpp"
#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau {

template <int D>
class MeasureSampler {
 public:
  // `references` are those of the checkpoint that a run goes on from; empty at the start of a run, whose first frame is there.
  MeasureSampler(const Scene<D>& scene, RunFolder& folder, std::vector<Frame<D>> references);

  // To be called after every step; writes those that are due at the time reached. An entry is due at the step nearest to each
  // multiple of its interval, which needs no memory of what was written: a resumed run samples as an uninterrupted one.
  void sample(const Simulation<D>& simulation);

  // The last sample of every entry that compares with it, in their order; part of a checkpoint.
  const std::vector<Frame<D>>& references() const { return references_; }

 private:
  const Scene<D>& scene_;
  RunFolder& folder_;
  std::vector<Frame<D>> references_;
  std::vector<std::int32_t> reference_of_;  // of every entry: index into the references, or one of the two below
  static constexpr std::int32_t none = -2, start = -1;
  Frame<D> start_;
};

}  // namespace moreau
