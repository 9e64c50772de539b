// Would catch: a request that cannot be served and does not end with 2 and one clear line.

#include "cli/test/run_command.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

constexpr const char *dot = "double dot(const double *x, const double *y, int n) {\n"
                            "  double s = 0;\n  for (int i = 0; i < n; ++i) s += x[i] * y[i];\n  return s;\n}\n";

struct BadRequest : testing::Test {
  BadRequest() { place.write("dot.c", dot); }

  void expect_refusal(const std::string &words, const std::string &part) const {
    const Outcome outcome = place.assay(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_NE(outcome.errors.find(part), std::string::npos) << words << "\n" << outcome.errors;
    EXPECT_EQ(std::count(outcome.errors.begin(), outcome.errors.end(), '\n'), 1) << words << "\n" << outcome.errors;
    EXPECT_EQ(outcome.output, "") << words;
  }

  Workplace place;
};

TEST_F(BadRequest, NoSuchFile) {
  expect_refusal("check nothing.c", "no such file: nothing.c");
}

TEST_F(BadRequest, NoSuchFunctionNamesTheNearestOnes) {
  expect_refusal("check dot.c --function dto", "did you mean 'dot'");
}

TEST_F(BadRequest, NoFunctionNamedAndNoneMarked) {
  expect_refusal("check dot.c", "marks no function with ASSAY_CHECK");
}

TEST_F(BadRequest, NoSuchFunctionNamesNoneOfTheStandardLibrary) {
  place.write("v.cpp", "#include <vector>\ndouble sum(const std::vector<double> &v) {\n"
                       "  double s = 0;\n  for (double e : v) s += e;\n  return s;\n}\n");
  expect_refusal("check v.cpp --function quantile", "it defines 'sum(std::vector");
  EXPECT_EQ(place.assay("check v.cpp --function quantile").errors.find("__gnu_cxx"), std::string::npos);
}

TEST_F(BadRequest, LambdaIsNoFunction) {
  place.write("l.cpp", "auto square = [](double x) { return x * x; };\ndouble f(double x) { return square(x); }\n");
  expect_refusal("check l.cpp --function square", "'square' is a variable of l.cpp, auto square = [](double x), and no "
                                                  "function: write one that calls it");
}

TEST_F(BadRequest, WrongNumberOfArgumentsSaysWhatTheParametersAre) {
  expect_refusal("check dot.c --function dot --arg 'double[8]'",
                 "dot(const double *x, const double *y, int n) has 3 parameters");
}

TEST_F(BadRequest, BadSpecPointsToThePlace) {
  expect_refusal("check dot.c --function dot --arg 'double[8' --arg 'double[8]' --arg int=8", "double[8<here>");
}

TEST_F(BadRequest, IntegerWithoutValue) {
  expect_refusal("check dot.c --function dot --arg 'double[8]' --arg 'double[8]' --arg int",
                 "an integer needs a value");
}

TEST_F(BadRequest, PointerWithoutExtents) {
  expect_refusal("check dot.c --function dot --arg double --arg 'double[8]' --arg int=8", "has no extents");
}

TEST_F(BadRequest, TypeThatDoesNotFit) {
  expect_refusal("check dot.c --function dot --arg 'float[8]' --arg 'double[8]' --arg int=8", "does not fit");
}

TEST_F(BadRequest, UnsupportedTypeSaysWhatWorks) {
  place.write("either.c", "union either { double x; int n; };\ndouble f(union either e) { return e.x; }\n");
  expect_refusal("check either.c --function f",
                 "unsupported type: parameter 1 of f is either by value; write a function of double");
}

TEST_F(BadRequest, ArrayOfAStructWithTooFewNumbers) {
  place.write("box.c", "struct box { double size[3]; };\ndouble f(struct box b) { return b.size[2]; }\n");
  expect_refusal("check box.c --function f --arg 'double[2]'", "has 3 numbers, but --arg 'double[2]' has 2");
  expect_refusal("check box.c --function f", "f(const double *b.size)");
}

TEST_F(BadRequest, AmbiguousNameListsTheCandidates) {
  place.write("f.cpp", "double f(double x) { return x; }\nfloat f(float x) { return x; }\n");
  expect_refusal("check f.cpp --function f", "'f(double)', 'f(float)'");
}

TEST_F(BadRequest, NothingToDifferentiate) {
  expect_refusal("check dot.c --function dot --arg 'const double[8]' --arg 'const double[8]' --arg int=8",
                 "nothing to differentiate");
}

TEST_F(BadRequest, UnknownOptionOrValueOrCommand) {
  expect_refusal("check dot.c --bogus", "--bogus");
  expect_refusal("check dot.c --mode sideways", "sideways");
  expect_refusal("check dot.c --samples 0", "samples");
  expect_refusal("check dot.c --seed -1", "--seed: '-1' is not a whole number");
  expect_refusal("check dot.c --seed 18446744073709551616", "is not a whole number");
  expect_refusal("frobnicate", "no command 'frobnicate'; there are check, test, report");
  expect_refusal("", "subcommand");
}

TEST_F(BadRequest, ReportFolderThatCannotBeMade) {
  expect_refusal("check dot.c --function dot --arg 'double[8]' --arg 'double[8]' --arg int=8 --report dot.c/report",
                 "--report: cannot write");
}

TEST_F(BadRequest, FunctionThatComputesNothing) {
  place.write("idle.c", "void f(double *x) {}\n");
  expect_refusal("check idle.c --function f --arg 'double[2]'", "computes nothing that has a derivative");
}

TEST_F(BadRequest, ArgumentsWithoutAFunctionOrAFile) {
  expect_refusal("check dot.c --arg double", "--arg needs --function");
  expect_refusal("check --function dot", "--function needs a FILE");
}

TEST_F(BadRequest, UnknownKindOfFile) {
  place.write("dot.py", "print(1)");
  expect_refusal("check dot.py", "neither C");
}

TEST_F(BadRequest, FunctionThatDoesNotLink) {
  place.write("open.c", "double missing(double);\ndouble f(double x) { return missing(x); }\n");
  expect_refusal("check open.c --function f", "missing");
}

TEST_F(BadRequest, FunctionThatHasNoDerivative) {
  // The combinations in which that does not matter are checked all the same.
  place.write("open.c",
              "float f32mulf64(double, double);\ndouble f(double x, double y) { return f32mulf64(x, 1) * y; }\n");
  const Outcome outcome = place.assay("check open.c --function f --mode reverse --plain");
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_EQ(outcome.errors.find("assay: f cannot be differentiated: open.c:2:39: in function 'f': "), 0u)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("'f32mulf64'"), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 1 passed, 2 failed, 0 undecided");
}

TEST_F(BadRequest, BadSpecInAMarkNamesTheMark) {
  place.write("marked.c",
              "#include <assay/check.h>\ndouble f(double *x) { return *x; }\nASSAY_CHECK(f, \"double[\");\n");
  expect_refusal("check marked.c", "ASSAY_CHECK(f) in marked.c");
}

TEST_F(BadRequest, CompilersErrorsAreShownBelowTheLine) {
  place.write("broken.c", "double f(double x) { return y; }\n");
  const Outcome outcome = place.assay("check broken.c --function f");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.errors.find("assay: broken.c does not compile: broken.c:1:29: error:"), 0u) << outcome.errors;
  EXPECT_NE(outcome.errors.find("1 error generated"), std::string::npos);
}

TEST_F(BadRequest, NoReportToReplayOrRender) {
  expect_refusal("report nothing", "no report in nothing");
  expect_refusal("replay 1 --report nothing", "no report in nothing");
}

TEST(Help, IsThereOnEveryLevel) {
  const Workplace place;
  for (const char *words : {"--help", "check --help", "test --help", "report --help", "replay --help"}) {
    const Outcome outcome = place.assay(words);
    EXPECT_EQ(outcome.code, 0) << words;
    EXPECT_NE(outcome.output.find("--help"), std::string::npos) << words;
  }
}

} // namespace
