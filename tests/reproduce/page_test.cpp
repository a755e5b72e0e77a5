// What pages are made of: texts, pictures as addresses, verdicts.
#include "moreau/reproduce/page.hpp"

#include <gtest/gtest.h>

namespace moreau::reproduce {
namespace {

TEST(Page, text_cannot_become_markup) { EXPECT_EQ(escaped("a < b & \"c\" >"), "a &lt; b &amp; &quot;c&quot; &gt;"); }

TEST(Report, verdict_follows_the_tolerance_and_the_mean_over_seeds) {
  EXPECT_EQ(compared("x", 1.0, 1.05, 0.06).verdict, Verdict::agrees);
  EXPECT_EQ(compared("x", 1.0, 1.05, 0.04).verdict, Verdict::differs);
  EXPECT_EQ(compared("x", 1.0, std::vector<double>{}, 10.0).verdict, Verdict::differs);
  const Row row = compared("x", 2.0, std::vector<double>{1.0, 2.0, 3.0}, 0.1);
  EXPECT_EQ(row.verdict, Verdict::agrees);
  EXPECT_DOUBLE_EQ(*row.computed_value, 2.0);
  EXPECT_DOUBLE_EQ(*row.spread, 1.0);
  EXPECT_EQ(compared("x", 1.0, std::numeric_limits<double>::quiet_NaN(), 1.0).verdict, Verdict::differs);
}

TEST(Workshop, key_of_a_scene_is_changed_once_or_refused) {
  const std::string text = "a = 1\n[t]\nb = 2\nb = 3\n";
  EXPECT_EQ(with(text, "a", "7"), "a = 7\n[t]\nb = 2\nb = 3\n");
  EXPECT_EQ(with(text, "b", "7", 2), "a = 1\n[t]\nb = 2\nb = 7\n");
  EXPECT_THROW(with(text, "b", "7"), std::logic_error);
  EXPECT_THROW(with(text, "b", "7", 3), std::logic_error);
  EXPECT_THROW(with(text, "c", "7"), std::logic_error);
}

TEST(Experiments, have_a_name_and_a_source_each) {
  EXPECT_EQ(experiments().size(), 8u);
  for (const Experiment& e : experiments()) EXPECT_TRUE(!e.name.empty() && !e.title.empty() && !e.source.empty() && e.carry_out);
}

}  // namespace
}  // namespace moreau::reproduce
