// One frame in one HDF5 file; its layout is described in docs/run-folder.md.
#pragma once

#include <filesystem>

#include "moreau/dynamics/frame.hpp"
#include "moreau/store/frame_form.hpp"
#include "moreau/store/hdf5.hpp"

namespace moreau::inline store {

struct FrameHeader {
  double time = 0.0;
  std::uint64_t step = 0;
  int dimension = 0;
  bool blocks = false;  // some bodies may have a shape
};

// A frame in a group of a file.
template <int D>
void write_frame(hdf5::Group& group, const Frame<D>& frame, const Signature& signature, const FrameForm& form = {});
template <int D>
Frame<D> read_frame(const hdf5::Group& group);

template <int D>  // not yet forced to the disk
void write_frame_file(const std::filesystem::path& path, const Frame<D>& frame, const Signature& signature,
                      const FrameForm& form = {});
// What does not evolve, for all frames that name this file as their `constants`.
template <int D>
void write_constants_file(const std::filesystem::path& path, const Frame<D>& frame, bool reduced);
std::int64_t frame_of_constants(const std::string& filename);  // the frame that wrote it; -1: not a name of ours
template <int D>
Frame<D> read_frame_file(const std::filesystem::path& path);
FrameHeader read_frame_header(const std::filesystem::path& path);

}  // namespace moreau::inline store
