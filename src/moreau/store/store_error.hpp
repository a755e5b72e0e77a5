// One sentence naming the file and what went wrong (full disk, missing folder, damaged file ...).
#pragma once

#include <stdexcept>

namespace moreau::inline store {

class StoreError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace moreau::inline store
