// From the library's stack of errors to one sentence.
#pragma once

#include <string>

namespace moreau::hdf5 {

void silence_library();  // its own printing of errors; ours carry the cause
[[noreturn]] void throw_error(const std::string& file, const std::string& what);  // StoreError "file: what: cause"
[[noreturn]] void throw_plain(const std::string& file, const std::string& what);  // StoreError "file: what"

}  // namespace moreau::hdf5
