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

std::string bytes_of(std::string_view digits) {
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2) bytes += static_cast<char>(16 * value(digits[k]) + value(digits[k + 1]));
  return bytes;
}

// The meshes that a scene names, to lie beside it. A file that is there already may stay if it is the same.
std::vector<std::pair<std::filesystem::path, std::string>> meshes_beside(const std::string& text,
                                                                         const std::filesystem::path& folder) {
  std::vector<std::pair<std::filesystem::path, std::string>> meshes;
  for (const ExampleMesh& mesh : example_meshes) {
    if (text.find(fmt::format("\"{}\"", mesh.name)) == std::string::npos) continue;
    const std::filesystem::path file = folder / mesh.name;
    const std::string bytes = bytes_of(mesh.digits);
    if (!std::filesystem::exists(file))
      meshes.emplace_back(file, bytes);
    else if (!std::filesystem::is_regular_file(file) || std::filesystem::file_size(file) != bytes.size() ||
             read_whole(file) != bytes)
      throw std::runtime_error(fmt::format("{} exists already and is another mesh; choose another folder", file.string()));
  }
  return meshes;
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
    const auto meshes = meshes_beside(text, file.parent_path());
    std::string beside;
    for (const auto& [mesh, bytes] : meshes) write_new(mesh, bytes), beside += ", " + mesh.string();
    write_new(file, text);
    fmt::print("wrote {}{}; run it with: moreau run {}\n", file.string(), beside, shell_word(file.string()));
    status = exit_ok;
  });
}

}  // namespace moreau
