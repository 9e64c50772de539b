// Would catch: a program that does not compile or does not show the failure, inputs that are rounded, and IR that lacks
// what the function needs.

#include "cli/installation.hpp"
#include "cli/reproducer.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/wrong_cube.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

std::string content(const std::filesystem::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The command in the second line of a written program.
std::string build_and_run(const std::string &program) {
  std::istringstream lines(program);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  return line.substr(line.find_first_not_of("/ "));
}

/// The command behind a label of the first failure.
std::string labelled(const Outcome &outcome, const std::string &label) {
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);)
    if (const auto at = line.find("  " + label + " "); at != std::string::npos)
      return line.substr(line.find_first_not_of(' ', at + label.size() + 2));
  return {};
}

const std::string rules = std::string("static double unrelated_to_it(double x) { return x; }\n"
                                      "double other(double x) { return unrelated_to_it(x); }\n") +
                          assay::cli::test::wrong_cube + "int main(void) { return 7; }\n";

/// Both files of `function` in `mode` show the failure again.
void expect_reproduced(const std::string &file, const std::string &source, const std::string &function,
                       const std::string &words, const std::string &mode, const std::string &element) {
  const Workplace place;
  place.write(file, source);
  const Outcome outcome = place.assay("check " + file + " --plain --function " + function + " " + words + " --mode " +
                                      mode + " --reproducer out");
  ASSERT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::string program = content(place.path() / labelled(outcome, "program"));
  ASSERT_NE(program, "") << outcome.output;
  EXPECT_NE(program.find("0x"), std::string::npos) << program;
  const Outcome ran = place.shell(build_and_run(program));
  EXPECT_EQ(ran.code, 1) << program << ran.errors;
  EXPECT_NE(ran.output.find(element), std::string::npos) << ran.output;
  EXPECT_NE(ran.output.find("WRONG"), std::string::npos) << ran.output;

  const Outcome alone = place.shell(labelled(outcome, "alone"));
  EXPECT_EQ(alone.code, 1) << labelled(outcome, "alone") << alone.errors;
  const std::string code = content(place.path() / "out" / (function + "-" + mode + ".ll"));
  EXPECT_NE(code.find("cube"), std::string::npos);
  EXPECT_EQ(code.find("unrelated_to_it"), std::string::npos);
}

TEST(Reproducer, RepeatsAWrongGradientOfScalarsAndMemory) {
  const std::string mixed = rules + "double mixed(double a, const double *x, int n, float b) {\n"
                                    "  double s = 0;\n  for (int i = 0; i < n; ++i) s += cube(a * x[i]) + b;\n"
                                    "  return s;\n}\n";
  const std::string words = "--arg double --arg 'double[3]' --arg int=3 --arg float";
  expect_reproduced("f.c", mixed, "mixed", words, "reverse", "x[2]  AD ");
  expect_reproduced("f.c", mixed, "mixed", words, "forward", "result[0]  AD ");
}

TEST(Reproducer, RepeatsAWrongGradientOfStructsRowsAndCallables) {
  const std::string source = rules +
                             "#include <complex.h>\n"
                             "typedef struct { double x, weights[2]; } part;\n"
                             "struct whole { int n; part at; double (*f)(double); const double *y; };\n"
                             "double of_value(struct whole w, double (*g)(double)) {\n"
                             "  return w.f(w.at.x) * w.at.weights[1] + g(w.y[w.n - 1]);\n}\n"
                             "double of_rows(double **a, int m, int n, double _Complex z) {\n"
                             "  return cube(a[m - 1][n - 1] * creal(z)) + cimag(z);\n}\n"
                             "part moved(part p, double by) { p.x = cube(p.x); p.weights[0] += by; return p; }\n"
                             "void step(struct whole *w) { w->at.x = cube(w->at.x) + w->y[0]; }\n";
  const std::string whole = "--arg int=2 --arg double --arg 'double[2]' --arg f=cube --arg 'double[2]' ";
  for (const std::string mode : {"forward", "reverse"}) {
    const std::string element = mode == "forward" ? "result[0]  AD " : "w.at.x[0]  AD ";
    expect_reproduced("f.c", source, "of_value", whole + "--arg g=sin", mode, element);
    expect_reproduced("f.c", source, "of_rows",
                      "--arg 'double[m*n]' --arg int=m --arg int=n --arg int=2 --arg int=2 --arg double --arg double",
                      mode, mode == "forward" ? "result[0]  AD " : "z.real[0]  AD ");
    expect_reproduced("f.c", source, "moved", "--arg double --arg 'double[2]' --arg double --arg 'double[3]'", mode,
                      mode == "forward" ? "result[0]  AD " : "p.x[0]  AD ");
    expect_reproduced("f.c", source, "step",
                      "--arg int=2 --arg 'double[1]' --arg 'double[2]' --arg f=cube --arg 'double[2]'", mode,
                      "w.at.x[0]  AD ");
  }
}

TEST(Reproducer, RepeatsAWrongDerivativeOfWhatIsOverwritten) {
  const std::string in_place = "extern \"C\" {\n" + rules +
                               "}\nvoid in_place(double *x) { for (int i = 0; i < 2; ++i) x[i] = cube(x[i]) + 1; }\n";
  expect_reproduced("f.cpp", in_place, "in_place", "--arg 'double[2]'", "reverse", "x[1]  AD ");
  expect_reproduced("f.cpp", in_place, "in_place", "--arg 'double[2]'", "forward", "x[1]  AD ");
}

TEST(Reproducer, RepeatsAWrongGradientOfCppValuesWithFlags) {
  const std::string source =
      "extern \"C\" {\n" + rules +
      "}\n#include <vector>\ndouble g(const std::vector<double> &y) { double s = 0; for (double e "
      ": y) s += SCALE * cube(e); return s; }\ndouble weight(double F) { return SCALE * cube(F); }\n";
  const Workplace place;
  place.write("f.cpp", source);
  for (const char *words : {"--function g --arg 'vector[3]'", "--function weight"}) {
    const Outcome outcome =
        place.assay(std::string("check f.cpp --plain ") + words + " --mode reverse --reproducer out -- -DSCALE=2");
    ASSERT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
    const std::string program = content(place.path() / labelled(outcome, "program"));
    const Outcome ran = place.shell(build_and_run(program));
    EXPECT_EQ(ran.code, 1) << program << ran.errors;
    EXPECT_NE(ran.output.find("WRONG"), std::string::npos) << ran.output << ran.errors;
  }
}

// ---- Every form ----

using assay::testutils::Mode;

/// Of `double mixed(double a, const double *x, double *y, int n, float b)` in `path`.
assay::cli::CheckRequest request_for_mixed(const assay::jit::ModuleFile &file, const std::filesystem::path &path) {
  assay::cli::CheckRequest request;
  request.file = path;
  request.function = file.function("mixed");
  request.name = "mixed";
  for (const char *spec : {"double", "double[3]", "double[3]", "int=3", "float"})
    request.arguments.push_back(assay::jit::parse_argument_spec(spec));
  return request;
}

assay::reports::Record failure_in(Mode mode, unsigned width, bool split, bool runtime_activity) {
  assay::reports::Record record;
  record.outcome = assay::reports::Outcome::failed;
  record.mode = mode == Mode::forward ? "forward" : "reverse";
  record.width = width;
  record.split = split;
  record.runtime_activity = runtime_activity;
  const std::string scalar = mode == Mode::forward ? "Duplicated" : "Active";
  record.result_activity = scalar;
  record.parameters = {"a", "x", "y", "n", "b"};
  record.activities = {scalar, "Duplicated", "DuplicatedNoNeed", "Const", scalar};
  record.inputs = {{"a", {0.75}}, {"x", {0.5, 1.25, -0.5}}, {"y", {1, 2, 3}}, {"n", {3}}, {"b", {0.25}}};
  return record;
}

class ReproducerForm : public testing::TestWithParam<std::tuple<Mode, unsigned, bool, bool>> {};

TEST_P(ReproducerForm, FailsWithTheWrongRuleAndPassesWithTheRightOne) {
  const auto [mode, width, split, runtime_activity] = GetParam();
  const Workplace place;
  const std::string source = "#ifdef RIGHT\nstatic double cube(double x) { return x * x * x; }\n#else\n" +
                             std::string(assay::cli::test::wrong_cube) +
                             "#endif\ndouble mixed(double a, const double *x, double *y, int n, float b) {\n"
                             "  double s = 0;\n  for (int i = 0; i < n; ++i) {\n    s += cube(a * x[i]) * y[i] + b;\n"
                             "    y[i] = x[i] * y[i];\n  }\n  return s;\n}\n";
  place.write("f.c", source);
  const assay::jit::ModuleFile file(place.path() / "f.c", {});
  const auto request = request_for_mixed(file, place.path() / "f.c");
  const auto program = assay::cli::reproducer_program(request, failure_in(mode, width, split, runtime_activity), "f.c");
  ASSERT_TRUE(program);
  place.write("program.c", *program);
  const std::string build = std::string(ASSAY_CLANG) +
                            " -O1 -Werror=implicit -fpass-plugin=" + assay::cli::plugin_file().string() + " -I" +
                            place.path().string() + " program.c -lm";
  const Outcome wrong = place.shell(build + " && ./a.out");
  EXPECT_EQ(wrong.code, 1) << *program << wrong.errors;
  EXPECT_NE(wrong.output.find("WRONG"), std::string::npos) << wrong.output << wrong.errors;
  EXPECT_EQ(wrong.output.find("lane " + std::to_string(width - 1)) != std::string::npos, width > 1) << wrong.output;
  const Outcome right = place.shell(build + " -DRIGHT && ./a.out");
  EXPECT_EQ(right.code, 0) << *program << right.output << right.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Of, ReproducerForm,
    testing::Values(std::tuple(Mode::forward, 1U, false, true), std::tuple(Mode::forward, 3U, false, false),
                    std::tuple(Mode::reverse, 1U, true, false), std::tuple(Mode::reverse, 2U, false, true),
                    std::tuple(Mode::reverse, 4U, true, false), std::tuple(Mode::reverse, 3U, true, true)));

TEST(Reproducer, RepeatsWhatFailsInTwoFunctionsAlone) {
  const Workplace place;
  place.write("f.c", assay::cli::test::squares_without_tape);
  const Outcome outcome =
      place.assay("check f.c --function squares --arg 'double[3]' --arg int=3 --mode reverse --reproducer out");
  ASSERT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::string path = labelled(outcome, "program");
  EXPECT_NE(path.find("-split"), std::string::npos) << outcome.output;
  const Outcome ran = place.shell(build_and_run(content(place.path() / path)));
  EXPECT_EQ(ran.code, 1) << ran.errors;
  EXPECT_NE(ran.output.find("WRONG"), std::string::npos) << ran.output;
}

TEST(Reproducer, ShowsMemoryThatIsLost) {
  const Workplace place;
  place.write("f.c",
              std::string(assay::cli::test::cube_that_loses_memory) + "double f(double x) { return cube(x) + x; }\n");
  const Outcome outcome = place.assay("check f.c --plain --function f --mode reverse --reproducer out");
  ASSERT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("wrong release"), std::string::npos) << outcome.output;
  const Outcome ran = place.shell(build_and_run(content(place.path() / labelled(outcome, "program"))));
  EXPECT_EQ(ran.code, 1) << ran.errors;
  EXPECT_NE(ran.output.find("bytes on the heap  WRONG"), std::string::npos) << ran.output;
}

/// Where the C library's lists stand differs from run to run.
TEST(Reproducer, EveryRunSeesMemoryThatIsLost) {
  const Workplace place;
  place.write("f.c",
              std::string(assay::cli::test::cube_that_loses_memory) + "double f(double x) { return cube(x) + x; }\n");
  for (int run = 0; run < 12; ++run)
    EXPECT_EQ(place.assay("check f.c --plain --function f --mode reverse").code, 1);
}

TEST(Reproducer, SaysThatItCannotWrite) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return x; }\n");
  const Outcome outcome = place.assay("check f.c --function f --reproducer f.c");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("--reproducer: cannot write into f.c"), std::string::npos) << outcome.errors;
}

} // namespace
