// A frame edited at will: it is refused with StoreError, or measured and drawn without harm.
#include "fuzz/run_to_damage.hpp"
#include "moreau/course/phases.hpp"
#include "moreau/draw/picture/picture.hpp"
#include "moreau/measure/quantity.hpp"

using namespace moreau;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static fuzz::RunToDamage run;
  static const fuzz::fs::path file = run.path / "frames/frame_000002.h5";
  static const std::string valid = fuzz::bytes_in(file);
  static const fuzz::Contents contents(file);
  fuzz::Dice dice(data, size);
  fuzz::write_edited(file, valid, contents, dice);
  try {
    const Frame<2> f = frame_of(run.folder, run.scene, 2);
    const auto sample =
        measure::sample_of(model_of(run.scene, f), f.shapes, f.time, f.parameters, f.state, f.contacts, f.wall_shift, f.lattice);
    for (const std::string& name : measure::usual_quantities())
      if (const auto* quantity = measure::find_quantity<2>(name)) quantity->measure(sample, sample, {});
    PictureOptions options;
    options.width = 100;
    draw_frame(f, options, fuzz::scratch() / "picture.svg");
  } catch (const StoreError&) {
  } catch (const std::runtime_error&) {  // what cannot be drawn
  }
  return 0;
}
