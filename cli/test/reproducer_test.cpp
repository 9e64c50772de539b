// Would catch: a program that does not compile or does not show the failure, inputs that are rounded, and IR that lacks
// what the function needs.

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

TEST(Reproducer, RepeatsAWrongDerivativeOfWhatIsOverwritten) {
  const std::string in_place = "extern \"C\" {\n" + rules +
                               "}\nvoid in_place(double *x) { for (int i = 0; i < 2; ++i) x[i] = cube(x[i]) + 1; }\n";
  expect_reproduced("f.cpp", in_place, "in_place", "--arg 'double[2]'", "reverse", "x[1]  AD ");
  expect_reproduced("f.cpp", in_place, "in_place", "--arg 'double[2]'", "forward", "x[1]  AD ");
}

TEST(Reproducer, SaysThatItCannotWrite) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return x; }\n");
  const Outcome outcome = place.assay("check f.c --function f --reproducer f.c");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("--reproducer: cannot write into f.c"), std::string::npos) << outcome.errors;
}

} // namespace
