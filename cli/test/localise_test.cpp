// Would catch: a first wrong value that is not the rule's that was planted, a message that does not name its line, and
// a search that does not come back.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "cli/test/wrong_cube.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace {

using assay::cli::test::optimisation_levels;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

void expect_first_wrong(const std::string &source, const std::string &words, const std::string &expected) {
  for (const std::string &level : optimisation_levels()) {
    const Workplace place;
    place.write("f.c", source);
    const Outcome outcome = place.assay("check f.c --plain --opt-level " + level + " --function " + words);
    EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
    EXPECT_NE(outcome.output.find("first wrong " + expected), std::string::npos)
        << "-O" << level << ", expected: " << expected << "\n"
        << outcome.output;
  }
}

/// `cube` with rules that miss a factor, called in line 9 or later.
const std::string cube = std::string(assay::cli::test::wrong_cube) + "#include <math.h>\n";

const std::string cubes = cube + "double cubes(const double *x, int n) {\n"
                                 "  double s = 0;\n"
                                 "  for (int i = 0; i < n; ++i)\n"
                                 "    s += exp(0.1 * cube(sin(x[i]) * 2)) * x[i];\n"
                                 "  return s;\n}\n";

TEST(Localise, NamesTheCallOfAWrongForwardRule) {
  expect_first_wrong(cubes, "cubes --arg 'double[4]' --arg int=4 --mode forward",
                     "the tangent of the result of the call of cube, at f.c:12 in cubes");
}

TEST(Localise, NamesTheCallOfAWrongReverseRule) {
  expect_first_wrong(cubes, "cubes --arg 'double[4]' --arg int=4 --mode reverse",
                     "the adjoint of argument 1 of the call of cube, at f.c:12 in cubes");
}

TEST(Localise, FindsOneWrongNumberOfManyThousands) {
  const std::string late = cube + "double late(double x, int n) {\n"
                                  "  double s = x;\n"
                                  "  for (int i = 0; i < n; ++i) {\n"
                                  "    s = sin(s) + x;\n"
                                  "    if (i == n - 3)\n"
                                  "      s += cube(s);\n"
                                  "  }\n"
                                  "  return s;\n}\n";
  expect_first_wrong(late, "late --arg double --arg int=3000 --mode reverse",
                     "the adjoint of argument 1 of the call of cube, at f.c:14 in late");
}

TEST(Localise, LooksPastNumbersThatOnlyDecide) {
  const std::string newton = cube + "double newton(double a, double b) {\n"
                                    "  double x = a;\n"
                                    "  while (fabs(x * x - b) > 1e-3)\n"
                                    "    x = 0.5 * (x + b / x);\n"
                                    "  return x * b + cube(a + 1);\n}\n";
  expect_first_wrong(newton, "newton --arg double:positive --arg double:positive --mode forward",
                     "the tangent of the result of the call of cube, at f.c:13 in newton");
}

/// A rule on memory, at the lines 1 to 9.
const std::string twice =
    "void twice(const double *x, double *y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }\n"
    "void *augmented(const double *x, double *dx, double *y, double *dy, int n) { twice(x, y, n); return 0; }\n"
    "void reverse(const double *x, double *dx, double *y, double *dy, int n, void *tape) {\n"
    "  for (int i = 0; i < n; ++i) { dx[i] += 3 * dy[i]; dy[i] = 0; }\n}\n"
    "void forward(const double *x, double *dx, double *y, double *dy, int n) {\n"
    "  twice(x, y, n); for (int i = 0; i < n; ++i) dy[i] = 5 * dx[i];\n}\n"
    "void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)augmented, (void *)reverse};\n"
    "void *__enzyme_register_derivative_twice[] = {(void *)twice, (void *)forward};\n"
    "#include <math.h>\n";

const std::string through = twice + "double through(const double *x) {\n"
                                    "  double y[3], z[3];\n"
                                    "  for (int i = 0; i < 3; ++i) z[i] = exp(x[i]);\n"
                                    "  twice(z, y, 3);\n"
                                    "  return y[0] * sin(y[1]) * y[2];\n}\n";

TEST(Localise, NamesTheCallWhoseRuleLeftAWrongTangentInMemory) {
  expect_first_wrong(through, "through --arg 'double[3]' --mode forward",
                     "the tangent of the loaded value, written by the call of twice at f.c:15 in through");
}

TEST(Localise, NamesTheCallWhoseRuleGaveMemoryAWrongAdjoint) {
  expect_first_wrong(through, "through --arg 'double[3]' --mode reverse",
                     "the adjoint of the stored value, read by the call of twice at f.c:15 in through");
  expect_first_wrong(twice +
                         "double direct(const double *x) { double y[3]; twice(x, y, 3); return y[0] * y[1] * y[2]; }\n",
                     "direct --arg 'double[3]' --mode reverse",
                     "the adjoint of memory that the call of twice uses, at f.c:12 in direct");
}

TEST(Localise, StandsInTheRecord) {
  const Workplace place;
  place.write("f.c", cubes);
  EXPECT_EQ(place.assay("check f.c --plain --function cubes --arg 'double[4]' --arg int=4 --report kept").code, 1);
  std::ifstream file(place.path() / "kept" / "records.jsonl");
  std::stringstream records;
  records << file.rdbuf();
  for (const char *part : {"\"first_wrong\":{\"what\":\"the adjoint of argument 1 of the call of cube\"",
                           "\"place\":\"f.c:12 in cubes\"", "\"executions\":4"})
    EXPECT_NE(records.str().find(part), std::string::npos) << part;
}

} // namespace
