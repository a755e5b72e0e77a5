#include "moreau/measure/contacts/contact_changes.hpp"

#include <algorithm>
#include <tuple>

namespace moreau::measure {

namespace {

struct Entry {
  std::int32_t a, b;
  bool weak;
  auto pair() const { return std::tie(a, b); }
};

template <int D>
std::vector<Entry> entries(const Sample<D>& sample, double threshold) {
  const std::vector<bool> carrying = carrying_contacts(sample, threshold);
  const double mean = mean_normal_force(sample);
  std::vector<Entry> list;
  for (std::size_t c = 0; c < carrying.size(); ++c)
    if (carrying[c]) list.push_back({sample.contacts->a[c], sample.contacts->b[c], sample.normal_force(c) < mean});
  std::stable_sort(list.begin(), list.end(), [](const Entry& x, const Entry& y) { return x.pair() < y.pair(); });
  return list;
}

}  // namespace

template <int D>
ContactChanges contact_changes(const Sample<D>& before, const Sample<D>& after, double threshold) {
  const std::vector<Entry> old = entries(before, threshold), now = entries(after, threshold);
  ContactChanges changes;
  changes.before = old.size(), changes.after = now.size();
  std::size_t i = 0, j = 0;
  while (i < old.size() || j < now.size()) {
    if (j == now.size() || (i < old.size() && old[i].pair() < now[j].pair()))
      ++changes.lost, changes.lost_weak += old[i].weak ? 1 : 0, ++i;
    else if (i == old.size() || now[j].pair() < old[i].pair())
      ++changes.gained, changes.gained_weak += now[j].weak ? 1 : 0, ++j;
    else
      ++changes.kept, ++i, ++j;
  }
  return changes;
}

template ContactChanges contact_changes(const Sample<2>&, const Sample<2>&, double);
template ContactChanges contact_changes(const Sample<3>&, const Sample<3>&, double);

}  // namespace moreau::measure
