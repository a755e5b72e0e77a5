// Why a step whose impulses grew without bound did so: the bodies that are wedged.
#pragma once

#include <string>

#include "moreau/contact/contact_names.hpp"
#include "moreau/engines/rigid/step_problem.hpp"

namespace moreau::inline course {

// "impulses at 3 contacts of ...", or nothing if no wedge is found among the contacts around the largest impulse.
std::string confinement_sentence(const StepProblem& step, const ContactNames& names);

}  // namespace moreau::inline course
