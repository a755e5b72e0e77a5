#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "moreau/base/instruction_set.hpp"
#include "moreau/base/memory.hpp"
#include "moreau/base/nearest.hpp"
#include "moreau/base/shell_word.hpp"
#include "moreau/base/team.hpp"
#include "moreau/base/version.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/ranks.hpp"
#include "moreau/cli/run_to_end.hpp"
#include "moreau/gpu/device.hpp"
#include "moreau/ranks/crew.hpp"

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
  if (const std::string file = argv[1]; file.ends_with(".toml"))
    return fmt::format("'{}' is no command; to run this scene: moreau run {}", file, shell_word(file));
  return fmt::format("there is no command '{}'; {}", argv[1], suggestion(argv[1], known));
}

// The key of a scene that a newcomer tries to give as an option; empty if it is none.
std::string key_meant(const std::string& option) {
  static constexpr std::pair<const char*, const char*> keys[] = {{"--dt", "time.step"},
                                                                 {"--step", "time.step"},
                                                                 {"--timestep", "time.step"},
                                                                 {"--time-step", "time.step"},
                                                                 {"--duration", "time.duration"},
                                                                 {"--seed", "seed"},
                                                                 {"--friction", "law.friction"},
                                                                 {"--mu", "law.friction"},
                                                                 {"--gravity", "gravity"},
                                                                 {"--density", "material.density"},
                                                                 {"--tolerance", "solver.tolerance"}};
  for (const auto& [word, key] : keys)
    if (option == word) return key;
  return {};
}

// The first option that the command does not have, with the one that may be meant. CLI11 lists what it did not expect backwards.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  const auto given = app.get_subcommands();
  const CLI::App& command = given.empty() ? app : *given.front();
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  std::vector<std::string> of_program;  // may be given to any command
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) of_program.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (word == "--") break;
    if (!word.starts_with("--") || std::ranges::count(known, word) + std::ranges::count(of_program, word) > 0) continue;
    if (const std::string key = key_meant(word); !key.empty() && std::ranges::count(known, "--set") > 0)
      return fmt::format("there is no option '{}'; what the scene says is changed by --set {}=VALUE", word, key);
    return fmt::format("there is no option '{}'; {}", word, suggestion(word, known));
  }
  return {};
}

// Where a standard stream is closed, the next file opened would take its place, and receive what is meant for it. A stream that
// can only be read refuses to be written, as a closed one does.
void hold_standard_streams() {
  int descriptor = 0;
  do descriptor = ::open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

// Where a library has no way to report what the machine refused it (a thread, say), the language would end the program with words
// of its own. Whatever was written is whole at any moment.
[[noreturn]] void end_with_a_sentence() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    complain(fmt::format("stopped by a failure of the machine: {}", e.what()));
  } catch (...) {
  }
  std::_Exit(exit_error);
}

void use_instructions(const std::string& name) {
  for (const InstructionSet set : {InstructionSet::sse2, InstructionSet::avx2, InstructionSet::avx512})
    if (name == name_of(set)) {
      if (!has(set))
        throw CLI::ValidationError("--instructions", fmt::format("this machine, or this program as it was built, has no {}", name));
      return use(set);
    }
  throw CLI::ValidationError("--instructions", fmt::format("'{}' is not one of sse2, avx2, avx512", name));
}

void use_device(const std::string& name) {
  if (name != "auto" && name != "cpu" && name != "gpu" && name != "imitation")
    throw CLI::ValidationError("--device", fmt::format("'{}' is not one of auto, cpu, gpu", name));
  try {
    gpu::choose(name == "cpu"    ? gpu::Device::processor
                : name == "gpu"  ? gpu::Device::card
                : name == "auto" ? gpu::Device::automatic
                                 : gpu::Device::imitation);
  } catch (const std::runtime_error& e) {
    throw CLI::ValidationError("--device", e.what());
  }
}

}  // namespace

StrictError::StrictError(const Warnings& warnings) : std::runtime_error(strict_sentence(warnings)) {}

void complain(const std::string& sentence) { std::fputs(("moreau: " + sentence + "\n").c_str(), stderr); }

void add_settings_option(CLI::App& command, std::vector<std::string>& texts) {
  command
      .add_option("--set", texts,
                  "KEY=VALUE: a key of the scene with another value, as law.friction=0.3, grains[2].count=100 or "
                  "piston[lid].stress=2; may be repeated")
      ->allow_extra_args(false);
}

std::vector<Setting> settings_of(const std::vector<std::string>& texts) {
  std::vector<Setting> settings;
  for (const std::string& text : texts) settings.push_back(read_setting(text));
  return settings;
}

int default_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / ranks::started_here()); }

void add_threads_option(CLI::App& command, int& threads) {
  threads = default_threads();
  command
      .add_option_function<std::string>(
          "--threads",
          [&threads](const std::string& text) {
            Team::choose_size(text == "auto");
            threads = text == "auto" ? default_threads() : std::stoi(text);
          },
          "a number, or auto (default): as many as pay, at most all cores; the result does not depend on it")
      ->check(
          [](const std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool good = text == "auto" ||
                              (digits && CLI::Range(1, 1024)(std::to_string(std::strtoul(text.c_str(), nullptr, 10))).empty());
            return good ? std::string() : fmt::format("is '{}'; accepted: auto, or a whole number from 1 to 1024", text);
          },
          "auto or INT in [1 - 1024]");
}

namespace {

// CLI11 takes 000010 for the octal number 8, and 0x10 for 16; people mean ten, and nothing.
std::string in_decimal(std::string& text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() > sign + 1 && text[sign] == '0' && (text[sign + 1] == 'x' || text[sign + 1] == 'X'))
    return fmt::format("is '{}'; accepted: a number in decimal digits", text);
  while (text.size() > sign + 1 && text[sign] == '0' && text[sign + 1] >= '0' && text[sign + 1] <= '9') text.erase(sign, 1);
  return {};
}

// An empty word is what a script hands over where a variable is not set; taken for "not given" it would mean another folder than
// the one meant. Only headings and labels may be empty.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_type_size() == 0 || option->check_lname("title") || option->check_lname("colour-label"))
      continue;  // flags, words of pictures
    option->check(
        [](const std::string& text) { return text.empty() ? std::string("is empty; accepted: a value") : std::string(); });
    const std::string type = option->get_type_name();
    if (type.starts_with("INT") || type.starts_with("UINT")) option->transform(CLI::Validator(in_decimal, ""));
  }
}

int run_command(int argc, char** argv) {
  CLI::App app{
      "moreau: rigid grains in contact with exact dry friction (Contact Dynamics of Moreau and Jean).\n"
      "Start with: moreau new pile && moreau run pile.toml && moreau draw pile-run"};
  app.set_version_flag("--version", std::string("moreau ") + MOREAU_VERSION + " (" + MOREAU_COMMIT + ")");
  app.require_subcommand(1);
  Team::choose_size(true);  // unless --threads asks for a number
  app.add_option_function<std::string>(
      "--instructions", use_instructions,
      "instruction set of the innermost loops: sse2, avx2 or avx512 (default: the widest that the "
      "machine has); the result does not depend on it");
  gpu::choose(gpu::Device::automatic);
  app.add_option_function<std::string>(
      "--device", use_device,
      "where steps are made: auto (default: large ones of balls and discs on a graphics card, where "
      "there is one), cpu, or gpu (all that it takes; scenes that it does not take are refused); the "
      "result does not depend on it");
  app.failure_message(CLI::FailureMessage::help);
  int status = exit_ok;
  add_new(app, status);
  add_check(app, status);
  add_run(app, status);
  add_resume(app, status);
  add_info(app, status);
  add_draw(app, status);
  add_view(app, status);
  add_measure(app, status);
  add_equilibrium(app, status);
  add_statics(app, status);
  add_elastic(app, status);
  add_bench(app, status);
  add_solve(app, status);
  add_reproduce(app, status);
  add_sweep(app, status);
  add_spectrum(app, status);
  add_export(app, status);
  for (CLI::App* command : app.get_subcommands({})) {
    command->fallthrough();  // the program's options may follow the command
    refuse_empty_values(*command);
  }
  add_ensemble(app, status);  // reads its own
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    const int shown = app.exit(e);
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return shown;
    complain("the standard output cannot be written");
    return exit_error;
  } catch (const CLI::ParseError& e) {
    std::string unknown = unknown_command(app, argc, argv);
    if (unknown.empty()) unknown = unknown_option(app, argc, argv);
    complain(fmt::format("{} (see '{} --help')", unknown.empty() ? e.what() : unknown, command_given(app)));
    return exit_usage;
  } catch (const StrictError& e) {
    complain(e.what());
    return exit_warned;
  } catch (const std::bad_alloc& e) {
    complain(memory_sentence(e));
    return exit_error;
  } catch (const std::exception& e) {
    complain(e.what());
    return exit_error;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    const std::string end = end_of_run();
    complain(fmt::format("the standard output cannot be written{}{}", end.empty() ? "" : "; ", end));
    return status == exit_ok || status == exit_unconverged ? static_cast<int>(exit_error) : status;
  }
  return status;
}

}  // namespace

}  // namespace moreau

int main(int argc, char** argv) {
  using namespace moreau;
  hold_standard_streams();
  std::set_terminate(end_with_a_sentence);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes (ulimit -f) is then an error with a sentence, like a full disk
  if (const std::string_view why = why_not_here(); !why.empty()) return complain(std::string(why)), exit_error;
  if (const int status = join_ranks(); status != exit_ok) return status;
  const int status = is_follower() ? follow() : run_command(argc, argv);
  ranks::leave(status);
  return status;
}
