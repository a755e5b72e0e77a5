#include "moreau/cli/command.hpp"
#include "moreau/cli/interpreter.hpp"

namespace moreau {

// Statistics are numpy's and scipy's, figures matplotlib's: the command is src/python/moreau/ensemble_command.py, and reads its own
// command line.
void add_ensemble(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "ensemble", "what the runs of sweeps say together: means with standard errors, mean curves, pooled histograms, tests");
  command->prefix_command();
  command->set_help_flag();
  command->callback([command] {
    std::vector<std::string> words = command->remaining();
    become_python({"ensembles", "numpy, moreau", "moreau.ensemble_command"}, words);
  });
}

}  // namespace moreau
