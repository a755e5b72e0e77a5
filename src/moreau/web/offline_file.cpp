#include "moreau/web/offline_file.hpp"

#include <fmt/format.h>

#include <set>

#include "moreau/base/base64.hpp"
#include "moreau/base/deflate.hpp"
#include "moreau/store/output_file.hpp"
#include "moreau/store/store_error.hpp"
#include "moreau/web/field_parcels.hpp"
#include "moreau/web/page.hpp"
#include "moreau/web/parcel.hpp"

namespace moreau::web {

namespace {

// As the page may do anything but ask elsewhere.
constexpr const char* offline_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; "
    "base-uri 'none'; form-action 'none'";

// Names of columns come from files.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const std::string_view special = c == '&' ? "&amp;" : c == '"' ? "&quot;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "";
    if (special.empty())
      result += c;
    else
      result += special;
  }
  return result;
}

std::string element(const std::string& path, const Answer& answer) {
  return fmt::format("<script type=\"text/plain\" data-path=\"{}\" data-status=\"{}\" data-type=\"{}\">{}</script>\n",
                     quoted(path), answer.status, answer.type, base64(deflated(answer.body)));
}

// Of `count` frames every `stride`-th and the last.
std::vector<std::uint64_t> every(std::uint64_t count, std::uint64_t stride) {
  std::vector<std::uint64_t> frames;
  for (std::uint64_t k = 0; k < count; k += stride) frames.push_back(k);
  if (!frames.empty() && frames.back() != count - 1) frames.push_back(count - 1);
  return frames;
}

// What the page may ask of a frame, but for the numbers of single bodies, which it then takes from these.
std::string frame_elements(RunSource& run, const std::string& place, std::uint64_t number, std::set<std::string>& known,
                           nlohmann::ordered_json& bodies_of, bool wears) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& words) {
    std::string path = place + "/frame/" + std::to_string(number);
    std::vector<std::string> asked{"frame", std::to_string(number)};
    for (const std::string& word : words) path += "/" + word, asked.push_back(word);
    const Answer answer = run.answer(asked);
    text += element(path, answer);
    return answer.status == 200;
  };
  if (!add({})) return text;  // damaged: the sentence is shown
  const std::string hash = run.bodies_hash(number);
  const bool first = known.insert(hash).second;
  if (first) {
    bodies_of[hash] = number;
    add({"bodies"}), add({"shapes"});
  }
  add({"contacts"}), add({"joints"});
  if (wears) add({"wear"});
  for (const FieldName& field : field_names())
    if (!field.constant || first) add({"field", field.name});
  add({"vectors", "velocity"});
  return text;
}

struct Chosen {
  std::string elements;
  std::string said;  // "41 of 81 frames"
  bool fits = true;
};

Chosen elements_of(RunSource& run, const std::string& place, std::uint64_t stride, std::size_t room) {
  Chosen chosen;
  std::set<std::string> known;
  nlohmann::ordered_json bodies_of = nlohmann::ordered_json::object(),
                         info = nlohmann::ordered_json::parse(run.answer({"info"}).body);
  const std::uint64_t count = info["times"].size();
  const std::vector<std::uint64_t> frames = every(count, stride);
  for (const std::uint64_t k : frames) {
    chosen.elements += frame_elements(run, place, k, known, bodies_of, info["wears"].get<bool>());
    if (chosen.elements.size() > room) return {{}, {}, false};
  }
  for (const auto& wall : info["meshes"])
    chosen.elements +=
        element(fmt::format("{}/mesh/{}", place, wall.get<int>()), run.answer({"mesh", std::to_string(wall.get<int>())}));
  for (const auto& [table, columns] : info["tables"].items())
    for (const auto& column : columns) {
      const std::string name = column.get<std::string>();
      chosen.elements += element(place + "/table/" + table + "/" + name, run.answer({"table", table, name}));
    }
  chosen.said =
      frames.size() == count ? fmt::format("all {} frames", count) : fmt::format("{} of {} frames", frames.size(), count);
  info["offline"] = {{"frames", frames}, {"said", chosen.said}, {"bodies", bodies_of}};
  chosen.elements += element(place + "/info", json_answer(text_of(info)));
  chosen.fits = chosen.elements.size() <= room;
  return chosen;
}

std::string page_with(const std::string& elements) {
  std::string script = page_script();
  for (std::size_t at = 0; (at = script.find("</script", at)) != std::string::npos; at += 9) script.replace(at, 8, "<\\/script");
  std::string html = page_html();
  const auto put = [&](const std::string& mark, const std::string& text) { html.replace(html.find(mark), mark.size(), text); };
  put("<script src=\"viewer.js\"></script>", elements + "<script>" + script + "</script>");
  put("<head>", fmt::format("<head><meta http-equiv=\"Content-Security-Policy\" content=\"{}\">", offline_policy));
  return html;
}

}  // namespace

std::string write_offline_file(Library& library, const std::filesystem::path& file, std::uint64_t most_frames) {
  const std::size_t base = page_with("").size() + 4096, runs = library.runs().size();
  const std::size_t room = (largest_offline_file - base) / runs;
  std::string elements = element("runs", library.answer("runs")), said;
  for (std::size_t r = 0; r < runs; ++r) {
    RunSource& run = *library.runs()[r];
    const std::uint64_t count = run.frame_count();
    if (count == 0) throw StoreError(fmt::format("{}: holds no frames", run.title()));
    std::uint64_t stride = 1;
    while (most_frames > 0 && every(count, stride).size() > std::max<std::uint64_t>(most_frames, 2)) ++stride;
    Chosen chosen;
    while (chosen = elements_of(run, fmt::format("run/{}", r), stride, room), !chosen.fits) {
      if (stride >= count)
        throw StoreError(fmt::format("{}: two frames are more than the {} MB of an offline file", run.title(),
                                     largest_offline_file / 1'000'000));
      stride *= 2;
    }
    elements += chosen.elements;
    said += fmt::format("{}{}", r == 0 ? "" : "; ", chosen.said);
  }
  const std::string html = page_with(elements);
  write_output(file, html);
  return fmt::format("wrote {}: {}, {:.1f} MB", file.string(), said, 1e-6 * static_cast<double>(html.size()));
}

}  // namespace moreau::web
