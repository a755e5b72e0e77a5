// One frame in one HDF5 file; its layout is described in docs/run-folder.md.
#pragma once

#include <filesystem>

#include "moreau/store/frame.hpp"

namespace moreau {

struct FrameHeader {
  double time = 0.0;
  std::uint64_t step = 0;
  int dimension = 0;
  bool blocks = false;  // some bodies may have a shape
};

template <int D>  // not yet forced to the disk
void write_frame_file(const std::filesystem::path& path, const Frame<D>& frame);
template <int D>
Frame<D> read_frame_file(const std::filesystem::path& path);
FrameHeader read_frame_header(const std::filesystem::path& path);

}  // namespace moreau
