// Would catch: faults that the check misses, equivalent mutants that count as missed, and runs that cannot be repeated.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <ranges>

namespace {

using assay::cli::test::by_default;
using assay::cli::test::campaign_size;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

const std::string recurrence = "#include <math.h>\n"
                               "double f(double *x, double a, int n) {\n"
                               "  double s = 1;\n"
                               "  for (int i = 0; i < n; ++i) {\n"
                               "    s = sin(s) * x[i] - a;\n"
                               "    x[i] = s * a;\n"
                               "  }\n"
                               "  return s;\n"
                               "}\n";
const std::string of_recurrence = "mutate f.c --function f --arg 'double[4]' --arg double --arg int=4 ";

/// Percent of the faults that are not equivalent.
const std::string least_score = " --at-least 99.5 ";

TEST(Mutate, FindsEveryFaultInALoop) {
  const Workplace place;
  place.write("f.c", recurrence);
  const Outcome outcome = place.assay(of_recurrence + "--budget " + std::to_string(campaign_size(40, 150)) +
                                      " --report found" + least_score);
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(std::filesystem::exists(place.path() / "found" / "mutants.jsonl"));
}

TEST(Mutate, DrawsTheSameFaultsFromTheSameSeed) {
  const Workplace place;
  place.write("f.c", recurrence);
  const std::string words = of_recurrence + "--budget 6 --seed 4 --report ";
  const Outcome first = place.assay(words + "one"), second = place.assay(words + "two --jobs 1");
  EXPECT_NE(first.output.find("6 faults in derivatives of 1 functions, drawn from "), std::string::npos)
      << first.output;
  EXPECT_EQ(first.output, second.output);
  EXPECT_EQ(place.shell("cmp one/mutants.jsonl two/mutants.jsonl").code, 0);
}

TEST(Mutate, PlantsTheRestOfADraw) {
  const Workplace place;
  place.write("f.c", recurrence);
  const std::string words = of_recurrence + "--class sign --seed 4 --report ";
  const Outcome all = place.assay(words + "all");
  EXPECT_EQ(place.assay(words + "drawn --budget 5").code, 0);
  const Outcome rest = place.assay(words + "rest --budget 5 --rest");
  EXPECT_EQ(rest.code, 0) << rest.output << rest.errors;
  EXPECT_NE(rest.output.find(" faults in derivatives of 1 functions, the rest of "), std::string::npos) << rest.output;
  EXPECT_EQ(
      place.shell("cat drawn/mutants.jsonl rest/mutants.jsonl | sort >both && sort all/mutants.jsonl | cmp - both")
          .code,
      0)
      << all.output;
}

TEST(Mutate, NeedsARestToPlant) {
  const Workplace place;
  place.write("f.c", recurrence);
  const Outcome outcome = place.assay(of_recurrence + "--class sign --budget 10000 --rest");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("--budget 10000 leaves nothing out of "), std::string::npos) << outcome.errors;
}

TEST(Mutate, FindsTheFaultsInARule) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x, double y) { return sin(x) * exp(y); }\n");
  const Outcome outcome = place.assay("mutate f.c --function f --arg double --arg double --rules --at-least 100");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("faults in rules of 1 functions"), std::string::npos) << outcome.output;
}

/// Each is planted where it can be: in two functions, in batches, in code that allocates.
TEST(Mutate, FindsFaultsOfTheSplitFormOfBatchesAndOfReleases) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\n#include <stdlib.h>\n"
                     "double f(const double *x, int n) { double *w = malloc(n * sizeof *w), s = 1;\n"
                     "  for (int i = 0; i < n; ++i) w[i] = s = sin(s) * x[i];\n"
                     "  for (int i = 1; i < n; ++i) s += w[i] * w[i - 1];\n"
                     "  free(w); return s; }\n");
  const std::string words = "mutate f.c --function f --arg 'double[4]' --arg int=4 --at-least 100 --budget 8 --class ";
  for (const char *kind : {"tape-store", "primal-return", "missing-release", "lane-swapped", "lane-dropped"}) {
    const Outcome outcome = place.assay(words + kind);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_EQ(outcome.last_line().find(" 0 killed"), std::string::npos) << kind << outcome.output;
  }
}

/// Where each class can be: at least one of its faults is found. By default one class in each program.
TEST(Mutate, FindsFaultsOfEveryGeneralClass) {
  const std::string suite = ASSAY_MUTATION;
  const std::vector<std::pair<std::string, std::vector<const char *>>> programs{
      {suite + "/branches.c", {"one-side", "tie", "equal-division", "trap", "flush-to-zero"}},
      {suite + "/second_order.c", {"detached"}},
      {suite + "/registered/stateful.c --registered", {"changed-variable", "call-counter", "last-call"}},
      {suite + "/registered/scalar_functions.c --registered",
       {"threshold", "zero-division", "seed-of-one", "seed-zero", "single-precision", "rounding-mode", "open-file"}},
      {suite + "/registered/matrices.c --registered",
       {"length", "tail", "leading-dimension", "unit-stride", "early-release", "mismatched-release"}},
      {suite + "/registered/vectors.c --registered", {"cached-address"}},
      {suite + "/arrays.c", {"lane-seed"}}};
  for (const auto &[words, kinds] : programs)
    for (const char *kind : kinds | std::views::take(campaign_size(1, kinds.size()))) {
      const Outcome outcome = Workplace().assay("mutate " + words + " --budget 4 --at-least 1 --class " + kind);
      EXPECT_EQ(outcome.code, 0) << kind << outcome.output << outcome.errors;
      EXPECT_EQ(outcome.last_line().find(" 0 killed"), std::string::npos) << kind << outcome.output;
    }
}

/// An input that is overwritten: what is read again is the output.
TEST(Mutate, FindsReadsBehindTheStoreOfAnOutput) {
  const Workplace place;
  place.write("f.c", "void f(double *x) { const double held = x[0]; x[0] = held * x[1]; x[1] = held * held; }\n");
  const Outcome outcome = place.assay("mutate f.c --function f --arg 'double[2]' --class read-late --at-least 1");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_EQ(outcome.last_line().find(" 0 killed"), std::string::npos) << outcome.output;
}

TEST(Mutate, RepeatsWithTheTolerancesOfTheRun) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x, double y) { return x + 1e-13 * sin(y); }\n");
  const Outcome outcome = place.assay("mutate f.c --function f --class sign --rtol 0.001 --atol 0.01 --samples 4");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  const std::string again = outcome.replay_command();
  for (const char *option : {"--rtol 0.001", "--atol 0.01", "--samples 4"})
    EXPECT_NE(again.find(option), std::string::npos) << again;
}

TEST(Mutate, AFaultOfAnotherFormIsRepeatedByItsName) {
  const Workplace place;
  place.write("f.c", recurrence);
  for (const char *only : {"reverse-split/splitdiffe.f/missing-release/0", "forward-2/fwddiffe.f/lane-dropped/0"}) {
    const Outcome outcome = place.assay(of_recurrence + "--only " + only);
    EXPECT_NE(outcome.last_line().find("1 mutants"), std::string::npos) << outcome.output << outcome.errors;
  }
}

/// What is below a tolerance that somebody has chosen is not to be found.
TEST(Mutate, ListsWhatSurvivesWithACommandThatRepeatsIt) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x, double y) { return x + 1e-13 * sin(y); }\n");
  const Outcome outcome = place.assay("mutate f.c --function f --class sign --atol 1e-9");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("survived  f.c:2  f  "), std::string::npos) << outcome.output;
  const Outcome again = place.shell(outcome.replay_command());
  EXPECT_EQ(again.code, 1) << again.output << again.errors;
  EXPECT_TRUE(again.last_line().starts_with("1 mutants, 0 killed, 0 equivalent (0 proved), 1 survived"))
      << again.output;
}

/// Where nobody has chosen one, generated code is held to the digits of its arithmetic.
TEST(Mutate, FindsFaultsBelowTheUsualToleranceInGeneratedCode) {
  const Workplace place;
  place.write("f.c", "#include <math.h>\ndouble f(double x, double y) { return x + 1e-11 * sin(y); }\n");
  const Outcome outcome = place.assay("mutate f.c --function f --class sign --at-least 100");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

/// A part that is wrong where it is small shows above a shadow of zero.
TEST(Mutate, FindsFaultsOfSmallNumbersAtSpecialPoints) {
  const Outcome outcome = Workplace().assay("mutate " ASSAY_MUTATION "/memory.c --function smooth --arg 'double[7]' "
                                            "--arg int=7 --seed 7 --class magnitude --at-least 80");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

/// A fault there makes another function of the one that is checked, whose derivative is right.
TEST(Mutate, PlantsNothingInDerivativesThatTheFunctionItselfComputesButWhatSecondOnesMiss) {
  const Workplace place;
  const std::string of_slope = "mutate " ASSAY_MUTATION "/second_order.c --function slope --arg double --seed 7 ";
  const Outcome all = place.assay(of_slope + "--report faults --at-least 95" + by_default(" --budget 60"));
  EXPECT_EQ(all.code, 0) << all.output << all.errors;
  std::ifstream file(place.path() / "faults/mutants.jsonl");
  const std::string faults(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(faults.find("/diffe.wave/detached/"), std::string::npos) << faults;
  EXPECT_NE(faults.find("/diffe.slope/sign/"), std::string::npos) << faults;
  EXPECT_EQ(faults.find("/diffe.wave/sign/"), std::string::npos) << faults;
}

/// Between the threads of a kernel: by the log of accesses and by other orders of the threads.
TEST(Mutate, FindsTheFaultsBetweenThreads) {
  const Workplace place;
  place.write("sum.cu", "__global__ void sum(const float *x, float *y) {\n"
                        "  __shared__ float part[32];\n"
                        "  part[threadIdx.x] = x[threadIdx.x] * x[31 - threadIdx.x];\n"
                        "  __syncthreads();\n"
                        "  const float other = __shfl_down_sync(~0u, part[threadIdx.x ^ 5], 3);\n"
                        "  y[threadIdx.x] += other * part[31 - threadIdx.x] * x[threadIdx.x & 3];\n"
                        "}\n");
  const std::string words = "mutate sum.cu --function sum --launch '<<<1,32>>>' --arg 'float[32]' --arg 'float[32]' "
                            "--at-least 100 --class ";
  for (const char *kind : {"dropped-barrier", "plain-atomic", "shuffle-lane"}) {
    const Outcome outcome = place.assay(words + kind);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_EQ(outcome.last_line().find(" 0 killed"), std::string::npos) << kind << outcome.output;
  }
}

TEST(Mutate, RefusesClassesAndNamesThatDoNotExist) {
  const Workplace place;
  place.write("f.c", recurrence);
  EXPECT_EQ(place.assay(of_recurrence + "--class nothing").code, 2);
  EXPECT_EQ(place.assay(of_recurrence + "--only sideways/diffe.f/sign/0").code, 2);
  EXPECT_EQ(place.assay(of_recurrence + "--only reverse/diffe.f/sign").code, 2);
}

TEST(Mutate, FindsFaultsInTheProgramsOfTheSuite) {
  const Outcome outcome = Workplace().assay("mutate " ASSAY_MUTATION "/matrices.c --budget " +
                                            std::to_string(campaign_size(10, 40)) + least_score);
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

} // namespace
