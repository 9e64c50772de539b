// Would catch: a command that gives the wrong verdict or exit code on a user's file, or a replay command that does not
// repeat the failure.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <tuple>

namespace {

using assay::cli::test::by_default;
using assay::cli::test::every_optimisation_level;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

constexpr const char *dot = "double dot(const double *x, const double *y, int n) {\n"
                            "  double s = 0;\n  for (int i = 0; i < n; ++i) s += x[i] * y[i];\n  return s;\n}\n";

/// cube with a reverse rule that misses a factor of 3.
constexpr const char *planted =
    "#include <stddef.h>\n"
    "double cube(double x) { return x * x * x; }\n"
    "struct augmented { void *tape; double primal; };\n"
    "struct augmented cube_augmented(double x) { struct augmented r = {NULL, cube(x)}; return r; }\n"
    "double cube_reverse(double x, double seed, void *tape) { return x * x * seed; }\n"
    "void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_reverse};\n"
    "double cubes(const double *x, int n) {\n"
    "  double s = 0;\n  for (int i = 0; i < n; ++i) s += cube(x[i]);\n  return s;\n}\n";

void expect_all_passed(const Outcome &outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  const std::regex closing("[1-9][0-9]* combinations checked, ([1-9][0-9]*) passed, 0 failed, 0 undecided");
  EXPECT_TRUE(std::regex_match(outcome.last_line(), closing)) << outcome.output;
}

TEST(Check, PassesARightFunctionInEveryCombination) {
  const Workplace place;
  place.write("dot.c", dot);
  const Outcome outcome = place.assay("check dot.c --function dot --arg 'double[8]' --arg 'double[8]' --arg int=8");
  expect_all_passed(outcome);
  EXPECT_EQ(outcome.last_line(), "37 combinations checked, 37 passed, 0 failed, 0 undecided");
}

TEST(Check, ChecksOneModeOnly) {
  const Workplace place;
  place.write("f.c", "double f(double x, double y) { return x * y; }\n");
  EXPECT_EQ(place.assay("check f.c --function f --mode reverse --plain").last_line(),
            "3 combinations checked, 3 passed, 0 failed, 0 undecided");
  EXPECT_EQ(place.assay("check f.c --function f --mode forward --plain").last_line(),
            "6 combinations checked, 6 passed, 0 failed, 0 undecided");
}

TEST(Check, DrawsAsManyCombinationsAsTheBudgetAllows) {
  const Workplace place;
  place.write("f.c", "double f(double x, double y) { return x * y; }\n");
  EXPECT_EQ(place.assay("check f.c --function f").last_line(),
            "37 combinations checked, 37 passed, 0 failed, 0 undecided");
  const Outcome some = place.assay("check f.c --function f --budget 10");
  EXPECT_EQ(some.last_line(), "10 combinations checked, 10 passed, 0 failed, 0 undecided");
  EXPECT_NE(some.output.find("10 of 37 combinations (--budget)"), std::string::npos) << some.output;
}

TEST(Check, ShowsElementValuesAndReplayCommandOfAPlantedWrongRule) {
  const Workplace place;
  place.write("cubes.c", planted);
  const Outcome outcome = place.assay("check cubes.c --function cubes --arg 'double[4]' --arg int=4 --seed 11");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  for (const char *part : {"wrong derivative", "x[", "reverse", "seed",
                           "reverse is the odd one: forward, finite differences and wide arithmetic agree"})
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << "\n" << outcome.output;

  const std::string replay = outcome.replay_command();
  EXPECT_NE(replay.find("--seed 11"), std::string::npos) << replay;
  const Outcome again = place.shell(replay);
  EXPECT_EQ(again.code, 1) << replay << "\n" << again.errors;
  EXPECT_EQ(again.output, outcome.output);
}

/// `scale`, whose reverse rule does one thing more.
std::string careless(const std::string &deed) {
  return "void scale(double *x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n"
         "void *augmented(double *x, double *dx, int n) { scale(x, n); return 0; }\n"
         "volatile double seen;\n"
         "void reverse(double *x, double *dx, int n, void *tape) {\n"
         "  for (int i = 0; i < n; ++i) dx[i] *= 2;\n  " +
         deed +
         "\n}\n"
         "void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)augmented, (void *)reverse};\n"
         "double f(double *x, int n) { scale(x, n); double s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }\n";
}

TEST(Check, FindsDerivativesThatLeaveTheirMemory) {
  const auto outcome_of = [](const std::string &deed) {
    const Workplace place;
    place.write("f.c", careless(deed));
    return place.assay("check f.c --plain --function f --mode reverse --arg 'double[3]' --arg int=3");
  };
  EXPECT_EQ(outcome_of("").code, 0);
  for (const char *deed : {"dx[3] = 1;", "dx[-40] = 1;", "x[-1] = 1;"}) {
    const Outcome outcome = outcome_of(deed);
    EXPECT_EQ(outcome.code, 1) << deed;
    EXPECT_NE(outcome.output.find("wrong mutation"), std::string::npos) << deed << outcome.output;
  }
  for (const char *deed : {"seen = dx[40];", "dx[40] = 1;", "seen = x[-2000];"}) {
    const Outcome outcome = outcome_of(deed);
    EXPECT_EQ(outcome.code, 1) << deed;
    EXPECT_NE(outcome.output.find("crash"), std::string::npos) << deed << outcome.output;
  }
}

TEST(Check, TakesAPlantedFailureThatWasMarkedAsAPass) {
  const Workplace place;
  place.write("cubes.c",
              std::string(planted) + "#include <assay/check.h>\nASSAY_CHECK_FAILS(cubes, \"double[4]\", \"int=4\");\n");
  const Outcome outcome = place.assay("check cubes.c");
  expect_all_passed(outcome);
  EXPECT_NE(outcome.output.find("wrong as planted, and caught"), std::string::npos) << outcome.output;
}

TEST(Check, FailsWhenAMarkedFailureDoesNotShow) {
  const Workplace place;
  place.write("right.c", "#include <assay/check.h>\ndouble f(double x) { return x * x; }\nASSAY_CHECK_FAILS(f);\n");
  const Outcome outcome = place.assay("check right.c");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_NE(outcome.output.find("no combination failed"), std::string::npos) << outcome.output;
}

TEST(Check, ChecksTheShippedExamplesAndLeavesAReport) {
  const Workplace place;
  const Outcome outcome = place.assay("check");
  expect_all_passed(outcome);
  EXPECT_NE(outcome.output.find("wrong as planted, and caught"), std::string::npos) << outcome.output;
  for (const char *file : {"index.html", "records.jsonl", "junit.xml"})
    EXPECT_TRUE(std::filesystem::exists(place.path() / "assay-report" / file)) << file;
}

TEST(Check, ReplaysARecordOfAReport) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return x * x; }\n");
  expect_all_passed(place.assay("check f.c --function f --report kept"));
  expect_all_passed(place.assay("replay 1 --report kept"));
  const Outcome rendered = place.assay("report kept");
  expect_all_passed(rendered);
  EXPECT_EQ(place.assay("replay 99 --report kept").code, 2);
}

TEST(Check, SurvivesAFunctionThatCrashes) {
  const Workplace place;
  place.write("crash.c", "#include <assay/check.h>\n"
                         "double bad(double *x) { return *(double *)(long)(x[0] > 1e300); }\n"
                         "double good(double x) { return x * x; }\n"
                         "ASSAY_CHECK(bad, \"double[1]\");\nASSAY_CHECK(good);\n");
  const Outcome outcome = place.assay("check crash.c --plain");
  EXPECT_EQ(outcome.code, 2) << outcome.errors;
  EXPECT_NE(outcome.errors.find("bad cannot be checked: the function itself gives no answer, it crashed with SIGSEGV"),
            std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.output.find("SIGSEGV"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.last_line(), "4 combinations checked, 3 passed, 1 failed, 0 undecided") << outcome.output;
}

TEST(Check, SurvivesAFunctionThatEndsTheProcess) {
  const Workplace place;
  place.write("leave.c", "#include <stdlib.h>\ndouble f(double x) { if (x < 1e300) exit(0); return x; }\n");
  const Outcome outcome = place.assay("check leave.c --function f");
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_NE(outcome.output.find("ended the process"), std::string::npos) << outcome.output;
}

TEST(Check, SaysWhyItCouldNotDecide) {
  const Workplace place;
  place.write("nowhere.c", "double f(double x) { return 0.0 / 0.0 * x; }\n");
  const Outcome outcome = place.assay("check nowhere.c --function f --plain");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("oracle unreliable in "), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 0 passed, 0 failed, 3 undecided");
}

TEST(Check, KeepsWhatTheFunctionPrintsOutOfItsOutput) {
  const Workplace place;
  place.write("loud.c", "#include <stdio.h>\ndouble f(double x) { printf(\"LOUD\\n\"); return x * x; }\n");
  const Outcome outcome = place.assay("check loud.c --function f");
  EXPECT_EQ(outcome.output.find("LOUD"), std::string::npos);
  expect_all_passed(outcome);
}

TEST(Check, SeesWritesBeyondTheEndOfABuffer) {
  const Workplace place;
  place.write("over.c", "void f(double *x) { x[4] = x[0]; x[0] = 2 * x[0]; }\n");
  const Outcome outcome = place.assay("check over.c --function f --arg 'double[4]'");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
}

TEST(Check, WritesNoControlCharactersIntoAPipe) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return x * x; }\n");
  const Outcome outcome = place.assay("check f.c --function f");
  EXPECT_EQ(outcome.output.find('\r'), std::string::npos);
  EXPECT_EQ(outcome.output.find('\x1b'), std::string::npos);
}

TEST(Check, GivesTheSameOutputForTheSameSeed) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x, double y) { return sin(x) * y; }\n");
  const Outcome first = place.assay("check f.c --function f --seed 5 --report one"),
                second = place.assay("check f.c --function f --seed 5 --report one");
  EXPECT_EQ(first.output, second.output);
}

/// One input that users have: a file, and what they would type.
struct UserInput {
  const char *name;
  const char *file;
  const char *source;
  const char *words;
};

class UserInputs : public testing::TestWithParam<UserInput> {};

TEST_P(UserInputs, PassInEveryCombination) {
  const Workplace place;
  place.write(GetParam().file, GetParam().source);
  expect_all_passed(place.assay(std::string("check ") + GetParam().file + " " + GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, UserInputs,
    testing::Values(
        UserInput{"template_instance", "f.cpp",
                  "template <typename T> T square(T x) { return x * x; }\n"
                  "template double square<double>(double);\ntemplate float square<float>(float);\n",
                  "--function 'square<double>'"},
        UserInput{"overload", "f.cpp", "double f(double x) { return x * x; }\nfloat f(float x) { return 2 * x; }\n",
                  "--function 'f(float)'"},
        UserInput{"unused_static", "f.c", "static double f(double x) { return x * x * x; }\n", "--function f"},
        UserInput{"unused_inline", "f.cpp", "inline double f(double x) { return x * x * x; }\n", "--function f"},
        UserInput{"nested_namespace", "f.cpp", "namespace a::b { double f(double x) { return x / (1 + x * x); } }\n",
                  "--function b::f"},
        UserInput{"anonymous_namespace", "f.cpp",
                  "namespace { double f(double x) { return x * x; } }\ndouble g(double x) { return f(x); }\n",
                  "--function f"},
        UserInput{"extern_c", "f.cpp", "extern \"C\" double f(double x) { return x * x; }\n", "--function f"},
        UserInput{"reference", "f.cpp", "void f(double &x, const double &y) { x *= y; }\n",
                  "--function f --arg 'double[1]' --arg 'double[1]'"},
        UserInput{"single_precision", "f.c",
                  "#include <math.h>\nfloat f(float x, float y) { return sinf(x) * expf(y); }\n", "--function f"},
        UserInput{"two_dimensions", "f.c",
                  "double f(double a[3][4], const double *x) {\n  double s = 0;\n  for (int i = 0; i < 3; ++i)\n"
                  "    for (int j = 0; j < 4; ++j) s += a[i][j] * x[j] * a[i][0];\n  return s;\n}\n",
                  "--function f --arg 'double[3x4]' --arg 'double[4]'"},
        UserInput{"integer_loop", "f.c",
                  "double f(double x, int n) { double r = 1; for (int i = 0; i < n; ++i) r *= x + i; return r; }\n",
                  "--function f --arg double --arg int=7"},
        UserInput{"integer_array", "f.c",
                  "double f(const double *x, const int *index, long n) { double s = 0; for (long i = 0; i < n; ++i) "
                  "s += x[index[i]] * x[i]; return s; }\n",
                  "--function f --arg 'double[4]' --arg 'int[3]=3,0,2' --arg long=3"},
        UserInput{"unused_parameter", "f.c", "double f(double x, double unused, int n) { return x * x; }\n",
                  "--function f --arg double --arg double --arg int=1"},
        UserInput{"in_place", "f.c",
                  "void f(double *u, int n) { for (int i = 1; i < n; ++i) u[i] = u[i] * u[i - 1]; }\n",
                  "--function f --arg 'double[5]' --arg int=5"},
        UserInput{"integer_result", "f.c", "int f(double *x) { x[0] = x[0] * x[0]; return 3; }\n",
                  "--function f --arg 'double[2]'"},
        UserInput{"domain", "f.c",
                  "#include <math.h>\ndouble f(double x, double y) { return log(x) * sqrt(1 - y * y); }\n",
                  "--function f --arg double:positive --arg 'double:(-0.9,0.9)'"},
        UserInput{"fixed_values", "f.c", "double f(const double *x, double y) { return x[0] * x[1] * y; }\n",
                  "--function f --arg 'const double[2]=1.5,2.5' --arg double=3"},
        UserInput{
            "without_optimisation", "f.c",
            "double f(double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s; }\n",
            "--function f --arg 'double[4]' --arg int=4 --opt-level 0"},
        UserInput{
            "with_most_optimisation", "f.c",
            "double f(double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s; }\n",
            "--function f --arg 'double[9]' --arg int=9 --opt-level 3"},
        UserInput{"global_variable", "f.c",
                  "static double state;\ndouble f(double x) { state = x * x; double s = 0; for (int i = 0; i < 3; ++i) "
                  "{ s += state; "
                  "state *= x; } return s; }\n",
                  "--function f --opt-level 0"},
        UserInput{"llvm_assembly", "f.ll",
                  "define double @f(double %x, ptr %p) {\n  %y = load double, ptr %p\n  %z = fmul double %x, %y\n  "
                  "store double %z, ptr %p\n"
                  "  ret double %z\n}\n",
                  "--function f --arg double --arg 'double[1]'"}),
    [](const testing::TestParamInfo<UserInput> &info) { return std::string(info.param.name); });

class Programs : public testing::TestWithParam<std::tuple<const char *, std::string>> {};

TEST_P(Programs, PassInEveryCombinationAtEveryOptimisationLevel) {
  const auto [file, level] = GetParam();
  const Workplace place;
  expect_all_passed(place.assay("check " ASSAY_PROGRAMS "/" + std::string(file) + " --opt-level " + level +
                                by_default(" --budget 12")));
}

INSTANTIATE_TEST_SUITE_P(OfUsers, Programs,
                         testing::Combine(testing::Values("numerical.c", "standard_library.cpp"),
                                          testing::ValuesIn(every_optimisation_level())),
                         [](const auto &program) {
                           const std::string file = std::get<0>(program.param);
                           return file.substr(0, file.find('.')) + "_at_" + std::get<1>(program.param);
                         });

TEST(Test, HandsItsArgumentsToCtest) {
  const Workplace place;
  const Outcome outcome = place.assay("test -N -R HandsItsArgumentsToCtest");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("Total Tests: 1"), std::string::npos) << outcome.output;
}

TEST(Check, TakesBitcode) {
  const Workplace place;
  place.write("dot.c", dot);
  ASSERT_EQ(place.shell(std::string(ASSAY_CLANG) + " -O1 -c -emit-llvm dot.c -o dot.bc").code, 0);
  expect_all_passed(place.assay("check dot.bc --function dot --arg 'double[3]' --arg 'double[3]' --arg int=3"));
}

TEST(Check, SaysWhichOracleDecided) {
  const Workplace place;
  place.write("f.c",
              "#include <stdio.h>\n#include <stdlib.h>\n"
              "double plain(double x) { return ((x + 1e12) - 1e12) * x; }\n"
              "double parsed(double x) { char t[40]; snprintf(t, 40, \"%g\", 2.5); return x * strtod(t, 0); }\n");
  const Outcome plain = place.assay("check f.c --function plain");
  expect_all_passed(plain);
  EXPECT_NE(plain.output.find("by wide arithmetic\n"), std::string::npos) << plain.output;
  const Outcome parsed = place.assay("check f.c --function parsed");
  expect_all_passed(parsed);
  EXPECT_NE(parsed.output.find("by finite differences: wide arithmetic does not follow a call of strtod"),
            std::string::npos)
      << parsed.output;
}

TEST(Check, TakesTheOracleThatIsAskedFor) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return ((x + 1e12) - 1e12) * x; }\n");
  EXPECT_NE(place.assay("check f.c --function f --oracle fd").output.find("by finite differences"), std::string::npos);
  expect_all_passed(place.assay("check f.c --function f --oracle wide"));
  EXPECT_EQ(place.assay("check f.c --function f --oracle best").code, 2);
}

/// Would catch: a wrong derivative that hides behind a kink.
TEST(Check, TestsOneSidedAtAKink) {
  const Workplace place;
  place.write("ramp.c", "__attribute__((noinline)) double ramp(double x) { return x > 0 ? 2 * x : -x; }\n"
                        "double ramp_forward(double x, double dx) { return (x > 0 ? 2 : x < 0 ? -1 : -7) * dx; }\n"
                        "void *__enzyme_register_derivative_ramp[] = {(void *)ramp, (void *)ramp_forward};\n"
                        "double wrong(double x) { return ramp(x) + 2 * x; }\n"
                        "double right(double x) { return (x > 0 ? 2 * x : -x) + 2 * x; }\n");
  const Outcome wrong = place.assay("check ramp.c --plain --function wrong --arg double=0 --mode forward");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.output.find("neither the left one"), std::string::npos) << wrong.output;
  const Outcome right = place.assay("check ramp.c --plain --function right --arg double=0 --report report");
  expect_all_passed(right);
  std::ifstream records(place.path() / "report" / "records.jsonl");
  const std::string text{std::istreambuf_iterator<char>(records), {}};
  EXPECT_NE(text.find("one-sided: equals the "), std::string::npos) << text;
}

/// The derivatives that the function computes are part of it in wide arithmetic, too.
TEST(Check, PassesCopiesAtEqualNumbers) {
  const Workplace place;
  place.write("f.c", "void leaky(const double *x, double *y, int n) {\n"
                     "  for (int i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0.1 * x[i];\n"
                     "}\n");
  const Outcome outcome = place.assay("check f.c --function leaky --arg 'double[8]' --arg 'double[8]' --arg int=8");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

TEST(Check, FollowsAFunctionThatDifferentiatesInWideArithmetic) {
  const Outcome outcome = Workplace().assay("check " ASSAY_MUTATION "/second_order.c");
  expect_all_passed(outcome);
  EXPECT_EQ(outcome.output.find("by finite differences"), std::string::npos) << outcome.output;
}

/// A while loop of unknown length keeps a number of each iteration.
TEST(Check, RecordsTheHeapOfDerivativeAndFunction) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\n"
                     "double f(double x, int n) {\n"
                     "  for (int i = 0; i < n && x < 1e6; ++i) x = sin(x) * x + 1;\n  return x;\n}\n");
  const Outcome outcome =
      place.assay("check f.c --function f --arg double --arg int=5000 --mode reverse --samples 1 --report out");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  std::ifstream file(place.path() / "out/records.jsonl");
  const std::string records(std::istreambuf_iterator<char>(file), {});
  const std::regex heap("\"heap\":\\{\"allocations\":[1-9][0-9]*,\"most_bytes\":([0-9]+)\\},"
                        "\"heap_of_function\":\\{\"allocations\":0,\"most_bytes\":0\\}");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(records, found, heap)) << records;
  EXPECT_GE(std::stoul(found[1]), 5000 * sizeof(double));
}

TEST(Check, HintsAtExtentsThatTheFunctionItselfReadsBeyond) {
  const Workplace place;
  place.write("dot.c", "double dot(const double *x, const double *y, int n) {\n"
                       "  double s = 0;\n  for (int i = 0; i < n; ++i) s += x[i] * y[i];\n  return s;\n}\n");
  const Outcome short_one = place.assay("check dot.c --function dot --arg 'double[9]' --arg 'double[8]' --arg int=9");
  EXPECT_EQ(short_one.code, 1) << short_one.output;
  EXPECT_THAT(short_one.output, testing::HasSubstr("the function itself reads beside the memory of 'y', which has 8 "
                                                   "elements where n = 9"));
  const Outcome right = place.assay("check dot.c --function dot --arg 'double[9]' --arg 'double[9]' --arg int=9");
  EXPECT_EQ(right.code, 0) << right.output;
}

} // namespace
