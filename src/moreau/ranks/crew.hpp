// The ranks that this program was started on (mpirun -n 4 moreau ...). Rank 0 leads: it reads, writes, and runs the course as one
// process does, with an engine that hands the steps to all. The others follow: each has its share of the bodies and does what
// rank 0 orders.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "moreau/engines/engine.hpp"
#include "moreau/ranks/communicator.hpp"
#include "moreau/ranks/plugin.hpp"

namespace moreau::ranks {

// How many processes mpirun, or a scheduler that speaks its language, has started; 1 where it has not.
int started();
// How many of them share this machine.
int started_here();

// Opens the library and joins the others. Throws std::runtime_error, one sentence, where there is no library.
void join(const Watch& watch);
// Null: one process.
Communicator* crew();
// To be called when the program ends, with its exit status: lets the others go, or ends them where they cannot be reached any
// more.
void leave(int status);

// Why a scene cannot be run on several ranks, in one sentence; empty: it can.
template <int D>
std::string refusal(const Model<D>& model);

// Rank 0: the scene, as its text and the folder from which it names files. From here on engines are shared with the others.
void tell_scene(int dimension, int threads, const std::string& text, const std::string& folder);
// Rank 0: what each rank has done so far.
struct Effort {
  double computed;       // seconds of computing time, without waiting
  std::uint64_t memory;  // bytes: the most that the process has had
  Traffic traffic;
};
std::vector<Effort> efforts();
// Others: waits for it; false if there is none.
bool hear_scene(int& dimension, int& threads, std::string& text, std::string& folder);
// Others: does what is ordered until the end. `model_of` a phase.
template <int D>
void follow(const std::function<const Model<D>&(std::uint64_t phase)>& model_of);

}  // namespace moreau::ranks
