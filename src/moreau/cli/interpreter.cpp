#include "moreau/cli/interpreter.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace moreau {

namespace {

constexpr const char* python_of_the_system = "/usr/bin/python3";  // for which the module is built

// What the interpreter is told first: one sentence instead of a traceback if the module, or what it needs, is not there.
constexpr const char* launcher = R"(
import sys
whose, modules, target, *words = sys.argv[1:]
try:
    for name in modules.split(", "):
        __import__(name)
except ImportError as error:
    sys.exit(f"moreau: {sys.executable} cannot import what {whose} need: {error}; the module is built with the program "
             "(docs/python.md), the rest are the packages python3-numpy, python3-scipy and python3-matplotlib")
import runpy
sys.argv = [target, *words]
if "/" in target:
    sys.path.insert(0, target.rpartition("/")[0])
    runpy.run_path(target, run_name="__main__")
else:
    runpy.run_module(target, run_name="__main__")
)";

}  // namespace

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::filesystem::path program_path() { return std::filesystem::canonical("/proc/self/exe"); }

void become_python(const PythonCommand& command, const std::vector<std::string>& arguments) {
  const std::filesystem::path here = program_path().parent_path();
  std::string modules;
  for (const std::filesystem::path& folder : {here / "python", here.parent_path() / "lib" / "python3" / "dist-packages"})
    if (std::error_code none; std::filesystem::is_directory(folder / "moreau", none))
      modules += (modules.empty() ? "" : ":") + folder.string();
  if (const std::string given = environment_value("PYTHONPATH"); !given.empty()) modules += (modules.empty() ? "" : ":") + given;
  setenv("PYTHONPATH", modules.c_str(), 1);
  setenv("MOREAU", program_path().c_str(), 1);
  std::string python = environment_value("MOREAU_PYTHON");
  if (python.empty()) python = access(python_of_the_system, X_OK) == 0 ? python_of_the_system : "python3";
  std::vector<std::string> words{python, "-c", launcher, command.whose, command.modules, command.target};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execvp(python.c_str(), pointers.data());
  throw std::runtime_error(fmt::format(
      "{} are scripts in Python, and {} cannot be started: {}; install python3, or give its path in the variable MOREAU_PYTHON",
      command.whose, python, std::strerror(errno)));
}

}  // namespace moreau
