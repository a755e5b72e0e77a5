#include "moreau/cli/state_of.hpp"

#include <fmt/format.h>

#include "moreau/store/trajectory.hpp"

namespace moreau {

Instant instant_of(const RunFolder& run, std::uint64_t step, double time) {
  Instant instant{run.path().string(), step, time, std::nullopt};
  if (const std::uint64_t frames = run.frame_count(); frames > 0) try {
      const FrameHeader newest = read_frame_header(frame_path(run.path(), frames - 1));
      if (newest.step > step) instant.newer = newest;
    } catch (const StoreError&) {  // a damaged frame spoils nothing here
    }
  return instant;
}

std::string Instant::words() const {
  if (run.empty()) return {};
  std::string text = fmt::format("at step {} (t = {:.6g})", step, time);
  if (newer)
    text += fmt::format(
        ", the last checkpoint; its frames have come to step {} (t = {:.6g}): the run goes on, or was killed, and its next "
        "checkpoint will be later",
        newer->step, newer->time);
  return text;
}

void Instant::note(nlohmann::ordered_json& j) const {
  if (run.empty()) return;
  j["step"] = step, j["time"] = time;
  if (newer) j["newest_frame"] = {{"step", newer->step}, {"time", newer->time}};
}

}  // namespace moreau
