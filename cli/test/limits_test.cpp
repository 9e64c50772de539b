// Would catch: a call that does not end, or takes all memory, and the command with it; a check that takes minutes where
// a call takes long, or that leaves something out without a word; many inputs among which a wrong derivative hides.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gtest/gtest.h>
#include <regex>

namespace {

using assay::cli::test::by_default;
using assay::cli::test::Outcome;
using assay::cli::test::Workplace;

bool mentions(const Outcome &outcome, const std::string &text) {
  return (outcome.output + outcome.errors).find(text) != std::string::npos;
}

/// `twice`, whose reverse rule does one thing more.
std::string careless(const std::string &deed) {
  return "#include <stdlib.h>\n"
         "double twice(double x) { return 2 * x; }\n"
         "double twice_augmented(double x) { return 2 * x; }\n"
         "double twice_reverse(double x, double seed) {\n  " +
         deed +
         "\n  return 2 * seed;\n}\n"
         "void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)twice_augmented, (void *)twice_reverse};\n"
         "double f(double x, double y) { return twice(x) * y; }\n";
}

/// Direct ones, in sessions of their own and twice orphaned, and while the function ends in whatever way.
TEST(Limits, ProcessesThatAFunctionStartsEndWithItsCheck) {
  const Workplace place;
  place.write("f.c",
              "#include <stdlib.h>\n#include <unistd.h>\n"
              "static void leave(void) { execlp(\"sleep\", \"assay-left-over\", \"97531\", (char *)0); _exit(1); }\n"
              "double f(double x) {\n"
              "  if (fork() == 0) leave();\n"
              "  if (fork() == 0) { setsid(); if (fork() == 0) leave(); _exit(0); }\n"
              "  END\n  return x * x;\n}\n");
  const auto left = [&] {
    return place.shell("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -c '[a]ssay-left-over 97531'")
        .output;
  };
  ASSERT_EQ(left(), "0\n");
  const std::string few = by_default(" --budget 2");
  for (const std::string end : {"", "abort();", "for (;;);", "_exit(0);"}) {
    const Outcome outcome =
        place.assay("check f.c --function f --plain --samples 1 --call-seconds 1" + few + " -- -D'END=" + end + "'");
    EXPECT_EQ(outcome.code, end.empty() ? 0 : 2) << end << outcome.output << outcome.errors;
    EXPECT_EQ(left(), "0\n") << end;
  }
  EXPECT_EQ(place.assay("check f.c --function f --plain --samples 1 --jobs 2" + few + " -- -DEND=").code, 0);
  EXPECT_EQ(left(), "0\n") << "with several jobs";
  place.shell(ASSAY_COMMAND " check f.c --function f --plain --call-seconds 60 -- '-DEND=for (;;);' & checked=$!; "
                            "sleep 2; kill -INT $checked; wait $checked");
  EXPECT_EQ(left(), "0\n") << "after an interruption";
  place.shell(ASSAY_COMMAND
              " check f.c --function f --plain --call-seconds 60 -- '-DEND=for (;;);' & checked=$!; "
              "for i in $(seq 100); do grep -qs assay-left-over /proc/[0-9]*/cmdline && break; sleep 0.1; "
              "done; kill -KILL $checked");
  std::string last;
  for (int tenths = 0; tenths < 50 && last != "0\n"; ++tenths) {
    last = left();
    place.shell("sleep 0.1");
  }
  EXPECT_EQ(last, "0\n") << "after the command was killed";
}

/// While the sources are compiled nothing is checked yet; a terminal sends Ctrl-C to the compiler, too.
TEST(Limits, AnInterruptionWhileSourcesAreCompiledLeavesALastLineAndAReport) {
  const Workplace place;
  place.write("f.cpp", "#include <complex>\n#include <map>\n#include <regex>\n#include <vector>\n"
                       "double f(const std::vector<double> &x) { return x[0] * x[1]; }\n");
  for (const std::string target : {"$checked", "-$checked"}) { // The command alone, and its group.
    const Outcome outcome = place.shell("setsid " ASSAY_COMMAND
                                        " check f.cpp --function f --arg 'x[2]' --report r & checked=$!; sleep 0.4; "
                                        "kill -INT " +
                                        target + "; wait $checked");
    EXPECT_EQ(outcome.code, 130) << outcome.output << outcome.errors;
    EXPECT_EQ(outcome.last_line(), "0 combinations checked, 0 passed, 0 failed, 0 undecided") << outcome.errors;
    EXPECT_EQ(place.shell("grep -q 'interrupted: what follows' r/records.jsonl r/report.md").code, 0);
  }
}

/// What started the command may have left it children: the shell that it replaces.
TEST(Limits, ProcessesOfOthersGoOn) {
  const Workplace place;
  place.write("f.c", "double f(double x) { return x * x; }\n");
  const Outcome outcome = place.shell("sh -c 'sleep 97532 & echo $! > pid; exec " ASSAY_COMMAND
                                      " check f.c --function f --plain --samples 1' && "
                                      "kill $(cat pid)");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(Limits, ADerivativeThatDoesNotEndGivesNoAnswerAndTheOthersAreChecked) {
  const Workplace place;
  place.write("f.c", careless("for (volatile int i = 0;; ++i);"));
  const Outcome outcome = place.assay("check f.c --function f --plain --call-seconds 1");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "no answer in reverse")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "it did not return within 1 s of processor time")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "twice_reverse")) << outcome.output;
  EXPECT_EQ(outcome.last_line(), "9 combinations checked, 7 passed, 2 failed, 0 undecided") << outcome.output;
  EXPECT_TRUE(mentions(outcome, "--call-seconds 1")) << "in the replay command\n" << outcome.output;
}

/// All combinations of a mode use the same rule, and each would wait for the limit.
TEST(Limits, AfterTwoDerivativesWithoutAnswerTheOthersOfTheirModeAreNotTried) {
  const Workplace place;
  place.write("f.c", careless("for (volatile int i = 0;; ++i);"));
  const Outcome outcome = place.assay("check f.c --function f --call-seconds 1");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex(" passed, 2 failed"))) << outcome.output;
  EXPECT_TRUE(
      mentions(outcome, "after two calls without an answer the other combinations in reverse mode are not tried"))
      << outcome.output;
}

TEST(Limits, AFunctionThatDoesNotEndItselfCannotBeChecked) {
  const Workplace place;
  place.write("f.c", "double f(double x) { for (volatile int i = 0;; ++i); return x; }\n");
  const Outcome outcome = place.assay("check f.c --function f --call-seconds 1");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome,
                       "f cannot be checked: the function itself gives no answer, it did not return within 1 s "
                       "of processor time"))
      << outcome.errors;
}

TEST(Limits, TheNextFunctionIsCheckedAfterOneThatDoesNotEnd) {
  const Workplace place;
  place.write("f.c", "#include <assay/check.h>\n"
                     "double f(double x) { for (volatile int i = 0;; ++i); return x; }\n"
                     "double g(double x) { return x * x; }\n"
                     "ASSAY_CHECK(f);\nASSAY_CHECK(g);\n");
  const Outcome outcome = place.assay("check f.c --plain --call-seconds 1");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("  g +[1-9][0-9]* passed"))) << outcome.output;
}

TEST(Limits, ADerivativeThatAsksForAllMemoryGivesNoAnswer) {
  const Workplace place;
  place.write("f.c", careless("static void *volatile last; for (int i = 0; i < 1000; ++i) last = malloc(1 << 20);"));
  const Outcome outcome = place.assay("check f.c --function f --plain --memory 64MiB");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "no answer in reverse")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "it asked for more than 64 MiB of memory")) << outcome.output;
}

TEST(Limits, MemoryThatIsFreedDoesNotCount) {
  const Workplace place;
  place.write("f.c", "#include <stdlib.h>\n"
                     "double f(double x) {\n"
                     "  double sum = 0;\n"
                     "  for (int i = 0; i < 1000; ++i) {\n"
                     "    double *p = malloc(1 << 20);\n    p[i] = x;\n    sum += p[i] * x;\n    free(p);\n  }\n"
                     "  return sum;\n}\n");
  const Outcome outcome = place.assay("check f.c --function f --mode forward --plain --memory 64MiB");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(Limits, AFunctionOfAllMemoryCannotBeChecked) {
  const Workplace place;
  place.write("f.cpp", "#include <vector>\n"
                       "double f(double x) {\n"
                       "  std::vector<double> all;\n"
                       "  for (;;) all.push_back(x);\n}\n");
  const Outcome outcome = place.assay("check f.cpp --function f --memory 256MiB");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "it asked for more than 256 MiB of memory")) << outcome.errors;
}

/// The optimiser takes the memory out of the function; wide arithmetic follows it as it is written.
TEST(Limits, WideArithmeticAsksForNoMoreMemoryThanTheFunction) {
  const Workplace place;
  place.write("f.c", "#include <stdlib.h>\n"
                     "double f(double x) {\n"
                     "  double *p = malloc(1ull << 40);\n  if (!p) return -1;\n  p[0] = x;\n  p[12345678] = x * x;\n"
                     "  double r = p[0] * p[12345678];\n  free(p);\n  return r;\n}\n");
  const Outcome outcome = place.assay("check f.c --function f --plain");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "in wide arithmetic it asked for more than 4 GiB of memory")) << outcome.output;
}

TEST(Limits, RecursionWithoutEndIsACrashByName) {
  const Workplace place;
  place.write("f.c", careless("volatile double deep(int); if (deep(1) == 0) return 0;") +
                         "volatile double deep(int n) { volatile double here[64]; here[0] = n; return deep(n + 1) + "
                         "here[0]; }\n");
  const Outcome outcome = place.assay("check f.c --function f --plain --mode reverse");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "crash in reverse")) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "the stack is full")) << outcome.output;
}

/// A call takes some hundredths of a second.
constexpr const char *slow = "#include <math.h>\n"
                             "double f(double x, double y) {\n"
                             "  for (int i = 0; i < 500000; ++i) x = x + 1e-7 * sin(x + y);\n"
                             "  return x * y;\n}\n";

TEST(Limits, OfASlowFunctionTheOutputSaysWhatWasLeftOutAndIsAlwaysTheSame) {
  const Workplace place;
  place.write("f.c", slow);
  const std::string command = "check f.c --function f --seconds 1";
  const Outcome outcome = place.assay(command);
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_TRUE(std::regex_search(
      outcome.output, std::regex("[1-9][0-9]* of 37 combinations, 1 of 3 points.*: a call takes [0-9.]+e\\+0[67] "
                                 "operations on 3 numbers.*--seconds")))
      << outcome.output;
  EXPECT_EQ(place.assay(command).output, outcome.output);
}

TEST(Limits, WhatTheUserChoosesIsKept) {
  const Workplace place;
  place.write("f.c", slow);
  const Outcome outcome = place.assay("check f.c --function f --seconds 1 --budget 3 --samples 1 --mode forward");
  EXPECT_EQ(outcome.last_line(), "3 combinations checked, 3 passed, 0 failed, 0 undecided") << outcome.output;
  EXPECT_FALSE(mentions(outcome, "of 1 points")) << outcome.output;
}

TEST(Limits, RecordsSayWhatWasLeftOut) {
  const Workplace place;
  place.write("f.c", slow);
  static_cast<void>(place.assay("check f.c --function f --seconds 1 --mode forward --report r"));
  const Outcome record = place.shell("grep -o '\"effort\":\"[^\"]*combinations[^\"]*\"' r/records.jsonl | head -1");
  EXPECT_TRUE(mentions(record, "operations")) << record.output;
}

TEST(Limits, AFunctionThatNeverEndsAtOtherNumbersIsCheckedWhereItDoes) {
  const Workplace place;
  place.write("f.c", "void f(double *y, const double *x) {\n"
                     "  volatile double start = y[0];\n"
                     "  while (start < 0) ;\n"
                     "  y[0] = start * x[0];\n}\n");
  const Outcome outcome = place.assay("check f.c --function f --arg 'double[1]:(0.6,2)' --arg 'double[1]' --plain "
                                      "--call-seconds 1 --mode reverse");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(Limits, ManyProcessesSayWhatOneSays) {
  const Workplace place;
  place.write("f.c", careless("static int calls; if (++calls == 2) seed *= 2;") +
                         "#include <assay/check.h>\n"
                         "double g(double x, double y) { return x * x * y; }\n"
                         "double h(const double *x, int n) { return x[0] * x[n - 1]; }\n"
                         "double wrong(double x) { return f(x, x); }\n"
                         "ASSAY_CHECK(g);\nASSAY_CHECK(f);\nASSAY_CHECK(h, \"double[n]\", \"int=1..9\");\n"
                         "ASSAY_CHECK(wrong);\n");
  const Outcome one = place.assay("check f.c --report by-one"),
                four = place.assay("check f.c --report by-four --jobs 4");
  EXPECT_EQ(one.code, 1) << one.output;
  EXPECT_EQ(four.code, 1) << four.output;
  EXPECT_EQ(std::regex_replace(one.output, std::regex("by-one/"), ""),
            std::regex_replace(four.output, std::regex("by-four/"), ""));
  const auto records = [&](const std::string &report) { // Times differ from run to run.
    const std::string lines = place.shell("grep '\"kind\":\"record\"' " + report + "/records.jsonl").output;
    return std::regex_replace(lines, std::regex(",\"times\":\\{\"function\":\\{[^}]*\\},\"derivative\":\\{[^}]*\\}\\}"),
                              "");
  };
  EXPECT_EQ(records("by-one"), records("by-four"));
}

TEST(Limits, ManyProcessesRefuseWhatOneRefuses) {
  const Workplace place;
  place.write("f.c", "#include <assay/check.h>\n"
                     "double g(double x) { return x * x; }\nint h(double x) { return x > 0; }\n"
                     "ASSAY_CHECK(g);\nASSAY_CHECK(h);\n");
  const Outcome one = place.assay("check f.c"), four = place.assay("check f.c --jobs 4");
  EXPECT_EQ(one.code, 2);
  EXPECT_EQ(four.code, 2);
  EXPECT_EQ(one.output, four.output);
  EXPECT_EQ(one.errors, four.errors);
}

TEST(Limits, OneWrongElementOfAThousandIsNamed) {
  const Workplace place;
  for (const char *element : {"617"}) {
    place.write("f.c",
                std::string("void *aug(const double *x, double *dx, double *y, double *dy, int n);\n"
                            "void squares(const double *x, double *y, int n) { for (int i = 0; i < n; ++i) y[i] = "
                            "x[i] * x[i]; }\n"
                            "void *aug(const double *x, double *dx, double *y, double *dy, int n) {\n"
                            "  squares(x, y, n); return 0; }\n"
                            "void rev(const double *x, double *dx, double *y, double *dy, int n, void *tape) {\n"
                            "  for (int i = 0; i < n; ++i) {\n"
                            "    dx[i] += 2 * x[i] * dy[i] * (i == ") +
                    element +
                    " ? 1.001 : 1);\n    dy[i] = 0;\n  }\n}\n"
                    "void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)aug, (void *)rev};\n"
                    "double f(const double *x, const double *w, int n) {\n"
                    "  double y[1000], sum = 0;\n  squares(x, y, n);\n"
                    "  for (int i = 0; i < n; ++i) sum += w[i] * y[i];\n  return sum;\n}\n");
    const Outcome outcome =
        place.assay("check f.c --function f --arg 'double[1000]' --arg 'const "
                    "double[1000]:log(1e-4,1e4)' --arg int=1000 --mode reverse --budget 1 --seconds 5");
    EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
    EXPECT_TRUE(mentions(outcome, std::string("x[") + element + "]")) << outcome.output;
  }
}

/// The inputs, the sample and the command that repeats it.
void expect_call_named(const Outcome &outcome, const Workplace &place, const std::string &verdict) {
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex(verdict + " in reverse: f\\(Active x, (Active|Const) y\\)")))
      << outcome.output;
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("x = -?0x1\\.[0-9a-f]+p[-+][0-9]+"))) << outcome.output;
  EXPECT_TRUE(std::regex_search(outcome.output, std::regex("seed 1, sample [0-9]+"))) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "replay: ")) << outcome.output;
  for (const char *file : {"r/records.jsonl", "r/junit.xml", "r/index.html"})
    EXPECT_TRUE(mentions(place.shell(std::string("grep -o 'inputs of the call' ") + file), "inputs of the call"))
        << file;
}

TEST(Limits, ACrashSaysAtWhichInputs) {
  const Workplace place;
  for (const char *deed : {"*(volatile int *)0 = 1;", "abort();", "volatile int zero = 0; zero = 1 / zero;"}) {
    place.write("f.c", careless(std::string("if (x < 0) { ") + deed + " }"));
    expect_call_named(place.assay("check f.c --function f --plain --report r"), place, "crash");
  }
}

TEST(Limits, NoAnswerSaysAtWhichInputs) {
  const Workplace place;
  place.write("f.c", careless("for (volatile int i = 0; x < 0; ++i);"));
  expect_call_named(place.assay("check f.c --function f --plain --call-seconds 1 --report r"), place, "no answer");
}

/// `sines`, whose forward rule does one thing more.
std::string careless_sines(const std::string &deed) {
  return "#include <math.h>\n"
         "double sines(const double *x, int n) {\n"
         "  double sum = 0;\n  for (int i = 0; i < n; ++i) sum += sin(x[i]);\n  return sum;\n}\n"
         "double sines_tangent(const double *x, const double *dx, int n) {\n"
         "  double sum = 0;\n  for (int i = 0; i < n; ++i) sum += cos(x[i]) * dx[i];\n  " +
         deed +
         "\n  return sum;\n}\n"
         "void *__enzyme_register_derivative_sines[] = {(void *)sines, (void *)sines_tangent};\n"
         "double f(const double *x, int n) { return sines(x, n); }\n";
}

TEST(Limits, NoAnswerSaysAtWhichSize) {
  const Workplace place;
  place.write("f.c", careless_sines("for (volatile unsigned char i = 0; i < n; ++i);"));
  const std::string options = "--function f --arg 'double[n]' --mode forward --call-seconds 1 ";
  const Outcome outcome = place.assay("check f.c " + options + "--arg int=1..300");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  std::smatch size;
  ASSERT_TRUE(std::regex_search(outcome.output, size, std::regex("no answer in forward[^]*?\n +n = ([0-9]+)\n")))
      << outcome.output;
  EXPECT_GT(std::stoi(size[1]), 255) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "--arg int=" + size[1].str())) << outcome.output;
  EXPECT_EQ(place.assay("check f.c " + options + "--plain --samples 1 --arg int=" + size[1].str()).code, 1);
}

TEST(Limits, OneThreadThatWaitsForTheOtherComesToAnEnd) {
  const Workplace place;
  place.write("f.c", careless("static volatile int busy; while (busy); busy = 1; busy = 0;"));
  const Outcome spins = place.assay("check f.c --function f --mode reverse --call-seconds 1");
  EXPECT_EQ(spins.code, 0) << spins.output;
  place.write("f.c", careless("static int waiting; ++waiting; while (*(volatile int *)&waiting > 1); --waiting;"));
  const Outcome waits = place.assay("check f.c --function f --mode reverse --call-seconds 1");
  EXPECT_EQ(waits.code, 1) << waits.output;
  EXPECT_TRUE(mentions(waits, "no answer in reverse")) << waits.output;
  EXPECT_TRUE(mentions(waits, "it did not return within 1 s of processor time")) << waits.output;
}

TEST(Limits, FailuresOfLargeFunctionsNameTheRule) {
  const Workplace place;
  place.write("f.c", careless_sines("sum *= 2;"));
  const Outcome outcome =
      place.assay("check f.c --function f --arg 'double[n]' --arg int=20000 --mode forward --seconds 1");
  EXPECT_EQ(outcome.code, 1) << outcome.output;
  EXPECT_TRUE(mentions(outcome, "only the derivative at each")) << outcome.output;
  EXPECT_TRUE(std::regex_search(
      outcome.output, std::regex("rule +sines: sines_tangent, registered by __enzyme_register_derivative_sines")))
      << outcome.output;
}

TEST(Limits, CompilingThatTakesTooLongIsGivenUpByName) {
  const Workplace place;
  std::string code = "double f(const double *x) {\n  double y = 1;\n";
  for (int line = 0; line < 4000; ++line)
    code +=
        "  y = y * x[" + std::to_string(line % 16) + "] + (y > x[" + std::to_string(line % 7) + "] ? x[3] : y * y);\n";
  place.write("f.c", code + "  return y;\n}\n");
  const Outcome outcome = place.assay("check f.c --function f --arg 'double[16]' --patience 1");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_TRUE(
      std::regex_search(outcome.errors, std::regex("f cannot be checked: compiling (it|its derivatives) gives no "
                                                   "answer, it did not return within 1 s .--patience.")))
      << outcome.output << outcome.errors;
}

TEST(Limits, ForwardModeNamesTheWrongInputOfMany) {
  const Workplace place;
  place.write("f.c", "void squares(const double *x, double *y, int n) {\n"
                     "  for (int i = 0; i < n; ++i) y[i % 7] += x[i] * x[i];\n}\n"
                     "void tangent(const double *x, const double *dx, double *y, double *dy, int n) {\n"
                     "  for (int i = 0; i < n; ++i) {\n"
                     "    y[i % 7] += x[i] * x[i];\n"
                     "    dy[i % 7] += 2 * x[i] * dx[i] * (i == 433 ? 1.001 : 1);\n  }\n}\n"
                     "void *__enzyme_register_derivative_squares[] = {(void *)squares, (void *)tangent};\n"
                     "double f(const double *x, int n) {\n"
                     "  double y[7] = {0}, sum = 0;\n  squares(x, y, n);\n"
                     "  for (int i = 0; i < 7; ++i) sum += (i + 1) * y[i];\n  return sum;\n}\n");
  const Outcome outcome =
      place.assay("check f.c --function f --arg 'double[700]' --arg int=700 --mode forward --seconds 5");
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_TRUE(mentions(outcome, "the derivative of result by x[433] alone is ")) << outcome.output;
}

} // namespace
