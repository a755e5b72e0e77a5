// Why a mesh cannot be used: a clause that follows "names FILE, which".
#pragma once

#include <stdexcept>

namespace moreau::mesh {

class MeshError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace moreau::mesh
