#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <thread>

#include "moreau/base/version.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/scene/nearest.hpp"

namespace moreau {

AnyScene scene_of(const RunFolder& folder) {
  return parse_scene(folder.scene_text(), (folder.path() / "scene.toml").string(), folder.path());
}

namespace {

std::string strict_sentence(const Warnings& warnings) {
  std::string text = sentence_of(warnings.all().front());
  if (const std::size_t more = warnings.all().size() - 1; more > 0)
    text += fmt::format(" (and {} more warning{})", more, more > 1 ? "s" : "");
  return text + "; refused because of --strict";
}

// "moreau run" where that command was being given, else "moreau".
std::string command_given(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? "moreau" : "moreau " + given.front()->get_name();
}

// A first word that is no command, when CLI11 would only say that something was not expected.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) known.push_back(command->get_name());
  if (std::ranges::count(known, argv[1]) > 0) return {};
  return fmt::format("there is no command '{}'; {}", argv[1], suggestion(argv[1], known));
}

}  // namespace

StrictError::StrictError(const Warnings& warnings) : std::runtime_error(strict_sentence(warnings)) {}

int default_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace moreau

int main(int argc, char** argv) {
  using namespace moreau;
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes (ulimit -f) is then an error with a sentence, like a full disk
  CLI::App app{
      "moreau: rigid grains in contact with exact dry friction (Contact Dynamics of Moreau and Jean).\n"
      "Start with: moreau new pile && moreau run pile.toml && moreau draw pile-run"};
  app.set_version_flag("--version", std::string("moreau ") + MOREAU_VERSION + " (" + MOREAU_COMMIT + ")");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  int status = exit_ok;
  add_new(app, status);
  add_check(app, status);
  add_run(app, status);
  add_resume(app, status);
  add_info(app, status);
  add_draw(app, status);
  add_measure(app, status);
  add_equilibrium(app, status);
  add_bench(app, status);
  add_solve(app, status);
  add_reproduce(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    const std::string unknown = unknown_command(app, argc, argv);
    fmt::print(stderr, "moreau: {} (see '{} --help')\n", unknown.empty() ? e.what() : unknown, command_given(app));
    return exit_usage;
  } catch (const StrictError& e) {
    fmt::print(stderr, "moreau: {}\n", e.what());
    return exit_warned;
  } catch (const std::exception& e) {
    fmt::print(stderr, "moreau: {}\n", e.what());
    return exit_error;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "moreau: the standard output cannot be written\n");
    return status == exit_ok ? static_cast<int>(exit_error) : status;
  }
  return status;
}
