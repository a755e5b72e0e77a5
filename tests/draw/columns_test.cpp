// Columns of CSV files and formulas over them.
#include "moreau/draw/plot/columns.hpp"

#include "draw/read_back.hpp"

namespace moreau {

namespace {

class ColumnsFile : public PictureTest {
 protected:
  std::filesystem::path written(const std::string& name, const std::string& text) {
    std::ofstream(file(name)) << text;
    return file(name);
  }
};

TEST_F(ColumnsFile, formulas_are_evaluated_row_by_row) {
  const Columns c = read_columns(written("a.csv", "step,time,xx,yy,region\n1,0.1,2,5,all\n2,0.2,3,nan,\"a, \"\"b\"\"\"\n"));
  EXPECT_EQ(c.row[1][4], "a, \"b\"");
  EXPECT_EQ(evaluate("yy - xx", c)[0], 3.0);
  EXPECT_TRUE(std::isnan(evaluate("yy - xx", c)[1]));
  EXPECT_EQ(evaluate("-(xx + 1) * 2 / 4", c), (std::vector<double>{-1.5, -2.0}));
  EXPECT_EQ(evaluate("2 - 1 - xx", c), (std::vector<double>{-1.0, -2.0}));  // from the left
  EXPECT_DOUBLE_EQ(evaluate("sqrt(abs(-xx*8))", c)[0], 4.0);
  const std::vector<double> x = evaluate("xx", c);
  const double most = *std::ranges::max_element(x), least = *std::ranges::min_element(x);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_DOUBLE_EQ(evaluate("(xx - min(xx)) / (max(xx) - min(xx)) + last(xx)", c)[i], (x[i] - least) / (most - least) + x.back());
  EXPECT_NEAR(evaluate("mean(xx - mean(xx)) + sd(xx - xx) + median(xx) - median(xx)", c)[0], 0.0, 1e-12);
  EXPECT_DOUBLE_EQ(evaluate("log(exp(time))", c)[1], 0.2);
  EXPECT_EQ(evaluate("1e-3", c), (std::vector<double>{1e-3, 1e-3}));
  EXPECT_TRUE(std::isnan(evaluate("region", c)[0]));
}

TEST_F(ColumnsFile, mistakes_in_formulas_are_told) {
  const Columns c = read_columns(written("a.csv", "time,q\n0,1\n"));
  const auto sentence = [&](const std::string& formula) { return refusal([&] { evaluate(formula, c); }); };
  EXPECT_TRUE(contains(sentence("p"), "no column 'p'")) << sentence("p");
  EXPECT_TRUE(contains(sentence("p"), "time, q"));
  EXPECT_TRUE(contains(sentence("(q"), "not closed"));
  EXPECT_TRUE(contains(sentence("q q"), "'q' stands where"));
  EXPECT_TRUE(contains(sentence("q +"), "ends where"));
  EXPECT_TRUE(contains(sentence("sin(q)"), "no function 'sin'"));
  EXPECT_TRUE(contains(sentence("q # 2"), "'# 2' stands where"));
  EXPECT_TRUE(contains(sentence(std::string(1000, '(')), "too deep"));
}

TEST_F(ColumnsFile, rows_are_chosen_and_files_joined_by_step) {
  const Columns a = read_columns(written("a.csv", "step,time,region,p\n1,0.1,all,5\n1,0.1,core,6\n3,0.3,all,7\n3,0.3,core,8\n"));
  const Columns b = read_columns(written("b.csv", "step,p,strain\n1,0,0.01\n2,0,0.02\n3,0,0.03\n"));
  EXPECT_TRUE(contains(refusal([&] { joined(a, b); }), "several rows of step 1"));
  const Columns both = joined(only(a, {"region", "=", "core"}), b);
  EXPECT_EQ(evaluate("p", both), (std::vector<double>{6, 8}));
  EXPECT_EQ(evaluate("strain", both), (std::vector<double>{0.01, 0.03}));
  EXPECT_EQ(only(b, {"step", "=", "2.0"}).row.size(), 1u);
  EXPECT_TRUE(contains(refusal([&] { only(a, {"region", "=", "rim"}); }), "no row of"));
}

TEST_F(ColumnsFile, rows_of_one_step_are_taken_apart_by_their_names) {
  const Columns walls = read_columns(written("a.csv",
                                             "step,time,phase,wall,kind,torque\n1,0.1,fill,screw,mesh,5\n1,0.1,fill,trough,mesh,-5\n"
                                             "2,0.2,turn,screw,mesh,6\n2,0.2,turn,trough,mesh,-6\n"));
  const std::vector<NamedColumns> parts = by_name(walls);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].name, "screw");
  EXPECT_EQ(evaluate("torque", parts[0].columns), (std::vector<double>{5, 6}));  // through both phases
  EXPECT_EQ(parts[1].name, "trough");
  EXPECT_EQ(evaluate("torque", parts[1].columns), (std::vector<double>{-5, -6}));
  EXPECT_EQ(by_name(only(walls, {"wall", "=", "screw"}))[0].name, "");
  const Columns species =
      read_columns(written("b.csv", "step,region,species,share\n1,all,a,0\n1,all,b,1\n1,core,a,2\n1,core,b,3\n"));
  ASSERT_EQ(by_name(species).size(), 4u);
  EXPECT_EQ(by_name(species)[2].name, "core, a");
  const Columns bodies = read_columns(written("c.csv", "step,body,mass\n1,1,5\n1,2,6\n"));
  EXPECT_EQ(by_name(bodies).size(), 1u);  // numbers are no names
  EXPECT_EQ(repeated_step(bodies), "1");
}

TEST_F(ColumnsFile, rows_along_another_axis_are_taken_apart_by_instants_and_rings) {
  const Columns rings =
      read_columns(written("a.csv",
                           "step,time,phase,radius,height,share\n1,0.5,,0.01,-1,5\n1,0.5,,0.01,1,6\n1,0.5,,0.02,-1,7\n"
                           "1,0.5,,0.02,1,8\n2,1,,0.01,-1,9\n2,1,,0.01,1,10\n"));
  const auto told = [&](const std::string& x, const std::string& y) {
    std::vector<std::string> all;
    for (const NamedColumns& part : by_instant(by_name(rings), x, {y})) all.push_back(part.name);
    return all;
  };
  const std::vector<std::string> of_rings = {"t = 0.5, radius = 0.01", "t = 0.5, radius = 0.02", "t = 1, radius = 0.01"};
  EXPECT_EQ(told("height", "share"), of_rings);
  EXPECT_EQ(told("share", "2*height"), of_rings);
  EXPECT_EQ(told("radius", "share")[1], "t = 0.5, height = 1");
  EXPECT_EQ(evaluate("share", by_instant(by_name(rings), "height", {"share"})[1].columns), (std::vector<double>{7, 8}));
  const Columns faces =
      read_columns(written("b.csv", "step,time,wall,face,work\n1,0.5,drum,0,5\n1,0.5,drum,1,6\n1,0.5,lid,0,7\n1,0.5,lid,1,8\n"));
  const std::vector<NamedColumns> walls = by_instant(by_name(faces), "face", {"work"});
  ASSERT_EQ(walls.size(), 2u);
  EXPECT_EQ(walls[1].name, "lid");
  const Columns same = read_columns(written("c.csv", "step,q\n1,5\n1,5\n"));
  EXPECT_TRUE(contains(refusal([&] { by_instant(by_name(same), "q", {"q"}); }), "no column tells apart"));
  const Columns series = read_columns(written("d.csv", "step,p,q\n1,5,6\n2,5,7\n"));
  EXPECT_EQ(by_instant(by_name(series), "p", {"q"}).size(), 1u);
}

TEST_F(ColumnsFile, times_that_miss_by_roundings_are_meant) {
  const Columns c = read_columns(written("a.csv", "step,time\n1,1.2\n2,1.2499999999999178\n3,1.3\n"));
  EXPECT_EQ(only(c, {"time", "=", "1.25"}).row[0][0], "2");
  EXPECT_EQ(only(c, {"time", ">=", "1.25"}).row.size(), 2u);
  EXPECT_EQ(only(c, {"time", "<", "1.25"}).row.size(), 1u);
}

TEST_F(ColumnsFile, unreadable_files_are_told) {
  EXPECT_TRUE(contains(refusal([&] { read_columns(file("none.csv")); }), "cannot be read"));
  EXPECT_TRUE(contains(refusal([&] { read_columns(written("bad.csv", "a,b\n1\n")); }), "bad.csv:2 has 1 cells"));
}

}  // namespace

}  // namespace moreau
