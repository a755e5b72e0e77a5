// What an experiment hands over when it has run: published and computed numbers side by side, figures, words. How they become a
// page is another file (page.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace moreau::reproduce {

enum class Verdict {
  agrees,
  differs,
  shown,  // nothing was published to compare with
};

// One line of the table. The texts are what a person reads; the numbers, where there are any, go to results.json.
struct Row {
  std::string quantity, published, computed;
  Verdict verdict = Verdict::shown;
  std::string rule = {};  // when it counts as agreement: "within 0.1 %"
  std::optional<double> published_value = {}, computed_value = {}, spread = {};
};

struct Figure {
  std::filesystem::path file;  // PNG or SVG
  std::string caption;
};

struct Section {
  std::string title;
  std::vector<std::string> paragraphs = {};
  std::vector<Row> rows = {};
  std::vector<Figure> figures = {};
};

struct Report {
  std::vector<std::string> protocol = {};  // paragraphs
  std::vector<Section> sections = {};
  std::vector<std::string> choices = {};  // what the papers leave open, one sentence each

  std::size_t count(Verdict verdict) const;
};

// A number against a number: agrees if they differ by at most `tolerance` (absolute).
Row compared(std::string quantity, double published, double computed, double tolerance);
// The same over several seeds: mean and standard deviation.
Row compared(std::string quantity, double published, const std::vector<double>& computed, double tolerance);
// A statement that holds or does not; `computed` says with which numbers.
Row stated(std::string quantity, std::string published, std::string computed, bool holds, std::string rule = {});
// A number nobody published.
Row measured(std::string quantity, double computed, std::string published = "not given");
Row measured(std::string quantity, const std::vector<double>& computed, std::string published = "not given");

// Six significant digits, no trailing zeros.
std::string number(double value);

struct Mean {
  double mean = 0.0, deviation = 0.0;  // standard deviation of one value; 0 for fewer than two
};
Mean mean_of(const std::vector<double>& values);

}  // namespace moreau::reproduce
