#include "moreau/reproduce/page.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "moreau/base/base64.hpp"
#include "moreau/store/disk.hpp"

namespace moreau::reproduce {

namespace {

constexpr const char* style = R"(
body { font: 16px/1.5 "DejaVu Sans", Verdana, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid #ccc }
.source { color: #555; margin-top: .2rem } code { background: #f3f3f3; padding: .1em .3em }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd } th { background: #f3f3f3 }
td.agrees { color: #00684a; font-weight: bold } td.differs { color: #b00020; font-weight: bold } td.shown { color: #777 }
td small { display: block; color: #777; font-weight: normal }
figure { margin: 1.5rem 0 } img { max-width: 100% } figcaption { font-size: .85rem; color: #444 }
)";

const char* word(Verdict verdict) {
  static constexpr const char* words[] = {"agrees", "differs", "shown"};
  return words[static_cast<int>(verdict)];
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream all;
  if (!(all << in.rdbuf())) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
  return all.str();
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string html;
  for (const std::string& text : texts) html += fmt::format("<p>{}</p>\n", escaped(text));
  return html;
}

std::string table(const std::vector<Row>& rows) {
  if (rows.empty()) return {};
  std::string html = "<table><tr><th>quantity</th><th>published or exact</th><th>computed</th><th>verdict</th></tr>\n";
  for (const Row& row : rows)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}{}</td></tr>\n", escaped(row.quantity),
                        escaped(row.published), escaped(row.computed), word(row.verdict), word(row.verdict),
                        row.rule.empty() ? "" : fmt::format("<small>{}</small>", escaped(row.rule)));
  return html + "</table>\n";
}

// Inside an address each picture keeps its own names: two SVG pictures put directly into a page would share them.
std::string figure(const Figure& f) {
  const bool svg = f.file.extension() == ".svg";
  return fmt::format("<figure><img alt=\"{}\" src=\"data:image/{};base64,{}\"><figcaption>{}</figcaption></figure>\n",
                     escaped(f.caption), svg ? "svg+xml" : "png", base64(content(f.file)), escaped(f.caption));
}

std::string verdicts(const Report& report) {
  return fmt::format("{} numbers and statements agree, {} differ, {} have nothing published to compare with.",
                     report.count(Verdict::agrees), report.count(Verdict::differs), report.count(Verdict::shown));
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

void write_page(const Experiment& experiment, const Report& report, const Circumstances& c, const std::filesystem::path& file) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title><style>{1}</style></head><body>\n"
      "<h1>{0}</h1>\n<p class=\"source\">{2}</p>\n<p><code>{3}</code>: moreau {4}, {5:.0f} s{6}</p>\n<p>{7} {8}</p>\n",
      escaped(experiment.title), style, escaped(experiment.source), escaped(c.command), escaped(c.version), c.seconds,
      c.quick ? ". <strong>Reduced form: fewer grains or shorter runs than published.</strong>" : "", verdicts(report),
      escaped(c.quality.sentence()));
  html += "<h2>Protocol</h2>\n" + paragraphs(report.protocol);
  for (const Section& section : report.sections) {
    html += fmt::format("<h2>{}</h2>\n", escaped(section.title)) + paragraphs(section.paragraphs) + table(section.rows);
    for (const Figure& f : section.figures) html += figure(f);
  }
  if (!report.choices.empty()) html += "<h2>What the papers leave open, and what was chosen</h2>\n" + paragraphs(report.choices);
  if (!c.quality.warnings.empty()) html += "<h2>Warnings of the runs</h2>\n" + paragraphs(c.quality.warnings);
  write_whole(file, html + "</body></html>\n", Sync::later);
}

void write_results(const Experiment& experiment, const Report& report, const Circumstances& c,
                   const std::filesystem::path& file) {
  nlohmann::ordered_json j;
  j["experiment"] = experiment.name;
  j["source"] = experiment.source;
  j["command"] = c.command;
  j["version"] = c.version;
  j["quick"] = c.quick;
  j["seconds"] = c.seconds;
  const RunQuality& q = c.quality;
  j["steps"] = q.steps;
  j["unconverged_steps"] = q.unconverged_steps;
  j["worst_residual"] = q.worst_residual;
  j["worst_unbalanced"] = q.worst_unbalanced;
  j["worst_penetration"] = q.worst_penetration;
  j["warnings"] = q.warnings;
  for (const Verdict v : {Verdict::agrees, Verdict::differs, Verdict::shown}) j[word(v)] = report.count(v);
  j["rows"] = nlohmann::ordered_json::array();
  for (const Section& section : report.sections)
    for (const Row& row : section.rows) {
      nlohmann::ordered_json r{{"section", section.title},
                               {"quantity", row.quantity},
                               {"published", row.published},
                               {"computed", row.computed},
                               {"verdict", word(row.verdict)}};
      if (!row.rule.empty()) r["rule"] = row.rule;
      if (row.published_value) r["published_value"] = *row.published_value;
      if (row.computed_value) r["computed_value"] = *row.computed_value;
      if (row.spread) r["spread"] = *row.spread;
      j["rows"].push_back(std::move(r));
    }
  write_whole(file, j.dump(2) + "\n", Sync::later);
}

}  // namespace moreau::reproduce
