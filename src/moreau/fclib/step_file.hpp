// The contact problem of a step of a run as an FCLIB file: the problem in local or global form, `guesses/1` with the impulses
// recalled from the step before, `solution` with what the run found, and the group `moreau`, which others may ignore:
//
//   bodies  int32 (contacts, 2)  the two bodies of each contact, walls as ~w      walls  names of the walls
//   step, time                   of the run
#pragma once

#include <optional>

#include "moreau/contact/contact_names.hpp"
#include "moreau/engines/rigid/step_problem.hpp"
#include "moreau/fclib/problem_file.hpp"

namespace moreau::fclib {

enum class Form { local, global };

void write_step(const std::filesystem::path& path, const StepProblem& step, const std::vector<std::string>& walls, Form form);

std::optional<ContactNames> read_contact_names(const std::filesystem::path& path);  // none if the file does not come from a run
std::optional<Eigen::VectorXd> read_guess(const std::filesystem::path& path);       // r of guesses/1, if it is there

}  // namespace moreau::fclib
