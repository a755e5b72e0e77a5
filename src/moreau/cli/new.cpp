#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "moreau/base/nearest.hpp"
#include "moreau/base/shell_word.hpp"
#include "moreau/cli/command.hpp"
#include "moreau/cli/examples.hpp"
#include "moreau/scene/read/toml_string.hpp"
#include "moreau/store/disk.hpp"

namespace moreau {

namespace {

// A scene that runs in seconds and shows the main entries; docs/scene-format.md has them all.
constexpr const char* starting_scene = R"(title = {name}
dimension = 3
seed = 1
gravity = [0, 0, -9.81]

[time]
step = 5e-4                 # units are yours, as long as they agree: here metres, kilograms, seconds
duration = 1.5

[contact]
rule = "predictive"         # no visible overlap even with large steps; "midpoint" is the rule of Moreau's papers

[output]
frames = 0.05               # a frame every 0.05 s

[[material]]
name = "glass"
density = 2500

[law]                       # between any two materials
friction = 0.5              # for bounces add restitution = 0.5, and take the rule "midpoint", which keeps their energy

[[wall]]
plane = {{ point = [0, 0, 0], normal = [0, 0, 1] }}

[[wall]]
cylinder = {{ point = [0, 0, 0], axis = [0, 0, 1], radius = 0.05 }}

[[grains]]
count = 500
diameter = {{ uniform = [0.006, 0.010] }}
region = {{ cylinder = {{ centre = [0, 0], radius = 0.05, bottom = 0.0, top = 0.25 }} }}
)";

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const Example& example : examples) names.emplace_back(example.name);
  return names;
}

// The example as its file has it: its comments belong to it.
std::string text_like(const std::string& wanted) {
  for (const Example& example : examples)
    if (example.name == wanted) return std::string(example.text);
  const std::string near = nearest_word(wanted, example_names());
  throw CLI::ValidationError("--like", fmt::format("there is no example '{}'; {}", wanted,
                                                   near.empty() ? fmt::format("accepted: {}", fmt::join(example_names(), ", "))
                                                                : fmt::format("did you mean '{}'?", near)));
}

}  // namespace

void add_new(CLI::App& app, int& status) {
  auto name = std::make_shared<std::string>(), like = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("new", "write a small scene file to start from");
  command->add_option("NAME", *name, "the scene is written to NAME.toml")->required();
  command->add_option("--like", *like, "start from this example instead: " + fmt::format("{}", fmt::join(example_names(), ", ")));
  command->callback([name, like, &status] {
    std::filesystem::path file(*name);
    if (std::filesystem::exists(file) && !std::filesystem::is_regular_file(file) && !std::filesystem::is_directory(file))
      throw std::runtime_error(fmt::format("{} is a device or a pipe; accepted: the name of a new file", file.string()));
    if (file.extension() != ".toml") file += ".toml";
    if (std::filesystem::exists(file))
      throw std::runtime_error(fmt::format("{} exists already; choose another name", file.string()));
    const std::string text = like->empty()
                                 ? fmt::format(fmt::runtime(starting_scene), fmt::arg("name", toml_string(file.stem().string())))
                                 : text_like(*like);
    write_new(file, text);
    fmt::print("wrote {}; run it with: moreau run {}\n", file.string(), shell_word(file.string()));
    status = exit_ok;
  });
}

}  // namespace moreau
