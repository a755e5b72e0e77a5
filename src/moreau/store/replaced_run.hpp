// A run that another one is about to replace. Its files are kept aside, in a hidden folder within that of the run, until the new
// run stands; whatever happens before brings them back. What a kill left half done is recognised by the name of that folder:
//
//   .moreau.moving     some files are aside, nothing new is there: they go back
//   .moreau.replaced   all files are aside, the new run does not stand yet: its files go, the old ones come back
//   .moreau.done       the new run stands: the old one is removed
//
// Folders of these names that hold anything else, or lie beside what no kill leaves there, are refused: nothing is removed for them.
#pragma once

#include <filesystem>

namespace moreau::inline store {

// All of it is for the holder of the lock of the folder.
class ReplacedRun {
 public:
  explicit ReplacedRun(std::filesystem::path folder);  // puts the run aside
  ReplacedRun(const ReplacedRun&) = delete;
  ReplacedRun& operator=(const ReplacedRun&) = delete;
  ~ReplacedRun();  // brings it back, and removes the new one, unless that stands
  void new_run_stands();

  static bool is_pending(const std::filesystem::path& folder);         // a kill has left a run aside
  static void bring_back_killed(const std::filesystem::path& folder);  // brings it back
  static void settle(const std::filesystem::path& folder);             // and removes one that has been replaced

 private:
  std::filesystem::path folder_;
  bool replaced_ = false;
};

}  // namespace moreau::inline store
