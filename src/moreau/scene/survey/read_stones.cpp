// `[[stones]]`: blocks whose corners a file gives, a table (.csv), a drawing (.dxf, in the plane) or a mesh (.obj, in space).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "moreau/scene/generate/concave_outline.hpp"
#include "moreau/scene/masonry/mason.hpp"
#include "moreau/scene/read/toml_string.hpp"
#include "moreau/scene/survey/stone_outlines.hpp"
#include "moreau/scene/survey/take_apart.hpp"

namespace moreau::inline scene {
namespace {

// What a file gave, and what should be said of it.
struct Survey {
  std::vector<StoneOutline> stones;
  std::string said;
};

// file = { names = ["..."], corners = [[[x, y], ...], ...] }: what a copy of the scene has in place of the file's name.
std::string inline_survey(const std::vector<StoneOutline>& stones, int dimension) {
  std::string names, corners;
  for (const StoneOutline& stone : stones) {
    names += (names.empty() ? "" : ", ") + toml_string(stone.name);
    std::string points;
    for (const auto& p : stone.corners)
      points += fmt::format("{}[{}]", points.empty() ? "" : ", ", fmt::join(p.begin(), p.begin() + dimension, ", "));
    corners += fmt::format("{}[{}]", corners.empty() ? "" : ", ", points);
  }
  return fmt::format("{{ names = [{}], corners = [{}] }}", names, corners);
}

Survey read_file(const std::filesystem::path& file, const std::string& layer, int dimension) {
  Survey survey;
  const std::string text = survey_text(file), ending = file.extension().string();
  if (ending == ".csv" || ending == ".txt") {
    survey.stones = read_stone_table(text, dimension);
  } else if (ending == ".dxf" && dimension == 2) {
    DxfStones dxf = read_dxf(text, layer);
    survey.stones = std::move(dxf.stones);
    if (dxf.open > 0) survey.said += fmt::format(", {} open polylines were left out", dxf.open);
    if (dxf.arcs > 0) survey.said += fmt::format(", {} arcs became chords", dxf.arcs);
  } else if (ending == ".obj" && dimension == 3) {
    survey.stones = read_obj_groups(text);
  } else {
    throw SurveyError(fmt::format("ends in \"{}\"", shortened(ending)));
  }
  if (survey.stones.empty()) throw SurveyError("holds no stones");
  return survey;
}

template <int D>
Survey read_survey(TableReader& entry, NamedFiles& files) {
  Survey survey;
  const std::string accepted = D == 2 ? "a readable file .csv, or .dxf with closed polylines"
                                      : "a readable file .csv, or .obj with a group for each stone";
  const std::string layer = D == 2 ? entry.text("layer", "") : std::string();
  if (entry.is_table("file")) {
    auto table = entry.table("file", true);
    const std::size_t count = table->array_size("names");
    const std::vector<std::string> names = table->texts("names", count);
    const auto corners = table->vector_lists<D>("corners");
    table->finish();
    if (names.size() != corners.size())
      table->fail("corners",
                  fmt::format("has {} entries; accepted: as many as 'names', which has {}", corners.size(), names.size()));
    for (std::size_t i = 0; i < std::min(names.size(), corners.size()); ++i) {
      StoneOutline stone{names[i], {}};
      for (const Vec<D>& p : corners[i]) {
        std::vector<double> q(3, 0.0);
        for (int d = 0; d < D; ++d) q[static_cast<std::size_t>(d)] = p[d];
        stone.corners.push_back(std::move(q));
      }
      survey.stones.push_back(std::move(stone));
    }
    return survey;
  }
  if (!entry.has("file")) {
    entry.fail_missing("file", accepted);
    return survey;
  }
  const std::string name = entry.text("file");
  if (entry.mistakes().any()) return survey;
  try {
    survey = read_file(files.folder / name, layer, D);
  } catch (const SurveyError& error) {
    entry.fail("file",
               fmt::format("names {}, {} {}; accepted: {}", (files.folder / name).string(),
                           std::string_view(error.what()).starts_with("line") ? "whose" : "which", error.what(), accepted));
    return survey;
  }
  files.inclusions.push_back({entry.source_of("file"), inline_survey(survey.stones, D)});
  return survey;
}

template <int D>
void warn_of_concave(const StoneCorners<D>& stone, const std::string& what, Warnings& warnings) {
  if constexpr (D == 2)
    if (const auto outline = concave_outline(stone.corners))
      warnings.add({WarningKind::survey, outline->hull_area, outline->area,
                    fmt::format("{} is concave and becomes its hull, of area {:.4g} instead of {:.4g}", what, outline->hull_area,
                                outline->area)});
}

}  // namespace

template <int D>
void read_stones(TableReader& entry, Scene<D>& scene, SceneNames& names, const SceneLimits& limits, NamedFiles& files,
                 std::vector<Entry>& entries) {
  const std::string name = names.bodies.declare(entry, entry.path());
  const StoneKinds<D> kinds = read_stone_kinds(entry, scene, names);
  const std::string what = entry.is_table("file") ? name : entry.text("file", "");
  Survey survey = read_survey<D>(entry, files);
  const double scale = entry.number("scale", positive, 1.0);
  const Vec<D> origin = entry.vector<D>("origin", Vec<D>{});
  const double allowed = entry.number("overlap", nonnegative, 0.0);
  std::vector<std::string> supports;
  if (entry.has("supports")) supports = entry.texts("supports", entry.array_size("supports"));
  for (const std::string& support : supports)
    if (!entry.mistakes().any() && std::ranges::none_of(survey.stones, [&](const auto& s) { return s.name == support; }))
      entry.fail("supports", fmt::format("names \"{}\"; accepted: names of stones{} in the file", shortened(support),
                                         D == 2 ? " (of a drawing: layers)" : ""));
  if (!entry.mistakes().any() && entry.has("motion") && supports.empty())
    entry.fail("motion", "moves the supports, of which none is named; accepted: together with 'supports'");
  entry.finish();
  if (!within_limits(entry, "file", static_cast<double>(survey.stones.size()), limits)) return;

  std::vector<StoneCorners<D>> stones;
  double smallest = largest_number;  // distance from the centre of a stone to its farthest corner
  for (const StoneOutline& outline : survey.stones) {
    StoneCorners<D> stone;
    stone.kind = std::ranges::find(supports, outline.name) == supports.end() ? kinds.stone : kinds.support;
    for (const auto& p : outline.corners) {
      Vec<D> q = origin;
      for (int d = 0; d < D; ++d) q[d] += scale * p[static_cast<std::size_t>(d)];
      stone.corners.push_back(q);
    }
    const std::string which =
        outline.name.empty() ? fmt::format("stone {}", stones.size() + 1) : fmt::format("stone '{}'", outline.name);
    const PlacedShape<D> placed = make_convex_shape<D>(stone.corners);
    if (!placed.fault.empty())
      return entry.fail("file", fmt::format("gives {}, which is no block: {}; accepted: corners of bodies that are not flat",
                                            which, placed.fault));
    double reach = 0.0;
    for (const Vec<D>& corner : stone.corners) reach = std::max(reach, norm(corner - placed.centre));
    smallest = std::min(smallest, reach);
    warn_of_concave(stone, fmt::format("{} of '{}'", which, what), scene.warnings);
    stones.push_back(std::move(stone));
  }
  TakenApart apart;
  if (allowed > smallest)  // every stone would be a neighbour of every other
    return entry.fail("overlap",
                      fmt::format("is {}; accepted: at most the size of the smallest stone, {:.3g}", allowed, smallest));
  if (allowed > 0.0) {
    apart = take_apart(stones, scene, allowed);
    if (!apart.clean && apart.deepest > allowed)
      return entry.fail("overlap", fmt::format("is {}, and stones overlap by up to {:.3g}; accepted: at least that, or a better "
                                               "survey",
                                               allowed, apart.deepest));
    if (apart.overlapping > 0)
      survey.said += fmt::format(", {} pairs of stones overlapped by up to {:.3g}: {} stones were moved by at most {:.3g}{}",
                                 apart.overlapping, apart.deepest, apart.moved, apart.farthest,
                                 apart.shrunk == 0 ? std::string()
                                                   : fmt::format(" and {} made smaller by up to {:.3g} of their size",
                                                                 apart.shrunk, 1.0 - apart.smallest));
  }
  if (!survey.said.empty())
    scene.warnings.add(
        {WarningKind::survey, apart.deepest, apart.farthest, fmt::format("in '{}'{}", what, survey.said.substr(1))});
  const std::size_t first = scene.bodies.size();
  entries.push_back({entry.path(), entry.location(), first, "stone"});
  for (const StoneCorners<D>& stone : stones) {
    const PlacedShape<D> placed = make_convex_shape<D>(stone.corners);
    const std::int32_t shape = add_shape(scene.bodies, placed.shape);
    scene.bodies.append(block_of(scene.bodies, shape, stone.kind, placed.centre, placed.orientation));
  }
  scene.named.push_back({name, first, stones.size()});
  for (std::size_t i = 0, end = 0; i < stones.size(); i = end) {  // runs of one name
    for (end = i + 1; end < stones.size() && survey.stones[end].name == survey.stones[i].name;) ++end;
    if (!survey.stones[i].name.empty()) scene.named.push_back({name + "." + survey.stones[i].name, first + i, end - i});
  }
}

template void read_stones<2>(TableReader&, Scene<2>&, SceneNames&, const SceneLimits&, NamedFiles&, std::vector<Entry>&);
template void read_stones<3>(TableReader&, Scene<3>&, SceneNames&, const SceneLimits&, NamedFiles&, std::vector<Entry>&);

}  // namespace moreau::inline scene
