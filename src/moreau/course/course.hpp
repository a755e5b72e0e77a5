// A scene on its way: phases with their ends, sources, sinks and measures, step by step, without files. The command line, tests
// and scripts drive it; storage listens to it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "moreau/course/listener.hpp"
#include "moreau/course/record.hpp"
#include "moreau/course/sampled_measures.hpp"
#include "moreau/course/step_watch.hpp"
#include "moreau/engines/simulation.hpp"
#include "moreau/scene/scene.hpp"

namespace moreau::inline course {

enum class Standing {
  running,
  over,            // the last phase is over
  unconverged,     // a step did not converge, and the scene says to stop (solver.on_limit)
  cell_collapsed,  // the periodic cell became narrower than two of the largest bodies; the step was not made
  not_finite,      // a NaN or infinity appeared
};

template <int D>
class Course {
 public:
  // From the beginning. Scene and listener, if there is one, must outlive the course.
  explicit Course(const Scene<D>& scene, int threads = 1, CourseListener<D>* listener = nullptr);
  // From where an earlier one had come. `start` is its first frame if some measure compares with it.
  Course(const Scene<D>& scene, State<D> state, CourseRecord record, std::vector<Frame<D>> references, Frame<D> start,
         int threads = 1, CourseListener<D>* listener = nullptr);
  ~Course();

  // One step and all that follows from it. Makes none, and says why, when the course is over or has failed.
  Standing step();
  Standing standing() const { return standing_; }
  std::string why() const;  // one sentence for a course that has failed
  // One sentence if the present phase can never end by itself; looked at now and then, for those who make steps until it does.
  std::string why_endless() const;

  const Scene<D>& scene() const { return scene_; }
  const Simulation<D>& simulation() const { return simulation_; }
  // For scripts that act between steps (forces, velocities, laws): see Simulation.
  Simulation<D>& mutable_simulation() { return simulation_; }
  const Model<D>& model() const { return simulation_.model(); }
  const State<D>& state() const { return simulation_.state(); }
  const State<D>& present() const { return simulation_.present(); }  // without arrays: see Simulation
  const Phase<D>& phase() const { return scene_.phases[present().phase]; }
  const CourseRecord& record() const { return record_; }
  const std::vector<Frame<D>>& references() const { return references_; }
  // The first instant, if some measure compares with it.
  const Frame<D>& start() const { return sampler_.first(); }
  bool has_reached(double time) const { return present().time >= time - 0.5 * phase().model.time_step; }

  // Called in the steps asked for once they are solved (Simulation::inspect).
  void inspect(StepInspector<D> inspector, InspectedSteps steps) {
    inspector_ = std::move(inspector), inspected_ = std::move(steps);
    listen_to_steps();
  }

 private:
  struct Threads;
  void take_frame();
  void note(const Warning& warning);
  void examine(const StepView<D>& view, const Certificate& certificate);
  void end_phases();
  void finish_packing();
  void begin();
  void listen_to_steps();
  // What the end of the phase is judged by.
  const State<D>& judged() const { return phase().end.asks_for_arrays() ? state() : present(); }

  const Scene<D>& scene_;
  std::unique_ptr<Threads> threads_;
  CourseListener<D> silence_;
  CourseListener<D>* listener_;
  Simulation<D> simulation_;
  CourseRecord record_;
  std::vector<Frame<D>> references_;
  MeasureSampler<D> sampler_;
  StepWatch<D> watch_;
  Standing standing_ = Standing::running;
  StepInspector<D> inspector_;
  InspectedSteps inspected_;
  std::string confinement_;  // of the last step, if its impulses grew without bound
  std::string last_wedge_;   // the last that was found, with its step
  std::string why_not_finished_;  // by the linear programs of a phase that is to end isostatic, when they were last asked
  int failing_ = 0;  // steps one after the other in which the engine found no way to go on
};

// "step 12 (t = 0.12) did not converge in 500 sweeps: ..."
template <int D>
std::string unconverged_sentence(const StepReport& report, const State<D>& state, const SolverSettings& settings);

}  // namespace moreau::inline course
