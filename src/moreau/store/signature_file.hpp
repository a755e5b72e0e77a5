// The signature of a file as three attributes of its root.
#pragma once

#include "moreau/base/signature.hpp"
#include "moreau/store/hdf5.hpp"

namespace moreau::inline store {

inline void write_signature(hdf5::Group& root, const Signature& signature) {
  root.write_text("scene", signature.scene);
  root.write_text("version", signature.version);
  root.write_text("commit", signature.commit);
}

inline Signature read_signature(const hdf5::Group& root) {
  return {root.read_text("scene"), root.read_text("version"), root.read_text("commit")};
}

}  // namespace moreau::inline store
