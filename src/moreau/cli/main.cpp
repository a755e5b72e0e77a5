#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <thread>

#include "moreau/base/version.hpp"
#include "moreau/cli/command.hpp"

namespace moreau {

AnyScene scene_of(const RunFolder& folder) { return parse_scene(folder.scene_text(), (folder.path() / "scene.toml").string(), folder.path()); }

int default_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace moreau

int main(int argc, char** argv) {
  using namespace moreau;
  CLI::App app{"moreau: rigid grains in contact with exact dry friction (Contact Dynamics of Moreau and Jean).\n"
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
  add_equilibrium(app, status);
  add_bench(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "moreau: {} (see 'moreau --help')\n", e.what());
    return exit_usage;
  } catch (const std::exception& e) {
    fmt::print(stderr, "moreau: {}\n", e.what());
    return exit_error;
  }
  return status;
}
