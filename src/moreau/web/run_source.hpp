// One run, as the page asks for it. Nothing of a path is ever the name of a file: numbers and known names only.
//
//   info                      frames and their times, fields, tables, certificate, warnings, end of the log
//   frame/K                   where the bodies are                  frame/K/bodies     what they are
//   frame/K/shapes            surfaces of the bodies that are not round
//   frame/K/contacts          frame/K/joints                        thrust and hinges of blocks
//   frame/K/wear              work of friction on the faces of meshes
//   frame/K/field/NAME        frame/K/vectors/NAME[/since/J]
//   frame/K/body/I            true numbers of a body                frame/K/pair/A/B   contacts of a body A with B (wall W: -W-1)
//   mesh/W                    the surface of wall W, if it is a mesh
//   table/NAME/COLUMN         a curve of series.csv or of a measure
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "moreau/scene/scene.hpp"
#include "moreau/store/run_folder.hpp"
#include "moreau/web/answer.hpp"

namespace moreau::web {

class RunSource {
 public:
  virtual ~RunSource() = default;
  // The words of the path; status 404 if there is no such thing, 422 with a sentence if it cannot be read. One thread at a time.
  virtual Answer answer(const std::vector<std::string>& path) = 0;
  virtual std::uint64_t frame_count() = 0;
  // Hash of the bodies of a frame: those with the same hash have the same frame/K/bodies and frame/K/shapes.
  virtual std::string bodies_hash(std::uint64_t frame) = 0;
  virtual std::string title() const = 0;
};

std::unique_ptr<RunSource> run_source(const RunFolder& run, AnyScene scene);

}  // namespace moreau::web
