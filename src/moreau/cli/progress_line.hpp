// How far a run has come: one line that renews itself on a terminal, plain lines now and then elsewhere.
#pragma once

#include <chrono>

#include "moreau/runner/run.hpp"

namespace moreau {

class ProgressLine {
 public:
  explicit ProgressLine(double duration);
  void show(const Progress& progress);
  void say(const std::string& sentence);      // a line of its own, above the renewed one
  void finish();                              // leaves the cursor on a fresh line
  bool is_unread() const { return unread_; }  // the reader of the output has gone; any other failure to write it is left alone

 private:
  using Clock = std::chrono::steady_clock;
  void write(const std::string& text);
  bool terminal_, unread_ = false;
  double duration_;
  double next_fraction_ = 0.0;
  Clock::time_point last_;
  std::size_t width_ = 0;  // of the line on the screen
};

}  // namespace moreau
