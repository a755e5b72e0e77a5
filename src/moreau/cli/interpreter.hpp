// Commands that are Python: the program finds the interpreter and its own module, and becomes them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace moreau {

std::string environment_value(const char* name);  // empty: not set
std::filesystem::path program_path();

struct PythonCommand {
  std::string whose;    // "experiments": who needs the modules, for the sentence if one is not there
  std::string modules;  // "numpy, moreau"
  std::string target;   // path of a script, or name of a module
};

// Becomes the interpreter that runs the command with these arguments. Returns only by throwing: no interpreter.
[[noreturn]] void become_python(const PythonCommand& command, const std::vector<std::string>& arguments);

}  // namespace moreau
