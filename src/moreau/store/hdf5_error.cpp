#include "moreau/store/hdf5_error.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include "moreau/store/store_error.hpp"

namespace moreau::hdf5 {
namespace {

// The first entry of an upward walk is the deepest function, the one that met the problem.
herr_t take_deepest(unsigned n, const H5E_error2_t* error, void* text) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

void silence_library() {
  H5dont_atexit();  // files are closed by those who opened them; after a failure the library's own end may fail too
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);  // a file may name any filter, and the library would load code for it
}

void throw_error(const std::string& file, const std::string& what) {
  std::string cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_deepest, &cause);
  H5Eclear2(H5E_DEFAULT);
  if (cause.empty()) throw_plain(file, what);
  const bool memory = cause.find("allocat") != std::string::npos;  // "unable to allocate ...", "memory allocation failed ..."
  throw StoreError(fmt::format("{}: {}: {}{}", file, what, cause, memory ? "; there is not enough memory" : ""));
}

void throw_plain(const std::string& file, const std::string& what) { throw StoreError(fmt::format("{}: {}", file, what)); }

}  // namespace moreau::hdf5
