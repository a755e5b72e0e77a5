// The frames of a run as a whole: which there are, and the file that lists them (trajectory.h5).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "moreau/dynamics/frame.hpp"
#include "moreau/store/frame_form.hpp"

namespace moreau::inline store {

struct FrameEntry {
  std::uint64_t number = 0, step = 0;
  double time = 0.0;
};

inline constexpr const char* frames_folder = "frames";

std::filesystem::path frame_path(const std::filesystem::path& run, std::uint64_t number);
// The file beside frame `number` that holds what does not evolve, for it and for those after it.
std::string constants_name(std::uint64_t number);
// Number of the frame to which a file of the frames folder belongs (frame, constants, temporaries; views of earlier versions);
// -1: not one of ours.
std::int64_t frame_of_file(const std::string& filename);

// Complete frames present, in order. Files that cannot be read are left out and named in `unreadable`.
std::vector<FrameEntry> list_frames(const std::filesystem::path& run, std::vector<std::string>& unreadable);
// The frame, and before it its constants if the form names its own file of them.
template <int D>
FrameEntry write_frame_files(const std::filesystem::path& run, std::uint64_t number, const Frame<D>& frame,
                             const Signature& signature, const FrameForm& form);
void force_frame_to_disk(const std::filesystem::path& run, std::uint64_t number);
void write_trajectory(const std::filesystem::path& run, const std::vector<FrameEntry>& frames);
void force_trajectory_to_disk(const std::filesystem::path& run);
std::vector<std::filesystem::path> frame_files(const std::filesystem::path& run);  // all of them, temporary files too
void remove_frames_from(const std::filesystem::path& run, std::uint64_t first);    // and all temporary files of frames

}  // namespace moreau::inline store
