// Would catch: a program of a case that lacks the flags, the other files or the C++ values of its function; sanitizers
// that see neither the derivative nor the function; a debugger that never stops.

#include "cli/sanitizer_findings.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/wrong_cube.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cli::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// Functions of C with one fault each that no number shows.
const std::string faulty = "#include <assay/check.h>\n"
                           "double over(const double *x, int n) {\n"
                           "  double s = 0;\n"
                           "  for (int i = 0; i <= n; ++i)\n"
                           "    s += x[i] * x[i];\n"
                           "  return s;\n"
                           "}\n"
                           "double shift(double x, int n) {\n"
                           "  return x * (1 << n);\n"
                           "}\n"
                           "double square(double x) { return x * x; }\n"
                           "ASSAY_CHECK(over, \"double[3]\", \"int=3\");\n"
                           "ASSAY_CHECK(shift, \"double\", \"int=40\");\n"
                           "ASSAY_CHECK(square);\n";

class ReplayedProgram : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(place.path() / "project"); }

  /// All functions of the project at few points.
  void run_night(int cases) const {
    const Outcome night = place.assay("nightly --seed 3 --cases " + std::to_string(cases) +
                                      " --samples 1 --combinations 4 --report night project");
    ASSERT_NE(night.code, 2) << night.output << night.errors;
  }

  /// The name of the case of a function.
  std::string case_of(const std::string &function) const {
    std::ifstream cases(place.path() / "night/cases.txt");
    for (std::string line; std::getline(cases, line);)
      if (line.find(":" + function + "@") != std::string::npos)
        return line;
    return "no case of " + function;
  }

  Outcome replay(const std::string &function, const std::string &words) const {
    return place.assay("replay '" + case_of(function) + "' --report night " + words);
  }

  bool has(const std::string &program) const { return place.shell("command -v " + program).code == 0; }

  const Workplace place;
};

TEST_F(ReplayedProgram, ShowsWhatSanitizersFindWithItsLine) {
  place.write("project/faulty.c", faulty);
  run_night(3);
  const Outcome over = replay("over", "--asan");
  EXPECT_EQ(over.code, 1) << over.output << over.errors;
  EXPECT_THAT(over.output, ContainsRegex("faulty.c:5:[0-9]+: stack-buffer-overflow, READ of size 8, in "
                                         "(fwddiffe|diffe|augmented)[.]over"));
  EXPECT_THAT(over.output, ContainsRegex("faulty.c:5:[0-9]+: stack-buffer-overflow, READ of size 8, in over"));
  EXPECT_THAT(over.output, Not(HasSubstr("Shadow bytes")));
  const Outcome shift = replay("shift", "--asan");
  EXPECT_EQ(shift.code, 1) << shift.output << shift.errors;
  EXPECT_THAT(shift.output, ContainsRegex("faulty.c:9:[0-9]+: shift exponent 40 is too large"));
  const Outcome square = replay("square", "--asan");
  EXPECT_EQ(square.code, 0) << square.output << square.errors;
  EXPECT_THAT(square.output, ContainsRegex("sanitizers: forward: square.*: 0 findings"));
  EXPECT_THAT(square.output, ContainsRegex("sanitizers: reverse: square.*: 0 findings"));
}

/// Flags, a second file, C++ values, and names that the program itself might have had.
TEST_F(ReplayedProgram, IsMadeOfARealProject) {
  std::filesystem::create_directories(place.path() / "project/include");
  place.write("project/include/scale.hpp", "#pragma once\ndouble scaled(double x);\n");
  place.write("project/scale.cpp", "#include \"scale.hpp\"\ndouble scaled(double x) { return SCALE * x; }\n");
  place.write("project/sums.cpp", "#include \"include/scale.hpp\"\n#include <vector>\n"
                                  "double g(const std::vector<double> &v) {\n  double s = 0;\n"
                                  "  for (double e : v) s += scaled(e) * e;\n  return s + v.data()[v.size()] * 0;\n}\n"
                                  "namespace y { double F(double x) { return scaled(x) * x; } }\n");
  place.write("project/assay.toml",
              "flags = ['-DSCALE=2.0', '-Iinclude']\n"
              "[[check]]\nfiles = ['sums.cpp', 'scale.cpp']\nfunction = 'g'\nargs = ['vector[4]']\n"
              "[[check]]\nfiles = ['sums.cpp', 'scale.cpp']\nfunction = 'y::F'\n");
  run_night(2);
  const Outcome g = replay("g", "--asan --emit code");
  EXPECT_EQ(g.code, 1) << g.output << g.errors;
  EXPECT_THAT(g.output, ContainsRegex("sums.cpp:6:[0-9]+: heap-buffer-overflow, READ of size 8, in g"));
  EXPECT_TRUE(std::filesystem::exists(place.path() / "code/program.s"));
  const Outcome passes = replay("y::F", "--asan");
  EXPECT_EQ(passes.code, 0) << passes.output << passes.errors;
}

TEST_F(ReplayedProgram, IsThereForARecordOfACheck) {
  place.write("project/faulty.c", faulty);
  place.assay(
      "check project/faulty.c --function over --arg 'double[3]' --arg int=3 --plain --samples 1 --report report");
  const Outcome replayed = place.assay("replay 1 --report report --asan --emit code");
  EXPECT_EQ(replayed.code, 1) << replayed.output << replayed.errors;
  EXPECT_THAT(replayed.output, ContainsRegex("faulty.c:5:[0-9]+: stack-buffer-overflow"));
  EXPECT_TRUE(std::filesystem::exists(place.path() / "code/program.differentiated.ll"));
}

TEST_F(ReplayedProgram, StopsInADebuggerAtTheDerivative) {
  place.write("project/faulty.c", faulty);
  run_night(3);
  const auto debug = [&](const std::string &path) {
    return place.shell("printf 'bt\\nquit\\n' | PATH='" + path + "' " ASSAY_COMMAND " replay '" + case_of("over") +
                       "' --report night --debug");
  };
  // All programs but gdb.
  ASSERT_EQ(place.shell("mkdir bin && ln -s /usr/bin/* bin/ && rm -f bin/gdb").code, 0);
  const char *path = std::getenv("PATH");
  if (has("gdb")) {
    const Outcome outcome = debug(path ? path : "/usr/bin");
    EXPECT_THAT(outcome.output, ContainsRegex("#0 .*diffe[.]over.*faulty.c:[0-9]")) << outcome.errors;
    EXPECT_THAT(outcome.output, HasSubstr("combinations checked"));
  }
  if (has("lldb-22")) {
    const Outcome outcome = debug((place.path() / "bin").string());
    EXPECT_THAT(outcome.output, ContainsRegex("frame #0: .*diffe[.]over.*faulty.c:[0-9]")) << outcome.errors;
  }
  ASSERT_EQ(place.shell("rm -f bin/lldb*").code, 0);
  const Outcome neither = debug((place.path() / "bin").string());
  EXPECT_EQ(neither.code, 2);
  EXPECT_THAT(neither.errors, HasSubstr("neither gdb nor lldb is in PATH"));
}

TEST(SanitizerFindings, HaveThePlaceOfTheFirstFrameWithALine) {
  const std::string output =
      "x[0]  AD 1\n"
      "/src/f.c:3:7: runtime error: division by zero\n"
      "/src/f.c:3:7: runtime error: division by zero\n"
      "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n"
      "WRITE of size 4 at 0x1 thread T0\n"
      "    #0 0x55d in memset (/a.out+0x5d)\n"
      "    #1 0x55f in diffe.f(double const*) /src/f.c:9:2\n"
      "    #2 0x56f in main /src/p.c:1:1\n"
      "Shadow bytes around the buggy address:\n"
      "  0x0: 00\n"
      "=>0x1: [fd]\n"
      "Shadow byte legend (one shadow byte represents 8 application bytes):\n"
      "  Addressable:           00\n"
      "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n"
      "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n"
      "    #0 0x1 in malloc /build/compiler-rt/lib/asan/asan_malloc_linux.cpp:67:3\n"
      "    #1 0x2 in f /src/f.c:11:44\n";
  const std::vector<SanitizerFinding> expected{
      {"division by zero", "/src/f.c:3:7", ""},
      {"heap-use-after-free, WRITE of size 4", "/src/f.c:9:2", "diffe.f(double const*)"},
      {"SEGV on unknown address", "", ""},
      {"Direct leak of 8 byte(s) in 1 object(s)", "/src/f.c:11:44", "f"}};
  EXPECT_EQ(sanitizer_findings(output), expected);
  EXPECT_THAT(without_shadow_map(output), Not(HasSubstr("Addressable")));
  EXPECT_THAT(without_shadow_map(output), HasSubstr("SEGV"));
}

} // namespace
} // namespace assay::cli::test
