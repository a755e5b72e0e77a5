#include "moreau/scene/read/read_signal.hpp"

#include <fmt/format.h>

namespace moreau::inline scene {

Signal read_signal(TableReader& entry, std::string_view key) {
  Signal signal;
  if (!entry.is_table(key)) {
    signal.mean = entry.number(key, any_number);
    return signal;
  }
  auto table = entry.table(key, true);
  if (table->has("times")) {
    signal.times = table->numbers("times", any_number, 1);
    signal.values = table->numbers("values", any_number, 1);
    for (std::size_t i = 1; i < signal.times.size(); ++i)
      if (!(signal.times[i - 1] < signal.times[i])) {
        table->fail("times", fmt::format("goes from {} to {} at entry {}; accepted: increasing times", signal.times[i - 1],
                                         signal.times[i], i + 1));
        break;
      }
    if (table->has("values") && signal.times.size() != signal.values.size())
      table->fail("values", fmt::format("has {} entries; accepted: as many as 'times', which has {}", signal.values.size(),
                                        signal.times.size()));
  } else {
    signal.mean = table->number("mean", any_number, 0.0);
    signal.amplitude = table->number("amplitude", any_number);
    signal.frequency = table->number("frequency", positive);
  }
  table->finish();
  return signal;
}

}  // namespace moreau::inline scene
