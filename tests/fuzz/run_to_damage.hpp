// A small run with walls, a source, a driven body and blocks, made once, whose files a harness then edits.
#pragma once

#include "fuzz/hdf5_edits.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/runner/run.hpp"

namespace moreau::fuzz {

inline const char* scene_to_damage = R"TOML(
title = "to be damaged"
dimension = 2
seed = 3
gravity = 9.81
[time]
step = 1e-3
duration = 0.05
[output]
frames = 0.02
[material]
density = 1000
[law]
friction = 0.4
[[motion]]
name = "shake"
kind = "sinusoid"
amplitude = 0.01
direction = [0, 1]
frequency = 5
[[wall]]
name = "tray"
box = { min = [0, 0], max = [1, 2], open = ["top"] }
motion = "shake"
[[grain]]
position = [0.2, 0.05]
radius = 0.05
[[grain]]
position = [0.3, 0.05]
radius = 0.05
[[block]]
size = [0.2, 0.1]
position = [0.6, 0.05]
[[block]]
size = [0.1, 0.1]
position = [0.6, 0.15]
[[source]]
rate = 100
radius = 0.04
centre = [0.75, 0]
)TOML";

struct RunToDamage {
  Scene<2> scene = std::get<Scene<2>>(parse_scene(scene_to_damage, "s.toml"));
  fs::path path = scratch() / "run";
  RunFolder folder = made();

 private:
  RunFolder made() {
    RunFolder run = RunFolder::create(path, scene.text, {"0", "0", scene.seed, 1}, false);
    run_scene<2>(scene, run, std::nullopt, RunControls{});
    return run;
  }
};

}  // namespace moreau::fuzz
