#include "moreau/web/run_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "moreau/base/version.hpp"
#include "moreau/measure/contacts/joints.hpp"
#include "moreau/runner/checkpoint_of.hpp"
#include "moreau/scene/units.hpp"
#include "moreau/store/trajectory.hpp"
#include "moreau/web/field_parcels.hpp"
#include "moreau/web/numbers.hpp"
#include "moreau/web/run_info.hpp"

namespace moreau::web {

Answer error_answer(int status, const std::string& sentence) { return json_answer(text_of({{"error", sentence}}), status); }

namespace {

constexpr std::size_t kept_frames = 3;        // that were asked for last,
constexpr std::size_t many_bodies = 500'000;  // or one with more bodies than this

const Answer no_such_thing = error_answer(404, "there is no such thing in this run");

bool read_number(const std::string& text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

template <int D>
class Source : public RunSource {
 public:
  Source(const RunFolder& run, Scene<D> scene)
      : run_(run), scene_(std::move(scene)), times_(run.path()), tables_(run.path()), edition_(run.provenance()), units_(units_of(scene_.text)) {}

  Answer answer(const std::vector<std::string>& path) override try {
    if (path.size() == 1 && path[0] == "info") return json_answer(text_of(info()));
    if (path.size() == 3 && path[0] == "table") return table(path[1], path[2]);
    std::int64_t number = 0;
    if (path.size() == 2 && path[0] == "mesh" && read_number(path[1], number)) return mesh(number);
    if (path.size() < 2 || path[0] != "frame" || !read_number(path[1], number) || number < 0) return no_such_thing;
    if (static_cast<std::uint64_t>(number) >= frame_count())
      return error_answer(404, fmt::format("frame {} does not exist", number));
    return part(*frame(static_cast<std::uint64_t>(number)), {path.begin() + 2, path.end()});
  } catch (const std::bad_alloc&) {
    return error_answer(422, "the memory of this machine does not hold this frame");
  } catch (const std::exception& e) {
    return error_answer(422, e.what());
  }

  std::uint64_t frame_count() override {
    times_.refresh();
    return times_.size();
  }
  std::string bodies_hash(std::uint64_t number) override { return frame(number)->bodies; }
  std::string title() const override { return scene_.title.empty() ? run_.path().string() : scene_.title; }

 private:
  using Shown = std::shared_ptr<const ShownFrame<D>>;

  Shown frame(std::uint64_t number) {
    const FileState now = state_of(frame_path(run_.path(), number));
    for (const Kept& k : kept_)
      if (k.number == number && k.file == now) return k.frame;
    std::erase_if(kept_, [&](const Kept& k) { return k.number == number; });
    while (kept_.size() >= kept_frames || (!kept_.empty() && kept_.back().frame->row.size() > many_bodies)) kept_.pop_front();
    kept_.push_back({number, now, std::make_shared<ShownFrame<D>>(frame_of(run_, scene_, number))});
    return kept_.back().frame;
  }

  Answer part(const ShownFrame<D>& shown, const std::vector<std::string>& words) {
    if (words.empty()) return parcel_answer(frame_parcel(shown, scene_));
    const std::string& what = words[0];
    std::int64_t first = 0, second = 0;
    if (words.size() == 1) {
      if (what == "bodies") return parcel_answer(bodies_parcel(shown));
      if (what == "shapes") return parcel_answer(shapes_parcel(shown));
      if (what == "contacts") return parcel_answer(contacts_parcel(shown, scene_));
      if (what == "wear" && wears()) return parcel_answer(wear_parcel(shown));
      if (what == "joints") return parcel_answer(joints_parcel(shown, scene_, first_frame().get()));
    } else if (words.size() == 2 && what == "field") {
      if (std::string bytes = field_parcel(shown, scene_, words[1]); !bytes.empty()) return parcel_answer(std::move(bytes));
    } else if (what == "vectors" && (words.size() == 2 || words.size() == 4)) {
      return vectors(shown, words);
    } else if (words.size() == 2 && what == "body" && read_number(words[1], first)) {
      if (const auto numbers = body_numbers(shown, scene_, first); !numbers.is_null()) return json_answer(text_of(numbers));
    } else if (words.size() == 3 && what == "pair" && read_number(words[1], first) && read_number(words[2], second)) {
      if (const auto numbers = pair_numbers(shown, scene_, first, second); !numbers.is_null())
        return json_answer(text_of(numbers));
    }
    return no_such_thing;
  }

  // Whether forces pass from stone to stone in a row, and not in a web as in a wall: hardly more joints than stones.
  bool is_arch() {
    if (is_arch_ || times_.size() == 0) return is_arch_.value_or(false);
    try {
      const Shown shown = frame(times_.size() - 1);
      const std::size_t joints = joints_of(shown->frame).size();
      if (joints > 0) is_arch_ = 2 * joints <= 3 * static_cast<std::size_t>(std::ranges::count(shown->frame.parameters.kind, BodyKind::free));
    } catch (const std::exception&) {  // of a damaged frame nothing is known
    }
    return is_arch_.value_or(false);
  }

  bool wears() const { return std::ranges::any_of(scene_.model.walls, [](const Wall<D>& wall) { return wall.wears; }); }

  // What joints were like at the start; none if that frame cannot be read.
  Shown first_frame() try { return frame(0); } catch (const std::exception&) { return nullptr; }

  Answer mesh(std::int64_t wall) {
    const auto& walls = scene_.model.walls;
    if (wall < 0 || wall >= std::ssize(walls) || !walls[static_cast<std::size_t>(wall)].geometry.mesh) return no_such_thing;
    return parcel_answer(mesh_parcel(walls[static_cast<std::size_t>(wall)]));
  }

  Answer vectors(const ShownFrame<D>& shown, const std::vector<std::string>& words) {
    Shown before;
    if (words.size() == 4) {
      std::int64_t since = 0;
      if (words[2] != "since" || !read_number(words[3], since) || since < 0 || static_cast<std::uint64_t>(since) >= times_.size())
        return no_such_thing;
      before = frame(static_cast<std::uint64_t>(since));
    }
    std::string bytes = vectors_parcel(shown, words[1], before.get());
    return bytes.empty() ? no_such_thing : parcel_answer(std::move(bytes));
  }

  Answer table(const std::string& name, const std::string& column) {
    tables_.refresh();
    const auto found = tables_.all().find(name);
    if (found == tables_.all().end() || !found->second.has(column)) return no_such_thing;
    const CurveTable::Curve curve = found->second.curve(column);
    Parcel parcel(nlohmann::ordered_json{{"table", name}, {"column", column}, {"rows", found->second.rows()}});
    parcel.add("time", curve.time), parcel.add("low", curve.low), parcel.add("high", curve.high);
    return parcel_answer(parcel.bytes());
  }

  nlohmann::ordered_json info() {
    times_.refresh();
    tables_.refresh();
    nlohmann::ordered_json j{{"title", scene_.title}, {"folder", run_.path().filename().string()}, {"dimension", D}};
    j["version"] = edition_.version, j["commit"] = edition_.commit, j["viewer"] = MOREAU_VERSION;
    nlohmann::ordered_json gravity = nlohmann::ordered_json::array();
    for (int d = 0; d < D; ++d) gravity.push_back(scene_.model.gravity[d]);
    j["gravity"] = gravity;
    j["units"] = {{"L", units_.length}, {"M", units_.mass}, {"T", units_.time}};
    const auto& shapes = scene_.bodies.parameters.shape;
    j["masonry"] = 2 * std::ranges::count_if(shapes, [](std::int32_t s) { return s >= 0; }) > std::ssize(shapes);
    j["arch"] = D == 2 && j["masonry"] && is_arch();
    j["times"] = times_.times(), j["damaged"] = times_.damaged();
    j["fields"] = nlohmann::ordered_json::array();
    for (const FieldName& f : field_names())
      j["fields"].push_back(
          {{"name", f.name}, {"unit", D == 2 ? f.plane_unit : f.unit}, {"meaning", f.meaning}, {"constant", f.constant}});
    j["meshes"] = nlohmann::ordered_json::array();
    for (std::size_t w = 0; w < scene_.model.walls.size(); ++w)
      if (scene_.model.walls[w].geometry.mesh) j["meshes"].push_back(w);
    j["wears"] = wears();
    j["tables"] = nlohmann::ordered_json::object();
    for (const auto& [name, table] : tables_.all()) j["tables"][name] = table.columns();
    j["last"] = tables_.all().at("series").last_row();
    j["rows"] = tables_.all().at("series").rows();
    j["certificate"] = certificates_.of(run_, scene_);
    j["log"] = end_of_log(run_.path());
    j["idle"] = seconds_since_written(run_.path());
    return j;
  }

  struct Kept {
    std::uint64_t number;
    FileState file;
    Shown frame;
  };
  RunFolder run_;
  Scene<D> scene_;
  FrameTimes times_;
  Tables tables_;
  Certificates certificates_;
  Provenance edition_;
  UnitNames units_;
  std::optional<bool> is_arch_;
  std::deque<Kept> kept_;  // those asked for last, the latest at the end
};

}  // namespace

std::unique_ptr<RunSource> run_source(const RunFolder& run, AnyScene scene) {
  return std::visit(
      [&]<int D>(Scene<D>& s) -> std::unique_ptr<RunSource> { return std::make_unique<Source<D>>(run, std::move(s)); }, scene);
}

}  // namespace moreau::web
