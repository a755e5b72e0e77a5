// A checkpoint edited at will: it is refused with StoreError, or the run goes on from it without harm.
#include "fuzz/run_to_damage.hpp"
#include "moreau/engines/simulation.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::RunToDamage run;
  static const fuzz::fs::path file = run.path / "checkpoint.h5";
  static const std::string valid = fuzz::bytes_in(file);
  static const fuzz::Contents contents(file);
  fuzz::fs::remove(run.path / "checkpoint.previous.h5");
  fuzz::Dice dice(data, size);
  fuzz::write_edited(file, valid, contents, dice);
  try {
    const Checkpoint<2> checkpoint = checkpoint_of(run.folder, run.scene);
    Simulation<2> simulation(run.scene.phases[checkpoint.state.phase].model, checkpoint.state);
    make_frame(simulation.model(), simulation.state());
    for (int k = 0; k < 3; ++k) simulation.step();
  } catch (const StoreError&) {
  } catch (const std::bad_alloc&) {  // said to the user as such
  }
  return 0;
}
