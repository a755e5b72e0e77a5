// What `moreau solve --diagnose` adds to the result: existence, wedges, indeterminacy, ranges of forces.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "moreau/fclib/problem_file.hpp"
#include "moreau/solver/given/local_solver.hpp"

namespace moreau {

// `contacts`: those whose normal impulse is to be bounded.
nlohmann::ordered_json diagnose(const std::filesystem::path& path, const fclib::Problem& problem, const LocalProblem& local,
                                const LocalResult& result, const std::vector<int>& contacts, const Stopwatch& watch);
void print_diagnosis(const nlohmann::ordered_json& diagnosis);

}  // namespace moreau
