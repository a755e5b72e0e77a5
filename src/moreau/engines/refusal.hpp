// A model or bodies that an engine cannot take, in one sentence that says what it can.
#pragma once

#include <stdexcept>

namespace moreau::inline engines {

class EngineRefusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace moreau::inline engines
