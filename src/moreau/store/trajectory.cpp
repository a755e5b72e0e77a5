#include "moreau/store/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "moreau/store/disk.hpp"
#include "moreau/store/frame_file.hpp"
#include "moreau/store/hdf5.hpp"
#include "moreau/store/paraview.hpp"
#include "moreau/store/run_names.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline store {
namespace fs = std::filesystem;
namespace {

std::string frame_name(std::uint64_t number) { return fmt::format("frame_{:06}", number); }

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) files.push_back(it->path());
  if (error && error != std::errc::no_such_file_or_directory)
    throw StoreError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  return files;
}

}  // namespace

fs::path frame_path(const fs::path& run, std::uint64_t number) { return run / frames_folder / (frame_name(number) + ".h5"); }

std::string constants_name(std::uint64_t number) { return fmt::format("constants_{:06}.h5", number); }

std::int64_t frame_of_file(const std::string& filename) {
  std::string_view rest = filename;
  const bool frame = drop_prefix(rest, "frame_") || drop_prefix(rest, "constants_");
  bool view = false;  // of runs written before `moreau export`
  for (const char* name : paraview_views) view = view || (!frame && drop_prefix(rest, fmt::format("{}_", name)));
  if (!frame && !view) return -1;
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc{} || end - rest.data() < 6) return -1;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  if (!drop_prefix(rest, frame ? ".h5" : ".vtp")) return -1;
  return rest.empty() || rest == temporary_suffix ? number : -1;
}

std::vector<FrameEntry> list_frames(const fs::path& run, std::vector<std::string>& unreadable) {
  std::vector<FrameEntry> frames;
  for (const fs::path& file : files_of(run / frames_folder)) {
    const std::int64_t number = frame_of_file(file.filename().string());
    if (number < 0 || file.extension() != ".h5" || frame_of_constants(file.filename().string()) >= 0) continue;
    try {
      const FrameHeader header = read_frame_header(file);
      frames.push_back({static_cast<std::uint64_t>(number), header.step, header.time});
    } catch (const StoreError& error) {
      unreadable.emplace_back(error.what());
    }
  }
  std::sort(frames.begin(), frames.end(), [](const FrameEntry& x, const FrameEntry& y) { return x.number < y.number; });
  return frames;
}

template <int D>
FrameEntry write_frame_files(const fs::path& run, std::uint64_t number, const Frame<D>& frame, const Signature& signature,
                             const FrameForm& form) {
  make_own_folder(run / frames_folder);
  const fs::path constants = run / frames_folder / constants_name(number);
  if (form.constants == constants.filename()) write_constants_file(constants, frame, form.reduced);
  write_frame_file(frame_path(run, number), frame, signature, form);
  return {number, frame.step, frame.time};
}

void write_trajectory(const fs::path& run, const std::vector<FrameEntry>& frames) {
  const fs::path path = run / trajectory_file;
  hdf5::Writer file(path);
  std::vector<double> time;
  std::vector<std::uint64_t> number, step;
  for (const FrameEntry& frame : frames) {
    const std::string name = frame_name(frame.number);
    file.root().link_external(name, fmt::format("{}/{}.h5", frames_folder, name));
    number.push_back(frame.number), step.push_back(frame.step), time.push_back(frame.time);
  }
  file.root().write("frame", number), file.root().write("step", step), file.root().write("time", time);
  write_whole(path, file.finish(), Sync::later);
}

void force_trajectory_to_disk(const fs::path& run) { force_to_disk(run / trajectory_file); }

void force_frame_to_disk(const fs::path& run, std::uint64_t number) {
  force_to_disk(frame_path(run, number));
  force_to_disk(run / frames_folder / constants_name(number));
  force_to_disk(run / frames_folder);
}

std::vector<fs::path> frame_files(const fs::path& run) {
  refuse_link(run / frames_folder);
  std::vector<fs::path> files = files_of(run / frames_folder);
  std::erase_if(files, [](const fs::path& file) { return frame_of_file(file.filename().string()) < 0; });
  return files;
}

void remove_frames_from(const fs::path& run, std::uint64_t first) {
  for (const fs::path& file : frame_files(run))
    if (static_cast<std::uint64_t>(frame_of_file(file.filename().string())) >= first || file.extension() == temporary_suffix)
      remove_file(file);
}

template FrameEntry write_frame_files<2>(const fs::path&, std::uint64_t, const Frame<2>&, const Signature&, const FrameForm&);
template FrameEntry write_frame_files<3>(const fs::path&, std::uint64_t, const Frame<3>&, const Signature&, const FrameForm&);

}  // namespace moreau::inline store
