// The complete state of a run in one HDF5 file, bit for bit; its layout is described in docs/run-folder.md.
#pragma once

#include <filesystem>

#include "moreau/store/run_folder.hpp"

namespace moreau::inline store {

// Writes beside `path`; the returned file is complete on the disk and ready to be renamed.
template <int D>
std::filesystem::path write_checkpoint_beside(const std::filesystem::path& path, const Checkpoint<D>& checkpoint,
                                              const Signature& signature, const TableLines& tables);
template <int D>
Checkpoint<D> read_checkpoint_file(const std::filesystem::path& path);
int read_checkpoint_dimension(const std::filesystem::path& path);
Signature read_checkpoint_signature(const std::filesystem::path& path);

}  // namespace moreau::inline store
