#include "moreau/cli/ranks.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "moreau/base/memory.hpp"
#include "moreau/base/shell_word.hpp"
#include "moreau/base/team.hpp"
#include "moreau/cli/run_to_end.hpp"
#include "moreau/ranks/crew.hpp"

namespace moreau {

namespace {

constexpr double longest_silence = 3600.0;  // seconds, unless MOREAU_LONGEST_SILENCE says otherwise

void give_up(const char* why) {
  const std::string run = run_in_progress();
  complain(fmt::format(
      "rank {}: {}{}", ranks::crew() ? ranks::crew()->rank() : 0, why,
      run.empty()
          ? ""
          : fmt::format("; what the last checkpoint holds is safe, go on from there with: moreau resume {}", shell_word(run))));
  std::_Exit(exit_error);
}

ranks::Watch watch{is_interrupted, give_up, longest_silence};

template <int D>
void follow_scene(Scene<D>& scene, int threads) {
  scene.bodies = {};  // they come from rank 0
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena(threads).execute(
      [&] { ranks::follow<D>([&](std::uint64_t phase) -> const Model<D>& { return scene.phases[phase].model; }); });
}

}  // namespace

int join_ranks() {
  if (ranks::started() <= 1) return exit_ok;
  if (const char* seconds = std::getenv("MOREAU_LONGEST_SILENCE")) watch.longest_silence = std::atof(seconds);
  try {
    ranks::join(watch);
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return exit_error;
  }
  return exit_ok;
}

bool is_follower() { return ranks::crew() && ranks::crew()->rank() > 0; }

// Signals are for rank 0, which ends the run in order; the others go when it tells them.
int follow() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  std::string sentence;
  try {
    int dimension = 0, threads = 1;
    std::string text, folder;
    Team::choose_size(false);
    if (!ranks::hear_scene(dimension, threads, text, folder)) return exit_ok;
    AnyScene scene = parse_scene(text, folder + "/scene.toml", folder);
    std::visit([&](auto& s) { follow_scene(s, threads); }, scene);
    return exit_ok;
  } catch (const std::bad_alloc& error) {
    sentence = memory_sentence(error);
  } catch (const std::exception& error) {
    sentence = error.what();
  }
  ::sleep(2);  // what has stopped all ranks rank 0 tells
  complain(fmt::format("rank {}: {}", ranks::crew()->rank(), sentence));
  ranks::crew()->abort(exit_error);
  return exit_error;
}

}  // namespace moreau
