#include "moreau/store/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <limits>

#include "moreau/measure/table.hpp"
#include "moreau/store/store_error.hpp"

namespace moreau::inline store {
namespace {

struct Looked {  // empty where the step was not looked at
  double error;
};

template <class Visit>
void columns(const StepReport& r, const std::string& phase, const Traffic& traffic, const Visit& visit) {
  visit("step", r.step), visit("time", r.time), visit("phase", phase), visit("bodies", r.bodies), visit("contacts", r.contacts);
  visit("open", r.open), visit("stick", r.stick), visit("slide", r.slide), visit("joints", r.joints),
      visit("recalled", r.recalled);
  visit("inserted", traffic.inserted), visit("inserted_mass", traffic.inserted_mass);
  visit("removed", traffic.removed), visit("removed_mass", traffic.removed_mass);
  const Certificate& c = r.certificate;
  visit("sweeps", c.sweeps), visit("converged", c.converged ? 1 : 0), visit("unbounded", c.unbounded ? 1 : 0);
  visit("factorisations", c.factorisations), visit("error", Looked{c.error}), visit("body_error", Looked{c.body_error});
  visit("residual_rms", c.residual_rms), visit("residual_max", c.residual_max), visit("velocity_scale", c.velocity_scale);
  visit("relative_residual", c.relative_residual()), visit("unbalanced", c.unbalanced);
  visit("unbalanced_force", r.unbalanced_force), visit("max_penetration", r.max_penetration);
  visit("mean_penetration", r.mean_penetration), visit("max_speed", r.max_speed);
  const EnergyLedger& e = r.energy;
  visit("kinetic", e.kinetic), visit("potential", e.potential), visit("elastic", e.elastic), visit("wall_work", e.wall_work),
      visit("dissipated", e.dissipated);
  visit("inserted_energy", e.inserted), visit("removed_energy", e.removed), visit("gravity_work", e.gravity_work);
  visit("energy_error", e.error());
  const Timings& t = r.timings;
  visit("insert_seconds", t.insert), visit("predict_seconds", t.predict), visit("search_seconds", t.search);
  visit("detect_seconds", t.detect), visit("assemble_seconds", t.assemble), visit("solve_seconds", t.solve);
  visit("update_seconds", t.update), visit("certify_seconds", t.certify), visit("total_seconds", t.total());
}

std::string number(double value) { return fmt::format("{:.17g}", value); }
std::string number(const std::string& text) { return measure::csv_row({text}); }
std::string number(Looked looked) { return looked.error < 0.0 ? "" : number(looked.error); }
template <std::integral T>
std::string number(T value) {
  return fmt::format("{}", value);
}

void append(std::string& line, const std::string& value) {
  if (!line.empty()) line += ',';
  line += value;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// A row is whole if it has all its columns and begins with a step number; the name of a phase may have a comma.
bool whole_row(std::string_view row, std::uint64_t& step) {
  static const auto commas = std::ranges::count(series_header(), ',');
  const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), step);
  return error == std::errc{} && end != row.data() + row.size() && *end == ',' && std::ranges::count(row, ',') >= commas;
}

void check_header(const std::filesystem::path& path, std::string_view text) {
  if (first_line(text) != series_header())
    throw StoreError(fmt::format("{}: its columns are not those of this version", path.string()));
}

}  // namespace

std::string series_header() {
  std::string line;
  columns(StepReport{}, "", Traffic{}, [&](const char* name, const auto&) { append(line, name); });
  return line;
}

std::string series_row(const StepReport& report, const std::string& phase, const Traffic& traffic) {
  std::string line;
  columns(report, phase, traffic, [&](const char*, const auto& value) { append(line, number(value)); });
  return line;
}

SeriesFile::SeriesFile(const std::filesystem::path& path)
    : file_((cut_series(path, std::numeric_limits<std::uint64_t>::max()), path)) {
  if (file_.empty()) file_.append(series_header());
}

void cut_series(const std::filesystem::path& path, std::uint64_t step) {
  if (!file_exists(path)) return;
  const std::string text = read_whole(path);
  std::size_t kept = text.find('\n');
  kept = kept == std::string::npos ? 0 : kept + 1;  // an unfinished header goes too, and is written again with the next row
  if (kept > 0) check_header(path, text);
  while (kept > 0) {
    const std::size_t end = text.find('\n', kept);
    std::uint64_t row_step = 0;
    if (end == std::string::npos || !whole_row(std::string_view(text).substr(kept, end - kept), row_step) || row_step > step)
      break;
    kept = end + 1;
  }
  if (kept < text.size()) write_whole(path, std::string_view(text).substr(0, kept), Sync::now);
}

}  // namespace moreau::inline store
