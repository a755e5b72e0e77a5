// A run in numbers, for people (table) and for scripts (JSON): the content of summary.json and of `moreau info`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"

namespace moreau::inline runner {

template <int D>
nlohmann::ordered_json summary(const Checkpoint<D>& checkpoint, const Scene<D>& scene, const Provenance& provenance);

// The same as aligned lines of text.
std::string summary_table(const nlohmann::ordered_json& summary);

// A list: kind, worst value, how often, since when, where, and the sentence.
nlohmann::ordered_json warnings_as_json(const Warnings& warnings);

}  // namespace moreau::inline runner
