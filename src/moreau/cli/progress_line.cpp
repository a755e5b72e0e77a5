#include "moreau/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>

namespace moreau {

namespace {

std::string clock_text(double seconds) {
  const long s = std::lround(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60) : fmt::format("{}:{:02}", s / 60, s % 60);
}

}  // namespace

ProgressLine::ProgressLine(double duration) : terminal_(isatty(STDOUT_FILENO) != 0), duration_(duration), last_(Clock::now()) {}

void ProgressLine::show(const Progress& p) {
  const auto now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  const bool done = p.fraction >= 1.0;
  // A terminal is renewed five times a second; a file gets a line per tenth of the run, or per minute.
  if (terminal_ ? since < 0.2 && !done : p.fraction < next_fraction_ && since < 60.0) return;
  last_ = now;
  while (next_fraction_ <= p.fraction) next_fraction_ += 0.1;
  const StepReport& r = p.report;
  const std::string where = p.phase.empty() ? "" : p.phase + ": ",
                    end = std::isfinite(duration_) ? fmt::format(" of {:.4g}", duration_) : "";
  std::string line =
      fmt::format("{:3.0f} %  {}t = {:.4g}{}  {} {}  bodies {}  contacts {}  sweeps {}  residual {:.1e}  {:.0f} steps/s",
                  100.0 * p.fraction, where, r.time, end, p.eta_of_phase && p.eta ? "ETA of the phase" : "ETA", p.eta ? clock_text(*p.eta) : "-", r.bodies, r.contacts,
                  r.certificate.sweeps, r.certificate.relative_residual(), p.steps_per_second);
  if (p.unconverged_steps > 0) line += fmt::format("  ({} unconverged)", p.unconverged_steps);
  if (!terminal_) {
    write(line + "\n");
  } else {
    const std::size_t width = line.size();
    line.append(width_ > width ? width_ - width : 0, ' ');
    width_ = width;
    write("\r" + line);
  }
}

void ProgressLine::write(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  unread_ = unread_ || (!written && errno == EPIPE);
}

void ProgressLine::say(const std::string& sentence) {
  finish();
  write(sentence + "\n");
}

void ProgressLine::finish() {
  if (terminal_ && width_ > 0) write("\n");
  width_ = 0;
}

}  // namespace moreau
