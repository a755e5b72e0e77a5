// Lays the stones of a generator one by one: each is the convex hull of its corners. What a generator and its reader share.
#pragma once

#include <fmt/format.h>

#include "moreau/scene/generate/block_builder.hpp"
#include "moreau/scene/read/read_blocks.hpp"

namespace moreau::inline scene {

template <int D>
class Mason {
 public:
  // `key` is blamed for a stone that cannot be made.
  Mason(TableReader& entry, Scene<D>& scene, std::vector<Entry>& entries, std::string name, std::string key)
      : entry_(entry), scene_(scene), entries_(entries), name_(std::move(name)), key_(std::move(key)) {}

  // The stones laid from now on until the next call are those of `suffix`, "" or ".key"; `each` is what one of them is called.
  void begin(const std::string& suffix, const char* each, const GrainKind<D>& kind) {
    end();
    suffix_ = suffix;
    kind_ = kind;
    first_ = scene_.bodies.size();
    entries_.push_back({entry_.path(), entry_.location(), first_, each});
    open_ = true;
  }

  // False: a mistake has been reported.
  bool lay(const std::vector<Vec<D>>& corners) {
    const PlacedShape<D> placed = make_convex_shape<D>(corners);
    if (!placed.fault.empty()) {
      entry_.fail(key_, fmt::format("makes a stone that is none: {}; accepted: fewer or larger stones", placed.fault));
      return false;
    }
    scene_.bodies.append(
        block_of(scene_.bodies, add_shape(scene_.bodies, placed.shape), kind_, placed.centre, placed.orientation));
    return true;
  }

  void end() {
    if (!open_) return;
    open_ = false;
    if (scene_.bodies.size() > first_)
      scene_.named.push_back({name_ + suffix_, first_, scene_.bodies.size() - first_});
    else
      entries_.pop_back();
  }

  std::size_t first() const { return first_; }

 private:
  TableReader& entry_;
  Scene<D>& scene_;
  std::vector<Entry>& entries_;
  std::string name_, key_, suffix_;
  GrainKind<D> kind_;
  std::size_t first_ = 0;
  bool open_ = false;
};

// Free stones and fixed (or driven, with `motion`) supports of an entry that has both.
template <int D>
struct StoneKinds {
  GrainKind<D> stone, support;
};
template <int D>
inline StoneKinds<D> read_stone_kinds(TableReader& entry, const Scene<D>& scene, const SceneNames& names) {
  const GrainKind<D> kind = read_kind(entry, scene, names);
  StoneKinds<D> kinds{kind, kind};
  kinds.stone.kind = BodyKind::free;
  kinds.stone.motion = -1;
  kinds.support.kind = kind.motion >= 0 ? BodyKind::driven : BodyKind::fixed;
  return kinds;
}

// More stones than the machine is to carry are refused.
inline bool within_limits(TableReader& entry, const char* key, double count, const SceneLimits& limits) {
  if (entry.mistakes().any()) return false;
  if (count <= static_cast<double>(limits.grains)) return true;
  entry.fail(key, fmt::format("makes {:.3g} stones; accepted: at most {} bodies in all", count, limits.grains));
  return false;
}

}  // namespace moreau::inline scene
