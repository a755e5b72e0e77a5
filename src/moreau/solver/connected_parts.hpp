// Numbers 0 ... n-1 that are joined, directly or through others, make one part.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace moreau::inline solver {

class ConnectedParts {
 public:
  explicit ConnectedParts(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }

  void join(int a, int b) {
    const int i = root_of(a), j = root_of(b);
    parent_[std::max(i, j)] = std::min(i, j);
  }

  // By their least numbers; numbers increase within a part.
  std::vector<std::vector<int>> parts() {
    std::vector<std::vector<int>> parts;
    std::vector<int> number(parent_.size(), -1);
    for (int a = 0; a < static_cast<int>(parent_.size()); ++a) {
      const int root = root_of(a);
      if (number[root] < 0) number[root] = static_cast<int>(parts.size()), parts.emplace_back();
      parts[number[root]].push_back(a);
    }
    return parts;
  }

 private:
  int root_of(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

  std::vector<int> parent_;
};

}  // namespace moreau::inline solver
