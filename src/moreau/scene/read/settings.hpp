// Values given beside a scene file: `--set law.friction=0.3` of the command line, the dictionary of `moreau.load`.
//
// They are written into the text of the scene, which is then read as any other: what is kept in the folder of a run is the scene
// that was run, and every check is the usual one. A mistake in a value is told at the setting, any other at its place in the
// file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "moreau/scene/scene.hpp"

namespace moreau::inline scene {

struct Setting {
  std::string key;    // "law.friction", "grains[2].count" (from 1), "piston[lid].stress" (by name)
  std::string value;  // as in a scene file; a bare word stands for a text

  std::string text() const { return key + "=" + value; }
};

// "KEY=VALUE". Throws SceneError.
Setting read_setting(std::string_view text);

// One text for all ways to write the value: 0.1 for 0.10 and 1e-1, 2 for 2.0, which a scene does not tell apart. SceneError if it
// is none.
std::string plain_value(const Setting& setting);

// The settings written into the text. SceneError if one has no place in it.
std::string with_settings(std::string_view toml, const std::vector<Setting>& settings);

AnyScene read_scene(const std::filesystem::path& file, const std::vector<Setting>& settings);
AnyScene parse_scene(std::string_view toml, const std::string& name, const std::filesystem::path& folder,
                     const std::vector<Setting>& settings);

// The text of a file, as read_scene reads it.
std::string scene_file_text(const std::filesystem::path& file, const SceneLimits& limits = {});

}  // namespace moreau::inline scene
