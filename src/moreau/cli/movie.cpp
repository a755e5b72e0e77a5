#include "moreau/cli/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "moreau/store/disk.hpp"
#include "moreau/store/output_file.hpp"

extern char** environ;

namespace moreau {

namespace {

// Runs a program with its output thrown away; its exit status, or -1 if it cannot be started.
int run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failure != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// New, and of this user alone: a name that can be guessed might be a link that somebody else has laid.
struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "moreau-film-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw std::runtime_error(fmt::format("{}: a folder for the pictures cannot be made: {}", name, std::strerror(errno)));
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

void make_movie(const std::filesystem::path& film, std::size_t count, double pictures_per_second,
                const std::function<void(std::size_t, const std::filesystem::path&)>& draw) {
  if (run_program({"ffmpeg", "-version"}) != 0)
    throw std::runtime_error(
        "a film needs the program ffmpeg, which is not installed (Debian: apt install ffmpeg); without it, --sheet N shows N "
        "frames in one picture");
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < count; ++i) draw(i, folder.path / fmt::format("{:06}.png", i));
  // Beside its name until it is whole. Absolute, or it might be an option or an address of the network to ffmpeg.
  const std::filesystem::path whole = behind_links(std::filesystem::absolute(film));
  std::filesystem::path unfinished = whole;
  unfinished.replace_extension(temporary_suffix + whole.extension().string());
  // Players expect an even number of lines and columns.
  const int status = run_program({"ffmpeg", "-y", "-loglevel", "error", "-framerate", fmt::format("{}", pictures_per_second),
                                  "-i", (folder.path / "%06d.png").string(), "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                  "-pix_fmt", "yuv420p", unfinished.string()});
  std::error_code error;
  if (status == 0) std::filesystem::rename(unfinished, whole, error);
  if (status == 0 && !error) return;
  std::filesystem::remove(unfinished, error);
  throw std::runtime_error(fmt::format("ffmpeg could not write the film {} (exit status {})", film.string(), status));
}

}  // namespace moreau
