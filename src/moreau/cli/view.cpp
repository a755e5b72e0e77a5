#include <fmt/format.h>
#include <pthread.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include "moreau/cli/command.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/web/offline_file.hpp"
#include "moreau/web/server.hpp"

extern char** environ;

namespace moreau {

namespace {

struct Options {
  std::vector<std::string> folders;
  std::string html;
  int port = 0, frames = 0;
  bool no_browser = false;
};

// The desktop's own way to open an address. Whether it worked is not known; the address is on the screen anyway.
void open_browser(const std::string& address) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::string words[] = {"xdg-open", address};
  char* arguments[] = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  (void)posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments, environ);
}

// The signals that end the program wait for `serve` below; every thread that is started after inherits this.
sigset_t hold_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  return ends;
}

void serve(web::Library& library, const Options& o) {
  const sigset_t ends = hold_signals();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_IGN);
  web::Server server(library, o.port);
  fmt::print("{}\nopen this address in a browser; Ctrl-C ends the server\n", server.address());
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) return;  // nobody knows the address; main() says so
  std::jthread serving([&] { server.serve(); });
  if (!o.no_browser) open_browser(server.address());
  int signal = 0;
  sigwait(&ends, &signal);
  server.stop();
}

}  // namespace

void add_view(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("view", "look at a run in the browser, while it runs or after; or two runs side by side");
  command->add_option("DIR", o->folders, "folder of the run; of two runs, to compare them")->required()->expected(1, 2);
  CLI::Option* html = command->add_option("--html", o->html, "write one file that shows the run without this program");
  command->add_option("--frames", o->frames, "with --html: at most this many frames (default: as many as fit into 60 MB)")
      ->check(CLI::Range(1, 1000000))
      ->needs(html);
  command->add_option("--port", o->port, "of 127.0.0.1 (default: any that is free)")->check(CLI::Range(1, 65535))->excludes(html);
  command->add_flag("--no-browser", o->no_browser, "only print the address");
  command->callback([o, &status] {
    std::vector<std::unique_ptr<web::RunSource>> runs;
    for (const std::string& folder : o->folders) {
      const RunFolder run = RunFolder::open(folder);
      AnyScene scene = scene_of(run);
      demand_unchanged(run);
      runs.push_back(web::run_source(run, std::move(scene)));
    }
    web::Library library(std::move(runs));
    if (o->html.empty())
      serve(library, *o);
    else
      fmt::print("{}\n", web::write_offline_file(library, o->html, static_cast<std::uint64_t>(o->frames)));
    status = exit_ok;
  });
}

}  // namespace moreau
